"""All reachable positions of a game, with their moves."""

from array import array
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Generic, TypeVar

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action, Game
from perfectplay.core.limits import MOST_SOLVED
from perfectplay.core.walks import trace

S = TypeVar("S", bound=Hashable)


class TooLargeError(PerfectplayError):
    """A game with more positions than the limit."""

    def __init__(self, spec: str, limit: int) -> None:
        super().__init__(
            f"{spec} is too large to solve: it has more than {limit:,} positions;"
            " a player such as search:depth=6 can still play it"
        )
        self.spec = spec
        self.limit = limit


class Graph(Generic[S]):
    """The positions of a game in order of discovery; the start is number 0.

    The moves of position i are `actions[offsets[i]:offsets[i + 1]]`, and lead to the positions
    numbered `targets[offsets[i]:offsets[i + 1]]`.
    """

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.states: list[S] = []
        self.index: dict[S, int] = {}
        self.offsets = array("q", [0])
        self.actions = array("l")
        self.targets = array("l")
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
        """A shortest sequence of moves to a position.

        >>> import perfectplay as pp
        >>> explore(pp.load("bit-flip")).path(100)
        (4, 6, 9)
        """
        return trace(self.parents, number)


def explore(
    game: Game[S],
    *,
    start: S | None = None,
    limit: int = MOST_SOLVED,
    first: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Graph[S]:
    """Visit every position reachable from `start`, by default the game's own start, once.

    Raises TooLargeError past `limit` positions. With `first`, the graph is cut off instead: it has the
    moves of that many positions at most, and of fewer once `limit` is passed. `progress` is called from
    time to time with the number of positions found.

    >>> import perfectplay as pp
    >>> graph = explore(pp.load("bit-flip"))
    >>> len(graph.states), graph.edges
    (144, 420)
    >>> explore(pp.load("mirror-match"), first=50).visited
    50
    """
    graph = Graph(game)
    states, index = graph.states, graph.index
    states.append(game.initial() if start is None else start)
    index[states[0]] = 0
    offsets, actions, targets = graph.offsets, graph.actions, graph.targets
    legal_actions, apply = game.legal_actions, game.apply
    forward = True
    for here, state in enumerate(states):  # grows during the loop
        if first is not None and (here >= first or len(states) > limit):
            break
        for action in legal_actions(state):
            after = apply(state, action)
            number = index.get(after)
            if number is None:
                if len(states) >= limit and first is None:
                    raise TooLargeError(game.spec, limit)
                number = index[after] = len(states)
                states.append(after)
            elif number <= here:
                forward = False
            actions.append(action)
            targets.append(number)
        offsets.append(len(targets))
        if progress is not None and not len(offsets) % 4096:
            progress(len(states))
    graph.forward = forward
    return graph
