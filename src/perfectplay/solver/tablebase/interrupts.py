"""Interrupts that wait while JAX works."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


@contextmanager
def postpone_interrupts() -> Iterator[Callable[[], None]]:
    """An interrupt waits for a call of the function that this yields, or for the end.

    JAX loses one that comes while it collects garbage or is loaded, and may crash at others.
    """
    given: list[object] = []

    def heed() -> None:
        if given:
            given.clear()
            raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before is not signal.default_int_handler:
        yield heed  # none comes here
        return
    signal.signal(signal.SIGINT, lambda *found: given.append(found))
    try:
        yield heed
    finally:
        signal.signal(signal.SIGINT, before)
    heed()
