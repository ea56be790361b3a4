"""Training a player on a terminal: it leaves a file that plays, and goes on after Ctrl-C."""

import shlex
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.core.errors import PerfectplayError, install_command
from perfectplay.learning.training import Training
from perfectplay.terminal.commands.train import curve, train
from perfectplay.terminal.console import Console
from tests.conftest import Run


def trained(*, updates: int = 40, out: Path | None = None, force: bool = False) -> str:
    said = StringIO()
    console = Console(None, said)
    assert train(console, "bit-flip:bits=5", seed=0, updates=updates, out=out, force=force) == 0
    return said.getvalue()


def test_train_continues_an_existing_file_and_force_replaces_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, keep = tmp_path / "mine.json", Training.write_checkpoint

    def interrupt(training: Training, checkpoint: Path) -> None:
        keep(training, checkpoint)
        if training.updates[-1] == 1:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Training, "write_checkpoint", interrupt)
        assert "Stopped after 1 of 40" in trained(out=path)
    # The command goes on, too, so it says that these are not the settings that it began with.
    other = run("train", "bit-flip:bits=5", "--out", str(path), "--updates", "41")
    assert (other.returncode, other.stdout) == (2, "")
    assert "the checkpoint of another training" in other.stderr
    assert other.stderr.count("\n") == 1
    assert "    1 of 40" not in trained(out=path)
    with pytest.raises(PerfectplayError) as refused:
        trained(out=path)
    assert str(refused.value) == f"{path} exists already; --force replaces it"
    with monkeypatch.context() as patch:
        patch.setattr(Training, "write_checkpoint", interrupt)
        trained(out=path, force=True)
        assert "    0 of 40" in trained(out=path, force=True)


def test_a_folder_is_refused_as_a_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(PerfectplayError, match="is a folder"):
        trained(out=tmp_path)
    assert not list(tmp_path.parent.glob(f"{tmp_path.name}.*"))


@pytest.mark.parametrize(("modules", "named"), [(("numpy", "jax"), "jax"), (("numpy",), "numpy")])
def test_without_the_extra_the_error_names_the_one_that_brings_everything(
    modules: tuple[str, ...], named: str
) -> None:
    script = f"import sys; sys.modules.update(dict.fromkeys({modules})); import perfectplay.terminal.commands.train"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.endswith(f"{named} is not installed; add it with: {install_command('jax')}\n")


def test_ctrl_c_keeps_what_was_learned_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keep, count = Training.write_checkpoint, 0

    def interrupt(training: Training, path: Path) -> None:
        nonlocal count
        count += 1  # the first is at the start
        if count in (1, 5):
            signal.raise_signal(signal.SIGINT)  # it waits until what was learned is on disk
        keep(training, path)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    monkeypatch.setattr(Training, "write_checkpoint", interrupt)
    with pytest.raises(KeyboardInterrupt):
        trained()
    assert not list(tmp_path.glob("*.*"))  # before the first update nothing was learned
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
        trained(out=Path("nowhere/mine.json"))


def test_a_damaged_checkpoint_is_refused_before_anything_is_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.training.npz").write_bytes(b"PK damaged")
    monkeypatch.setattr("perfectplay.terminal.commands.train.jax_game", None)
    with pytest.raises(PerfectplayError, match=r"mine\.training\.npz is damaged; remove it or add --force"):
        trained(out=tmp_path / "mine.json")


def test_a_player_of_a_game_file_is_named_after_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Path(__file__).resolve().parents[2] / "examples" / "tic_tac_toe.py"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tic-tac-toe-py.policy.json").touch()
    with pytest.raises(PerfectplayError, match=r"^tic-tac-toe-py\.policy\.json exists already"):
        train(Console(None, StringIO()), str(game), seed=0, updates=1, out=None, force=False)


@pytest.mark.parametrize("width", [40, 53, 80])
def test_the_curve_fits_the_terminal_and_is_as_tall_whatever_it_shows(width: int) -> None:
    shown = [curve(shares, width, "over all positions") for shares in ([0.1], [-1.0, 2.0] * 30)]
    assert len(shown[0]) == len(shown[1])
    assert max(len(line) for lines in shown for line in lines) <= width
    assert shown[1][0].count("*") == {40: 14, 53: 21, 80: 21}[width]


@pytest.mark.parametrize(
    ("game", "where"),
    [("bit-flip:bits=5", "over all positions"), ("mirror-match:digits=3", "over positions near the start")],
)
def test_the_live_curve_says_over_what_it_is_measured(
    game: str,
    where: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("perfectplay.terminal.commands.train.can_redraw", lambda stream: True)
    monkeypatch.setattr(Training, "run", lambda training, watch: training.measure(0, watch))
    out, said = tmp_path / "my player.json", StringIO()
    train(Console(None, said), game, seed=0, updates=1, out=out)
    assert f"corrected share of decisions kept, {where}: " in said.getvalue()
    # A path with a blank is quoted in the command.
    assert shlex.split(said.getvalue())[-4:] == ["play", game, "--p2", f"learned:{out}"]
