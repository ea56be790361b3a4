"""Strengths by seat: the chance that i on the first side beats j on the second is logistic in a - b.

Here a is the strength of i on the first side and b that of j on the second. The strengths of known players
are fixed by their exact tables; only unknown agents are estimated, from their games against known players.
One strength for both seats does not fit these games.
"""

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from perfectplay.core.errors import needs
from perfectplay.core.outcome import Side
from perfectplay.strength.statistics import ratio

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


class Strength(NamedTuple):
    """An estimated strength with its 95% interval."""

    value: float
    interval: tuple[float, float]
    games: int


def expected(first: float, second: float) -> float:
    """The points that the model expects of the player on the first side.

    >>> expected(1.0, 1.0)
    0.5
    """
    return 1 / (1 + exp(second - first))


def fitted(players: Sequence[str], points: Sequence[Sequence[float]]) -> Fit:
    """Fit strengths to a table: `points[i][j]` are the points of i on the first side against j.

    >>> fit = fitted(["x", "y"], [[0.5, 0.9], [0.1, 0.5]])
    >>> fit.strengths["x"][0] > fit.strengths["y"][0], fit.holds
    (True, True)
    """
    with needs("numpy", "parquet"):
        import numpy as np
    table = np.array(points, float)
    count = len(players)
    both = np.zeros(2 * count)  # the strengths on the first side, then those on the second
    for _ in range(100):
        chance = 1 / (1 + np.exp(both[None, count:] - both[:count, None]))
        off, weight = table - chance, chance * (1 - chance)
        slope = np.concatenate([off.sum(1), -off.sum(0)]) - PENALTY * both
        curve = np.zeros((2 * count, 2 * count))
        curve[:count, :count] = np.diag(weight.sum(1))
        curve[count:, count:] = np.diag(weight.sum(0))
        curve[:count, count:] = -weight
        curve[count:, :count] = -weight.T
        step = np.linalg.solve(curve + PENALTY * np.eye(2 * count), slope)
        both += np.clip(step, -2, 2)
        if abs(step).max() < 1e-10:
            break
    errors = abs(table - 1 / (1 + np.exp(both[None, count:] - both[:count, None])))
    strengths = {name: (float(both[i]), float(both[count + i])) for i, name in enumerate(players)}
    return Fit(strengths, float(errors.mean()), float(errors.max()))


Results = Mapping[str, Sequence[tuple[object, float]]]
"""By known player, for each game against it, its cluster and the agent's points."""


def estimated(fit: Fit, results: Results, seat: Side) -> Strength | None:
    """The strength of an unknown agent in a seat from its games against known players.

    The interval is that of its points, seen through the model. An agent meets all opponents with the same
    seeds: games that share one are a cluster.

    >>> fit = Fit({"x": (0.0, 0.0)}, 0.0, 0.0)
    >>> found = estimated(fit, {"x": [(number, float(number % 4 > 0)) for number in range(40)]}, 0)
    >>> round(found.value, 2), [round(bound, 2) for bound in found.interval]
    (1.1, [0.37, 1.83])
    """
    played = [(fit.strengths[name][1 - seat], len(games)) for name, games in results.items()]
    points = ratio((cluster, won, 1) for games in results.values() for cluster, won in games)
    if points is None:
        return None
    low, value, high = (
        _strength(played, share, seat) for share in (points.interval[0], points.value, points.interval[1])
    )
    return Strength(value, (low, high), sum(games for _, games in played))


def _strength(played: Sequence[tuple[float, int]], share: float, seat: Side) -> float:
    """The strength that expects this share of the points against opponents of known strengths."""
    value = 0.0
    for _ in range(100):
        slope, weight = -PENALTY * value, PENALTY
        for against, games in played:
            chance = expected(value, against) if seat == 0 else 1 - expected(against, value)
            slope += (share - chance) * games
            weight += chance * (1 - chance) * games
        step = max(-2.0, min(2.0, slope / weight))
        value += step
        if abs(step) < 1e-10:
            break
    return value
