"""Clocks: how much time the players of a table have."""

import math
import re
from typing import Literal, NamedTuple

from perfectplay.core.errors import BadParameterError
from perfectplay.core.wording import pluralize

Per = Literal["move", "game"]
"""What a time is for."""


class TimeControl(NamedTuple):
    """The time for each move, or for a whole game with an increment after each move. All in seconds."""

    per: Per
    seconds: int
    increment: int = 0

    def __str__(self) -> str:
        """The control as the database keeps it.

        >>> str(TimeControl("game", 300, 5)), str(TimeControl("move", 30))
        ('300+5', '30/move')
        """
        return f"{self.seconds}/move" if self.per == "move" else f"{self.seconds}+{self.increment}"

    @property
    def full(self) -> int:
        """The milliseconds that each player has at the start."""
        return 1000 * self.seconds

    def left_after(self, left: int, spent: int, *, moved: bool) -> int:
        """The milliseconds that a player has after using some; `moved` if the turn ended with a chosen move.

        >>> TimeControl("game", 300, 5).left_after(10_000, 4_000, moved=True)
        11000
        >>> TimeControl("move", 30).left_after(30_000, 4_000, moved=True)
        30000
        >>> TimeControl("game", 300, 5).left_after(10_000, 11_000, moved=False)
        0
        """
        if moved and self.per == "move":
            return self.full
        return max(0, left - spent) + (1000 * self.increment if moved else 0)

    def left_without(self, left: int, moves: int) -> int:
        """The milliseconds that a player has after `moves` of theirs were taken back, with their increments.

        Nobody is left with less than one increment by that, because then a takeback could lose the game.

        >>> control = TimeControl("game", 300, 5)
        >>> control.left_without(60_000, 1), control.left_without(7_000, 1), control.left_without(2_000, 1)
        (55000, 5000, 2000)
        >>> TimeControl("move", 30).left_without(4_000, 1)
        30000
        """
        if self.per == "move":
            return self.full
        increment = 1000 * self.increment
        return max(left - moves * increment, min(left, increment))


def read_control(text: str | None) -> TimeControl | None:
    """The control that `str` wrote; None if there is no clock.

    >>> read_control("300+5"), read_control("30/move")
    (TimeControl(per='game', seconds=300, increment=5), TimeControl(per='move', seconds=30, increment=0))
    >>> read_control("30")
    Traceback (most recent call last):
    perfectplay.core.errors.BadParameterError: clock=30: must be SECONDS+INCREMENT or SECONDS/move
    """
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})(?:/move|\+([0-9]{1,9}))", text)
    if found is None:
        raise BadParameterError("clock", text, "SECONDS+INCREMENT or SECONDS/move")
    if found[2] is None:
        return TimeControl("move", int(found[1]))
    return TimeControl("game", int(found[1]), int(found[2]))


def clock_text(seconds: float) -> str:
    """A time as a clock shows it; seconds that have begun count.

    >>> clock_text(9.2), clock_text(300), clock_text(7384), clock_text(100_000), clock_text(172_800)
    ('0:10', '5:00', '2:03:04', '1 day 3:46:40', '2 days 0:00:00')
    """
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if not days and not hours:
        return f"{minutes}:{rest:02}"
    shown = f"{hours}:{minutes:02}:{rest:02}"
    return f"{pluralize(days, 'day', 'days')} {shown}" if days else shown
