"""The turn of a computer: it thinks in another process, and can be interrupted."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.worker import Worker

from perfectplay.core.dialogue import Forfeit
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import capitalize
from perfectplay.core.game import Action
from perfectplay.terminal.contestants import plain

if TYPE_CHECKING:
    from perfectplay.terminal.fullscreen.screens.play import PlayScreen

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class ComputerTurn:
    """Lets the computer whose turn it is think. `done` gets its move, or what cost it its turn."""

    def __init__(self, screen: "PlayScreen", done: Callable[[Action | Forfeit], None]) -> None:
        self.screen = screen
        self.stopped = ""
        """Why a computer is not thinking although it is its turn."""
        self._done = done
        self._worker: Worker[None] | None = None
        self._ticks = 0

    @property
    def is_thinking(self) -> bool:
        """Whether a computer is thinking."""
        return self._worker is not None

    async def prepare(self) -> None:
        """Let the computers prepare while a person thinks. If one cannot play, that is said at once."""
        match = self.screen.match
        computers = [each for each in dict.fromkeys(match.players) if each != "human"]
        try:
            await self.screen.fullscreen.thinking.prepare(match, computers)
        except PerfectplayError as error:
            if not self.is_thinking and not self.stopped:  # else it is said about the move itself
                self.screen.add(f"The computer cannot play: {error}.")

    def think(self, pace: float) -> None:
        """Ask the computer for a move, which is made after `pace` seconds at the earliest."""
        self._worker = self.screen.run(self._think(pace), "think")

    async def _think(self, pace: float) -> None:
        match, player = self.screen.match, self.screen.session.player
        try:
            chosen, _ = await asyncio.gather(
                self.screen.fullscreen.thinking.choose(match, player.spec), asyncio.sleep(pace)
            )
        except PerfectplayError as error:
            self.screen.say(f"{capitalize(self._name())} cannot move: {error}.")
            return self.stop("No move.")
        self._worker = None
        self._done(chosen)

    def stop(self, why: str) -> None:
        """Give up thinking, and say why."""
        self.cancel()
        self.stopped = f"{why} Enter lets it think again, u takes back, x resigns, q leaves."
        self.screen.show()

    def cancel(self) -> None:
        """Give up what a computer is thinking about."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.cancel()

    def _name(self) -> str:
        session = self.screen.session
        if len(session.contestants.people) == 1:
            return session.contestants.name(session.match.side)
        return f"{session.match.game.side_names[session.match.side]} ({plain(session.player.spec)})"

    def sign_of_life(self) -> str:
        """The line below the board while a computer thinks."""
        return f"{SPINNER[self._ticks % len(SPINNER)]} {capitalize(self._name())} is thinking."

    def tick(self) -> None:
        """Show that a computer is still thinking."""
        self._ticks += 1
        if self.is_thinking and self.screen.shown is None and self.screen.app.animation_level != "none":
            self.screen.show_status()
