"""Bit Flip in batches, on bit masks: for rows of bits with too many positions for a table."""

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import BadParameterError
from perfectplay.core.value import KINDS
from perfectplay.games.bit_flip.rules import BitFlip, State
from perfectplay.games.bit_flip.theory import grundy
from perfectplay.simulate.kernel import (
    ActionArray,
    Bits,
    Games,
    Kernel,
    Labels,
    Shown,
    draw_marked,
    fill_rewards,
)
from perfectplay.simulate.observation import Observer
from perfectplay.simulate.single.base import SingleGame
from perfectplay.simulate.single.games import RulesGame
from perfectplay.simulate.table import NO_DISTANCE

TABULATED = 20
"""The most bits for which a table is made; it has 17,711 positions."""
WIDEST = 64
"""The most bits that a mask holds."""

_LOSS, _WIN = KINDS.index("loss"), KINDS.index("win")


def serves(game: BitFlip) -> bool:
    return game.bits > TABULATED


def positions(game: BitFlip, limit: int) -> int:
    """A Fibonacci number: the last bit is 0, or it is 1 and the one before it 0."""
    one, two = 1, 2
    for _ in range(game.bits):
        one, two = two, one + two
        if one > limit:
            break
    return one


def horizon(game: BitFlip) -> None:
    """None: every move flips a bit, so a game always ends."""


def longest(game: BitFlip) -> int:
    """The longest game flips every other bit."""
    return (game.bits + 1) // 2


def observer(game: BitFlip, horizon: int | None) -> Observer[State]:
    return Observer((game.bits,), ("0", "1"), game=game)


def single(game: BitFlip, horizon: int | None) -> SingleGame[State]:
    return RulesGame(game, horizon)


def kernel(game: BitFlip, horizon: int | None) -> "MaskKernel":
    return MaskKernel(game)


class MaskKernel(Kernel):
    """Represents `n` games as two arrays of shape `(n,)`: masks of the flipped bits, and sides to move."""

    def __init__(self, game: BitFlip) -> None:
        if game.bits > WIDEST:
            raise BadParameterError(
                "bits", game.bits, f"at most {WIDEST} when many games are stepped at once"
            )
        self._game = game
        self.observer = observer(game, None)
        self._all = np.uint64(2**game.bits - 1)
        self._first = np.int8(0 if game.first == "1" else 1)
        self._grundy = np.array([grundy(length) for length in range(game.bits + 1)])

    def start(self, size: int) -> Games:
        return np.zeros(size, np.uint64), np.full(size, self._first)

    def step(
        self, games: Games, restart: NDArray[np.bool_] | None, actions: ActionArray, after: Games
    ) -> NDArray[np.bool_] | None:
        flipped, side = games
        free = self._free(flipped)
        over = free == 0
        bit = np.uint64(1) << actions.astype(np.uint64)
        illegal = (free & bit == 0) & ~over
        if restart is not None:
            over = over | restart
            illegal &= ~restart
        np.copyto(after[0], np.where(over, np.uint64(0), flipped | bit))
        np.copyto(after[1], np.where(over, self._first, 1 - side))
        return illegal if illegal.any() else None

    def choose(self, games: Games, bits: Bits, best: bool) -> ActionArray:
        return draw_marked(self.label(games).best if best else self._spread(self._free(games[0])), bits)

    def show(self, games: Games, shown: Shown) -> None:
        flipped, side = games
        free = self._free(flipped)
        ones = self._spread(flipped)
        records = shown.records
        records["observation"][..., 0] = ~ones
        records["observation"][..., 1] = ones
        records["legal"] = self._spread(free)
        records["side"] = side
        records["terminated"] = free == 0
        fill_rewards(shown, free == 0, side)

    def label(self, games: Games) -> Labels:
        """Values by Grundy theory: win or loss and every winning flip, but no distances."""
        free = self._spread(self._free(games[0]))
        bits, places = self._game.bits, np.arange(self._game.bits)
        # How many bits of its run are before each free bit, and behind it; -1 for a bit that is not free.
        before = places - 1 - np.maximum.accumulate(np.where(free, -1, places), axis=1)
        after = np.where(free, bits, places)[:, ::-1]
        behind = np.minimum.accumulate(after, axis=1)[:, ::-1] - places - 1
        worth = self._grundy
        last = free & (behind == 0)
        total = np.bitwise_xor.reduce(np.where(last, worth[before + 1], 0), axis=1)
        # A flip removes its bit and both neighbors from the run.
        left = worth[np.maximum(before - 1, 0)] ^ worth[np.maximum(behind - 1, 0)]
        whole = worth[np.minimum(before + 1 + behind, bits)]
        wins = free & ((total[:, None] ^ whole ^ left) == 0)
        won = total != 0
        best = np.where(won[:, None], wins, free)
        value = np.where(won, _WIN, _LOSS).astype(np.int8)
        return Labels(value, np.where(free.any(axis=1), NO_DISTANCE, 0).astype(np.int32), best)

    def state(self, games: Games, number: int) -> State:
        return State(int(games[0][number]), 0 if games[1][number] == 0 else 1)

    def _free(self, flipped: NDArray[np.uint64]) -> NDArray[np.uint64]:
        one = np.uint64(1)
        free: NDArray[np.uint64] = ~(flipped | flipped << one | flipped >> one) & self._all
        return free

    def _spread(self, mask: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Unpack each mask into a row of bits."""
        octets = mask.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
        return np.unpackbits(octets, axis=1, count=self._game.bits, bitorder="little").view(np.bool_)
