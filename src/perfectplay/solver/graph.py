"""All reachable positions of a game, with their moves."""

from array import array
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, Generic

from perfectplay.core.game import Action, Game, S
from perfectplay.core.limits import MOST_SOLVED
from perfectplay.core.walks import trace
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.memory import measure_memory
from perfectplay.solver.packing import Codec, PackedStates, UnpackableError, action_type

PACKED_FROM = 1 << 16
"""The least number of positions that are kept packed. Below, objects are faster."""
LARGEST_GRAPH = 2_000_000_000
"""Positions that can be numbered."""


class Graph(Generic[S]):
    """The positions of a game in order of discovery; the start is number 0.

    The moves of position i are `actions[offsets[i]:offsets[i + 1]]`, and lead to the positions
    numbered `targets[offsets[i]:offsets[i + 1]]`.
    """

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.states: Sequence[S] = []
        self.find: Callable[[Any], int | None] = lambda _: None
        """The number of a position; None if it is not here."""
        self.offsets = array("q", [0])
        self.actions = array(action_type(game))
        self.targets = array("I")
        self.forward = True
        """Whether every move leads to a position with a higher number, so there are no loops."""

    @property
    def visited(self) -> int:
        """How many positions have their moves here: all of them, unless the graph was cut off."""
        return len(self.offsets) - 1

    @property
    def edges(self) -> int:
        """The total number of moves."""
        return len(self.targets)

    def moves(self, number: int) -> list[tuple[Action, int]]:
        """The legal actions of a position, each with the number of the position it leads to."""
        start, end = self.offsets[number], self.offsets[number + 1]
        return list(zip(self.actions[start:end], self.targets[start:end], strict=True))

    @cached_property
    def parents(self) -> dict[int, tuple[int, Action] | None]:
        """For each position, the one it was first reached from and the move; None for the start."""
        parents: dict[int, tuple[int, Action] | None] = {0: None}
        for number in range(self.visited):
            for action, target in self.moves(number):
                parents.setdefault(target, (number, action))
        return parents

    def path(self, number: int) -> tuple[Action, ...]:
        """A shortest sequence of moves to a position."""
        return trace(self.parents, number)


def explore(
    game: Game[S],
    *,
    start: S | None = None,
    limit: int = MOST_SOLVED,
    first: int | None = None,
    memory: int | None = None,
    processes: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Graph[S]:
    """Visit every position reachable from `start`, by default the game's own start, once.

    Raises TooLargeError past `limit` positions, or when they take more than `memory` bytes. With `first`, the
    graph is cut off instead: it has the moves of at most `first` positions, and of fewer once `limit` is
    passed. `progress` is called from time to time with the number of positions found. The graph is the same
    however many `processes` work on it.
    """
    bounds = _Bounds(game.spec, min(limit, LARGEST_GRAPH), first, memory, progress)
    begin = game.initial() if start is None else start
    graph, whole = _explore_objects(game, begin, bounds, PACKED_FROM)
    if whole:
        return graph
    codec = Codec(begin)
    if codec.fits(graph.states):
        states = PackedStates(codec, graph.states)
        graph.states, graph.find = states, states.find
        with suppress(UnpackableError):
            _explore_packed(graph, states, bounds, processes)
            return graph
    return _explore_objects(game, begin, bounds, None)[0]


@dataclass(frozen=True)
class _Bounds:
    """What stops an exploration."""

    spec: str
    limit: int
    first: int | None
    memory: int | None
    progress: Callable[[int], None] | None
    before: int = field(default_factory=lambda: measure_memory() or 0)

    def cuts_off(self, visited: int, found: int) -> bool:
        """Whether enough positions have their moves. Raises TooLargeError if too many were found."""
        if self.first is not None:
            return visited >= self.first or found > self.limit
        if found > self.limit:
            raise TooLargeError(self.spec, self.limit, visited=visited)
        return False

    def look(self, visited: int, found: int) -> None:
        """Report progress, and raise TooLargeError if there is too little memory."""
        if self.progress is not None:
            self.progress(found)
        used = (measure_memory() or 0) - self.before
        if self.memory is not None and used > self.memory:
            raise TooLargeError(self.spec, found, visited=visited, memory=self.memory)


def _explore_objects(game: Game[S], start: S, bounds: _Bounds, pause: int | None) -> tuple[Graph[S], bool]:
    """Explore with positions as they are. Stops before `pause` positions; says whether it is finished."""
    graph = Graph(game)
    states, index = [start], {start: 0}
    graph.states, graph.find = states, index.get
    offsets, actions, targets = graph.offsets, graph.actions, graph.targets
    legal_actions, apply = game.legal_actions, game.apply
    most = bounds.limit if bounds.first is None else LARGEST_GRAPH
    forward = True
    for here, state in enumerate(states):  # grows during the loop
        if bounds.cuts_off(here, len(states)):
            break
        if pause is not None and len(states) >= pause:
            graph.forward = forward
            return graph, False
        for action in legal_actions(state):
            after = apply(state, action)
            number = index.get(after)
            if number is None:
                if len(states) >= most:
                    raise TooLargeError(game.spec, bounds.limit, visited=here + 1)
                number = index[after] = len(states)
                states.append(after)
            elif number <= here:
                forward = False
            actions.append(action)
            targets.append(number)
        offsets.append(len(targets))
        if not len(offsets) % 4096:
            bounds.look(len(offsets), len(states))
    graph.forward = forward
    return graph, True


def _explore_packed(graph: Graph[S], states: PackedStates[S], bounds: _Bounds, processes: int) -> None:
    """Continue a graph from packed positions."""
    from perfectplay.solver.expansion import can_share, expand_blocks  # what small games do without

    processes = processes if processes == 1 or can_share(graph.game) else 1
    offsets, actions, targets = graph.offsets, graph.actions, graph.targets
    here = graph.visited
    with closing(expand_blocks(graph.game, states, here, bounds.first, processes)) as blocks:
        for ways, made, leads, keys in blocks:
            if len(states) + len(keys) <= bounds.limit:
                numbers = states.merge(keys)
                reached = array("I", [numbers[place] for place in leads])
                if graph.forward and numbers and min(numbers) < here + len(ways):
                    graph.forward = _leads_on(ways, reached, here)
                offsets.extend(array("q", list(accumulate(ways, initial=offsets.pop()))))
                actions.frombytes(made)
                targets.extend(reached)
                here += len(ways)
                bounds.look(here, len(states))
                continue
            # Close to the limit, position by position: where it stops must not depend on the blocks.
            block, done = array(actions.typecode, made), 0
            for count in ways:
                if bounds.cuts_off(here, len(states)):
                    return
                after = dict.fromkeys(leads[done : done + count])
                number_of = dict(zip(after, states.merge([keys[place] for place in after]), strict=True))
                if number_of and min(number_of.values()) <= here:
                    graph.forward = False
                actions.extend(block[done : done + count])
                targets.extend(map(number_of.__getitem__, leads[done : done + count]))
                done += count
                here += 1
                offsets.append(len(targets))
            bounds.cuts_off(here, len(states))


def _leads_on(ways: list[int], reached: "array[int]", here: int) -> bool:
    """Whether all moves of the positions from `here` on lead to higher numbers."""
    return all(
        not count or min(reached[end - count : end]) > number
        for number, (count, end) in enumerate(zip(ways, accumulate(ways), strict=True), here)
    )
