"""Random choices for many games at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
