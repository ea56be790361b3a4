"""Strengths by seat: the chance that i on the first side beats j on the second is logistic in a - b.

Here a is the strength of i on the first side and b that of j on the second. The strengths of known players
are fixed by their exact tables; only unknown agents are estimated, from their games against known players.
One strength for both seats does not fit these games.
"""

from collections.abc import Mapping, Sequence
from math import exp, fsum
from typing import NamedTuple

from perfectplay.core.outcome import Side
from perfectplay.strength.statistics import Estimate, ratio

PENALTY = 0.01
"""Keeps the strengths of players that never lose finite."""

WORST = 0.13
"""No agent is rated in a game where the model is further off than this for some known pair."""


class Fit(NamedTuple):
    """The strengths of known players in each seat, and how far the model is off."""

    strengths: dict[str, tuple[float, float]]
    """For each player, its strength on the first and on the second side."""
    mean_error: float
    worst_error: float

    @property
    def holds(self) -> bool:
        """Whether the model fits well enough to rate anybody."""
        return self.worst_error <= WORST


def expect_points(first: float, second: float) -> float:
    """The points that the model expects of the player on the first side."""
    return 1 / (1 + exp(second - first))


def fit_strengths(players: Sequence[str], points: Sequence[Sequence[float]]) -> Fit:
    """Fit strengths to a table: `points[i][j]` are the points of i on the first side against j."""
    seats = [0.0] * len(players), [0.0] * len(players)
    columns = zip(*points, strict=True)
    won = [fsum(row) for row in points], [fsum(1 - each for each in column) for column in columns]
    for _ in range(1000):
        before = [*seats[0], *seats[1]]
        for seat, against in ((0, 1), (1, 0)):
            rivals = [(each, 1) for each in seats[against]]
            seats[seat][:] = [_strength(rivals, each) for each in won[seat]]
        # Only differences matter to the model, so the penalty alone puts the mean at 0.
        mean = fsum([*seats[0], *seats[1]]) / len(before)
        for strengths in seats:
            strengths[:] = [each - mean for each in strengths]
        if all(abs(new - old) < 1e-10 for new, old in zip([*seats[0], *seats[1]], before, strict=True)):
            break
    errors = [
        abs(each - expect_points(first, second))
        for row, first in zip(points, seats[0], strict=True)
        for each, second in zip(row, seats[1], strict=True)
    ]
    found = dict(zip(players, zip(*seats, strict=True), strict=True))
    return Fit(found, fsum(errors) / len(errors), max(errors))


ClusteredPoints = Mapping[str, Sequence[tuple[object, float]]]
"""By known player, for each game against it, its cluster and the agent's points."""


def estimate_strength(fit: Fit, points: ClusteredPoints, seat: Side) -> Estimate | None:
    """The strength of an unknown agent in a seat from its games against known players.

    The interval is that of its points, seen through the model. An agent meets all opponents with the same
    seeds: games that share one are a cluster.
    """
    rivals = [(fit.strengths[name][1 - seat], len(games)) for name, games in points.items()]
    share = ratio((cluster, won, 1) for games in points.values() for cluster, won in games)
    if share is None:
        return None
    games = sum(count for _, count in rivals)
    low, high = (_strength(rivals, bound * games) for bound in share.interval)
    return Estimate(_strength(rivals, share.value * games), (low, high))


def _strength(rivals: Sequence[tuple[float, int]], points: float) -> float:
    """The strength that expects these points of games against rivals: their strengths, and how many games."""
    value = 0.0
    for _ in range(100):
        slope, weight = points - PENALTY * value, PENALTY
        for against, games in rivals:
            chance = expect_points(value, against)
            slope -= chance * games
            weight += chance * (1 - chance) * games
        step = max(-2.0, min(2.0, slope / weight))
        value += step
        if abs(step) < 1e-10:
            break
    return value
