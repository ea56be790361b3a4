"""The interface of kernels, which step batches of games, the arrays they fill, and their random choices."""

from math import prod
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from perfectplay.simulate.observation import Observer
from perfectplay.simulate.rewards import WIN

Bits = NDArray[np.int32]
"""Sixteen random bits for each of `n` choices: int32 of shape `(n,)`, from -32768 to 32767."""


class Stream:
    """Random bits of one generator, in order, drawn in bulk ahead of use."""

    AHEAD = 1 << 16

    def __init__(self, seed: np.random.SeedSequence) -> None:
        self._generator = np.random.SFC64(seed)
        self._drawn: Bits = np.empty(0, np.int32)
        self._at = 0

    def bits(self, count: int) -> Bits:
        """Return 16 random bits for each of `count` choices: int32 of shape `(count,)`, -32768 to 32767."""
        at = self._at
        if at + count > len(self._drawn):
            words = max(count, self.AHEAD) // 4 + 1
            self._drawn = self._generator.random_raw(words).view(np.int16).astype(np.int32)
            at = 0
        self._at = at + count
        return self._drawn[at : self._at]


def draw_marked(mask: NDArray[np.bool_], bits: Bits) -> NDArray[np.intp]:
    """Draw one marked action from each row of a mask uniformly; 0 if a row marks none.

    The mask has shape `(n, num_actions)`; the result is intp of shape `(n,)`.
    """
    # Narrow integers are summed faster; they must be able to count all actions.
    kind: type[Any] = np.int16 if mask.shape[1] < 1 << 15 else np.int32
    ranks = np.cumsum(mask, axis=1, dtype=kind)
    wanted = draw_below(ranks[:, -1], bits).astype(kind)
    found: NDArray[np.intp] = (ranks > wanted[:, None]).argmax(axis=1)
    return found


def draw_below(counts: NDArray[np.signedinteger] | int, bits: Bits) -> NDArray[np.intp]:
    """Draw an integer from 0 to each count, exclusive, uniformly: intp of the shape of `bits`."""
    return (bits.astype(np.intp) + (1 << 15)) * counts >> 16


Games = tuple[NDArray[Any], ...]
"""The positions of `n` games: arrays of shape `(n, ...)` whose content depends on the kernel."""
ActionArray = NDArray[np.intp]


class Labels(NamedTuple):
    """The result of perfect play in `n` positions; the numbers mean the same as in `PositionTable`.

    `value` is int8 and `distance` int32, both of shape `(n,)`; `best` is bool of shape `(n, num_actions)`.
    """

    value: NDArray[np.int8]
    distance: NDArray[np.int32]
    best: NDArray[np.bool_]


class Batch(NamedTuple):
    """What a step shows of `n` games. Row i of each array belongs to game i.

    - `observation`: bool, shape `(n, *observer.shape)`
    - `legal`: bool, shape `(n, num_actions)`, a mask of the legal actions
    - `side`: int8, shape `(n,)`, the side to move
    - `reward`: float32, shape `(n, 2)`, one column per side
    - `terminated`, `truncated`: bool, shape `(n,)`
    - `labels`: `Labels` with `n` rows, if the batch was made with `labels=True`
    - `action`: intp, shape `(n,)`, set by rollouts only

    A rollout of `steps` steps puts one more axis in front: `(steps, n, ...)`.

    >>> from perfectplay.simulate import BatchedGame
    >>> seen = BatchedGame("dual-direction", 3).look()
    >>> seen.observation.shape, seen.legal.tolist(), seen.side.tolist()
    ((3, 11, 1), [[True, True], [True, True], [True, True]], [0, 0, 0])
    """

    observation: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    side: NDArray[np.int8]
    reward: NDArray[np.float32]
    """1 for the winner and -1 for the loser once a game is over, otherwise 0."""
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    """Whether the horizon has cut the game short. A truncated game has no result."""
    labels: Labels | None = None
    action: ActionArray | None = None
    """The action that a rollout played in this step; meaningless if the step started a new game."""


class Shown(NamedTuple):
    """What a step shows of `n` games.

    `records` has shape `(n,)` and the type that `record_type` returns; `rewards` is float32, `(n, 2)`.
    """

    records: NDArray[np.void]
    rewards: NDArray[np.float32]


class Kernel(Protocol):
    """Steps a batch of games of one kind. A game that is over starts again, whatever its action."""

    observer: Observer[Any]

    def start(self, size: int) -> Games:
        """Return `size` games at their start."""

    def step(
        self, games: Games, restart: NDArray[np.bool_] | None, actions: ActionArray, after: Games
    ) -> NDArray[np.bool_] | None:
        """Write the positions after `actions` to `after`; return a mask of illegal actions, or None.

        Games marked in `restart` start again as if they were over.
        """

    def advance(self, games: Games, restart: NDArray[np.bool_] | None, bits: Bits, after: Games) -> None:
        """Like `step`, with legal actions drawn uniformly."""
        self.step(games, restart, self.choose(games, bits, best=False), after)

    def choose(self, games: Games, bits: Bits, best: bool) -> ActionArray:
        """Draw a legal action for each game uniformly, with `best` a best one; arbitrary after the end."""

    def show(self, games: Games, shown: Shown) -> None:
        """Write what is shown of each position to `shown`."""

    def label(self, games: Games) -> Labels:
        """Return the result of perfect play in each position."""

    def state(self, games: Games, number: int) -> Any:
        """Return the position of one game as a state of the rules."""


def fill_rewards(shown: Shown, over: NDArray[np.bool_], side: NDArray[np.int8]) -> None:
    """Fill in the rewards of a game that the side that moved last wins; `side` is to move next."""
    gain = np.where(over, np.where(side == 1, WIN, -WIN), 0)
    shown.rewards[:, 0] = gain
    shown.rewards[:, 1] = -gain


def record_type(observer: Observer[Any]) -> np.dtype[np.void]:
    """The type of a record: what a step shows of a game, adjacent in memory so that one copy fetches it."""
    fields: dict[str, tuple[Any, tuple[int, ...]]] = {
        "observation": (np.bool_, observer.shape),
        "legal": (np.bool_, (observer.game.num_actions,)),
        "side": (np.int8, ()),
        "terminated": (np.bool_, ()),
    }
    formats = [(kind, shape) for kind, shape in fields.values()]
    sizes = [prod(shape) for _, shape in fields.values()]
    offsets = [sum(sizes[:number]) for number in range(len(sizes))]
    # NumPy copies records of these sizes several times as fast as others.
    whole = next((size for size in (4, 8, 16, 32) if size >= sum(sizes)), -(-sum(sizes) // 8) * 8)
    return np.dtype({"names": list(fields), "formats": formats, "offsets": offsets, "itemsize": whole})
