"""How a game between players with known move probabilities ends: an absorbing Markov chain, solved exactly.

States are removed from the chain one at a time. Every step through a removed state is replaced by the
steps that follow it, until only the start is left. Nothing is ever subtracted, so no precision is lost.
Any kind of number works: floats here, fractions in the tests.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from heapq import heapify, heappop, heappush
from itertools import islice
from math import inf
from operator import add

from perfectplay.core.walks import BreadthFirst

Scalar = float | Fraction
StepChances = Sequence[Mapping[int, Scalar]]

NOTHING = 1e-12
"""A chance or a difference that no printed figure shows."""

DENSE, MOST_STEPS = 100, 50_000_000
"""Removing states with more steps than `DENSE` takes long: a chain with such states is followed instead,
until nothing is left of it or after `MOST_STEPS`, which take a few seconds."""


class TooDenseError(Exception):
    """A chain that can neither be solved nor followed to its end in seconds."""


def propagate(steps: Callable[[int], Mapping[int, Scalar]]) -> Iterator[dict[int, Scalar]]:
    """Yield the probability of each state after 0, 1, 2, ... steps from state 0, until no step is left.

    `steps` maps a state to its successors and their probabilities.
    """
    here: dict[int, Scalar] = {0: 1}
    while here:
        yield here
        after: dict[int, Scalar] = {}
        for number, chance in here.items():
            for target, step in steps(number).items():
                after[target] = after.get(target, 0) + chance * step
        here = after


def endings(
    steps: StepChances, classes: Sequence[int | None], kinds: int, plies: int | None = None
) -> list[Scalar]:
    """Return the probability of each kind of end from state 0, followed by that of play without end.

    `steps[i]` maps each successor of state i to its probability. `classes[i]` is the kind of end that
    state i is, or None if play continues from it. With `plies`, play that has not ended after `plies`
    steps counts as play without end. Raises TooDenseError if it would take too long.
    """
    live = can_end(steps, classes, [0])
    if 0 not in live:
        return [*[0] * kinds, 1]
    if plies is not None:
        ends, left = _follow(steps, classes, kinds, live, plies)
        return [*ends[:kinds], ends[kinds] + left]
    for _, behind, ends in _eliminate(steps, classes, kinds, live, last=0):
        if len(behind) > DENSE:  # what remains takes longer to solve than to follow
            ends, left = _follow(steps, classes, kinds, live, MOST_STEPS // sum(map(len, steps)))
            if left >= NOTHING:
                raise TooDenseError
            break
    total = add_up(ends)
    return [each / total for each in ends]


def add_up(numbers: Iterable[Scalar]) -> Scalar:
    """A plain sum. Python's own adds floats in a different way from 3.12 on, and the last digit changes."""
    return reduce(add, numbers, 0)


def _follow(
    steps: StepChances, classes: Sequence[int | None], kinds: int, live: set[int], plies: int
) -> tuple[list[Scalar], Scalar]:
    """The ends within `plies`, or until hardly any play is left, and the chance of what is left then."""
    found: list[Scalar] = [0] * (kinds + 1)

    def onward(number: int) -> Mapping[int, Scalar]:
        return steps[number] if classes[number] is None and number in live else {}

    left: Scalar = 1
    for here in islice(propagate(onward), plies + 1):
        left = 0
        for number, chance in here.items():
            kind = classes[number]
            if kind is None and number in live:
                left += chance
            else:
                found[kinds if kind is None else kind] += chance
        if left < NOTHING:
            break
    return found, left


def expectations(
    steps: StepChances, classes: Sequence[int | None], payoffs: Sequence[Scalar], endless: Scalar
) -> list[Scalar]:
    """Return the expected payoff from every state; play without end pays `endless`.

    `payoffs` has one entry for each kind of end.
    """
    pays = [*payoffs, endless]
    found: list[Scalar] = [endless] * len(steps)
    live = can_end(steps, classes, range(len(steps)))
    rows = list(_eliminate(steps, classes, len(payoffs), live))
    # A removed state leads only to states that were removed after it.
    for number, behind, ended in reversed(rows):
        total = add_up(behind.values()) + add_up(ended)
        paid = add_up(share * pay for share, pay in zip(ended, pays, strict=True))
        found[number] = (paid + add_up(share * found[target] for target, share in behind.items())) / total
    return found


def can_end(steps: Sequence[Iterable[int]], classes: Sequence[int | None], starts: Iterable[int]) -> set[int]:
    """The states reachable from `starts` that can reach an end; from the others, play goes on forever."""
    sources: dict[int, list[tuple[None, int]]] = {}

    def onward(number: int) -> list[tuple[None, int]]:
        return [(None, target) for target in steps[number]] if classes[number] is None else []

    reached = BreadthFirst(starts, onward)
    for number in reached:
        for target in steps[number] if classes[number] is None else ():
            sources.setdefault(target, []).append((None, number))
    ends = [number for number in reached.parents if classes[number] is not None]
    return set(BreadthFirst(ends, lambda number: sources.get(number, [])))


def _eliminate(
    steps: StepChances, classes: Sequence[int | None], kinds: int, live: set[int], last: int | None = None
) -> Iterator[tuple[int, dict[int, Scalar], list[Scalar]]]:
    """Remove all live states, `last` at the end, and before it those that touch the fewest others first.

    Yields each removed state with its steps to the states that remain and its ends, not scaled to 1.
    """
    onward: dict[int, dict[int, Scalar]] = {number: {} for number in live}
    ends: dict[int, list[Scalar]] = {number: [0] * (kinds + 1) for number in live}
    into: dict[int, set[int]] = {number: set() for number in live}
    for number in live:
        kind = classes[number]
        if kind is not None:
            ends[number][kind] = 1
            continue
        for target, chance in steps[number].items():
            if target in live:
                onward[number][target] = chance
                into[target].add(number)
            else:
                ends[number][kinds] += chance

    def cost_of(number: int) -> float:
        return inf if number == last else len(into[number]) * len(onward[number])

    heap = [(cost_of(number), number) for number in onward]
    heapify(heap)
    while heap:
        cost, number = heappop(heap)
        if cost != cost_of(number):
            heappush(heap, (cost_of(number), number))
            continue
        behind, ended = onward.pop(number), ends.pop(number)
        behind.pop(number, None)
        # Staying put only delays: its probability is shared among the ways to leave.
        leaving = add_up(behind.values()) + add_up(ended)
        for target in behind:
            into[target].discard(number)
        for source in into.pop(number) - {number}:
            share = onward[source].pop(number) / leaving
            for target, chance in behind.items():
                onward[source][target] = onward[source].get(target, 0) + share * chance
                into[target].add(source)
            ends[source] = [old + share * new for old, new in zip(ends[source], ended, strict=True)]
        yield number, behind, ended
