"""Clocks: how much time the players of a table have."""

import math
import re
from typing import Literal, NamedTuple

from perfectplay.core.errors import BadParameterError
from perfectplay.core.formatting import pluralize

Per = Literal["move", "game"]
"""What a time is for."""


class TimeControl(NamedTuple):
    """The time for each move, or for a whole game with an increment after each move. All in seconds."""

    per: Per
    seconds: int
    increment: int = 0

    def __str__(self) -> str:
        """The control as the database keeps it."""
        return f"{self.seconds}/move" if self.per == "move" else f"{self.seconds}+{self.increment}"

    @property
    def full(self) -> int:
        """The milliseconds that each player has at the start."""
        return 1000 * self.seconds

    def charge(self, left: int, spent: int, *, moved: bool) -> int:
        """The milliseconds that a player has after using some; `moved` if a chosen move ended the turn."""
        if moved and self.per == "move":
            return self.full
        return max(0, left - spent) + (1000 * self.increment if moved else 0)

    def refund(self, left: int, moves: int) -> int:
        """The milliseconds that a player has after `moves` of theirs were taken back, with their increments.

        Nobody is left with less than one increment by that, because then a takeback could lose the game.
        """
        if self.per == "move":
            return self.full
        increment = 1000 * self.increment
        return max(left - moves * increment, min(left, increment))


def read_control(text: str | None) -> TimeControl | None:
    """The control that `str` wrote; None if there is no clock."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})(?:/move|\+([0-9]{1,9}))", text)
    if found is None:
        raise BadParameterError("clock", text, "SECONDS+INCREMENT or SECONDS/move")
    if found[2] is None:
        return TimeControl("move", int(found[1]))
    return TimeControl("game", int(found[1]), int(found[2]))


def clock_text(seconds: float) -> str:
    """A time as a clock shows it; seconds that have begun count."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if not days and not hours:
        return f"{minutes}:{rest:02}"
    shown = f"{hours}:{minutes:02}:{rest:02}"
    return f"{pluralize(days, 'day', 'days')} {shown}" if days else shown
