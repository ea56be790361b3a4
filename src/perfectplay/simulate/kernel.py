"""What steps many games of one kind at once, and what it shows of them."""

from math import prod
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from perfectplay.simulate.chance import Bits
from perfectplay.simulate.observation import Observer

Games = tuple[NDArray[Any], ...]
"""Positions of many games: arrays of the same length, whatever a kernel makes of them."""
Actions = NDArray[np.intp]


class Labels(NamedTuple):
    """What is known of each position under perfect play; see `PositionTable` for the numbers."""

    value: NDArray[np.int8]
    distance: NDArray[np.int32]
    best: NDArray[np.bool_]


class Shown(NamedTuple):
    """What a step shows of many games; `record_type` describes the records."""

    records: NDArray[np.void]
    rewards: NDArray[np.float32]


class Kernel(Protocol):
    """Steps many games of one kind. A game that is over starts again, whatever its action."""

    observer: Observer[Any]

    def start(self, size: int) -> Games:
        """So many games at their start."""

    def step(
        self, games: Games, restart: NDArray[np.bool_] | None, actions: Actions, after: Games
    ) -> NDArray[np.bool_] | None:
        """Write the positions after `actions` to `after`; where some are illegal, say which.

        Games marked in `restart` start again as if they were over.
        """

    def advance(self, games: Games, restart: NDArray[np.bool_] | None, bits: Bits, after: Games) -> None:
        """The same with legal actions drawn evenly."""

    def choose(self, games: Games, bits: Bits, best: bool) -> Actions:
        """A legal action for each game, drawn evenly or evenly from the best; any for one that is over."""

    def show(self, games: Games, shown: Shown) -> None:
        """Fill in what is shown of each position."""

    def label(self, games: Games) -> Labels:
        """What perfect play makes of each position."""

    def state(self, games: Games, number: int) -> Any:
        """The position of one game as the plain rules have it."""


def record_type(observer: Observer[Any]) -> np.dtype[np.void]:
    """What a step shows of a game, side by side in memory, so that one copy fetches it."""
    fields: dict[str, tuple[Any, tuple[int, ...]]] = {
        "observation": (np.bool_, observer.shape),
        "legal": (np.bool_, (observer.game.num_actions,)),
        "side": (np.int8, ()),
        "terminated": (np.bool_, ()),
    }
    formats = [(kind, shape) for kind, shape in fields.values()]
    sizes = [prod(shape) for _, shape in fields.values()]
    offsets = [sum(sizes[:number]) for number in range(len(sizes))]
    # NumPy copies records of these few sizes several times as fast as others.
    whole = next((size for size in (4, 8, 16, 32) if size >= sum(sizes)), -(-sum(sizes) // 8) * 8)
    return np.dtype({"names": list(fields), "formats": formats, "offsets": offsets, "itemsize": whole})
