"""How fast the package is compared with similar libraries: `make bench-peers`.

docs/speed.md explains every line of the table.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

TIC_TAC_TOE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
REPORTED = "reported"
"""What the table shows if there is no bound."""

TURN = 3
"""The number of runs in a turn."""

Run = Callable[[], float]
"""Does a fixed piece of work and returns how many seconds of it count."""
Name = TypeVar("Name")


def best_seconds(runs: Mapping[Name, Run], rounds: int) -> dict[Name, float]:
    """The shortest time of each contestant in seconds, over rounds in which they take turns.

    A turn is a few runs, so that nobody is measured only with the caches of another.
    """
    taken: dict[Name, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            taken[name] += [run() for _ in range(TURN)]
    return {name: min(seconds) for name, seconds in taken.items()}


def in_millions(rate: float) -> str:
    """Format a rate in millions, to three digits.

    >>> in_millions(450_600), in_millions(1_234_567), in_millions(287_000_000)
    ('0.451M', '1.23M', '287M')
    """
    millions = rate / 1e6
    return f"{millions:,.0f}M" if millions >= 100 else f"{millions:.3g}M"
