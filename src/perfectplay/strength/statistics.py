"""Ratios of counts with their standard errors and intervals, and the levels that they are like."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

FEW = 10
"""With fewer clusters than this, a standard error says too little."""


def wilson(wins: float, games: float) -> tuple[float, float]:
    """The 95% Wilson score interval of a share."""
    z = 1.959964
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


class Estimate(NamedTuple):
    """A value with its 95% interval and its standard error, where it has them; one without is exact."""

    value: float
    interval: tuple[float, float] | None = None
    error: float | None = None


def show(found: Estimate | float | None, interval: Sequence[float] | None = None) -> str:
    """A value and its interval, if it has one, in words."""
    if isinstance(found, Estimate):
        found, interval = found[:2]
    if found is None:
        return "-"
    return f"{found:.3f}" if interval is None else f"{found:.3f} ({interval[0]:.3f} to {interval[1]:.3f})"


class Ratio(NamedTuple):
    """A ratio with its standard error, which is None if there are fewer than two clusters."""

    value: float
    error: float | None
    clusters: int

    @property
    def reliable_error(self) -> float | None:
        """The standard error; None with few clusters, and if it is 0, as it is for 0 out of 40."""
        return self.error if self.clusters >= FEW and self.error and self.error > 1e-12 else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of a share: Wilson's for the number of trials that the standard error is worth.

        Without a reliable one, each cluster counts as a single trial, because all its counts may agree.
        """
        error = self.reliable_error
        if error is None:
            return wilson(self.value * self.clusters, self.clusters)
        # The error is itself estimated: Student's t is wider than the normal distribution by about this.
        wider = 1 + 1.21 / (self.clusters - 1)
        trials = self.value * (1 - self.value) / (error * wider) ** 2
        return wilson(self.value * trials, trials)


def ratio(counts: Iterable[tuple[object, float, float]]) -> Ratio | None:
    """The sum of numerators over the sum of denominators, with the standard error by clusters.

    Each count is a cluster, a numerator and a denominator. Counts of the same cluster (the same seed, the
    same class of positions) are not independent, so their errors are added up first. What has no
    denominator does not count. None if nothing counts.

    >>> found = ratio([("one game", 3, 4), ("another", 1, 4)])
    >>> found.value, found.clusters
    (0.5, 2)
    """
    found = [each for each in counts if each[2]]
    if not found:
        return None
    total = fsum(below for _, _, below in found)  # rounded once, so the order of samples does not matter
    value = fsum(above for _, above, _ in found) / total
    errors: dict[object, list[float]] = {}
    for cluster, above, below in found:
        errors.setdefault(cluster, []).append(above - value * below)
    number = len(errors)
    if number < 2:
        return Ratio(value, None, number)
    squares = fsum(fsum(each) ** 2 for each in errors.values())
    return Ratio(value, sqrt(number / (number - 1) * squares) / abs(total), number)


def correct_for_guessing(kept: float, guess: float) -> float:
    """A share of kept decisions, corrected for what guessing keeps: 0 for guessing, 1 for perfect."""
    return (kept - guess) / (1 - guess)


def correct_kept(decided: Iterable[tuple[object, float, float, float]]) -> Estimate | None:
    """Kept decisions corrected for guessing, with the interval of their share; None without a decision.

    Each entry is a cluster, its kept decisions, all its decisions, and how many guessing keeps.
    """
    known = list(decided)
    found = ratio((cluster, kept - guess, decisions - guess) for cluster, kept, decisions, guess in known)
    shares = ratio((cluster, kept, decisions) for cluster, kept, decisions, _ in known)
    if found is None or shares is None:
        return None
    guess = fsum(each for *_, each in known) / fsum(decisions for _, _, decisions, _ in known)
    low, high = (correct_for_guessing(bound, guess) for bound in shares.interval)
    return Estimate(found.value, (low, high), found.reliable_error)


BELOW = "below random"
"""What an agent comes to that guesses better than it plays."""


def compare_levels(
    scale: Mapping[int, float], value: float, interval: tuple[float, float]
) -> tuple[int | str, int | str, int | str]:
    """What an agent with a corrected score plays like, and what the ends of its interval do.

    A score below 0 is below random, whatever the levels score. Levels may have the same score.
    """

    def nearest(score: float) -> list[int]:
        off = {level: abs(each - max(score, 0.0)) for level, each in scale.items()}
        return [level for level, each in off.items() if each - min(off.values()) < 1e-9]

    low, high = interval
    near = [*nearest(value), *nearest(high), *nearest(low)]
    return (
        BELOW if value < 0 else near[0],
        BELOW if low < 0 else min(near),
        BELOW if high < 0 else max(near),
    )


def plays_like(found: Sequence[int | str] | str | None) -> str:
    """What an agent plays like and its interval, in words."""
    if found is None or isinstance(found, str):
        return found or "-"
    like, low, high = found
    if like == BELOW:
        return BELOW if high == BELOW else f"{BELOW} (up to level {high})"
    return f"level {like} ({low} to {high})"
