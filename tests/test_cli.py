"""The command itself: its pages, its menu, its completion, and what it says of bad input."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import perfectplay as pp
from perfectplay.cli import cli
from tests.conftest import ROOT, Run
from tests.extras import leave_out
from tests.terminals import Terminal


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["play", "bitflip"], 'unknown game "bitflip" (did you mean bit-flip?)'),
        (["play", "zzz"], 'unknown game "zzz"; there are: bit-flip, dual-direction, inversion-race,'),
        (["play", "Bit-Flip"], "(did you mean bit-flip?)"),
        (["play", ""], "a name must come first"),
        (["play", "bit-flip", "--p2", "randm"], 'unknown player "randm" (did you mean random?)'),
        (["play", "bit-flip", "--p1", "random:x=1"], "x=1: no such parameter; random takes no parameters"),
        (["play", "bit-flip:bits=0"], "bits=0: must be a whole number, at least 1"),
        (
            ["play", "race-to-the-center:positions=10"],
            "positions=10: must be an odd whole number, at least 3",
        ),
        (["play", "race-to-the-center:steps=2-3"], "steps=2-3: must be a range from 1, such as 1-2 or 1-3"),
        (
            ["play", "inversion-race:passing=sideways"],
            "passing=sideways: must be crossing, letter or leapfrog",
        ),
        (
            ["play", "bit-flip:bit=3"],
            "bit=3: no such parameter; bit-flip takes bits, first (did you mean bits?)",
        ),
        (["play", "bit-flip:bits"], '"bits" is not key=value'),
        (["play", "bit-flip:"], '"" is not key=value'),
        (["play", "bit-flip:bits=3,bits=4"], '"bits" is given twice'),
        (["play", "inversion-race:start=11"], "start=11: must be a whole number from 1 to 10"),
        (["play", "mirror-match:disqualify_after=0"], "must be none or a whole number, at least 1"),
        (["play", "bit-flip:bits=100000"], "bits=100000 is too large to play here: the limit is 10,000"),
        (["play", "race-to-the-center:steps=1-99999"], "99,999 moves; the limit here is 10,000"),
        (["play", "./none.py"], "there is no game file"),
        (["play", "bit-flip", "--first", "3"], "'3' is not one of '1', '2', 'random'"),
        (["play", "bit-flip", "--games", "0"], "0 is not in the range"),
        (["play", "bit-flip", "--seed", "x"], "'x' is not a valid integer"),
        (["play"], "Missing argument 'GAME'"),
        (["play", "bit-flip", "--nonsense"], "No such option"),
        (["paly"], 'unknown command "paly" (did you mean play?)'),
        (["rules", "chess"], 'unknown game "chess"'),
        (["demo", "bitflip"], "did you mean bit-flip?"),
        (["play", "bit-flip\x1b[31m"], r'"bit-flip\x1b[31m"'),
    ],
    ids=lambda value: (
        " ".join(value)[:40].encode("unicode_escape").decode() if isinstance(value, list) else ""
    ),
)
def test_bad_input_gets_one_line_and_exit_2(args: list[str], says: str, run: Run) -> None:
    done = run(*args, typed="1\n")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("perfectplay: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_game_file_that_does_not_run_is_explained(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    for text, says in {
        "1/0": "does not run: ZeroDivisionError: division by zero",
        "x = 1": "must have one class of a game",
        "from perfectplay import Game\nclass G(Game): pass": "does not say action_text, apply, initial, ",
        "import sys; sys.exit(3)": "does not run: SystemExit: 3",
        "def": "does not run: SyntaxError",
    }.items():
        broken.write_text(text)
        done = run("play", str(broken))
        assert done.returncode == 2
        assert says in done.stderr
        assert done.stderr.count("\n") == 1


def test_debug_shows_the_traceback(run: Run) -> None:
    for args in (("--debug", "play", "bitflip"), ("play", "bitflip", "--debug")):
        done = run(*args)
        assert "Traceback" in done.stderr
        assert "UnknownGameError" in done.stderr


def test_both_commands_are_the_same(run: Run) -> None:
    script = Path(sys.executable).with_name("perfectplay")
    said = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert said == run("--version").stdout == f"perfectplay {pp.__version__}\n"


def test_off_a_terminal_the_command_alone_prints_its_help(run: Run) -> None:
    done = run()
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: perfectplay [OPTIONS] [COMMAND] [ARGS]...")
    assert done.stdout == run("--help").stdout


def test_help_starts_light() -> None:
    code = (
        "import sys, perfectplay.cli as c\n"
        "try: c.cli(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'rich', 'perfectplay.core', 'dataclasses'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_games_lists_every_game_with_its_parameters(run: Run) -> None:
    said = run("games").stdout
    for name in pp.names():
        assert f"{name}: " in said
        for each in type(pp.load(name)).parameter_help():
            assert f"    {each.name}: {each.doc} ({each.allowed}; default {each.default})\n" in said
            assert each.doc


@pytest.mark.parametrize("name", pp.names())
def test_rules_have_readings_and_parameters(name: str, run: Run) -> None:
    said = run("rules", name).stdout
    game = pp.load(name)
    assert said.startswith(f"# {game.title}\n")
    assert "## How unclear places are read\n" in said
    for each in type(game).parameter_help():
        assert f"- `{each.name}` ({each.allowed}; default {each.default}): " in said
    for values in game.readings().values():
        for value in values:
            assert f"`{value}`" in said.replace(f"`{value}` (the default)", f"`{value}`")
    assert said.isascii()


def test_rules_are_formatted_on_a_terminal_that_can() -> None:
    with Terminal("rules", "bit-flip", env={"PYTHONIOENCODING": "utf-8"}) as terminal:
        assert "•" in terminal.until_end()
    with Terminal("rules", "bit-flip", env={"TERM": "dumb"}) as terminal:
        assert "# Bit Flip\n" in terminal.until_end()


def test_demo_plays_a_short_game_of_each_to_its_end(run: Run) -> None:
    done = run("demo")
    assert done.returncode == 0
    for name in pp.names():
        assert f"== {pp.load(name).title} ==\n" in done.stdout
    assert "unfinished" not in done.stdout
    assert len(done.stdout) < 30_000
    assert done.stdout == run("demo").stdout
    one = run("demo", "bit-flip", "--seed", "3")
    assert one.stdout.count("==") == 2
    assert "You flipped bit at position" in one.stdout


def test_the_menu_leads_into_a_game() -> None:
    with Terminal() as terminal:
        answers = [
            "9",
            "rubbish",
            "1",
            "chess",
            "level",
            "11",
            "10",
            "1",
            "",
            "bits=x",
            "?",
            "bits=3",
            "1",
            "q",
        ]
        for line in answers:
            terminal.type(line)
        screen = terminal.until_end()
        assert terminal.child.exitstatus == 0
    assert '"9" is none of these: type a number from 1 to 5 or q.' in screen
    assert '"chess" is none of these: type a number from 1 to 6.' in screen
    assert "strength=11: must be a whole number from 1 to 10" in screen
    assert "bits=x: must be a whole number, at least 1" in screen
    assert "bits: how many bits the row has (a whole number, at least 1; default 10)" in screen
    assert "Starting game with 3 bits." in screen
    assert "Player 1 wins as they were the last to perform a valid move." in screen


def test_the_menu_resumes_and_leaves_on_ctrl_d(run: Run) -> None:
    run("play", "dual-direction", typed="left\n")
    with Terminal() as terminal:
        terminal.type("r")
        terminal.type("quit")
        terminal.expect(Terminal.PROMPT)
        terminal.child.sendeof()
        screen = terminal.until_end()
        assert terminal.child.exitstatus == 0
    assert "r. Resume a saved game (1 open)" in screen
    assert "Going on with Dual Direction. Last: Player 1, left." in screen


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_games_and_players_are_completed(shell: str, run: Run) -> None:
    def completed(*words: str) -> str:
        line = " ".join(("perfectplay", *words))
        return run(
            env={
                "_PERFECTPLAY_COMPLETE": f"{shell}_complete",
                "COMP_WORDS": line,
                "COMP_CWORD": words[-1] if shell == "fish" else str(len(words)),
            }
        ).stdout

    assert "bit-flip" in completed("play", "bi")
    assert "random" in completed("play", "bit-flip", "--p2", "ra")
    assert "replay" in completed("rep")
    assert "_PERFECTPLAY_COMPLETE" in run("completion", shell).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_is_valid_in_its_shell(shell: str, run: Run, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        leave_out(shell, shell)
    script = tmp_path / "completion"
    script.write_text(run("completion", shell).stdout)
    subprocess.run([shell, "-n", str(script)], check=True, env={**os.environ, "HOME": str(tmp_path)})


def test_the_rules_of_every_game_and_its_examples_are_installed() -> None:
    from perfectplay.games.registry import game_class

    for name in pp.names():
        folder = Path(sys.modules[game_class(name).__module__].__file__ or "").parent
        assert {"rulebook.md", "examples.toml"} <= set(os.listdir(folder))
    assert Path(pp.__file__).with_name("py.typed").exists()


def test_the_menu_goes_back_and_takes_names_and_blanks() -> None:
    with Terminal() as terminal:
        for line in ("Bit Flip", "q", "5", "level:10", "r", "7x", "2", "positions = 3, arrival=full-turn"):
            terminal.type(line)
        terminal.type("quit")
        terminal.type("q")
        screen = terminal.until_end()
        assert terminal.child.exitstatus == 0
    assert screen.count("Which game?") == 3
    assert '"7x" is not a number from 1 to 1000.' in screen
    assert "Game 1 of 2: " in screen
    assert "Player 2 starts at position 2." in screen


def test_the_rules_of_a_game_file_are_what_it_says_of_itself(run: Run) -> None:
    done = run("rules", str(ROOT / "examples" / "tic_tac_toe.py"))
    assert done.stdout == "# Tic-Tac-Toe\n\nThree of your own in a row, a column or a diagonal win.\n"
    played = run("play", str(ROOT / "examples" / "tic_tac_toe.py"), typed="rules\n")
    assert "Three of your own in a row" in played.stdout


def test_a_sweep_has_no_page(run: Run) -> None:
    done = run("audit", "bit-flip", "--sweep", "bits=4..5", "--html", "x.html")
    assert (done.returncode, done.stderr) == (2, "perfectplay: --sweep and --html exclude each other\n")


def test_the_api_can_be_listed() -> None:
    assert set(dir(pp)) == set(pp.__all__)
    assert all(getattr(pp, name) is not None for name in pp.__all__)


@pytest.mark.parametrize("command", ["audit", "dataset", "crosstable", "check-game"])
def test_the_help_of_a_command_has_examples(command: str) -> None:
    said = CliRunner().invoke(cli, [command, "--help"]).output
    examples = [line.strip() for line in said.splitlines() if line.startswith(f"  perfectplay {command} ")]
    assert len(examples) >= 2
    for example in examples:
        # They are read as they stand: options and arguments that do not exist would be refused.
        _, _, *args = shlex.split(example)
        found = cli.commands[command].make_context(command, args)
        assert found.params


BROKEN_GAME = '''
import sys
sys.path.insert(0, {folder!r})
from dataclasses import dataclass
from tic_tac_toe import TicTacToe as Right

@dataclass(frozen=True)
class Forgetful(Right):
    """Tic-tac-toe that goes on when somebody has won."""

    def legal_actions(self, state):
        return tuple(i for i, square in enumerate(state[0]) if square == ".")
'''


def test_check_game_says_which_law_is_broken_and_by_which_moves(run: Run, tmp_path: Path) -> None:
    right = run("check-game", str(ROOT / "examples" / "tic_tac_toe.py"))
    assert right.returncode == 0
    assert re.fullmatch(r".*tic_tac_toe.py keeps all [0-9]+ laws of Game\.\n", right.stdout)
    wrong = tmp_path / "forgetful.py"
    wrong.write_text(BROKEN_GAME.format(folder=str(ROOT / "examples")))
    done = run("check-game", str(wrong))
    assert done.returncode == 1
    assert done.stderr == ""
    broken, shown = done.stdout.splitlines()
    assert broken.startswith("outcome: there is an outcome, Outcome(winner=0, reason='three in a row'), and")
    moves = shown.removeprefix("  Shown by: ")
    replayed = run("replay", str(wrong), "--moves", moves)
    assert "Result: X wins: three in a row" in replayed.stdout
    assert run("audit", str(wrong)).returncode == 0
    assert '`broken-law`: The game breaks the law "outcome"' in run("audit", str(wrong)).stdout


@pytest.mark.parametrize("file", ["./none.py", "chess", "bit-flip:bits=0"])
def test_check_game_refuses_what_it_cannot_load(file: str, run: Run) -> None:
    done = run("check-game", file)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
