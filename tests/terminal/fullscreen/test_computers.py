"""Computers on the full screen: they think elsewhere, can be interrupted, hang and fail."""

import os
import shlex
import sys
from pathlib import Path

import perfectplay as pp
from perfectplay import saves
from perfectplay.core.match import Match
from perfectplay.players.registry import load_player
from perfectplay.terminal.limits import SMALLEST_SCREEN

from .screens import flowing, in_a_loop, playing

BOT = """
import os, sys, time
for line in sys.stdin:
    if line.split()[0] in ("perfectplay", "game"):
        print("ready bot", flush=True)
    elif line.strip() == "go":
        {answer}
"""
HANGS = BOT.format(answer="open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)")
CRASHES = BOT.format(answer="sys.exit('lost my way')")
ERRS = BOT.format(answer="print('move 99 E', flush=True)")


def program(folder: Path, text: str, *arguments: object) -> str:
    """The spec of a player that is a program in Python."""
    file = folder / "bot.py"
    file.write_text(text)
    return f"program:seconds=600,{shlex.join([sys.executable, str(file), *map(str, arguments)])}"


@in_a_loop
async def test_a_computer_answers_as_it_does_in_line_mode() -> None:
    async with playing("bit-flip", ("human", "level:5")) as found:
        screen = found.screen
        await found.type("4")
        await found.until(lambda: screen.match.plies == 2)
        match = Match(pp.load("bit-flip"), seed=1)
        match.play("4")
        player = load_player("level:5")
        assert screen.match.last.action == player.choose(match.game, match.state, match.generator())  # type: ignore[attr-defined]
        await found.press("u")
        assert screen.match.plies == 0
        await found.press("y")
        assert screen.match.plies == 2


@in_a_loop
async def test_keys_do_not_wait_for_a_computer_that_hangs(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    async with playing("bit-flip", ("human", program(tmp_path, HANGS, mark))) as found:
        screen = found.screen
        await found.type("4")
        await found.until(lambda: mark.exists() and mark.read_text())
        assert "is thinking. Esc interrupts." in found.text("status")
        await found.press("left_square_bracket")
        assert found.text("status").startswith("Position 0 of 1")
        await found.press("escape", "escape")
        assert found.text("status").startswith("Interrupted.")
        await found.press("enter")
        assert "is thinking" in found.text("status")
        await found.press("u")
        assert screen.match.plies == 0
        assert screen.asking.is_due
        await found.type("9")
        await found.press("x", "x")
        assert screen.match.result.winner == 1
    # Nothing that was started is left behind.
    await_gone(int(mark.read_text()))


def await_gone(pid: int) -> None:
    """A process that has ended, or ends soon."""
    from time import monotonic, sleep

    until = monotonic() + 20
    while monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        sleep(0.02)
    raise AssertionError(f"{pid} still runs")


@in_a_loop
async def test_a_computer_that_fails_is_reported_and_the_game_is_kept(tmp_path: Path) -> None:
    async with playing("bit-flip", ("human", program(tmp_path, CRASHES))) as found:
        screen = found.screen
        await found.type("4")
        await found.until(lambda: "lost my way" in found.text("message"))
        assert "cannot move" in found.text("message")
        assert (
            found.text("status") == "No move. Enter lets it think again, u takes back, x resigns, q leaves."
        )
        assert screen.match.plies == 1
        await found.press("enter")  # tries again
        await found.until(lambda: "No move." in found.text("status"))
        await found.press("q")
    [file] = saves.open_games()
    assert len(saves.read(file)[0].moves) == 1


@in_a_loop
async def test_an_invalid_answer_of_a_computer_costs_its_turn(tmp_path: Path) -> None:
    async with playing("mirror-match", ("human", program(tmp_path, ERRS))) as found:
        await found.type("4")
        await found.type("e")
        await found.until(lambda: found.screen.match.plies == 2)
        assert found.screen.match.last.kind == "forfeit"


@in_a_loop
async def test_a_computer_that_cannot_play_is_named_before_a_move_is_made() -> None:
    async with playing("bit-flip:bits=5", ("human", "learned")) as found:
        await found.until(lambda: "The computer cannot play: no trained policy" in found.text("message"))
        assert found.screen.match.plies == 0


@in_a_loop
async def test_why_a_computer_cannot_move_is_seen_on_the_smallest_screen(tmp_path: Path) -> None:
    async with playing("bit-flip", ("human", program(tmp_path, CRASHES)), SMALLEST_SCREEN) as found:
        await found.type("4")
        await found.until(lambda: "lost my way" in found.text("message"))
        await found.pilot.pause()
        messages = found.screen.query_one("#messages")
        shown = flowing(found.shown)
        while "lost my way" not in shown and messages.scroll_y < messages.max_scroll_y:
            await found.press("pagedown")
            shown = flowing(found.shown)
        assert "lost my way" in shown
        assert "q leaves." in shown
