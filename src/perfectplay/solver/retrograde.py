"""The value and distance of every position, computed backwards from the ends. Handles loops."""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, NamedTuple

from perfectplay.core.game import S
from perfectplay.core.value import Value
from perfectplay.solver.graph import PACKED_FROM, Graph

TIE, ENDLESS, UNDECIDED = 2, 3, 4
"""Stand-ins for the winner, 0 or 1, in positions that neither side wins by force."""
_SOONEST = 1 << 30
"""Larger than any distance: a win scores this minus its distance."""


@dataclass(eq=False, repr=False)
class Solution(Generic[S]):
    """The value of every position of a graph, for its side to move."""

    graph: Graph[S]
    winners: bytearray
    """The winner of each position under perfect play: side 0 or 1, TIE, ENDLESS or UNDECIDED."""
    plies: "array[int]"
    """The number of plies to the end from each position; meaningless if ENDLESS or UNDECIDED."""
    cyclic: bool
    """Whether play can return to an earlier position."""
    dead_ends: int = 0
    """How many positions have no legal move and no outcome. The rules do not say what they are worth."""

    def value(self, number: int) -> Value:
        """The value of the position with this number."""
        winner = self.winners[number]
        if winner == TIE:
            return Value("tie", self.plies[number])
        if winner > TIE:
            return Value("endless" if winner == ENDLESS else "undecided")
        wins = winner == self.graph.game.side_to_move(self.graph.states[number])
        return Value("win" if wins else "loss", self.plies[number])

    def moves(self, number: int) -> tuple[tuple[int, Value], ...]:
        """Each legal action of a position with its value for the side that makes it."""
        game, states = self.graph.game, self.graph.states
        side = game.side_to_move(states[number])
        return tuple(
            (action, self.value(target).before(game.side_to_move(states[target]) == side))
            for action, target in self.graph.moves(number)
        )


def retrograde(graph: Graph[S]) -> Solution[S]:
    """Solve a graph. Players prefer win > tie > endless > loss, early wins and ties, late losses."""
    game, states, offsets = graph.game, graph.states, graph.offsets
    count = len(states)
    sides = bytearray(count)
    winners = bytearray([ENDLESS]) * count
    plies = array("i", [0]) * count
    ends = array("I")
    side_to_move = game.side_to_move
    for number, (state, (here, there)) in enumerate(zip(states, pairwise(offsets), strict=True)):
        sides[number] = side_to_move(state)
        if here == there:
            ends.append(number)
            outcome = game.outcome(state)
            won = UNDECIDED if outcome is None else outcome.winner
            winners[number] = TIE if won is None else won
    dead_ends = winners.count(UNDECIDED)
    if graph.forward and not dead_ends:
        _sweep(graph, sides, winners, plies)
        return Solution(graph, winners, plies, cyclic=False)
    back = _reverse(graph, ends)
    _wins(graph, sides, winners, plies, back)
    # Play that can get stuck is not a tie: the rules do not say what a dead end is worth.
    for kind in (UNDECIDED, TIE):
        _spread(kind, winners, plies, back)
    cyclic = _is_cyclic(graph, back)
    return Solution(graph, winners, plies, cyclic=cyclic, dead_ends=dead_ends)


def _sweep(graph: Graph[S], sides: bytearray, winners: bytearray, plies: "array[int]") -> None:
    """Solve a graph without loops, successors first.

    Wins of side 0 have positive scores, wins of side 1 negative; earlier wins are further from zero.
    """
    offsets, targets = graph.offsets, graph.targets
    # A list is faster, and takes several times as much memory.
    packed = len(winners) >= PACKED_FROM
    scores: MutableSequence[int] = array("i", [0]) * len(winners) if packed else [0] * len(winners)
    score = scores.__getitem__
    best_of = (max, min)
    start = len(targets)
    for number in range(len(winners) - 1, -1, -1):
        start, end = offsets[number], start
        if start == end:
            if winners[number] != TIE:
                scores[number] = -_SOONEST if winners[number] else _SOONEST
            continue
        after = targets[start:end]
        best = best_of[sides[number]](map(score, after))
        if best:
            scores[number] = best = best - 1 if best > 0 else best + 1
            winners[number] = 0 if best > 0 else 1
            plies[number] = _SOONEST - abs(best)
        else:
            winners[number] = TIE
            plies[number] = 1 + min([plies[target] for target in after if not scores[target]])


class _Back(NamedTuple):
    """The predecessors of each position: those of i are sources[into[i]:into[i + 1]]."""

    sources: "array[int]"
    into: "array[int]"
    ends: "array[int]"
    """Positions without moves."""


def _reverse(graph: Graph[S], ends: "array[int]") -> _Back:
    targets, offsets = graph.targets, graph.offsets
    into = array("q", [0]) * (len(graph.states) + 1)
    for target in targets:
        into[target + 1] += 1
    for number in range(len(graph.states)):
        into[number + 1] += into[number]
    free = into[:]
    sources = array("I", [0]) * len(targets)
    for number in range(len(graph.states)):
        for target in targets[offsets[number] : offsets[number + 1]]:
            sources[free[target]] = number
            free[target] += 1
    return _Back(sources, into, ends)


def _move_counts(graph: Graph[S]) -> "array[int]":
    return array("I", [there - here for here, there in pairwise(graph.offsets)])


def _wins(graph: Graph[S], sides: bytearray, winners: bytearray, plies: "array[int]", back: _Back) -> None:
    """Find the won positions, nearest to the end first, so that each distance is final when found."""
    sources, into, ends = back
    left = _move_counts(graph)
    queue = array("I", [number for number in ends if winners[number] < TIE])
    for number in queue:  # grows during the loop
        winner = winners[number]
        for source in sources[into[number] : into[number + 1]]:
            if winners[source] != ENDLESS:
                continue
            left[source] -= 1
            # The winner chooses this move; the opponent only if every other move loses as well.
            if sides[source] == winner or not left[source]:
                winners[source] = winner
                plies[source] = plies[number] + 1
                queue.append(source)


def _spread(kind: int, winners: bytearray, plies: "array[int]", back: _Back) -> None:
    """A position nobody wins is like the ends it can reach: both sides prefer a tie to endless play."""
    sources, into, ends = back
    queue = array("I", [number for number in ends if winners[number] == kind])
    for number in queue:  # grows during the loop
        for source in sources[into[number] : into[number + 1]]:
            if winners[source] == ENDLESS:
                winners[source] = kind
                plies[source] = plies[number] + 1
                queue.append(source)


def _is_cyclic(graph: Graph[S], back: _Back) -> bool:
    """Whether positions remain after repeatedly removing those without successors."""
    sources, into, ends = back
    left = _move_counts(graph)
    queue = ends[:]
    for number in queue:  # grows during the loop
        for source in sources[into[number] : into[number + 1]]:
            left[source] -= 1
            if not left[source]:
                queue.append(source)
    return len(queue) < len(graph.states)
