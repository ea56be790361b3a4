"""Watch: two computers play, at the pace of whoever watches."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from perfectplay.core.dialogue import Lines
from perfectplay.terminal.fullscreen.app import FullScreen
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.session import Session

PACES = (4.0, 2.0, 1.0, 0.5, 0.25, 0.0)
"""Seconds before each move, from slow to fast."""
BETWEEN = 3.0
"""Seconds between two games."""
NOT_HERE = ("hint", "why", "undo", "redo", "resign", "abandon", "go_on")
"""What only a player can do."""
WATCHED = "You are watching two computers: Space pauses, + and - change the pace, q leaves."


class WatchScreen(PlayScreen):
    """Two computers. `following` opens what comes after the last game, if anything does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause", key_display="Space"),
        Binding("plus,equals_sign", "pace(1)", "Faster", key_display="+"),
        Binding("minus", "pace(-1)", "Slower", key_display="-"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(
        self, session: Session, opening: Lines = (), following: Callable[[FullScreen], None] | None = None
    ) -> None:
        super().__init__(session, opening)
        self.paused = False
        self.speed = PACES.index(1.0)
        self.following = following

    def why_not(self, action: str) -> str:
        if action == "save" and self.session.autosave.file is None:
            return "A game that you only watch is not saved."
        if action in ("pause", "pace") and self.match.result is not None:
            return f"The game is over; {self._afterwards()}"
        return WATCHED if action in NOT_HERE else super().why_not(action)

    def idle(self) -> str:
        return WATCHED

    def describe_leaving(self) -> list[str]:
        return super().describe_leaving() if self.session.autosave.file is not None else []

    def pace(self) -> float:
        return PACES[self.speed]

    def advance(self) -> None:
        if self.paused and self.session.due in ("computer", "pass"):
            self.asking.stop()
            return self.show()
        super().advance()

    def tell(self, *lines: str) -> None:
        self.say()
        super().tell(*lines)

    def over(self) -> None:
        super().over()
        if self.session.due == "game":
            self.set_timer(BETWEEN, self._next)
        elif self.following is not None:
            self.set_timer(BETWEEN, partial(self.following, self.fullscreen))

    def _next(self) -> None:
        if self.session.due == "game":
            self.action_next()

    def describe_wait(self) -> str:
        if self.match.result is not None:
            return super().describe_wait()
        seconds = f"{self.pace():g} s a move" if self.pace() else "as fast as they think"
        if self.paused:
            return f"Paused ({seconds}). Space continues, + and - change the pace."
        return f"{self.computer.sign_of_life()} ({seconds})"

    def action_pause(self) -> None:
        self.paused = not self.paused
        if self.paused:
            self.computer.cancel()
            self.show_status()
        else:
            self.advance()

    def action_pace(self, by: int) -> None:
        self.speed = min(max(0, self.speed + by), len(PACES) - 1)
        self.show_status()
