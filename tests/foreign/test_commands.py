"""The commands audit-env and replay-env: exit codes, output, known findings."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from perfectplay.cli import main
from perfectplay.core.errors import ParseError
from perfectplay_foreign.adapter import move_from_json
from perfectplay_foreign.commands import audit_env
from perfectplay_foreign.commands.audit_env import parse_moves
from perfectplay_foreign.commands.fail_on import Unfinished, parse_fail_on, read_baseline, translate_errors
from perfectplay_foreign.records import Found
from perfectplay_foreign.report import moves_text
from perfectplay_foreign.sandbox.client import ForkServer
from tests.conftest import ROOT, Run

ENVS = Path(__file__).parent / "envs"
SOUND, CRASH = str(ENVS / "sound.py"), str(ENVS / "crash.py")


@pytest.fixture
def here(server: ForkServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process, with the fork server of all tests: to start one takes longest."""

    @contextmanager
    def shared() -> Iterator[ForkServer]:
        yield server

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(audit_env, "ForkServer", shared)

    def run_here(*args: str) -> CompletedProcess[str]:
        monkeypatch.setattr(sys, "argv", ["perfectplay", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return CompletedProcess(args, int(ended.value.code or 0), shown.out, shown.err)

    return run_here


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
    told = run("audit-env", CRASH, "--baseline", str(known))
    assert told.returncode == 0
    assert "30 moves were visited; the rest could not be visited because of errors." in told.stdout
    assert run("audit-env", CRASH, "--fail-on", "plays-on,hang").returncode == 0
    assert run("audit-env", SOUND, "--fail-on", "warning").returncode == 1
    replayed = run("replay-env", CRASH, "--moves", " ".join(map(str, crash["witness"])))
    assert "IndexError: off the board" in replayed.stdout
    assert replayed.returncode == 1
    assert run("replay-env", str(ENVS / "construct_fails.py")).returncode == 1
    page = tmp_path / "page.html"
    done = run("audit-env", CRASH, "--html", str(page), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["findings"] == record["findings"]
    assert "Move by move" in page.read_text()


ANY_MOVE = """
class Env:
    def reset(self, seed=None):
        self.left, self.current_player = 5, 0
        return self.left, {}

    def legal_moves(self):
        return [1, 2][:self.left]

    def step(self, move):
        self.left, self.current_player = max(0, self.left - move), 1 - self.current_player
        return self.left, float(not self.left), not self.left, False, {}
"""


def test_a_report_says_if_illegal_moves_could_not_be_tried(run: Run, tmp_path: Path) -> None:
    says = "Illegal moves were not tried, because nothing lists all moves"
    (tmp_path / "env.py").write_text(ANY_MOVE)
    assert says in run("audit-env", "./env.py", cwd=tmp_path).stdout
    assert says not in run("audit-env", SOUND).stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"x = 1\0", "it is not Python source text."),
        (b"\xff\0\xfe", "it is not Python source text."),
        (b"x = '\xff'", "bin.py is not Python source text."),
        (b"raise SyntaxError('no')", "SyntaxError: no (bin.py, line 1)."),
    ],
)
def test_a_binary_file_is_refused_in_one_line(content: bytes, says: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "bin.py").write_bytes(content)
    done = run("audit-env", "./bin.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"The environment cannot be imported: {says}" in " ".join(done.stdout.split())


def test_a_collection_with_a_missing_file_is_not_begun(run: Run, tmp_path: Path) -> None:
    done = run("audit-env", SOUND, "nowhere.py", "--out", str(tmp_path / "a"))
    assert (done.returncode, done.stderr) == (2, 'perfectplay: there is no file "nowhere.py"\n')
    assert not (tmp_path / "a").exists()


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
        (["bit-flip:bits=4"], "not an environment: perfectplay audit bit-flip:bits=4"),
        (["examples/tic_tac_toe.py"], "is a game file, not an environment: perfectplay audit examples/"),
        (["pettingzo:x-y"], "(did you mean pettingzoo?)"),
        (["gym:Nope-v0"], "Environment `Nope` doesn't exist"),
        (["gym:Nope"], "Environment `Nope` doesn't exist"),
        (["gym:not an id"], "Malformed environment ID"),
        (["pettingzoo:nope"], 'PettingZoo has no environment "nope"'),
        (["pettingzoo:tictactoe_v9"], "(did you mean tictactoe_v3?)"),
        (["foo:bar"], 'there is no module "foo"'),
        (["package.missing:Class"], 'there is no module "package.missing"'),
        (["perfectplay:Nope"], 'there is no class Nope in "perfectplay"'),
        ([f"{SOUND}:Nim2"], "there is no class Nim2 in"),
        ([SOUND, "--fail-on", "crush"], "neither problem, warning nor a finding code (did you mean crash?)"),
        ([SOUND, "--fail-on", "problem,"], "neither problem, warning nor a finding code"),
        ([SOUND, CRASH], "these are 2 environments; name one, or give --out FOLDER"),
        ([str(ENVS)], "environments; name one, or give --out FOLDER"),
        ([SOUND, "--on", "ray"], "--on is for a collection"),
        ([SOUND, "--baseline", SOUND], "is not a file of records"),
        (["*.nothing"], 'no file matches "*.nothing"'),
        ([SOUND, "--kwargs", "7"], "it must be an object in JSON, such as '{\"size\": 4}'"),
        ([SOUND, "--kwargs", "{size: 4}"], "it must be an object in JSON"),
        ([SOUND, "--legal", "valid_move"], 'the environment has no "valid_move" (did you mean valid_moves?)'),
    ],
)
def test_bad_input_gets_one_line(here: Run, arguments: list[str], said: str) -> None:
    done = here("audit-env", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "moves",
    [[0, -1, [1, 2], "[3 4]", "e4"], [[3]], [[[0, 1], [2, 3]], 4], ["7"], [["a", 1], 0], ["[1]"], [0.5], []],
)
def test_moves_are_read_as_they_are_printed(moves: list[Any]) -> None:
    read = list(map(move_from_json, moves))
    assert parse_moves(moves_text(moves)) == read
    assert parse_moves(json.dumps(moves)) == read


@pytest.mark.parametrize("given", ["[null]", '[0, {"a": 1}]', "[[0, [null]]]"])
def test_a_list_with_an_invalid_move_is_refused(given: str) -> None:
    with pytest.raises(ParseError, match="is not a move: a number, text, or a list of these"):
        parse_moves(given)


@pytest.mark.parametrize("moves", ["0 2 1", "[0, 2, 1]", "[0,2.0,1]"])
def test_a_witness_is_replayed_as_words_or_as_a_list(here: Run, moves: str) -> None:
    done = here("replay-env", SOUND, "--moves", moves)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("o")] == [
        "o" * 7,
        "o" * 6,
        "ooo",
        "o",
    ]


@pytest.mark.parametrize("moves", ["abc", "0 0.5", "99", "[null]", "[[0, 1]]", '{"a": 1}', "'"])
def test_what_is_not_a_move_is_bad_input(here: Run, moves: str) -> None:
    done = here("replay-env", SOUND, "--moves", moves)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("perfectplay: --moves: ")
    assert done.stderr.count("\n") == 1


def test_an_environment_is_made_with_arguments_and_asked_by_its_own_names(run: Run, tmp_path: Path) -> None:
    shutil.copy(SOUND, tmp_path / "sound.py")
    text = Path(SOUND).read_text().replace("valid_moves", "choices").replace("current_player", "whose")
    text = text.replace("(self, render_mode: str | None =", "(self, stones: int, render_mode: str | None =")
    (tmp_path / "odd.py").write_text(
        text.replace("self.action_space =", "self.stones = stones; self.action_space =")
    )
    done = run("audit-env", "odd.py", cwd=tmp_path)
    assert "'stones'; --kwargs gives it arguments." in done.stdout
    kwargs = ["--kwargs", '{"stones": 5}']
    done = run("audit-env", "odd.py", *kwargs, cwd=tmp_path)
    assert "`no-moves`" in done.stdout
    assert "--legal gives the name of a method" in done.stdout
    done = run("audit-env", "odd.py", *kwargs, "--legal", "choices", "--mover", "whose", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "Perfect play, for the side that moves first: win in 3." in done.stdout
    assert "no-turn" not in done.stdout
    done = run("replay-env", "odd.py", "--moves", "2", *kwargs, "--legal", "choices", cwd=tmp_path)
    assert "Legal moves: 0 1\n" in done.stdout


def test_an_illegal_move_is_played_to_see_what_happens(here: Run) -> None:
    done = here("replay-env", SOUND, "--moves", "2 2 2")
    assert done.returncode == 0
    assert "Move 2: not in the list of legal moves; reward -10; the game is over" in done.stdout


def test_a_text_in_brackets_is_a_move_where_moves_are_text(here: Run) -> None:
    done = here("replay-env", str(ENVS / "text_nim.py"), "--moves", "[2]")
    assert "5 are left." in done.stdout
    refused = here("replay-env", str(ENVS / "text_nim.py"), "--moves", "[2, 1]")
    assert refused.stderr == 'perfectplay: --moves: 2 is not a move here; "[1]" is one\n'


def test_a_missing_library_is_neither_a_finding_nor_bad_input(run: Run, tmp_path: Path) -> None:
    (tmp_path / "chess.py").write_text("import no_such_library\nclass Env: ...\n")
    said = "perfectplay: no_such_library is not installed; install it with: pip install no_such_library\n"
    for command in ("audit-env", "replay-env"):
        done = run(command, "chess:Env", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (3, "", said)
    # A file is examined as it is: there, the import is its fault.
    done = run("audit-env", "chess.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "No module named 'no_such_library' (chess.py, line 1)" in done.stdout


def test_pygame_is_asked_for_where_pettingzoo_needs_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "pygame.py").write_text("raise ModuleNotFoundError(name='pygame')\n")
    path = f"{ROOT / 'src'}:{tmp_path / 'packages'}"
    done = run("audit-env", "pettingzoo:tictactoe_v3", env={"PYTHONPATH": path})
    said = "pygame is not installed; install it with: pip install 'pettingzoo[classic]'"
    assert (done.returncode, done.stderr) == (3, f"perfectplay: {said}\n")


def test_an_error_of_ours_is_not_taken_for_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        pytest.raises(Unfinished, match="internal error \\(ZeroDivisionError: no\\)") as raised,
        translate_errors(),
    ):
        raise ZeroDivisionError("no")
    assert raised.value.exit_code == 3
    for passed in (ParseError("bad"), FileNotFoundError(2, "No such file")):
        with pytest.raises(type(passed)), translate_errors():
            raise passed
    monkeypatch.setattr(sys, "argv", ["perfectplay", "--debug"])
    with pytest.raises(ZeroDivisionError), translate_errors():
        raise ZeroDivisionError


def test_in_a_collection_a_bad_name_is_a_record_with_an_error(run: Run, tmp_path: Path) -> None:
    names = [SOUND, "gym:Nope-v0", "foo:bar"]
    done = run("audit-env", *names, "--out", str(tmp_path / "a"), "--json")
    assert done.returncode == 3
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["env"] for each in records] == names
    assert [bool(each["error"]) for each in records] == [False, True, True]
    assert records[1]["findings"] == records[2]["findings"] == []
    assert [each["protocol"]["turns"] for each in records] == ["environment"] * 3
    assert "there is no module &quot;foo&quot;" in (tmp_path / "a" / "index.html").read_text()


def test_severities_and_codes_can_be_mixed() -> None:
    crash, note = Found("crash", "problem", "").record(), Found("skill", "note", "").record()
    every = (crash, Found("clock", "warning", "").record(), note)
    assert [parse_fail_on("problem,skill").has(each) for each in every] == [True, False, True]
    assert [parse_fail_on("warning").has(each) for each in every] == [True, True, False]
    assert [parse_fail_on("clock, skill").has(each) for each in every] == [False, True, True]
    assert not parse_fail_on("problem").has({**crash, "known": True})


def test_known_findings_are_marked_whatever_the_path_to_the_file(run: Run, tmp_path: Path) -> None:
    shutil.copy(CRASH, tmp_path / "crash.py")
    shutil.copy(SOUND, tmp_path / "sound.py")
    first = run("audit-env", "crash.py", "--json", cwd=tmp_path)
    (tmp_path / "known.jsonl").write_text(first.stdout)
    for name in ("./crash.py", str(tmp_path / "crash.py")):
        again = run("audit-env", name, "--baseline", "known.jsonl", cwd=tmp_path)
        assert again.returncode == 0
        assert "- problem, `crash` (known): " in again.stdout
    record = json.loads(
        run("audit-env", "./crash.py", "--json", "--baseline", "known.jsonl", cwd=tmp_path).stdout
    )
    assert {each["known"] for each in record["findings"]} == {True}
    other = run("audit-env", "sound.py", "--fail-on", "warning", "--baseline", "known.jsonl", cwd=tmp_path)
    assert other.returncode == 1
    assert "(known)" not in other.stdout


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "not json\n",
        "[]\n",
        '"env"\n',
        '{"env": "a.py"}\n',
        '{"env": 1, "findings": []}\n',
        '{"env": "a.py", "findings": {"code": "crash"}}\n',
        '{"env": "a.py", "findings": [{"code": 1}]}\n',
        '{"env": "a.py", "findings": []}\n{"env": \n',
    ],
)
def test_a_baseline_that_is_not_one_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(text)
    with pytest.raises(ParseError, match="is not a file of records, one per line"):
        read_baseline(path)


def test_an_environment_does_not_get_to_write_to_the_terminal(run: Run, tmp_path: Path) -> None:
    text = Path(SOUND).read_text().replace('"o" * self.left', '"\\x1b[2J\\a" + "o" * self.left')
    text = text.replace("self.left -= int(action) + 1", "raise ValueError('\\x1b]0;owned\\a')")
    (tmp_path / "loud.py").write_text(text)
    for arguments in (["audit-env", "loud.py"], ["replay-env", "loud.py", "--moves", "0"]):
        done = run(*arguments, cwd=tmp_path)
        assert "ValueError" in done.stdout
        assert "\x1b" not in done.stdout + done.stderr
        assert "\a" not in done.stdout + done.stderr
