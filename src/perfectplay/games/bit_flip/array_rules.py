"""Bit Flip on arrays: the code of a position is its mask of flipped bits."""

from collections.abc import Sequence
from typing import Any

from perfectplay.core.array_rules import ArrayRules
from perfectplay.games.bit_flip.rules import BitFlip, State


class BitFlipOnArrays(ArrayRules[State]):
    """The mask says everything: the side to move follows from the number of flips."""

    layered = True  # every move flips one more bit

    game: BitFlip

    def __init__(self, game: BitFlip) -> None:
        super().__init__(game)
        self.bits = game.bits

    def code(self, state: State) -> int:
        return state.flipped

    def state(self, code: int) -> State:
        return State(code, 1 if (code.bit_count() + self.game.initial().side) % 2 else 0)

    def look(self, xp: Any, codes: Any) -> tuple[Any, Sequence[tuple[Any, Any]]]:
        closed = codes | codes << 1 | codes >> 1
        one = xp.ones_like(codes)  # JAX takes no plain number of 64 bits
        moves = [(codes | one << bit, closed >> bit & 1 == 0) for bit in range(self.bits)]
        going = xp.zeros(codes.shape, bool)
        for _, legal in moves:
            going = going | legal
        return xp.where(going, self.GOES_ON, self.LOST), moves

    def images(self, xp: Any, codes: Any) -> Sequence[Any]:
        mirrored = xp.zeros_like(codes)
        for bit in range(self.bits):
            mirrored = mirrored | (codes >> bit & 1) << self.bits - 1 - bit
        return (mirrored,)
