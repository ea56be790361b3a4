"""The commands audit-env and replay-env: exit codes, output, known findings."""

import json
from pathlib import Path

import pytest

from perfectplay.terminal.audit_env import parsed_moves
from tests.conftest import Run

ENVS = Path(__file__).parent / "envs"
SOUND, CRASH = str(ENVS / "sound.py"), str(ENVS / "crash.py")


def test_a_sound_environment_is_clean(run: Run) -> None:
    done = run("audit-env", SOUND)
    assert done.returncode == 0, done.stderr
    assert "All 12 positions and 30 moves were visited." in done.stdout
    assert "Perfect play, for the side that moves first: win in 3." in done.stdout
    assert "warning, `forced-win`" in done.stdout
    assert "## Players" in done.stdout


def test_findings_fail_the_run_as_asked(run: Run, tmp_path: Path) -> None:
    done = run("audit-env", CRASH, "--json")
    assert done.returncode == 1
    record = json.loads(done.stdout)
    [crash] = [each for each in record["findings"] if each["code"] == "crash"]
    known = tmp_path / "known.jsonl"
    known.write_text(done.stdout)
    assert run("audit-env", CRASH, "--baseline", str(known)).returncode == 0
    assert run("audit-env", CRASH, "--fail-on", "plays-on,hang").returncode == 0
    assert run("audit-env", SOUND, "--fail-on", "warning").returncode == 1
    replayed = run("replay-env", CRASH, "--moves", " ".join(map(str, crash["witness"])))
    assert "IndexError: off the board" in replayed.stdout
    page = tmp_path / "page.html"
    done = run("audit-env", CRASH, "--html", str(page), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["findings"] == record["findings"]
    assert "Move by move" in page.read_text()


def test_a_collection_fails_only_if_asked(run: Run, tmp_path: Path) -> None:
    done = run("audit-env", CRASH, "--out", str(tmp_path / "a"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 environment: 1 with a problem" in done.stdout
    assert run("audit-env", CRASH, "--out", str(tmp_path / "a"), "--fail-on", "crash").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["./nowhere.py"], 'there is no file "nowhere.py"'),
        (["chess"], 'bad name "chess": it must be a file such as ./env.py'),
        (["pettingzo:x-y"], "(did you mean pettingzoo?)"),
        ([SOUND, "--fail-on", "crush"], "neither problem, warning nor a finding code"),
        ([SOUND, CRASH], "2 environments need a folder: --out FOLDER"),
        ([SOUND, "--on", "ray"], "--on is for a collection"),
        ([SOUND, "--baseline", SOUND], "is not a file of records"),
        (["*.nothing"], 'no file matches "*.nothing"'),
    ],
)
def test_bad_input_gets_one_line(run: Run, arguments: list[str], said: str) -> None:
    done = run("audit-env", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_moves_are_read_as_they_are_printed() -> None:
    assert parsed_moves("0 -1 (1,2) '[3 4]' e4") == [0, -1, [1, 2], "[3 4]", "e4"]
