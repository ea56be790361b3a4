"""How a game between players with known move probabilities ends: an absorbing Markov chain, solved exactly.

States are removed from the chain one at a time. Every step through a removed state is replaced by the
steps that follow it, until only the start is left. Nothing is ever subtracted, so no precision is lost.
Any kind of number works: floats here, fractions in the tests.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush

Number = float | Fraction
Steps = Sequence[Mapping[int, Number]]


def endings(steps: Steps, classes: Sequence[int | None], kinds: int) -> list[Number]:
    """Return the probability of each kind of end from state 0, followed by that of play without end.

    `steps[i]` maps each successor of state i to its probability. `classes[i]` is the kind of end that
    state i is, or None if play continues from it.

    >>> endings([{1: 0.5, 2: 0.5}, {0: 1.0}, {}, {}], [None, None, 0, 1], 2)
    [1.0, 0.0, 0.0]
    >>> endings([{1: 0.5, 2: 0.5}, {1: 1.0}, {}], [None, None, 0], 1)
    [0.5, 0.5]
    """
    live = _can_end(steps, classes, [0])
    if 0 not in live:
        return [*[0] * kinds, 1]
    onward, ends, into = _prepared(steps, classes, kinds, live)
    for _ in _removed(onward, ends, into, kept=0):
        pass
    total = sum(ends[0])
    return [each / total for each in ends[0]]


def expectations(
    steps: Steps, classes: Sequence[int | None], payoffs: Sequence[Number], endless: Number
) -> list[Number]:
    """Return the expected payoff from every state; play without end pays `endless`.

    `payoffs` has one entry for each kind of end.

    >>> expectations([{1: 0.5, 2: 0.5}, {1: 1.0}, {}], [None, None, 0], [1.0], 0.5)
    [0.75, 0.5, 1.0]
    """
    kinds = len(payoffs)
    pays = [*payoffs, endless]
    found: list[Number] = [endless] * len(steps)
    live = _can_end(steps, classes, range(len(steps)))
    onward, ends, into = _prepared(steps, classes, kinds, live)
    rows = list(_removed(onward, ends, into, kept=None))
    # A removed state leads only to states that were removed after it.
    for number, behind, ended in reversed(rows):
        total = sum(behind.values()) + sum(ended)
        paid = sum(share * pay for share, pay in zip(ended, pays, strict=True))
        found[number] = (paid + sum(share * found[target] for target, share in behind.items())) / total
    return found


def _prepared(
    steps: Steps, classes: Sequence[int | None], kinds: int, live: set[int]
) -> tuple[dict[int, dict[int, Number]], dict[int, list[Number]], dict[int, set[int]]]:
    """For each state: its steps to other states, the ends found so far, and the states that lead to it."""
    onward: dict[int, dict[int, Number]] = {number: {} for number in live}
    ends: dict[int, list[Number]] = {number: [0] * (kinds + 1) for number in live}
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
    return onward, ends, into


def _can_end(steps: Steps, classes: Sequence[int | None], starts: Sequence[int]) -> set[int]:
    """The states reachable from `starts` that can reach an end; from the others, play goes on forever."""
    sources: dict[int, list[int]] = {number: [] for number in starts}
    queue = list(starts)
    for number in queue:  # grows while it is walked
        if classes[number] is not None:
            continue
        for target in steps[number]:
            if target not in sources:
                sources[target] = []
                queue.append(target)
            sources[target].append(number)
    back = [number for number in queue if classes[number] is not None]
    live = set(back)
    for number in back:  # grows while it is walked
        for source in sources[number]:
            if source not in live:
                live.add(source)
                back.append(source)
    return live


def _removed(
    onward: dict[int, dict[int, Number]],
    ends: dict[int, list[Number]],
    into: dict[int, set[int]],
    kept: int | None,
) -> Iterator[tuple[int, dict[int, Number], list[Number]]]:
    """Remove every state except `kept`, starting with those that touch the fewest others.

    Yields each removed state with its steps to the states that remain and its ends, not scaled to 1.
    """

    def touched(number: int) -> int:
        return len(into[number]) * len(onward[number])

    heap = [(touched(number), number) for number in onward if number != kept]
    heapify(heap)
    gone = set()
    while heap:
        cost, number = heappop(heap)
        if number in gone:
            continue
        if cost != touched(number):
            heappush(heap, (touched(number), number))
            continue
        gone.add(number)
        behind, ended = onward.pop(number), ends.pop(number)
        behind.pop(number, None)
        # Staying put only delays: its probability is shared among the ways to leave.
        leaving = sum(behind.values()) + sum(ended)
        for target in behind:
            into[target].discard(number)
        for source in into.pop(number) - {number}:
            share = onward[source].pop(number) / leaving
            for target, chance in behind.items():
                onward[source][target] = onward[source].get(target, 0) + share * chance
                into[target].add(source)
            ends[source] = [old + share * new for old, new in zip(ends[source], ended, strict=True)]
        yield number, behind, ended
