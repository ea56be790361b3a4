"""Arrays from files that may be damaged."""

from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import numpy as np

BLOCK = 1 << 16
"""Bytes that have a checksum of their own."""


class CheckedArray:
    """An array whose blocks are compared with their checksums before they are believed.

    So opening a file takes no time, however large it is, and yet no answer comes from a damaged one.
    Without checksums, everything is believed.
    """

    def __init__(self, array: Any, sums: Any = None, damage: Callable[[], Exception] = RuntimeError) -> None:
        self.array = array
        self._sums, self._damage = sums, damage
        self._each = BLOCK // array.itemsize
        self._right = np.full(count_blocks(array), sums is None)

    def at(self, places: Any) -> Any:
        """The numbers at these places. Raises an error if one is in a damaged block."""
        blocks = places // self._each
        unsure = blocks[~self._right[blocks]]
        for block in np.unique(unsure).tolist() if len(unsure) else ():
            if checksum(self.array, block) != self._sums[block]:
                raise self._damage()
            self._right[block] = True
        return self.array[places]

    def find(self, wanted: Any) -> tuple[Any, Any]:
        """The places of wanted numbers in a sorted array, and which of them are there.

        The neighbors tell, and they are checked, so damage elsewhere cannot lead to a wrong place.
        """
        above = np.searchsorted(self.array, wanted)
        places = np.minimum(above, len(self.array) - 1)
        found = self.at(places) == wanted
        if ((self.at(np.maximum(above, 1) - 1) >= wanted) & (above > 0)).any():
            raise self._damage()
        return places, found


CheckedPly = tuple[CheckedArray, CheckedArray]
"""The codes of a ply, and their values."""


def count_blocks(array: Any) -> int:
    """How many blocks an array has."""
    return -(-int(array.nbytes) // BLOCK)


def checksum(array: Any, block: int) -> int:
    """The checksum of a block."""
    each = BLOCK // array.itemsize
    return crc32(memoryview(array[block * each : (block + 1) * each]))


def checksums(array: Any) -> Iterator[int]:
    """Those of all blocks."""
    return (checksum(array, block) for block in range(count_blocks(array)))
