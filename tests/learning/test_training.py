"""Each learner learns within seconds, and goes on after a kill as if there had been none."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import perfectplay as pp
from perfectplay.core.errors import ParseError, install_command
from perfectplay.learning.networks import starts_for
from perfectplay.learning.ppo import Ppo, PpoSettings
from perfectplay.learning.training import Training
from perfectplay.simulate.jax_tables import jax_game
from tests.conftest import ROOT

sys.path.append(str(ROOT / "examples"))
import train_alphazero
import train_q_learning

SETTINGS = PpoSettings(updates=60, games=64, hidden=(32,))


def ppo(checkpoint: Path | None = None, settings: PpoSettings = SETTINGS) -> Training:
    return Training(Ppo(jax_game("bit-flip:bits=5"), settings), (0, 1), 30, checkpoint)


@pytest.mark.parametrize("library", ["jax", "optax"])
def test_without_the_library_the_error_says_how_to_get_it(library: str) -> None:
    script = f"import sys; sys.modules[{library!r}] = None; import perfectplay.learning.networks"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    said = f"{library} is not installed; add it with: {install_command('jax')}"
    assert done.stderr.endswith(f"MissingExtraError: {said}\n")


class Killed(Exception):
    pass


def kill(training: Training) -> None:
    if training.updates[-1] == 30:
        raise Killed


def test_ppo_learns_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    whole, path = ppo(), tmp_path / "training.npz"
    whole.run()
    assert whole.updates == [0, 30, 60]
    assert (whole.corrected[-1] > 0.9).all()
    assert (whole.corrected[-1] > whole.corrected[0] + 0.5).all()
    with pytest.raises(Killed):
        ppo(path).run(kill)
    rest = ppo(path)
    assert rest.updates == [0, 30]
    rest.run()
    assert np.array_equal(rest.corrected, whole.corrected)
    leaves = zip(jax.tree.leaves(rest.learners), jax.tree.leaves(whole.learners), strict=True)
    assert all(np.array_equal(one, two) for one, two in leaves)
    # The policy on its own plays as the network did, but for the rounding of its file.
    found = pp.measure_policy("bit-flip:bits=5", rest.policy(1))
    assert found.corrected == pytest.approx(whole.corrected[-1, 1], abs=1e-5)
    with pytest.raises(ParseError, match="another training"):
        ppo(path, PpoSettings(updates=90, games=64, hidden=(32,)))


@pytest.mark.parametrize("size", [0, 100, -100])
def test_a_damaged_checkpoint_is_refused(size: int, tmp_path: Path) -> None:
    path = tmp_path / "training.npz"
    with pytest.raises(Killed):
        ppo(path).run(kill)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ParseError, match="damaged"):
        ppo(path)


def test_alphazero_learns_and_goes_on_after_a_kill(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, checkpoint = tmp_path / "policy.json", tmp_path / "training.npz"
    settings: dict[str, Any] = {"updates": 30, "games": 32, "simulations": 8, "hidden": (32,)}
    train_alphazero.main("bit-flip:bits=5", str(path), **settings)
    found = pp.measure_policy("bit-flip:bits=5", pp.load_policy(path))
    assert found.corrected > 0.8
    assert "30 updates" in capsys.readouterr().out

    def training() -> Training:
        learner = train_alphazero.AlphaZero(
            jax_game("bit-flip:bits=5"), train_alphazero.AlphaZeroSettings(**settings)
        )
        return Training(learner, every=3, checkpoint=checkpoint)

    def stop(now: Training) -> None:
        if now.updates[-1] == 15:
            raise Killed

    with pytest.raises(Killed):
        training().run(stop)
    rest = training()
    assert rest.updates[-1] == 15
    rest.run()
    assert rest.policy().text() == path.read_text()


def test_q_learning_learns(capsys: pytest.CaptureFixture[str]) -> None:
    curve = train_q_learning.main("race-to-the-center")
    assert curve[0] == pytest.approx(0)
    assert curve[-1] > 0.9
    assert "best response" in capsys.readouterr().out


def test_games_start_from_every_position_that_is_not_over() -> None:
    game: Any = jax_game("bit-flip")
    rows: Any = np.asarray(starts_for(game).position)
    assert sorted(rows.tolist()) == np.flatnonzero(~np.asarray(game.ended)).tolist()


def test_games_without_a_table_start_from_every_class_near_the_start() -> None:
    game = jax_game("mirror-match:digits=3", 12)
    starts = starts_for(game)
    states = [game.rules_state(starts, (number,)) for number in range(0, starts.plies.shape[0], 7)]
    assert all(game.game.outcome(state) is None for state in states)
    assert {len(state.sequence) for state in states} == set(range(7))
