"""How fast the package is against the libraries that one would otherwise take: `make bench-peers`.

docs/speed.md explains every line of the table.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

TIC_TAC_TOE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
REPORTED = "reported"
"""What stands in the table where there is no bound."""

TURN = 3
"""How many runs make a turn."""

Run = Callable[[], float]
"""Does a fixed piece of work and tells how many seconds of it count."""
Name = TypeVar("Name")


def best_seconds(runs: Mapping[Name, Run], rounds: int) -> dict[Name, float]:
    """The fewest seconds that each needs, over rounds in which they take turns.

    A turn is a few runs, so that nobody is measured with the caches as another has left them.
    """
    taken: dict[Name, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            taken[name] += [run() for _ in range(TURN)]
    return {name: min(seconds) for name, seconds in taken.items()}


def in_millions(rate: float) -> str:
    """A rate to three digits, in millions.

    >>> in_millions(450_600), in_millions(1_234_567), in_millions(287_000_000)
    ('0.451M', '1.23M', '287M')
    """
    millions = rate / 1e6
    return f"{millions:,.0f}M" if millions >= 100 else f"{millions:.3g}M"
