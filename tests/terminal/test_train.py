"""Training a player on a terminal: it leaves a file that plays, and goes on after Ctrl-C."""

from io import StringIO
from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.core.errors import PerfectplayError
from perfectplay.learning.training import Training
from perfectplay.terminal.commands.train import curve, train
from perfectplay.terminal.console import Console


def trained(*, updates: int = 40) -> str:
    said = StringIO()
    assert train(Console(None, said), "bit-flip:bits=5", seed=0, updates=updates, out=None) == 0
    return said.getvalue()


def test_ctrl_c_keeps_what_was_learned_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keep, count = Training._keep, 0

    def interrupt(training: Training, path: Path) -> None:
        nonlocal count
        keep(training, path)
        count += 1  # the first is at the start
        if count in (1, 4):
            raise KeyboardInterrupt

    monkeypatch.setattr(Training, "_keep", interrupt)
    assert "Stopped after 0 of 40 updates." in trained()
    assert "Stopped after 3 of 40 updates." in trained()
    file = tmp_path / "bit-flip-bits-5.policy.json"
    first = pp.load_policy(file)
    assert first.about["updates"] == 3
    assert "   3 of 40" not in trained()
    assert pp.load_policy(file).about["updates"] == 40
    assert [path.name for path in tmp_path.glob("*.*")] == [file.name]
    with pytest.raises(PerfectplayError, match="exists already"):
        trained()
    with pytest.raises(PerfectplayError, match="there is no folder nowhere"):
        train(Console(None, StringIO()), "bit-flip", seed=0, updates=1, out=Path("nowhere/mine.json"))


def test_a_player_of_a_game_file_is_named_after_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Path(__file__).resolve().parents[2] / "examples" / "tic_tac_toe.py"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tic-tac-toe-py.policy.json").touch()
    with pytest.raises(PerfectplayError, match=r"^tic-tac-toe-py\.policy\.json exists already"):
        train(Console(None, StringIO()), str(game), seed=0, updates=1, out=None)


def test_the_curve_is_as_tall_whatever_it_shows() -> None:
    assert len(curve([0.1], 9)) == len(curve([-1.0, 2.0] * 20, 9)) == 11
