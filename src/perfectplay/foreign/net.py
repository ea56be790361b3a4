"""What a job may take before exploring stops by itself, so that what was found is not lost."""

import os
import sys
import time
from math import inf
from pathlib import Path

SHARES = 2
"""Exploring stops when the time of a job is up. The rest may take as long again; then the job is ended."""
MOST = 0.7
"""The share of its memory that exploring may take."""
PAUSE = 0.05
"""Seconds between two looks."""


class Net:
    """The time and memory of a job. Time is what it uses of a processor, or twice what it waits."""

    def __init__(self, seconds: float = inf, memory: float = inf) -> None:
        self.seconds, self.memory = seconds, memory
        self._begun, self._next = time.monotonic(), 0.0
        self._resident = resident()

    def spent(self) -> str:
        """What has run out: time, memory, or nothing."""
        now = time.monotonic()
        if now < self._next:
            return ""
        self._next = now + PAUSE
        used = time.process_time()
        waited = now - self._begun - used - held_up("self")
        if used > self.seconds or SHARES * waited > self.seconds:
            return "time"
        room = self.memory - self._resident
        return "memory" if resident() - self._resident > MOST * room else ""


def resident() -> int:
    """How many bytes of memory this process has."""
    if sys.platform != "linux":
        return 0
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def held_up(process: int | str) -> float:
    """How many seconds a process could have run, but others did."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
