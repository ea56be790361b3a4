"""Finding the places of many codes in a sorted array at once."""

from typing import Any

import numpy as np

Codes = Any
"""An array of uint32 or uint64."""


class Ranks:
    """The places of codes in a sorted array without duplicates. Codes that are not in it get any place.

    64 neighboring codes share a word with a bit for each that is there. The words are a table where that is
    small; otherwise they are found in the same way.
    """

    def __init__(self, codes: Codes, bits: int) -> None:
        words = codes >> 6
        first = np.flatnonzero(np.concatenate(([True], words[1:] != words[:-1])))
        one = np.left_shift(np.uint64(1), (codes & 63).astype(np.uint64))
        masks = np.bitwise_or.reduceat(one, first)
        words = words[first]
        bits = max(1, bits - 6)
        self._words: Ranks | None = None
        if 1 << bits <= max(4096, 4 * len(codes)):
            self._masks = np.zeros(1 << bits, np.uint64)
            self._first = np.zeros(1 << bits, np.int32 if len(codes) < 1 << 31 else np.int64)
            self._masks[words] = masks
            self._first[words] = first
        else:
            self._masks, self._first = masks, first
            self._words = Ranks(words, bits)

    def find(self, codes: Codes) -> Any:
        """The places of codes."""
        words = codes >> 6
        place = words if self._words is None else self._words.find(words)
        below = np.left_shift(np.uint64(1), (codes & 63).astype(np.uint64)) - np.uint64(1)
        found = np.bitwise_count(self._masks[place] & below)
        return found + self._first[place]
