"""How often someone may do something: token buckets, by a clock that never jumps."""

import logging
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from math import ceil
from time import monotonic

Clock = Callable[[], float]


class Bucket:
    """Fills at `rate` per second up to `most`, and is full at first.

    >>> now = 0.0
    >>> bucket = Bucket(rate=2, most=2)
    >>> [bucket.take(now) for _ in range(3)], bucket.take(now + 0.5)
    ([0.0, 0.0, 0.5], 0.0)
    """

    __slots__ = ("at", "left", "most", "rate")

    def __init__(self, rate: float, most: float) -> None:
        self.rate = rate
        self.most = most
        self.left = most
        self.at: float | None = None

    def take(self, now: float) -> float:
        """Take one; the seconds to wait if there is none left, and then nothing is taken."""
        if self.at is not None:
            self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / self.rate
        self.left -= 1
        return 0.0

    def full(self, now: float) -> bool:
        """Whether it is as good as new by now."""
        return self.at is None or self.left + (now - self.at) * self.rate >= self.most


class Limit:
    """A bucket for each of many, such as client addresses. Those that are full again are forgotten.

    >>> limit = Limit(rate=1, most=1, clock=lambda: 0.0)
    >>> limit.wait("a"), limit.wait("a"), limit.wait("b")
    (0, 1, 0)
    """

    MOST = 10_000

    def __init__(self, rate: float, most: float, clock: Clock = monotonic) -> None:
        self.rate = rate
        self.most = most
        self.clock = clock
        self._buckets: dict[Hashable, Bucket] = {}

    def wait(self, key: Hashable) -> int:
        """Take one for `key`: 0, or the whole seconds after which to try again."""
        now = self.clock()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self.MOST:
                self._forget(now)
            bucket = self._buckets[key] = Bucket(self.rate, self.most)
        return ceil(bucket.take(now))

    def _forget(self, now: float) -> None:
        kept = {key: bucket for key, bucket in self._buckets.items() if not bucket.full(now)}
        # Under a flood of addresses the oldest go: memory stays bounded, and they start anew.
        self._buckets = dict(list(kept.items())[-self.MOST // 2 :])


class Seldom(logging.Filter):
    """Lets the same message through once a minute: whoever provokes it cannot fill the log."""

    def __init__(self, clock: Clock = monotonic) -> None:
        super().__init__()
        self._limit = Limit(1 / 60, 1, clock)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log it."""
        error = record.exc_info[1] if record.exc_info else None
        return not self._limit.wait((record.getMessage(), repr(error)))


@contextmanager
def one_of(counter: Counter[str], key: str, most: float) -> Iterator[bool]:
    """Count one more of something while it lasts; whether there were not too many already."""
    if counter[key] >= most:
        yield False
        return
    counter[key] += 1
    try:
        yield True
    finally:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]
