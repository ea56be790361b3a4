"""Work on several blocks of arrays at once. NumPy releases the GIL while it works on large arrays."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

B = TypeVar("B")
T = TypeVar("T")


def share(work: Callable[[B], T], blocks: Sequence[B]) -> list[T]:
    """Apply a function to every block, using one thread per core; return the results in order."""
    if len(blocks) == 1:
        return [work(blocks[0])]
    size = -(-len(blocks) // cores())
    first, *others = (blocks[start : start + size] for start in range(0, len(blocks), size))

    def take_part(part: Sequence[B]) -> list[T]:
        return [work(block) for block in part]

    rest = [_pool().submit(take_part, part) for part in others]
    try:
        done = take_part(first)  # this thread works too
    finally:  # no thread may still write to the arrays when this returns
        wait(rest)
    return done + [result for part in rest for result in part.result()]


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork
