"""Work on several blocks of arrays at once. NumPy releases the GIL while it works on large arrays."""

import os
from collections.abc import Callable, Sequence
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

B = TypeVar("B")
T = TypeVar("T")


def share(work: Callable[[B], T], blocks: Sequence[B]) -> list[T]:
    """Apply a function to every block, using one thread per core; return the results in order.

    >>> share(len, ["one", "three"])
    [3, 5]
    """
    if len(blocks) == 1:
        return [work(blocks[0])]
    queues = _queues()[: len(blocks) - 1]
    results: list[Any] = [None] * len(blocks)
    shares = [range(first, len(blocks), len(queues) + 1) for first in range(len(queues) + 1)]

    def take_part(share: range) -> None:
        for number in share:
            results[number] = work(blocks[number])

    reports: SimpleQueue[BaseException | None] = SimpleQueue()
    for todo, share in zip(queues, shares[1:], strict=True):
        todo.put((take_part, share, reports))
    try:
        take_part(shares[0])
    finally:  # no thread may still write to the arrays when this returns
        errors = [reports.get() for _ in queues]
    for error in errors:
        if error is not None:
            raise error
    return results


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


Todo = SimpleQueue[tuple[Callable[[range], None], range, SimpleQueue[BaseException | None]]]


@cache
def _queues() -> list[Todo]:
    """The queues of the worker threads. There is one thread fewer than cores, because the caller works too.

    Threads that wait on these queues start sooner than those of a standard library pool.
    """
    queues: list[Todo] = [SimpleQueue() for _ in range(cores() - 1)]
    for todo in queues:
        Thread(target=_serve, args=(todo,), daemon=True).start()
    return queues


def _serve(todo: Todo) -> None:
    while True:
        take_part, share, reports = todo.get()
        try:
            take_part(share)
        except BaseException as error:  # noqa: BLE001  # the thread that waits for the report raises it
            reports.put(error)
        else:
            reports.put(None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_queues.cache_clear)  # threads do not survive a fork
