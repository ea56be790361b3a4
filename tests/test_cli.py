"""The command itself: its pages, its menu, its completion, and what it says of bad input."""

import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import Mock

import click
import pytest
from click.testing import CliRunner

import perfectplay as pp
from perfectplay.cli import cli
from perfectplay.cli import limits as cli_limits
from perfectplay.cli.app import GROUPS, NEEDED, main
from perfectplay.cli.options import Command, SpecType
from perfectplay.core import limits as core_limits
from perfectplay.core.errors import MissingExtraError, install_command
from perfectplay.terminal.console import Console
from perfectplay.terminal.line.menu import menu
from perfectplay.terminal.play import demo
from perfectplay_foreign.commands.definitions import AUDIT_ENV, REPLAY_ENV
from perfectplay_mcp.command import MCP
from perfectplay_server.command import SERVE
from tests.conftest import ROOT, Run
from tests.extras import leave_out, left_out
from tests.terminal.terminals import Terminal

TIC_TAC_TOE = (ROOT / "examples" / "tic_tac_toe.py").read_text()
APPLY = 'return f"{squares[:action]}'


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["play", "bitflip"], 'unknown game "bitflip" (did you mean bit-flip?)'),
        (["bit-flip"], '"bit-flip" is a game; to play it: perfectplay play bit-flip'),
        (["./my.py"], '"./my.py" is a game; to play it: perfectplay play ./my.py'),
        (["play", "zzz"], 'unknown game "zzz"; choose from: bit-flip, dual-direction, inversion-race,'),
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
        (["play", "bit-flip:bits"], '"bits" is not key=value; bit-flip takes bits, first'),
        (["play", "bit-flip:"], 'bad spec "bit-flip:": nothing follows the colon'),
        (["play", "bit-flip", "--p2", "level:11"], "level:11: must be a whole number from 1 to 10"),
        (["play", "bit-flip", "--p2", "perfect:3"], '"3" is not key=value; perfect takes no parameters'),
        (["play", "bit-flip:bits=3,bits=4"], '"bits" is given twice'),
        (["play", "inversion-race:start=11"], "start=11: must be a whole number from 1 to 10"),
        (["play", "mirror-match:disqualify_after=0"], "must be none or a whole number, at least 1"),
        (["play", "bit-flip:bits=100000"], "bits=100000 is too large to play here: the limit is 10,000"),
        (
            ["solve", "bit-flip:bits=10000001"],
            "bits=10000001 is too large to solve here: the limit is 10,000,000",
        ),
        (
            ["audit", "bit-flip:bits=10000001"],
            "bits=10000001 is too large to audit here: the limit is 10,000,000",
        ),
        (
            ["check-game", "bit-flip:bits=10000001"],
            "bits=10000001 is too large to check here: the limit is 10,000,000",
        ),
        (["play", "race-to-the-center:steps=1-99999"], "99,999 moves; the limit here is 10,000"),
        (["play", "./none.py"], "there is no game file"),
        (["play", "bit-flip", "--first", "3"], "'3' is not one of '1', '2', 'random'"),
        (["play", "bit-flip", "--games", "0"], "0 is not in the range"),
        (["play", "bit-flip", "--seed", "x"], "'x' is not a whole number"),
        (["play"], "Missing argument 'GAME'"),
        (["play", "bit-flip", "--nonsense"], "No such option"),
        (["bitflip"], 'unknown command "bitflip" (did you mean play bit-flip?)'),
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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\n\n1/0", ", line 3, does not run: ZeroDivisionError: division by zero"),
        ("def f():\n    int('x')\n\nf()", ", line 2, does not run: ValueError: invalid literal"),
        ("import json\njson.loads('')", ", line 2, does not run: JSONDecodeError: Expecting value"),
        ("x = 1", "must define one game class"),
        (
            "from perfectplay import Game\nclass G(Game): pass",
            "does not define action_text, apply, initial, ",
        ),
        ("import sys; sys.exit(3)", ", line 1, does not run: SystemExit: 3"),
        ("x = 1\ndef", ", line 2, does not run: SyntaxError: invalid syntax\n"),
        ("\0", " does not run: "),
        ("raise KeyError", ", line 1, does not run: KeyError\n"),
        (TIC_TAC_TOE.replace('    title = "Tic-Tac-Toe"\n', ""), "does not define title\n"),
    ],
)
def test_a_game_file_that_does_not_run_is_explained(text: str, says: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(text)
    with pytest.raises(pp.ParseError) as refused:
        pp.load(str(broken))
    assert str(refused.value).startswith("the game ")
    assert f'"{broken}"' in str(refused.value)
    assert says in f"{refused.value}\n"
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("command", "old", "new", "problem"),
    [
        (["play"], APPLY, f"1 // 0; {APPLY}", "ZeroDivisionError: "),
        (["solve"], APPLY, f"[][1]; {APPLY}", "IndexError: "),
        (["solve"], "for a, b, c in LINES:", "for a, b in LINES:", "ValueError: too many values to unpack"),
        (["rules"], '    """Three of', '    x: int = 1 // 0\n    """Three of', "ZeroDivisionError: "),
        (["play"], "return 9", "return 2.0 ** 10000", "OverflowError: "),
        (["play"], "return 9", "return len(open('/no/such'))", "FileNotFoundError: "),
    ],
)
def test_an_error_in_a_game_file_names_its_line(
    command: list[str], old: str, new: str, problem: str, run: Run, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.py"
    text = TIC_TAC_TOE.replace(old, new)
    broken.write_text(text)
    line = next(number for number, each in enumerate(text.splitlines(), 1) if new.splitlines()[0] in each)
    done = run(*command, str(broken), typed="5\n")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f'perfectplay: the game file "{broken}", line {line}')
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
    debug = run(*command, str(broken), "--debug", typed="5\n")
    assert "Traceback" in debug.stderr
    assert f'File "{broken}", line {line}' in debug.stderr


def test_an_error_in_a_game_file_loses_no_move(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(TIC_TAC_TOE.replace(APPLY, f"1 // (action - 4); {APPLY}"))
    done = run("play", str(broken), typed="1\n5\n")
    assert done.returncode == 2
    assert done.stdout.endswith("The game is saved. To continue it: perfectplay resume\n")
    broken.write_text(TIC_TAC_TOE)
    assert "Last: X, 1." in run("resume").stdout


@pytest.mark.parametrize(
    ("old", "line", "had"),
    [
        ('        return ".........", 0', "self.stop()", "initial and stop had not returned"),
        ("        legal = self", "[1 for _ in self.stop()]", "view and stop had not returned"),
        ("LINES = ", "raise KeyboardInterrupt", "it was still being loaded"),
    ],
)
def test_an_interrupt_names_the_rule_of_a_game_file_that_had_not_returned(
    old: str, line: str, had: str, run: Run, tmp_path: Path
) -> None:
    """A rule that loops on and on is left by Ctrl-C, which is a KeyboardInterrupt raised inside it."""
    endless = tmp_path / "endless.py"
    indent = old[: len(old) - len(old.lstrip())]
    stop = (
        "    def stop(self) -> None:\n        import time\n        end = time.monotonic() + 2\n"
        "        while time.monotonic() < end:\n            pass\n        raise KeyboardInterrupt\n"
    )
    text = TIC_TAC_TOE.replace(old, f"{indent}{line}\n{old}") + stop
    endless.write_text(text)
    number = 1 + [each.strip() for each in text.splitlines()].index("raise KeyboardInterrupt")
    done = run("check-game", str(endless))
    assert done.returncode == 130
    where = f'the game file "{endless}", line {number}'
    assert done.stderr.strip() == f"perfectplay: interrupted in {where}: {had}"


def test_an_interrupt_elsewhere_needs_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pp.load("bit-flip").__class__, "initial", _interrupt)
    monkeypatch.setattr(sys, "argv", ["perfectplay", "check-game", "bit-flip"])
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 130
    assert said.getvalue().strip() == ""


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_long_line_of_best_play_is_cut(run: Run) -> None:
    found = run("solve", "race-to-the-center:positions=301").stdout
    assert re.search(r"^Best line: ([12], ){40}\.\.\. \(149 moves\)$", found, re.MULTILINE)


def test_a_game_file_whose_answers_are_no_good_is_not_called_internal(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(TIC_TAC_TOE.replace('Outcome(other(side), "three in a row")', "'won'"))
    done = run("solve", str(broken))
    assert done.returncode == 2
    assert done.stderr.startswith(f"perfectplay: {broken} gave an error (")
    assert "internal" not in done.stderr


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
        "c.app.find_spec = str\n"  # nothing is missing
        "try: c.cli(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'rich', 'perfectplay.core', 'dataclasses'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_help_says_of_limits_is_what_holds() -> None:
    assert cli_limits.MOST_SOLVED == core_limits.MOST_SOLVED  # help does not load the core


def test_a_game_starts_without_what_it_does_not_need() -> None:
    code = (
        "import sys, perfectplay.cli as c\n"
        "try: c.cli(['play', 'mirror-match'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'importlib.metadata', 'numpy', 'perfectplay.audit', 'rich', 'secrets'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="1\nB\n", capture_output=True, text=True, check=True
    )
    assert "[Player 2's Turn]" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_games_lists_every_game_with_its_parameters(run: Run) -> None:
    said = run("games").stdout
    for name in pp.names():
        assert f"{name}: " in said
        for each in type(pp.load(name)).parameter_help():
            assert f"    {each.name}: {each.doc} ({each.allowed}; default {each.default})\n" in said
            assert each.doc
    assert "Best play lasts 7 moves" in said


@pytest.mark.parametrize("name", pp.names())
def test_rules_have_readings_and_parameters(name: str, run: Run) -> None:
    said = run("rules", name).stdout
    game = pp.load(name)
    assert said.startswith(f"# {game.title}\n")
    assert "## How ambiguous rules are interpreted\n" in said
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
            "",
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
    assert '"9" is not a choice here: type a number from 1 to 5, p or q.' in screen
    assert '"chess" is not a choice here: type a number from 1 to 7.' in screen
    assert "level:11: must be a whole number from 1 to 10" in screen
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
    assert "Continuing Dual Direction. Last: Player 1, left." in screen


class Screen(Console):
    """A terminal of 80 columns at which lines are typed."""

    def __init__(self, *typed: str) -> None:
        self.said = io.StringIO()
        super().__init__(io.StringIO("".join(f"{line}\n" for line in typed)), self.said)
        self.interactive = True

    @property
    def width(self) -> int:
        return 80


def in_the_menu(*typed: str) -> str:
    screen = Screen(*typed)
    menu(screen)
    return screen.said.getvalue()


def test_the_menu_lists_options_one_below_the_other() -> None:
    said = in_the_menu("mirror-match", "human", "", "", "?")
    helps = type(pp.load("mirror-match")).parameter_help()
    listed = said[said.index("  digits: ") :].split("\nOptions,")[0].splitlines()
    assert [line.split(":")[0] for line in listed if line[2] != " "] == [
        f"  {each.name}" for each in helps if each.name != "first"
    ]
    assert all(len(line) <= 80 for line in listed)


def test_the_menu_offers_the_computer_first() -> None:
    said = in_the_menu("bit-flip", "", "3", "", "", "")
    assert "  1. level: " in said
    assert "  7. human: another person at this keyboard\n" in said
    assert "You are Player 1, the computer (level 3) is Player 2; Player 1 goes first." in said
    assert "Person 2 is Player 1" in in_the_menu("race-to-the-center", "7", "2", "", "")


def test_the_menu_answers_help_at_every_question() -> None:
    said = in_the_menu("help", "bit-flip", "h", "", "?", "3", "HELP", "", "help", "", "help", "bits=5")
    assert said.count("Answer the question, or type one of these:\n") == 6
    assert "Starting game with 5 bits." in said


def test_who_goes_first_is_said_once() -> None:
    said = in_the_menu("bit-flip", "random", "1", "", "first = 2", "bits=5,first=2", "bits=5")
    assert said.count("You have already chosen who goes first: leave out first=, or go back with q.\n") == 2
    assert "Player 1, you will go first." in said


def test_a_game_without_options_is_asked_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(pp.load("bit-flip")), "parameter_help", lambda: ())
    said = in_the_menu("bit-flip", "random", "1", "")
    assert "Options" not in said
    assert "Starting game with 10 bits." in said


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
    assert "bit-flip:bits=10" in completed("play", "bit-flip:")
    assert "level:10" in completed("play", "bit-flip", "--p2", "level:")
    assert "_PERFECTPLAY_COMPLETE" in run("completion", shell).stdout


@pytest.mark.parametrize(
    ("kind", "begun", "offered"),
    [
        (SpecType("game"), "bit-flip:", ["bit-flip:bits=10", "bit-flip:first=1", "bit-flip:first=2"]),
        (SpecType("game"), "bit-flip:first=", ["bit-flip:first=1", "bit-flip:first=2"]),
        (SpecType("game"), "bit-flip:first=2,", ["bit-flip:first=2,bits=10"]),
        (
            SpecType("game"),
            "inversion-race:cells=4,start=",
            [f"inversion-race:cells=4,start={i}" for i in (1, 2, 3)],
        ),
        (SpecType("game"), "inversion-race:cells=100,start=", ["inversion-race:cells=100,start=49"]),
        (SpecType("game"), "bit-flip:bats=3,", []),
        (SpecType("game"), "bit-flip:bits,", []),
        (SpecType("player"), "level:", [f"level:{i}" for i in range(1, 11)]),
        (SpecType("player"), "level:1", ["level:1", "level:10"]),
        (SpecType("player"), "lev", ["level", "level:"]),
        (SpecType("player"), "ran", ["random"]),
        (SpecType("game"), "bi", ["bit-flip", "bit-flip:"]),
        (SpecType("player"), "random:", []),
        (SpecType("player"), "mcts:", ["mcts:simulations=200"]),
        (SpecType("player"), "program:", []),
        (SpecType("player"), "nobody:", []),
    ],
)
def test_parameters_are_completed(kind: SpecType, begun: str, offered: list[str]) -> None:
    ctx = click.Context(click.Command("play"))
    found = kind.shell_complete(ctx, click.Argument(["game"]), begun)
    assert [item.value for item in found] == offered


def test_a_game_file_does_not_run_to_be_completed(tmp_path: Path) -> None:
    (tmp_path / "bomb.py").write_text("raise SystemExit(1)")
    ctx = click.Context(click.Command("play"))
    [found] = SpecType("game").shell_complete(ctx, click.Argument(["game"]), f"{tmp_path}/bomb.py:")
    assert found.type == "file"


@pytest.mark.parametrize(
    ("line", "replies"),
    [
        ("perfectplay play bit-flip --p2 level:1", ["1", "10"]),
        ("perfectplay play bit-flip:", ["bits=10", "first=1", "first=2"]),
        ("perfectplay play bit-flip:first=", ["1", "2"]),
        ("perfectplay play 'bit-flip' --p2 ra", ["random"]),
        ("perfectplay play bi", ["bit-flip", "bit-flip:"]),
        ("perfectplay play bit-flip --p1 'program:a b' --p2 level:10", ["10"]),
        ("perfectplay rep", ["replay", "replay-env", "report"]),
    ],
)
def test_bash_is_offered_what_stands_behind_its_word_breaks(line: str, replies: list[str], run: Run) -> None:
    if shutil.which("bash") is None:
        leave_out("bash", "bash")
    script = f"""{run("completion", "bash").stdout}
        COMP_LINE=$1 COMP_POINT=${{#1}} COMP_WORDBREAKS=$' \t\n"@><=;|&(:'
        _perfectplay_completion perfectplay
        printf '%s\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script, "bash", line], capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr) == (replies, "")


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


def test_the_help_groups_every_command_once() -> None:
    grouped = [str(each.name) for commands in GROUPS.values() for each in commands]
    assert sorted(grouped) == sorted(cli.commands)
    shown = CliRunner().invoke(cli, ["-h"]).output
    headings = [line.removesuffix(":") for line in shown.splitlines() if re.match(r"[A-Z].*:$", line)]
    assert headings == ["Options", *GROUPS]
    assert (
        CliRunner().invoke(cli, ["play", "-h"]).output == CliRunner().invoke(cli, ["play", "--help"]).output
    )


def test_a_missing_extra_is_said_before_a_command_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.cli.app.find_spec", str)
    whole = CliRunner().invoke(cli, ["-h"]).output
    monkeypatch.setattr(
        "perfectplay.cli.app.find_spec", lambda library: None if library == "fastapi" else library
    )
    marked = CliRunner().invoke(cli, ["-h"]).output
    assert [line for line in marked.splitlines() if "(needs" in line] == [
        "  serve        Run a server to play in browsers. (needs perfectplay-server)"
    ]
    assert f"To add what a command needs: {install_command('perfectplay-server')}" in " ".join(marked.split())
    assert "To add" not in whole
    readme = (ROOT / "README.md").read_text("utf-8")
    for name, extra in ((name, extra) for name, needed in NEEDED.items() for extra in needed.values()):
        [row] = [line for line in readme.splitlines() if line.startswith(f"| `{extra}` |")]
        assert f"`{name}`" in row


def test_a_missing_package_is_named_in_one_line_wherever_an_environment_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metadata, "distribution", Mock(side_effect=metadata.PackageNotFoundError))
    monkeypatch.setattr(
        "perfectplay.cli.app.find_spec", lambda library: None if library == "perfectplay_foreign" else library
    )
    said = f"perfectplay-foreign is not installed; add it with: {install_command('perfectplay-foreign')}"
    for command in (
        ("audit-env", "./env.py"),
        ("replay-env", "./env.py"),
        ("play", "env:./env.py"),
        ("solve", "env:./env.py"),
        ("compare", "bit-flip", "env:./env.py"),
        ("arena", "random", "perfect", "--game", "env:./env.py"),
    ):
        done = CliRunner().invoke(cli, command)
        assert str(done.exception) == said, command
    with pytest.raises(MissingExtraError, match="perfectplay-foreign is not installed"):
        getattr(pp, "check_env")  # noqa: B009 - an attribute alone would be removed
    marked = CliRunner().invoke(cli, ["-h"]).output
    assert [line.split()[0] for line in marked.splitlines() if "(needs perfectplay-foreign)" in line] == [
        "audit-env",
        "replay-env",
    ]
    assert f"To add what a command needs: {install_command('perfectplay-foreign')}\n" in marked


@pytest.mark.parametrize(
    ("offered", "problem"),
    [
        ("audit-env = perfectplay_nowhere:X", "ModuleNotFoundError: No module named 'perfectplay_nowhere'"),
        ("audit-env = broken:X", "ZeroDivisionError: division by zero"),
        ("audit-env = perfectplay_foreign.commands.audit_env:show_audits", "it has no audit-env"),
        ("", "it has no audit-env"),
    ],
)
def test_a_package_that_does_not_fit_is_named_in_one_line(
    offered: str, problem: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    info = tmp_path / "perfectplay_foreign-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: perfectplay-foreign\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[perfectplay.environments]\n{offered}\n")
    done = run("audit-env", "./env.py", env={"PYTHONPATH": str(tmp_path)})
    again = f"{install_command('perfectplay-foreign')} --upgrade"
    said = f"perfectplay: perfectplay-foreign does not fit ({problem}); install it again with: {again}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    page = run("man", env={"PYTHONPATH": str(tmp_path)})
    assert r".SS perfectplay audit\-env " in page.stdout
    completion = {"_PERFECTPLAY_COMPLETE": "bash_complete", "COMP_LINE": "perfectplay audit"}
    assert run(env={"PYTHONPATH": str(tmp_path), **completion}).stdout == "plain,audit\nplain,audit-env\n"


@pytest.mark.parametrize("command", [AUDIT_ENV, REPLAY_ENV, MCP, SERVE])
def test_the_list_says_what_a_command_of_another_package_is_for(command: click.Command) -> None:
    assert cli.commands[str(command.name)].help == str(command.help).partition("\n")[0]
    used = CliRunner().invoke(cli, [str(command.name), "-h"]).output
    assert all(each.opts[0] in used for each in command.params if isinstance(each, click.Option))


def test_the_manual_page_has_every_command_and_option(run: Run) -> None:
    page = run("man").stdout
    assert page.startswith(".TH PERFECTPLAY 1\n")
    shown = page.replace("\\-", "-")
    for command in (*cli.commands.values(), AUDIT_ENV, REPLAY_ENV, MCP, SERVE):
        assert f".SS perfectplay {command.name} " in shown
        assert all(each.opts[0] in shown for each in command.params if isinstance(each, click.Option))
    assert not re.search(r"^[.'](?!TH|SH|SS|PP|TP|B|nf|fi)", page, re.MULTILINE)


def test_games_rules_and_checks_are_printed_as_json(run: Run) -> None:
    games = json.loads(run("games", "--json").stdout)
    assert tuple(each["name"] for each in games) == pp.names()
    assert games[0]["parameters"][0]["name"] == "bits"
    rules = json.loads(run("rules", "bit-flip", "--json").stdout)
    assert rules["rulebook"] == pp.load("bit-flip").texts().rulebook()
    done = run("check-game", "bit-flip:bits=4", "--json")
    assert json.loads(done.stdout) == {"game": "bit-flip:bits=4", "passes": True, "problems": []}


def test_a_file_is_replaced_only_by_force(run: Run, tmp_path: Path) -> None:
    for command in (("audit", "bit-flip:bits=3", "--html"), ("dataset", "bit-flip:bits=3", "--out")):
        path = tmp_path / "file.jsonl"
        path.write_text("mine")
        done = run(*command, str(path))
        assert (done.returncode, path.read_text()) == (2, "mine")
        assert done.stderr == f"perfectplay: {path} exists already; --force replaces it\n"
        assert run(*command, str(path), "--force").returncode == 0
        assert path.read_text() != "mine"
        assert run(*command, "-").returncode == 0


def test_the_menu_has_the_puzzles_of_the_day() -> None:
    with Terminal() as terminal:
        for line in ("p", "q"):
            terminal.type(line)
        said = terminal.until_end()
    assert "  p. Puzzles of the day\n" in said
    assert said.count("To see the answers: perfectplay puzzle --answer\n") == 1


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


def test_after_a_game_the_menu_lists_the_games_only_if_it_is_asked() -> None:
    said = in_the_menu("bit-flip", "human", "", "", "", "resign", "y", "")
    _, end, after = said.partition("Player 1 resigned a won game.")
    assert end
    result, asked, listed = after.partition("Which game? ")
    assert asked
    assert "1. Bit Flip: " not in result
    assert listed.count("1. Bit Flip: ") == 1
    # Whoever only goes back has read nothing that the list would push away.
    assert in_the_menu("bit-flip", "q").count("1. Bit Flip: ") == 2


def test_a_number_that_is_none_is_refused_in_plain_words(run: Run) -> None:
    for args in (
        ("play", "bit-flip", "--seed", "x"),
        ("play", "bit-flip", "--games", "x"),
        ("mcp", "--seed", "x"),
    ):
        done = run(*args)
        assert done.returncode == 2
        assert done.stderr.endswith("'x' is not a whole number.\n")
    assert "is not in the range 1<=x<=1000" in run("play", "bit-flip", "--games", "0").stderr


def test_arena_offers_only_players_that_it_takes(run: Run) -> None:
    refused = run("arena", "nobody").stderr
    assert refused.endswith(
        'unknown player "nobody"; choose from: learned, level, mcts, perfect, program, random, search\n'
    )
    assert "choose from: human, " in run("play", "bit-flip", "--p2", "nobody").stderr


def test_the_columns_of_connect_four_have_numbers(run: Run) -> None:
    connect_four = str(ROOT / "examples" / "connect_four.py")
    played = run(
        "play", f"{connect_four}:columns=10,rows=2", "--p1", "human", "--p2", "human", typed="10\n"
    ).stdout
    numbers = "1  2  3  4  5  6  7  8  9  10"
    assert played.count(numbers) == 2
    assert f"{numbers}\n{'.  ' * 9}.\n{'.  ' * 9}X\n" in played


def test_the_rules_of_a_game_file_are_what_it_says_of_itself(run: Run) -> None:
    done = run("rules", str(ROOT / "examples" / "tic_tac_toe.py"))
    assert done.stdout == "# Tic-Tac-Toe\n\nThree of your own in a row, a column or a diagonal win.\n"
    played = run("play", str(ROOT / "examples" / "tic_tac_toe.py"), typed="rules\n")
    assert "Three of your own in a row" in played.stdout


def test_the_rules_of_a_game_file_advise_a_spec_that_loads(run: Run, tmp_path: Path) -> None:
    text = TIC_TAC_TOE.replace(
        "    @property\n", '    size: int = parameter(3, "of what")\n\n    @property\n', 1
    )
    (tmp_path / "my_game.py").write_text(text.replace("import Cell,", "import parameter, Cell,"))
    said = run("rules", "./my_game.py", cwd=tmp_path).stdout
    [spec] = re.findall(r"as in `(.*)`\.", said)
    assert pp.load(spec).name == "tic-tac-toe"
    assert spec.endswith("my_game.py:size=3")


@pytest.mark.parametrize("option", [("--html", "x.html"), ("--limit", "10")])
def test_a_sweep_has_no_page_and_no_limit(option: tuple[str, str], run: Run) -> None:
    done = run("audit", "bit-flip", "--sweep", "bits=4..5", *option)
    assert (done.returncode, done.stderr) == (
        2,
        f"perfectplay: --sweep and {option[0]} exclude each other\n",
    )


def test_the_api_can_be_listed() -> None:
    assert set(dir(pp)) == set(pp.__all__)
    assert all(getattr(pp, name) is not None for name in pp.__all__)


def named(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", ["solve", "analyze"])
def test_the_examples_in_the_help_of_a_command_can_be_typed(name: str) -> None:
    command = named(name)
    examples = [shlex.split(line) for line in (command.help or "").splitlines() if "perfectplay" in line]
    assert len(examples) == 3
    for example in examples:
        assert example[:2] == ["perfectplay", name]
        command.make_context(name, example[2:])  # raises for an option or argument that is not known


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in cli.list_commands(click.Context(cli))
        if not left_out(Path("src/perfectplay/terminal/commands", f"{name}.py"))
    ],
)
def test_every_command_calls_a_function_that_takes_its_options(name: str) -> None:
    command = named(name)
    assert isinstance(command, Command)
    _, *parameters = inspect.signature(command.load()).parameters.values()  # the first is the console
    taken = {each.name for each in parameters if each.kind is not each.VAR_KEYWORD}
    given = {each.name for each in command.params if each.expose_value}
    assert taken <= given
    assert taken == given or any(each.kind is each.VAR_KEYWORD for each in parameters)


def test_the_help_of_every_command_fits_into_a_line() -> None:
    said = CliRunner().invoke(cli, ["--help"], terminal_width=80).output
    listed = [line for line in said.partition("Play:\n")[2].splitlines() if line.startswith(" ")]
    assert [line.split()[0] for line in listed] == cli.list_commands(click.Context(cli))
    assert [line for line in listed if line.endswith("...") or len(line) > 80] == []


def test_a_demo_is_paced_where_somebody_watches() -> None:
    console = Console(None, io.StringIO())
    waits = 0

    def wait() -> bool:
        nonlocal waits
        waits += 1
        return waits == 3  # enough seen of the first game

    demo(console, "bit-flip", 3, wait)
    paced = console.stdout.getvalue()  # type: ignore[attr-defined]
    assert waits == 3
    demo(console, "bit-flip", 3)
    assert console.stdout.getvalue() == 2 * paced  # type: ignore[attr-defined]
    waits = 10
    demo(console, "bit-flip", 3, wait)
    # A wait before each move.
    assert waits - 10 == paced.count("You flipped bit at position") > 3


def test_enter_shows_the_rest_of_a_demo() -> None:
    with Terminal("demo", "bit-flip") as terminal:
        terminal.expect("Enter shows the rest of a game at once, Ctrl-C ends the demo.")
        terminal.child.sendline("")
        screen = terminal.until_end()
    assert "wins as they were the last to perform a valid move." in screen


@pytest.mark.parametrize("command", ["audit", "dataset", "arena", "check-game"])
def test_the_help_of_a_command_has_examples(command: str) -> None:
    said = CliRunner().invoke(cli, [command, "--help"]).output
    examples = [line.strip() for line in said.splitlines() if line.startswith(f"  perfectplay {command} ")]
    assert len(examples) >= 2
    for example in examples:
        # They are read as they stand: options and arguments that do not exist would be refused.
        _, _, *args = shlex.split(example)
        found = named(command).make_context(command, args)
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
    kept, *covered = right.stdout.splitlines()
    assert re.fullmatch(r".*tic_tac_toe.py passes all [0-9]+ checks\.", kept)
    assert covered == [
        "The first 2,000 positions and 20 random games were checked.",
        "Dead ends were looked for in all 5,478 positions.",
    ]
    wrong = tmp_path / "forgetful.py"
    wrong.write_text(BROKEN_GAME.format(folder=str(ROOT / "examples")))
    done = run("check-game", str(wrong))
    assert done.returncode == 1
    assert done.stderr == ""
    broken, shown = done.stdout.splitlines()
    assert broken.startswith('outcome: there is an outcome, "X wins: three in a row", and')
    moves = shown.removeprefix("  Shown by: ")
    replayed = run("replay", str(wrong), "--moves", moves)
    assert "Result: X wins: three in a row" in replayed.stdout
    assert run("audit", str(wrong)).returncode == 0
    assert '`broken-law`: The game breaks the law "outcome"' in run("audit", str(wrong)).stdout


def test_check_game_names_the_line_of_an_error_once(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(TIC_TAC_TOE.replace("for a, b, c in LINES:", "for a, b in LINES:"))
    line = next(n for n, text in enumerate(wrong.read_text().splitlines(), 1) if "for a, b in LINES:" in text)
    for command in ("check-game", "audit"):
        said = "".join(run(command, str(wrong)).stdout.split("\n"))
        assert said.count(f"too many values to unpack (expected 2) (wrong.py, line {line})") == 1
        assert "get stuck" not in said


@pytest.mark.parametrize("file", ["./none.py", "chess", "bit-flip:bits=0"])
def test_check_game_refuses_what_it_cannot_load(file: str, run: Run) -> None:
    done = run("check-game", file)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


# Without docstrings


@pytest.mark.parametrize(
    "words", [["--help"], ["games"], ["arena", "--help"], ["serve", "--help"], ["rules", "bit-flip"]]
)
def test_texts_survive_python_that_drops_docstrings(words: list[str]) -> None:
    said = [
        subprocess.run(
            [sys.executable, *flags, "-m", "perfectplay", *words], capture_output=True, text=True, check=True
        ).stdout
        for flags in ([], ["-OO"])
    ]
    assert said[0] == said[1]


def test_a_game_file_is_explained_without_docstrings(tmp_path: Path) -> None:
    (tmp_path / "tic_tac_toe.py").write_text(TIC_TAC_TOE)
    code = "import perfectplay as pp; print(pp.load('./tic_tac_toe.py').texts().instructions())"
    said = [
        subprocess.run(
            [sys.executable, *flags, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
        ).stdout
        for flags in ([], ["-OO"])
    ]
    assert said[0] == said[1]
    assert "Three of your own in a row" in said[0]


@pytest.mark.parametrize("end", ["svg", "png", "txt"])
def test_a_replay_draws_the_last_position(run: Run, tmp_path: Path, end: str) -> None:
    picture = tmp_path / f"end.{end}"
    done = run("replay", "bit-flip:bits=5", "--moves", "2, 0, 4", "--picture", str(picture))
    if end == "txt":
        assert (done.returncode, picture.exists()) == (2, False)
        assert "ends in .svg or .png" in done.stderr
        return
    if end == "png" and find_spec("PIL") is None:
        assert (done.returncode, picture.exists()) == (2, False)
        return
    drawn = picture.read_bytes()
    assert drawn.startswith(b"<svg" if end == "svg" else b"\x89PNG")
    assert end == "png" or b">Bit Flip: Player 1 wins" in drawn.partition(b"<text")[2]
    assert (
        "--force replaces it" in run("replay", "bit-flip", "--moves", "2", "--picture", str(picture)).stderr
    )
    assert picture.read_bytes() == drawn
