"""What a terminal shows while something takes long, and that a pipe never sees it."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO

import pytest

import perfectplay as pp
from perfectplay.core.series import Series
from perfectplay.terminal import progress
from perfectplay.terminal.console import Console
from perfectplay.terminal.line import line_mode
from perfectplay.terminal.progress import describe_pace, waiting
from perfectplay.terminal.session import Session
from tests.terminal.terminals import Terminal


class Screen:
    """A pseudo-terminal to write to, and what arrived at its other end."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        self.stream: TextIO = os.fdopen(slave, "w", encoding="utf-8")

    def until(self, text: str) -> str:
        """What was written, up to and including a text."""
        found = b""
        while text.encode() not in found:
            found += os.read(self.master, 4096)
        return found.decode()

    def rest(self) -> str:
        """What was written since."""
        self.stream.write("END")
        self.stream.flush()
        return self.until("END").removesuffix("END")


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    yield screen
    screen.stream.close()
    os.close(screen.master)


def test_a_spinner_is_shown_while_work_takes_long(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stream)
    with waiting("Solving [it]", after=0) as update:
        screen.until("Solving [it]")
        update(12345)
        screen.until("Solving [it]: 12,345 positions")
    # It is gone again, and the cursor is back.
    shown = screen.rest()
    assert shown.endswith("\x1b[2K")
    assert "\x1b[?25h" in shown


def test_a_narrow_terminal_shows_the_time_and_all_that_is_done(
    screen: Screen, shows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stream)
    monkeypatch.setenv("COLUMNS", "40")
    with waiting("Solving Connect Four") as update:
        update(10, doing="working back: 17 of 25 plies")
        shows[0]()  # the time is over
    shown = screen.rest()
    assert shown.index("0:00:0") < shown.index("Solving Connect Four:")
    assert "25 plies" in shown


def test_what_was_read_is_no_part_of_the_pace(
    screen: Screen, shows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stream)
    monkeypatch.setattr(progress, "measure_memory", lambda: None)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=count().__next__))
    monkeypatch.setenv("COLUMNS", "200")
    with waiting("Solving") as update:
        update(900_000, doing="reading what is stored")
        update(1_000_000)
        update(1_000_500)
        shows[0]()  # the time is over
    assert "Solving: 1,000,500 positions, 250 a second" in screen.rest()


def test_work_that_is_soon_done_shows_nothing(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stream)
    with waiting("Solving", after=1000) as update:
        update(1)
    assert screen.rest() == ""


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_neither_a_pipe_nor_a_plain_terminal_sees_a_spinner(
    term: str, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    pipe = io.StringIO()
    stream = pipe if term == "xterm" else screen.stream
    monkeypatch.setattr(sys, "stderr", stream)
    with waiting("Solving", Console(None, stream), after=0) as update:
        update(1)
    assert pipe.getvalue() == screen.rest() == ""


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is to be called once the time before a spinner appears is over."""
    found: list[Any] = []
    monkeypatch.setattr(progress, "Timer", lambda after, show: AtOnce(after, lambda: found.append(show)))
    return found


def test_a_bar_stands_below_the_games(screen: Screen, shows: list[Any]) -> None:
    console = Console(None, screen.stream)
    with waiting("Playing", console) as update:
        update(10, 1000)
        console.say("one")
        assert screen.rest() == "one\r\n"
        shows[0]()  # the time is over
        assert "Playing" in screen.until("10/1000")
        console.say("two", "[three]")
        assert "\x1b[2Ktwo\r\n[three]\r\n" in screen.until("10/1000")  # the bar makes room
    screen.rest()
    console.say("four")
    assert screen.rest() == "four\r\n"


def test_work_of_a_known_amount_has_a_bar(
    screen: Screen, shows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stream)
    with waiting("Sweeping") as update:
        update(3, 8)
        shows[0]()  # the time is over
    assert "3/8" in screen.rest()


def test_a_bar_says_how_fast_it_goes_and_the_time_left() -> None:
    assert describe_pace(6, 30, 12) == "30 a minute, 0:01:00 left"
    assert describe_pace(0, 30, 12) == describe_pace(6, 30, 0) == ""
    assert describe_pace(1234, None, 0.5).startswith("1,234 positions, 2,468 a second")


def test_a_bar_is_all_that_is_seen_of_games_that_go_to_a_file(
    screen: Screen, shows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stream)
    file = io.StringIO()
    with waiting("Playing", Console(None, file)) as update:
        update(4, 10)
        shows[0]()
        screen.until("4/10")
    assert file.getvalue() == ""


def test_a_series_between_computers_tells_its_bar_after_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    updates: list[int] = []

    @contextmanager
    def watching(text: str, console: Console | None = None) -> Iterator[Any]:
        yield lambda done, total: updates.append(done)

    monkeypatch.setattr(line_mode, "waiting", watching)

    def play(games: int, first: str) -> list[int]:
        updates.clear()
        game = pp.load("bit-flip:bits=1")
        series: Series[Any] = Series(game, games, players=(first, "random"))
        console = Console(io.StringIO("0\n" * games), io.StringIO())
        line_mode.LineMode(console, Session(series)).run()
        return list(updates)

    assert play(4, "random") == [0, 1, 2, 3]
    assert play(1, "random") == []
    assert play(4, "human") == []


@pytest.mark.parametrize(
    "args",
    [
        ["audit", "bit-flip"],
        ["audit", "bit-flip", "--sweep", "bits=2..3"],
        ["arena", "random", "--game", "bit-flip", "--table"],
        ["solve", "bit-flip"],
        ["dataset", "bit-flip", "--out", "rows.jsonl"],
        ["play", "bit-flip", "--p1", "mcts:simulations=10", "--p2", "random", "--seed", "1"],
    ],
    ids=lambda args: " ".join(args[:3]),
)
def test_the_commands_that_may_take_long_say_so(
    args: list[str], screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    from perfectplay import cli

    shown = count()
    monkeypatch.setattr(progress, "Timer", lambda after, show: AtOnce(after, lambda: next(shown)))
    monkeypatch.setattr(sys, "stderr", screen.stream)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    cli.cli(args, standalone_mode=False)
    assert next(shown) > 0


class AtOnce:
    """A timer whose time is over when it starts."""

    def __init__(self, after: float, show: Any) -> None:
        assert after == 0.5
        self.start = show

    def cancel(self) -> None:
        """It cannot be."""

    join = cancel


def test_a_terminal_sees_the_games_and_no_trace_of_a_bar_at_the_end() -> None:
    with Terminal("play", "bit-flip:bits=3", "--p1", "random", "--p2", "random", "--games", "3") as terminal:
        screen = terminal.until_end()
    assert "Score after game 3 of 3" in screen
    assert "\x1b" not in screen.rpartition("The record is kept")[2]
