"""Strengths by seat: the chance that i on the first side beats j on the second is logistic in a - b.

Here a is the strength of i on the first side and b that of j on the second. The strengths of known players
are fixed by their exact tables; only unknown agents are estimated, from their games against known players.
One strength for both seats does not fit these games.
"""

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import NamedTuple

from perfectplay.core.errors import MissingExtraError
from perfectplay.core.outcome import Side

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
    """An estimated strength with its standard error."""

    value: float
    error: float
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
    try:
        import numpy as np
    except ImportError as error:
        raise MissingExtraError("numpy", "parquet") from error
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


def estimated(fit: Fit, results: Mapping[str, Sequence[float]], seat: Side) -> Strength | None:
    """The strength of an unknown agent in a seat from its points, game by game, against known players.

    >>> fit = Fit({"x": (0.0, 0.0)}, 0.0, 0.0)
    >>> round(estimated(fit, {"x": [1.0] * 30 + [0.0] * 10}, 0).value, 2)
    1.1
    """
    played = [(fit.strengths[name][1 - seat], games) for name, games in results.items() if games]
    count = sum(len(games) for _, games in played)
    if not count:
        return None
    value, weight = 0.0, 0.0
    for _ in range(100):
        slope, weight = -PENALTY * value, PENALTY
        for against, games in played:
            chance = expected(value, against) if seat == 0 else 1 - expected(against, value)
            slope += sum(games) - chance * len(games)
            weight += chance * (1 - chance) * len(games)
        step = max(-2.0, min(2.0, slope / weight))
        value += step
        if abs(step) < 1e-10:
            break
    return Strength(value, 1 / sqrt(weight), count)
