"""The full screen driven by Textual's pilot, without a terminal."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from perfectplay.core.game import Action
from perfectplay.terminal.fullscreen.app import FullScreen
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.play import new_save, new_series
from perfectplay.terminal.session import Session

PATIENCE = 20.0
"""Seconds until something that is waited for has to have happened."""
TWO_PEOPLE = ("human", "human")
NAMED = {
    " ": "space",
    "!": "exclamation_mark",
    "+": "plus",
    ":": "colon",
    "?": "question_mark",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
}
"""Keys that print a character and have a name."""
PRINTED = {name: character for character, name in NAMED.items()}


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test that is a coroutine."""
    from functools import wraps

    @wraps(test)
    def run(*args: Any, **settings: Any) -> None:
        asyncio.run(test(*args, **settings))

    return run


def flowing(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


class Seen:
    """The application under a pilot, and what is on its screen."""

    def __init__(self, app: FullScreen, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> Any:
        """The screen on top."""
        return self.app.screen

    def text(self, name: str) -> str:
        """The text of a part of the screen."""
        return str(self.screen.query_one(f"#{name}", Static).render())

    @property
    def shown(self) -> str:
        """Every line of the screen, as a person sees it."""
        # Textual 8 shows the lines of a whole screen in no other way than by a picture.
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until everything has reacted to them."""
        for key in keys:  # the pilot's own way would wait for a twenty-fifth of a second after each
            assert key.isalnum() or len(key) > 1
            self.app.post_message(Key(key, PRINTED.get(key)))
            await self.pilot.pause(0)  # the screen hands it on
            await self.pilot.pause(0)  # and what it was for has reacted
        await self.pilot.pause()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something is true."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self.pilot.pause(0.02)

    async def type(self, text: str) -> None:
        """Type a text and press Enter."""
        await self.press(*(NAMED.get(each, each) for each in text), "enter")

    async def click(self, action: Action) -> None:
        """Click the cell or the button of a move."""
        board = self.screen.board
        item = board.item_of(action)
        board.choose(action)  # scrolls to it
        await self.pilot.pause()
        left, top = board.margins()
        x = item.x + item.width // 2 + left - board.scroll_offset.x
        y = item.y + item.height // 2 + top - board.scroll_offset.y
        board.choose(None)
        await self.pilot.click(board, offset=(x, y))

    async def choose(self, action: Action) -> None:
        """Choose a move by the arrow keys or, where they do not lead to it, by Tab; then make it."""
        board = self.screen.board
        for key in ("right", "left", "tab"):
            for _ in range(len(board.arrangement.items) + 1):
                if board.look.chosen == action:
                    return await self.press("enter")
                await self.press(key)
        raise AssertionError(f"no key leads to {action}")


@asynccontextmanager
async def seen(
    first: Callable[[FullScreen], Screen[Any]], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Seen]:
    """The application on a screen of some size. Nothing waits only to be seen."""
    app = FullScreen(first)
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Seen(app, pilot)


def session(spec: str, players: tuple[str, str] = TWO_PEOPLE, **settings: Any) -> Session:
    """A new session, saved where the tests save."""
    new = new_series(spec, players=players, seed=1, **settings)
    return Session(new.series, new_save(new.series.game, None)[0])


@asynccontextmanager
async def playing(
    spec: str, players: tuple[str, str] = TWO_PEOPLE, size: tuple[int, int] = (80, 24), **settings: Any
) -> AsyncIterator[Seen]:
    """A game on the full screen."""
    async with seen(lambda app: PlayScreen(session(spec, players, **settings)), size) as found:
        yield found
