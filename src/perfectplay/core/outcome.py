"""How a game ended by its own rules."""

from typing import Literal, NamedTuple

Side = Literal[0, 1]


def other(side: Side) -> Side:
    """The opponent of `side`.

    >>> other(0)
    1
    """
    return 0 if side else 1


class Outcome(NamedTuple):
    """The end of a game: `winner` is None for a tie that a rule declares.

    >>> Outcome(winner=1, reason="last flip").winner
    1
    """

    winner: Side | None
    reason: str
