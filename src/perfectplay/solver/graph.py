"""All reachable positions of a game, with their moves."""

from array import array
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action, Game

S = TypeVar("S", bound=Hashable)

LIMIT = 2_000_000
"""The default limit on the number of positions explored."""
LARGEST = 10_000_000
"""The largest parameter of a game that is solved or audited. Beyond it, one position takes gigabytes."""


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
    def edges(self) -> int:
        """The total number of moves."""
        return len(self.targets)

    def moves(self, number: int) -> list[tuple[Action, int]]:
        """The legal actions of a position, each with the number of the position it leads to."""
        start, end = self.offsets[number], self.offsets[number + 1]
        return list(zip(self.actions[start:end], self.targets[start:end], strict=True))


def explore(
    game: Game[S],
    *,
    start: S | None = None,
    limit: int = LIMIT,
    progress: Callable[[int], None] | None = None,
) -> Graph[S]:
    """Visit every position reachable from `start`, by default the game's own start, once.

    Raises TooLargeError past `limit` positions. `progress` is called from time to time with the number
    of positions found.

    >>> import perfectplay as pp
    >>> graph = explore(pp.load("bit-flip"))
    >>> len(graph.states), graph.edges
    (144, 420)
    """
    graph = Graph(game)
    first = game.initial() if start is None else start
    states, index = graph.states, graph.index
    states.append(first)
    index[first] = 0
    offsets, actions, targets = graph.offsets, graph.actions, graph.targets
    legal_actions, apply = game.legal_actions, game.apply
    forward = True
    for here, state in enumerate(states):  # grows during the loop
        for action in legal_actions(state):
            after = apply(state, action)
            number = index.get(after)
            if number is None:
                if len(states) >= limit:
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
