"""A queue in which addresses take turns, so that none keeps the others waiting."""

from collections import Counter
from operator import itemgetter
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """At most `most` items, each put in by an address: those of the lowest rank come out first.

    Among items of the same rank the addresses take turns. When the queue is full, the address with
    the most items loses its newest one.

    >>> queue = FairQueue[str](most=3)
    >>> for address, item in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1")):
    ...     print(queue.put(item, address))
    None
    None
    None
    a3
    >>> queue.get(), queue.get(), queue.get(), queue.get()
    ('a1', 'b1', 'a2', None)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._lines: dict[tuple[int, str], list[T]] = {}
        """Waiting items by rank and address. The first address has the next turn."""

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def put(self, item: T, address: str, rank: int = 0) -> T | None:
        """Add an item. If the queue was full, return the item that was dropped, perhaps this one."""
        self._lines.setdefault((rank, address), []).append(item)
        if len(self) <= self.most:
            return None
        waiting: Counter[str] = Counter()
        for (_, each), line in self._lines.items():
            waiting[each] += len(line)
        # Of two addresses with equally many items, the one that came last loses.
        busiest = max(waiting, key=lambda each: (waiting[each], each == address))
        dearest = max(key for key in self._lines if key[1] == busiest)
        dropped = self._lines[dearest][-1]
        self.remove(dropped)
        return dropped

    def get(self) -> T | None:
        """Remove and return the next item; None if the queue is empty."""
        if not self._lines:
            return None
        key = min(self._lines, key=itemgetter(0))
        item, *rest = self._lines.pop(key)
        if rest:
            self._lines[key] = rest  # behind all other addresses
        return item

    def remove(self, item: T) -> None:
        """Remove an item before its turn, if it is still in the queue."""
        for key, line in self._lines.items():
            if item in line:
                line.remove(item)
                if not line:
                    del self._lines[key]
                return
