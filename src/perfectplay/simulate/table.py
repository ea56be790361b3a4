"""Everything about a game as arrays, with one row per position."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.game import Game, S
from perfectplay.core.value import KINDS, Value
from perfectplay.simulate.arguments import as_game, whole
from perfectplay.simulate.observation import Observer, observer_for
from perfectplay.simulate.positions import MEMORY, TableSizeError, solution_of
from perfectplay.simulate.rewards import REWARDS
from perfectplay.solver.retrograde import ENDLESS, TIE, UNDECIDED, Solution

OUTCOMES = ("going on", "side 0 wins", "side 1 wins", "tie")
"""The meaning of the numbers in `PositionTable.outcome`."""
NO_DISTANCE = -1
"""The value of `PositionTable.distance` if play is endless or the value undecided: there is no distance."""
_RANKS = np.array([Value(kind).rank[0] for kind in KINDS], np.int64)
_NOT_WON = np.array([KINDS.index(kind) for kind in ("tie", "endless", "undecided")], np.int8)
"""The values of positions by their stand-ins for a winner: TIE, ENDLESS and UNDECIDED."""


@dataclass(frozen=True, eq=False)
class PositionTable(Generic[S]):
    """A game as arrays. `tabulate` makes one. Row i of each array describes `states[i]`; row 0 is the start.

    With n positions and a actions:

    - `next`: int32, shape `(n, a)`
    - `legal`, `best`: bool, shape `(n, a)`
    - `side`, `outcome`, `value`: int8, shape `(n,)`
    - `terminated`: bool, shape `(n,)`
    - `reward`: float32, shape `(n, 2)`, one column per side
    - `distance`: int32, shape `(n,)`
    - `observation`: bool, shape `(n, *observer.shape)`

    The arrays are read-only.
    """

    game: Game[S]
    states: Sequence[S] = field(repr=False)  # there may be millions
    observer: Observer[S]
    cyclic: bool
    """Whether play can return to a position, so that it need not end."""
    next: NDArray[np.int32]
    """The row that each action leads to; -1 if it is illegal."""
    legal: NDArray[np.bool_]
    side: NDArray[np.int8]
    outcome: NDArray[np.int8]
    """How the game has ended: an index into OUTCOMES."""
    terminated: NDArray[np.bool_]
    reward: NDArray[np.float32]
    """For each side: 1 if it has won, -1 if it has lost, otherwise 0."""
    value: NDArray[np.int8]
    """The value of the position to the side to move: an index into KINDS."""
    distance: NDArray[np.int32]
    """The number of plies until the game ends; -1 if play is endless or the value undecided."""
    best: NDArray[np.bool_]
    """The moves with the best value and distance."""
    observation: NDArray[np.bool_]

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        arrays = (each for each in vars(self).values() if isinstance(each, np.ndarray))
        return sum(each.nbytes for each in arrays)

    def value_of(self, number: int) -> Value:
        """Return the value of a row in the form that the oracle uses.

        >>> import perfectplay as pp
        >>> tabulate(pp.load("bit-flip")).value_of(0)
        Value(kind='win', plies=5)
        """
        distance = int(self.distance[number])
        return Value(KINDS[self.value[number]], None if distance == NO_DISTANCE else distance)


def tabulate(game: Game[S] | str, *, memory: int = MEMORY) -> PositionTable[S]:
    """Lay out every position of a game as arrays; `PositionTable` lists their shapes and types.

    Raises TableSizeError if the table would take more than `memory` bytes.

    >>> table = tabulate("bit-flip")
    >>> table.next.shape, table.observation.shape, table.nbytes
    ((144, 10), (144, 10, 2), 13824)
    >>> table.best[0].nonzero()[0].tolist()
    [0, 2, 7, 9]
    """
    rules: Game[S] = as_game(game)
    whole("memory", memory, 1)
    solution = solution_of(rules, memory)
    observer = observer_for(rules)
    size = len(solution.graph.states) * bytes_per_state(rules, observer)
    if size > memory:
        raise TableSizeError(f"{rules.spec} needs a table of {size:,} bytes; memory={memory:,} is the limit")
    return _lay_out(solution, observer)


def bytes_per_state(game: Game[Any], observer: Observer[Any]) -> int:
    """How many bytes a position takes in a table."""
    actions = game.num_actions
    return actions * (4 + 1 + 1) + 1 + 1 + 1 + 8 + 1 + 4 + prod(observer.shape)


def _lay_out(solution: Solution[S], observer: Observer[S]) -> PositionTable[S]:
    graph = solution.graph
    game, states = graph.game, graph.states
    count = len(states)
    after = np.full((count, game.num_actions), -1, np.int32)
    owners = np.repeat(np.arange(count), np.diff(np.asarray(graph.offsets)))
    actions, targets = np.asarray(graph.actions), np.asarray(graph.targets)
    after[owners, actions] = targets
    side = np.fromiter(map(game.side_to_move, states), np.int8, count)
    ended = np.diff(np.asarray(graph.offsets)) == 0
    winner = np.frombuffer(solution.winners, np.uint8)
    outcome = np.where(ended & (winner != UNDECIDED), winner + 1, 0).astype(np.int8)
    reward = np.array([REWARDS[won] for won in (None, 0, 1, None)], np.float32)[outcome]  # as in OUTCOMES
    value = _kinds(winner, side)
    distance = np.where(winner >= ENDLESS, NO_DISTANCE, np.asarray(solution.plies)).astype(np.int32)
    best = np.zeros_like(after, np.bool_)
    # The rank of each move for the side that makes it: first its value, then how soon or how late.
    worth = rank_values(_kinds(winner[targets], side[owners]), distance[targets])
    top = np.full(count, np.iinfo(np.int64).min)
    np.maximum.at(top, owners, worth)
    best[owners, actions] = worth == top[owners]
    observation = np.empty((count, *observer.shape), np.bool_)
    for number, state in enumerate(states):
        observation[number] = observer.observe(state)
    arrays = (after, after >= 0, side, outcome, ended, reward, value, distance, best, observation)
    for each in arrays:
        each.setflags(write=False)
    return PositionTable(game, states, observer, solution.cyclic, *arrays)


def rank_values(kind: NDArray[Any], distance: NDArray[Any]) -> NDArray[np.int64]:
    """Rank values, better ones higher: a quick win or tie, a late loss.

    The arguments and the int64 result have the same shape.
    """
    late = np.where(kind == KINDS.index("loss"), distance, -distance)
    ranks: NDArray[np.int64] = _RANKS[kind] * (1 << 40) + late
    return ranks


def _kinds(winner: NDArray[np.uint8], side: NDArray[np.int8]) -> NDArray[np.int8]:
    """The values of positions to these sides, given their winners; int8, as indices into KINDS."""
    won = np.where(winner == side, KINDS.index("win"), KINDS.index("loss"))
    return np.where(winner < TIE, won, _NOT_WON[np.maximum(winner, TIE) - TIE]).astype(np.int8)


@lru_cache(maxsize=8)
def table_for(game: Game[S]) -> PositionTable[S]:
    """Return the table of a game from a cache."""
    return tabulate(game)
