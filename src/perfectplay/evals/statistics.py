"""Ratios of counts with their standard errors, and intervals."""

from collections.abc import Iterable
from math import fsum, sqrt
from typing import NamedTuple

Z = 1.959964
"""Standard errors on either side of a 95% interval."""


class Estimate(NamedTuple):
    """A ratio with its standard error, which is None if there are fewer than two clusters."""

    value: float
    error: float | None
    clusters: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval from the standard error."""
        return None if self.error is None else (self.value - Z * self.error, self.value + Z * self.error)


def ratio(counts: Iterable[tuple[object, float, float]]) -> Estimate | None:
    """The sum of numerators over the sum of denominators, with the standard error by clusters.

    Each count is a cluster, a numerator and a denominator. Counts of the same cluster (the same seed, the
    same class of positions) are not independent, so their errors are added up first. None if the
    denominators add up to 0.

    >>> ratio([("a", 1, 2), ("a", 1, 1), ("b", 0, 1)])
    Estimate(value=0.5, error=0.25, clusters=2)
    """
    found = list(counts)
    total = fsum(below for _, _, below in found)  # rounded once, so the order of samples does not matter
    if not total:
        return None
    value = fsum(above for _, above, _ in found) / total
    errors: dict[object, list[float]] = {}
    for cluster, above, below in found:
        errors.setdefault(cluster, []).append(above - value * below)
    number = len(errors)
    if number < 2:
        return Estimate(value, None, number)
    squares = fsum(fsum(each) ** 2 for each in errors.values())
    return Estimate(value, sqrt(number / (number - 1) * squares) / abs(total), number)


def corrected(kept: float, guess: float) -> float:
    """A share of kept decisions, corrected for what guessing keeps: 0 for guessing, 1 for perfect.

    >>> round(corrected(0.697, 0.384), 3)
    0.508
    """
    return (kept - guess) / (1 - guess)
