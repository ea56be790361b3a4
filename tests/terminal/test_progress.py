"""What a terminal shows while something takes long, and that a pipe never sees it."""

import io
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, TextIO

import pytest

import perfectplay as pp
from perfectplay.core.series import Series
from perfectplay.players.registry import load_players
from perfectplay.terminal.console import ERASE, Console
from perfectplay.terminal.line.line_mode import LineMode
from perfectplay.terminal.progress import Bar, waiting
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
    with waiting("Solving", after=0) as update:
        update(1)
    bar = Bar(Console(None, stream), 10, after=0)
    bar.update(1)
    bar.close()
    assert pipe.getvalue() == screen.rest() == ""


def test_a_bar_stands_below_the_games_from_the_second_second_on(screen: Screen) -> None:
    seconds = iter([0.0, 0.9, 1.0, 1.05, 62.0])
    console = Console(None, screen.stream)
    bar = Bar(console, 1000, clock=lambda: next(seconds))
    bar.update(10)
    console.say("one")
    assert screen.rest() == "one\r\n"
    bar.update(437)
    drawn = screen.rest()
    assert drawn.startswith("437 of 1,000 games ")
    assert drawn.endswith(" 0:01")
    bar.update(440)  # too soon to be drawn again
    console.say("two", "three")
    assert screen.rest() == f"{ERASE}two\r\nthree\r\n{drawn}"
    bar.update(999)
    assert screen.rest().startswith(f"{ERASE}999 of 1,000 games ")
    bar.close()
    console.say("four")
    assert screen.rest() == f"{ERASE}four\r\n"


def test_work_of_a_known_amount_has_a_bar(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    from perfectplay.terminal import progress

    shows: list[Any] = []
    monkeypatch.setattr(progress, "Timer", lambda after, show: AtOnce(after, lambda: shows.append(show)))
    monkeypatch.setattr(sys, "stderr", screen.stream)
    with waiting("Sweeping") as update:
        update(3, 8)
        shows[0]()  # the time is over
    assert "3/8" in screen.rest()


def test_a_bar_is_all_that_is_seen_of_games_that_go_to_a_file(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen.stream)
    file = io.StringIO()
    bar = Bar(Console(None, file), 10, after=0)
    bar.update(4)
    assert screen.rest().startswith("4 of 10 games ")
    bar.close()
    assert screen.rest() == ERASE
    assert file.getvalue() == ""


def test_a_series_between_computers_tells_its_bar_after_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    updates: list[int] = []
    monkeypatch.setattr(Bar, "update", lambda self, done: updates.append(done))

    def play(games: int, first: str) -> list[int]:
        updates.clear()
        game = pp.load("bit-flip:bits=1")
        series: Series[Any] = Series(game, games, players=(first, "random"))
        console = Console(io.StringIO("0\n" * games), io.StringIO())
        LineMode(console, series, load_players(series.players)).run()
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
    from perfectplay.terminal import progress

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
