"""Programs as players: the protocol, and every way in which a program can fail to keep it."""

import os
import re
import select
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from selectors import DefaultSelector
from textwrap import dedent, indent
from time import monotonic

import pytest

import perfectplay as pp
from perfectplay.core.errors import BadParameterError, ForfeitError, ParseError
from perfectplay.core.formatting import quote
from perfectplay.players.program import ProgramError, ProgramPlayer, check_program, process
from perfectplay.players.program.process import LONGEST_OUTPUT, Program, running
from perfectplay.players.random import RandomPlayer
from perfectplay.players.registry import load_player
from tests.conftest import ROOT, Run

EXAMPLE = ROOT / "examples" / "bot.py"
PAGE = ROOT / "docs" / "bots.md"
GAME = pp.load("bit-flip")
AFTER_4 = GAME.parse_state("0000100000 2")

BOT = """\
import os, signal, sys, time
def say(line):
    print(line, flush=True)
moves = []
{first}
for line in sys.stdin:
    with open({log!r}, "a") as log:
        log.write(line)
    word, _, rest = line.rstrip("\\n").partition(" ")
    if word == "perfectplay":
        say("ready test-bot")
    elif word == "game":
{on_game}
    elif word == "position":
        position, moves = rest, []
    elif word == "move":
        moves.append(rest)
    elif word == "go":
{on_go}
    elif word == "quit":
{on_quit}
{at_end}
"""

Bot = Callable[..., str]


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    """Write a bot and give the command that runs it; its parts are lines of Python."""

    def write(
        on_go: str = 'say("move " + moves[0])',
        *,
        on_game: str = 'say("ready")',
        on_quit: str = "break",
        first: str = "",
        at_end: str = "",
    ) -> str:
        parts = {"on_game": on_game, "on_go": on_go, "on_quit": on_quit}
        indented = {name: indent(dedent(code), " " * 8) for name, code in parts.items()}
        path = tmp_path / "bot.py"
        path.write_text(BOT.format(log=str(tmp_path / "log"), first=first, at_end=at_end, **indented))
        return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"

    return write


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    yield
    left = list(running.values())
    for each in left:
        each.end()
    assert not left


def log(tmp_path: Path) -> list[str]:
    return (tmp_path / "log").read_text().splitlines()


def pid_of(player: ProgramPlayer, game: pp.Game[object] = GAME) -> int:
    return running[player, game.spec].child.pid


def is_gone(pid: int) -> bool:
    """Whether a process has ended, or does so now: its files close a moment before it is gone.

    One that has ended and whose parent has not noticed yet counts as gone.
    """
    deadline = monotonic() + 20
    while monotonic() < deadline:
        try:
            shown = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True
        if shown.rpartition(")")[2].split()[0] == "Z":
            return True
    return False


def hurried(player: ProgramPlayer, game: pp.Game[object] = GAME) -> ProgramPlayer:
    """Only the moves of a program that is up are short of time: starting takes long on a busy machine."""
    player.prepare(game)
    running[player, game.spec].seconds = 1
    return player


# The spec


def test_the_command_stands_last_in_the_spec_and_as_it_is() -> None:
    player = load_player("program:seconds=5,python3 bot.py --x=1,2")
    assert player == ProgramPlayer("python3 bot.py --x=1,2", seconds=5)
    assert load_player(player.spec) == player
    assert load_player("program:'my bot' \"a b\"") == ProgramPlayer("'my bot' \"a b\"")


@pytest.mark.parametrize("spec", ["program", "program:seconds=5", "program: "])
def test_a_command_must_be_given(spec: str) -> None:
    with pytest.raises(ParseError, match="program needs a command, as in program:python3"):
        load_player(spec)


def test_the_check_needs_a_command_too() -> None:
    with pytest.raises(ParseError, match="program needs a command"):
        check_program(" ")


@pytest.mark.parametrize(
    "command", ["bot 'x", "bot\nx", "bot \x1b[2J", "seconds=5,bot", "command=bot", "b" * 1000]
)
def test_a_command_that_no_record_could_keep_is_refused(command: str) -> None:
    with pytest.raises(BadParameterError, match="must be a command in one line"):
        ProgramPlayer(command)


@pytest.mark.parametrize("seconds", [0, 3601])
def test_the_time_limit_is_bounded(seconds: int) -> None:
    with pytest.raises(BadParameterError, match="must be a whole number from 1 to 3600"):
        ProgramPlayer("bot", seconds)


# Good programs


def test_a_program_plays_whole_games_on_both_sides(bot: Bot) -> None:
    player = ProgramPlayer(bot())
    for name in pp.names():
        for seat in (0, 1):
            match = pp.Match(pp.load(name), seed=seat, max_plies=20)
            while match.result is None:
                chooser = player if match.side == seat else RandomPlayer()
                expected = match.legal()[0]
                match.play(chooser.choose(match.game, match.state, match.generator()))
                if chooser is player:
                    assert match.line(match.last).text == expected
    player.close()


def test_what_a_program_is_told(bot: Bot, tmp_path: Path) -> None:
    player = ProgramPlayer(bot(), seconds=30)
    player.prepare(GAME)
    assert GAME.action_text(AFTER_4, player.choose(GAME, AFTER_4, Random(1))) == "0"
    player.close()
    assert log(tmp_path) == [
        "perfectplay 1",
        "game bit-flip",
        "position 0000100000 2",
        *(f"move {n}" for n in (0, 1, 2, 6, 7, 8, 9)),
        f"seed {Random(1).getrandbits(32)}",
        "clock 30",
        "go",
        "quit",
    ]


def test_one_process_serves_a_game_until_it_is_closed(bot: Bot, tmp_path: Path) -> None:
    player = ProgramPlayer(bot())
    player.choose(GAME, AFTER_4, Random(1))
    first = pid_of(player)
    player.prepare(GAME)
    ProgramPlayer(player.command).choose(GAME, GAME.initial(), Random(1))
    assert pid_of(player) == first
    other = pp.load("dual-direction")
    player.choose(other, other.initial(), Random(1))
    assert pid_of(player, other) != first
    player.close()
    player.close()
    assert is_gone(first)
    assert [line for line in log(tmp_path) if line.startswith("game")] == [
        "game bit-flip",
        "game bit-flip",
        "game dual-direction",
    ]
    player.choose(GAME, AFTER_4, Random(1))
    player.close()


def test_info_lines_carriage_returns_and_errors_do_not_matter(bot: Bot) -> None:
    talk = """
        say("info thinking\\ninfo\\ninfo move 3")
        sys.stderr.write("x" * 500_000)
        say("move 9\\r")
    """
    player = ProgramPlayer(bot(talk))
    assert player.choose(GAME, AFTER_4, Random(1)) == 9
    player.close()


def test_the_example_draws_from_the_seed_that_it_is_given() -> None:
    player = ProgramPlayer(f"{shlex.quote(sys.executable)} {EXAMPLE}")
    found = [player.choose(GAME, GAME.initial(), Random(seed)) for seed in range(10)]
    player.close()
    assert found == [player.choose(GAME, GAME.initial(), Random(seed)) for seed in range(10)]
    assert len(set(found)) > 1
    player.close()


def transcript(mark: str) -> list[str]:
    """The lines of the page's transcript after a mark: > is perfectplay, < the bot."""
    [block] = re.findall(
        r"^```text\n(> perfectplay .*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return [line[2:] for line in block.splitlines() if line[0] == mark]


def test_the_example_needs_no_library_and_the_page_shows_what_it_says() -> None:
    assert "import perfectplay" not in EXAMPLE.read_text()
    typed = "".join(f"{line}\n" for line in transcript(">"))
    done = subprocess.run([sys.executable, EXAMPLE], input=typed, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == transcript("<")


def test_the_page_shows_what_a_program_is_told(bot: Bot, tmp_path: Path) -> None:
    answers = [line for line in transcript("<") if line.startswith("move")]
    player = ProgramPlayer(bot("say(answers.pop(0))", first=f"answers = {answers}"))
    match = pp.Match(pp.load("bit-flip:bits=5"), seed=7)
    while match.result is None:
        match.play(player.choose(match.game, match.state, match.generator()))
    player.close()
    assert log(tmp_path) == transcript(">")


# Programs that fail


def failure(player: ProgramPlayer, game: pp.Game[object] = GAME, state: object = AFTER_4) -> str:
    with pytest.raises(ProgramError) as caught:
        player.choose(game, state, Random(1))
    text = str(caught.value)
    assert text.isprintable()
    assert not running
    return text.removeprefix(f"the program {quote(player.command, 80)} ")


ASKED = 'was asked to move in "0000100000 2" and '


@pytest.mark.parametrize(
    ("on_go", "report"),
    [
        ('raise ZeroDivisionError("oh no")', "ended with exit code 1: ZeroDivisionError: oh no"),
        ("sys.exit(3)", "ended with exit code 3"),
        ("sys.exit(0)", "ended with exit code 0"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by signal 9"),
        ('say("hello")', 'answered "hello": it must be "move" and one of the moves.'),
        ('say("")', 'answered "": it must be "move" and one of the moves.'),
        ('say("moves 3")', 'answered "moves 3": it must be "move" and one of the moves.'),
        ('say("move 5")', 'answered "move 5": Bit 5 is next to bit 4, already 1.'),
        ('say("move 4")', 'answered "move 4": Bit 4 is already 1.'),
        (
            'say("move x")',
            'answered "move x": "x" is not a move here. Allowed: 0, 1, 2, 6, 7, 8 or 9.',
        ),
        ('say("move")', 'answered "move": "" is not a move here. Allowed: 0, 1, 2, 6, 7, 8 or 9.'),
        (
            'sys.stdout.buffer.write(b"\\xff\\x1b[2J\\n"); sys.stdout.flush()',
            r'answered "\xff\x1b[2J": it must be "move" and one of the moves.',
        ),
        ('say("7" * 10_001)', "answered with a line of more than 10,000 bytes"),
        ('sys.stdout.write("info " * 9999); sys.stdout.flush(); time.sleep(600)', "answered with a line of"),
        (
            'print("\\x1b[2J cannot", file=sys.stderr, flush=True); say("hello")',
            'answered "hello": it must be "move" and one of the moves.; its last line on standard error:'
            r" \x1b[2J cannot",
        ),
        ("os.close(1)", "closed its output"),
    ],
)
def test_a_bad_answer_is_reported_and_never_replaced(
    on_go: str, report: str, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LONGEST_OUTPUT == 10_000
    player = ProgramPlayer(bot(on_go), seconds=30)
    if "sleep" in on_go:
        monkeypatch.setattr(process, "GRACE", 0.1)
    assert failure(player).startswith(ASKED + report)


@pytest.mark.parametrize(
    "on_go",
    ["time.sleep(600)", 'while True: say("info thinking")', 'sys.stderr.write("x\\n"); time.sleep(600)'],
)
def test_a_program_that_hangs_is_given_up(on_go: str, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE", 0.1)
    player = hurried(ProgramPlayer(bot(on_go), seconds=30))
    said = "; its last line on standard error: x" if "stderr" in on_go else ""
    assert failure(player) == f"{ASKED}gave no answer in 1 s{said}"


def test_a_program_that_does_not_read_is_given_up(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE", 0.1)
    game = pp.load("bit-flip:bits=10000")  # its moves are more than a pipe holds
    player = hurried(ProgramPlayer(bot(on_game='say("ready"); time.sleep(600)'), seconds=30), game)
    assert failure(player, game, game.initial()).endswith("and gave no answer in 1 s")


def test_a_second_answer_is_not_taken_for_the_next(bot: Bot) -> None:
    player = ProgramPlayer(bot('os.write(1, b"move 0\\nmove 1\\n")'))  # both at once
    assert player.choose(GAME, AFTER_4, Random(1)) == 0
    assert failure(player) == f'{ASKED}had said "move 1" before being asked'


def test_a_program_that_ended_between_two_moves_is_reported(bot: Bot) -> None:
    player = ProgramPlayer(bot('say("move 0"); sys.exit(4)'))
    assert player.choose(GAME, AFTER_4, Random(1)) == 0
    assert failure(player) == f"{ASKED}ended with exit code 4"
    # It is started again when asked again, and may do better.
    assert player.choose(GAME, AFTER_4, Random(1)) == 0
    player.close()


@pytest.mark.parametrize(
    ("parts", "report"),
    [
        (
            {"first": 'say("hello")'},
            'was asked whether it is ready and answered "hello": it must be "ready" and a name.',
        ),
        ({"first": "sys.exit(5)"}, "was asked whether it is ready and ended with exit code 5"),
        ({"on_game": "break"}, 'was asked to play "bit-flip" and ended with exit code 0'),
        (
            {"on_game": 'say("move 1")'},
            'was asked to play "bit-flip" and answered "move 1":'
            ' it must be "ready" or "refused" and the reason.',
        ),
        (
            {"on_game": 'say("refused I only play chess")'},
            'was asked to play "bit-flip" and refused: I only play chess',
        ),
    ],
)
def test_a_program_must_be_ready(parts: dict[str, str], report: str, bot: Bot) -> None:
    player = ProgramPlayer(bot(**parts))
    with pytest.raises(ProgramError) as caught:
        player.prepare(GAME)
    said = str(caught.value)
    # A line said before the question comes is a bad answer, or one that was not asked for.
    assert said.endswith((report, 'was asked whether it is ready and had said "hello" before being asked'))


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/nowhere/bot --fast", "No such file or directory"),
        ("/", "Permission denied"),
    ],
)
def test_a_program_that_cannot_be_started_is_reported(command: str, reason: str) -> None:
    assert failure(ProgramPlayer(command)) == f"cannot be started: {reason}"


def test_a_program_is_told_why_and_to_quit(bot: Bot, tmp_path: Path) -> None:
    failure(ProgramPlayer(bot('say("move 5")')))
    assert log(tmp_path)[-3:] == ["go", "refused Bit 5 is next to bit 4, already 1.", "quit"]


def test_a_program_that_is_interrupted_is_ended(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    player = ProgramPlayer(bot())
    player.prepare(GAME)
    pid = pid_of(player)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(DefaultSelector, "select", interrupted)
    with pytest.raises(KeyboardInterrupt):
        player.choose(GAME, AFTER_4, Random(1))
    assert not running
    assert is_gone(pid)


@pytest.mark.parametrize("answer", ["10 E", "0 B", "x", ""])
def test_an_invalid_number_is_for_the_rules_to_answer(answer: str, bot: Bot, tmp_path: Path) -> None:
    game = pp.load("mirror-match")
    player = ProgramPlayer(bot(f'say("move {answer}" if position == "- 1" else "move 3 B")'))
    match = pp.Match(game)
    with pytest.raises(ForfeitError) as caught:
        player.choose(game, match.state, match.generator())
    assert f'answered "move {answer}": "{answer}" must begin with a number' in str(caught.value)
    pid = pid_of(player, game)
    match.forfeit()
    match.play(player.choose(game, match.state, match.generator()))
    assert match.line(match.last).text == "3 B"
    assert pid_of(player, game) == pid
    player.close()
    assert f'refused "{answer}" must begin with a number from 1 to 9, as a word of its own' in log(tmp_path)


def test_a_number_without_a_place_is_not_an_invalid_number(bot: Bot) -> None:
    game = pp.load("mirror-match")
    text = failure(ProgramPlayer(bot('say("move 3")')), game, game.initial())
    assert 'answered "move 3": "3" does not say where to place the 3' in text


# Nothing is left running

STUBBORN = """
    fifo = os.open({fifo!r}, os.O_WRONLY)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        signal.pause()
    os.write(fifo, f"{{os.getpid()}} {{child}}\\n".encode())
    say("ready")
"""


class Fifo:
    """A named pipe that the processes of a bot hold open: its end is the end of them all."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)
        self.descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def pids(self) -> list[int]:
        """The processes that held the pipe, once all of them are gone."""
        data = b""
        while True:
            assert select.select([self.descriptor], [], [], 20)[0], f"still running: {data!r}"
            chunk = os.read(self.descriptor, 1000)
            if not chunk:
                os.close(self.descriptor)
                return [int(pid) for pid in data.split()]
            data += chunk


@pytest.mark.parametrize(
    ("on_quit", "at_end"),
    [("break", ""), ("continue", "signal.pause()")],
    ids=["leaves a child behind", "ignores quit and termination"],
)
def test_a_program_is_ended_with_all_that_it_has_started(
    on_quit: str, at_end: str, bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fifo = Fifo(tmp_path / "fifo")
    if at_end:
        monkeypatch.setattr(process, "GRACE", 0.1)
    command = bot(on_game=STUBBORN.format(fifo=fifo.path), on_quit=on_quit, at_end=at_end)
    player = ProgramPlayer(command)
    player.choose(GAME, AFTER_4, Random(1))
    pid = pid_of(player)
    player.close()
    pids = fifo.pids()
    assert pids[0] == pid
    assert len(pids) == 2
    assert all(is_gone(each) for each in pids)


@pytest.mark.parametrize("on_go", ["os._exit(6)", "time.sleep(600)"])
def test_a_program_that_failed_leaves_nothing_behind_either(
    on_go: str, bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The child holds the output open, so that the end of the program shows only when time is up.
    monkeypatch.setattr(process, "GRACE", 0.1)
    fifo = Fifo(tmp_path / "fifo")
    player = hurried(ProgramPlayer(bot(on_go, on_game=STUBBORN.format(fifo=fifo.path)), seconds=30))
    expected = "ended with exit code 6" if "exit" in on_go else "gave no answer in 1 s"
    assert failure(player) == ASKED + expected
    pids = fifo.pids()
    assert len(pids) == 2
    assert all(is_gone(each) for each in pids)


def test_programs_end_with_the_process_that_started_them(bot: Bot, tmp_path: Path) -> None:
    fifo = Fifo(tmp_path / "fifo")
    command = bot(on_game=STUBBORN.format(fifo=fifo.path))
    script = (
        "import sys, random, perfectplay as pp; from perfectplay.players.program import ProgramPlayer;"
        "game = pp.load('bit-flip'); player = ProgramPlayer(sys.argv[1]);"
        "print(player.choose(game, game.initial(), random.Random(1)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, command], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout, done.stderr, done.returncode) == ("0\n", "", 0)
    assert all(is_gone(each) for each in fifo.pids())


# The check


def test_the_example_passes_the_check() -> None:
    report = check_program(f"{shlex.quote(sys.executable)} {EXAMPLE}")
    names = pp.names()
    assert [line.partition(":")[0] for line in report[:-1]] == list(names)
    assert all(re.fullmatch(r"[a-z-]+: 2 games, [0-9]+ moves, all legal", line) for line in report[:-1])
    assert report[-1] == "quit, end of input: it ended each time"


def test_the_check_plays_only_the_games_that_are_named(run: Run) -> None:
    command = f"{shlex.quote(sys.executable)} {EXAMPLE}"
    tic_tac_toe = str(ROOT / "examples" / "tic_tac_toe.py")
    specs = ("bit-flip:bits=5", "bit-flip:first=1,bits=5", tic_tac_toe)
    done = run("check-bot", command, *(word for spec in specs for word in ("--game", spec)))
    assert done.returncode == 0, done.stderr
    played = [line.partition(": 2 games, ")[0] for line in done.stdout.splitlines()[:-1]]
    assert played == ["bit-flip:bits=5", tic_tac_toe]
    with pytest.raises(pp.UnknownGameError, match="did you mean bit-flip"):
        check_program(command, games=["bit-flop"])


def test_a_program_need_not_play_every_game(bot: Bot) -> None:
    picky = 'say("ready" if rest == "bit-flip" else "refused not that one")'
    report = check_program(bot(on_game=picky))
    assert report[0].startswith("bit-flip: 2 games, ")
    assert report[1].endswith('was asked to play "dual-direction" and refused: not that one')


@pytest.mark.parametrize(
    ("parts", "report"),
    [
        ({"on_go": 'say("move 1 up")'}, r'bit-flip: .* answered "move 1 up": "1 up" is not a move here'),
        ({"on_go": 'say("move 10" if position[0] == "-" else "move " + moves[0])'}, r'mirror-match: .* "10"'),
        ({"on_game": 'say("refused no")'}, r"plays none of: bit-flip, dual-direction"),
        ({"on_quit": "sys.exit(2)"}, r"was told to quit and ended with exit code 2"),
        ({"on_quit": "time.sleep(600)"}, r"was told to quit and was still running 30 s later"),
        ({"at_end": 'if word != "quit": time.sleep(600)'}, r"was still running 30 s after its input ended"),
    ],
)
def test_the_check_finds_what_is_wrong(
    parts: dict[str, str], report: str, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only an end that never comes is not waited for: on a busy machine the others may take long.
    endless = {
        line for part, line in (("on_quit", "quit\n"), ("at_end", "")) if "sleep" in parts.get(part, "")
    }
    exit_code = Program.exit_code

    def soon(program: Program, last_line: str, seconds: float) -> int | None:
        return exit_code(program, last_line, 0.1 if last_line in endless else seconds)

    monkeypatch.setattr(Program, "exit_code", soon)
    with pytest.raises(ProgramError, match=report):
        check_program(bot(**parts), seconds=30)


def test_a_program_forfeits_in_the_terminal_as_a_person_does(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word in ('perfectplay', 'game'): print('ready bad', flush=True)\n"
        "    if word == 'go': print('move 10 E', flush=True)\n"
    )
    args = ("play", "mirror-match", "--p2", f"program:{sys.executable} {bot}")
    done = run(*args, typed="4\nE\n")
    assert done.returncode == 0, done.stderr
    assert "Invalid number. Player 2 forfeits the turn.\n" in done.stdout
    # The forfeit is on disk before the next question.
    [save] = (Path(os.environ["PERFECTPLAY_HOME"]) / "games").glob("*.txt")
    assert "2. Player 2: forfeit -> 4 1\n" in save.read_text()
    forgiving = run(*args, "--forgiving", typed="4\nE\n")
    assert forgiving.returncode == 2
    assert "must begin with a number from 1 to 9" in forgiving.stderr
