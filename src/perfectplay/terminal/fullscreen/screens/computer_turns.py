"""The turns of computers: they think in another process, and can be interrupted."""

import asyncio
from abc import abstractmethod
from typing import Any

from textual.worker import Worker

from perfectplay.core.dialogue import Dialogue, Forfeit
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.match import Match
from perfectplay.terminal.contestants import capital, plain
from perfectplay.terminal.fullscreen.screens.coached import CoachedScreen
from perfectplay.terminal.session import Session

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
PACE = 0.4
"""Seconds before a computer moves, so that one's own move is seen first."""


class ComputerTurns(CoachedScreen):
    """A session in which computers may play. Subclasses say how a game goes on."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        if session.series.current is None:
            session.begin()
        self.session = session
        self.thinking: Worker[None] | None = None
        self.stopped = ""
        """Why a computer is not thinking although it is its turn."""
        self._ticks = 0

    @abstractmethod
    def advance(self) -> None:
        """Go on to whatever is due."""

    @abstractmethod
    def after(self, *lines: str) -> None:
        """Go on after a move."""

    @property
    def match(self) -> Match[Any]:
        return self.session.match

    @property
    def dialogue(self) -> Dialogue[Any]:
        return self.session.dialogue

    def let_think(self) -> None:
        """Ask the computer whose turn it is for a move."""
        self.thinking = self.run(self._computer_turn(), "think")

    async def _computer_turn(self) -> None:
        match, player = self.match, self.session.player
        try:
            chosen, _ = await asyncio.gather(
                self.fullscreen.thinking.choose(match, player.spec), asyncio.sleep(self.pace())
            )
        except PerfectplayError as error:
            return self._stop(f"{capital(self.computer())} cannot move: {error}.")
        self.thinking = None
        if isinstance(chosen, Forfeit):
            self.after(chosen.text, *self.session.forfeit())
        else:
            self.after(*self.session.play(chosen))

    def pace(self) -> float:
        """Seconds before a computer moves."""
        return 0.0 if self.app.animation_level == "none" else PACE

    def computer(self) -> str:
        """What the computer is called whose turn it is."""
        if len(self.session.contestants.people) == 1:
            return self.session.contestants.name(self.match.side)
        return f"{self.match.game.side_names[self.match.side]} ({plain(self.session.player.spec)})"

    def sign_of_life(self) -> str:
        """The line below the board while a computer thinks."""
        return f"{SPINNER[self._ticks % len(SPINNER)]} {capital(self.computer())} is thinking."

    def tick(self) -> None:
        """Show that a computer is still thinking."""
        self._ticks += 1
        if self.thinking is not None and self.shown is None and self.app.animation_level != "none":
            self.show_status()

    def action_interrupt(self) -> None:
        """Stop a computer that is thinking."""
        if self.thinking is not None:
            self._stop("Interrupted.")

    def _stop(self, why: str) -> None:
        self.cancel()
        self.stopped = f"{why} Enter lets it think again, u takes back, x resigns, q leaves."
        self.show()

    def cancel(self) -> None:
        """Give up what a computer is thinking about."""
        if self.thinking is not None:
            thinking, self.thinking = self.thinking, None
            thinking.cancel()

    def action_go_on(self) -> None:
        """Let a computer think that was interrupted."""
        # A rematch has a key of its own: one Enter too many must not take the result away.
        if self.stopped:
            self.advance()
