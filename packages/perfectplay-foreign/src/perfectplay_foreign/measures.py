"""The numbers of a whole table: decisions, and what random and perfect play win in each seat."""

from typing import TYPE_CHECKING, TypedDict

from perfectplay.core.errors import needs
from perfectplay_foreign.transitions import WINS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from perfectplay_foreign.judge import Judgement

PLIES = 100
"""A game that is not over after this many moves counts as won by nobody."""
DIGITS = 6


class MeasureRecord(TypedDict):
    """What was measured in games of at most 100 moves. Lists have a number for each seat: first, second."""

    decisions: int
    """Positions where the choice changes the kind of result."""
    decisions_met: list[float]
    """How many of them each seat meets, on average, in a game of random moves."""
    plies: float
    """The average length of a game of random moves."""
    random: list[float]
    """The share of games that each seat wins if both play at random."""
    perfect: list[float]
    """The share that a perfect player wins in each seat against random play."""
    best: list[float]
    """The largest share that anyone can win there."""
    ends: bool
    """Whether every game ends, whatever is played."""


def measure(found: "Judgement") -> MeasureRecord | None:
    """Measure a table exactly; None if it is not whole, or if play can get stuck."""
    case, table = found.case, found.table
    if not case.whole or case.stuck:
        return None
    with needs("numpy", "rl"):
        import numpy as np
    size = len(table.sides)
    offsets = np.array(table.offsets)
    counts = np.diff(offsets)
    at, begins, counts = np.flatnonzero(counts), offsets[:-1][counts > 0], counts[counts > 0]
    targets = np.array(case.graph.targets)
    sides = np.array(table.sides)
    wins = [np.zeros(size + len(table.ends)) for _ in WINS]
    for place, end in enumerate(table.ends):
        if end in WINS:
            wins[WINS.index(end)][size + place] = 1.0
    even = 1.0 / np.repeat(counts, counts)
    ranks = [[value.rank for _, value in case.moves(number)] for number in at.tolist()]
    good = np.concatenate([[rank == max(each) for rank in each] for each in ranks]).astype(float)
    sharp = good / np.repeat(np.add.reduceat(good, begins), counts)
    mover = np.repeat(sides[at], counts)
    decisive = np.zeros(len(sides))
    decisive[[number for number, _ in case.choices]] = 1.0

    def spread(
        start: "NDArray[np.float64]",
        weights: "NDArray[np.float64]",
        gain: "NDArray[np.float64] | float" = 0.0,
        chooser: int | None = None,
    ) -> float:
        """What is expected at the start: moves have weights, or `chooser` picks the best of its own."""
        worth = start
        for _ in range(PLIES):
            after = start.copy()
            each = worth[targets]
            mean = np.add.reduceat(each * weights, begins)
            if chooser is not None:
                most = np.maximum.reduceat(each, begins)
                mean = np.where(sides[at] == chooser, most, mean)
            after[at] = mean
            after[:size] += gain
            if np.array_equal(after, worth):
                break
            worth = after
        return round(float(worth[0]), DIGITS)

    nothing = np.zeros(size + len(table.ends))
    seats = (0, 1)
    return MeasureRecord(
        decisions=int(decisive.sum()),
        decisions_met=[spread(nothing, even, decisive * (sides == seat)) for seat in seats],
        plies=spread(nothing, even, np.ones(size)),
        random=[spread(wins[seat], even) for seat in seats],
        perfect=[spread(wins[seat], np.where(mover == seat, sharp, even)) for seat in seats],
        best=[spread(wins[seat], even, chooser=seat) for seat in seats],
        ends=case.solution is not None and not case.solution.cyclic,
    )
