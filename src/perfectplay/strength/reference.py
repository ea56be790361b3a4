"""Reference scores, to compare agents with: what random and the best response score in a seat, exactly."""

from typing import Any, NamedTuple

from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.players.base import KnownPlayer
from perfectplay.players.random import RandomPlayer
from perfectplay.strength.best_response import best_response
from perfectplay.strength.points import expected_points
from perfectplay.strength.statistics import Estimate

NO_INFORMATION = 0.05
"""A seat in which the best response is less than this above random says nothing about an agent."""


class Reference(NamedTuple):
    """The points of random and the most points that anyone can expect, in one seat against one opponent."""

    random: Estimate
    best: float | None
    """None if unknown."""

    @property
    def informative(self) -> bool | None:
        """Whether points in this seat say anything about an agent; None if unknown."""
        return None if self.best is None else self.best - self.random.value >= NO_INFORMATION


def reference_scores(
    game: Game[Any], opponent: KnownPlayer, seat: Side, plies: int | None = None
) -> Reference:
    """What points in a seat against an opponent are compared with. `plies` limits games as elsewhere.

    >>> import perfectplay as pp
    >>> from perfectplay.players.registry import load_player
    >>> found = reference_scores(pp.load("bit-flip"), load_player("level:3"), 1)
    >>> round(found.random.value, 3), round(found.best, 3), found.informative
    (0.26, 0.664, True)
    """
    points = expected_points(game, RandomPlayer(), opponent, seat, plies)
    return Reference(points, best_response(game, opponent, seat, plies))


def seat_columns(game: Game[Any], seat: Side) -> dict[str, Any]:
    """The columns of a row that tell a seat: its number, 1 or 2, and the name of its side to show."""
    return {"seat": seat + 1, "side": game.side_names[seat]}


def seat_text(seat: object, side: str | None) -> str:
    """A seat, with the name of its side unless that says no more."""
    return f"{seat} ({side})" if side and not side.endswith(f" {seat}") else str(seat)
