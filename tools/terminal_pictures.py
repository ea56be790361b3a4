"""Writes the pictures of the full screen in docs/: `python -m tools.terminal_pictures`."""

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

import perfectplay as pp
from perfectplay.core.match import Match
from perfectplay.core.series import Series
from perfectplay.terminal.fullscreen.app import FullScreen
from perfectplay.terminal.fullscreen.screens.home import HomeScreen
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from perfectplay.terminal.session import Session

FONT = re.compile(r"@font-face \{.*?\}\n", re.DOTALL)
"""A font from another site, which a picture in docs/ does not need."""
DOCS = Path(__file__).resolve().parents[1] / "docs"


def home() -> Screen[Any]:
    """The home screen."""
    return HomeScreen()


def open_play(spec: str, *moves: str) -> Screen[Any]:
    """A game in progress between two people."""
    series: Series[Any] = Series(pp.load(spec))
    session = Session(series)
    session.begin()
    for move in moves:
        session.match.play(move)
    return PlayScreen(session)


def open_review() -> Screen[Any]:
    """A finished game with a mistake in it."""
    match: Match[Any] = Match(pp.load("bit-flip"))
    for move in ("4", "0", "2", "9", "6"):
        match.play(move)
    return ReviewScreen(match)


PICTURES: tuple[tuple[str, Callable[[], Screen[Any]], tuple[int, int], tuple[str, ...]], ...] = (
    ("terminal-home", home, (80, 24), ()),
    ("terminal-play", lambda: open_play("inversion-race", "left", "right", "left"), (80, 24), ("v", "right")),
    ("terminal-small", lambda: open_play("bit-flip", "4", "0"), (40, 15), ("left",)),
    ("terminal-review", open_review, (80, 24), ()),
)


async def draw(
    name: str, screen: Callable[[], Screen[Any]], size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    """Draw one picture, once the screen is complete."""
    app = FullScreen(lambda _: screen())
    async with app.run_test(size=size) as pilot:
        app.animation_level = "none"
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
            await settle(app, pilot)
        await settle(app, pilot)
        picture = FONT.sub("", app.export_screenshot(title="perfectplay"))
        (DOCS / f"{name}.svg").write_text("\n".join(line.rstrip() for line in picture.split("\n")))


async def settle(app: FullScreen, pilot: Pilot[None]) -> None:
    """Wait until no computer is thinking."""
    await app.workers.wait_for_complete()
    await pilot.pause(0.2)  # the keys at the bottom are drawn last


def main() -> None:
    """Draw all pictures."""
    with TemporaryDirectory() as folder:
        os.environ["PERFECTPLAY_HOME"] = folder
        for picture in PICTURES:
            asyncio.run(draw(*picture))


if __name__ == "__main__":
    main()
