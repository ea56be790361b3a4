"""The time and memory of a job. Exploring stops in time, so that no finding is lost."""

import os
import sys
import time
from math import inf
from pathlib import Path

SECONDS = 120.0
"""Exploring ends after this much CPU time, whatever the limit of moves."""
MEMORY = 500 << 20
"""How much memory may be used beyond what the imports took."""
SHARES = 2
"""Exploring stops when the time of a job is up. The rest may take as long again; then the job is ended."""
PLAYED, LATE = 1.25, 1.5
"""The shares of its time after which a job plays and compares nothing more, and after which it replays
nothing more. Only findings that were replayed are reported."""
MOST = 0.7
"""The share of its memory that exploring may take."""
RESIDENT, DATA = 1, 5
"""Columns of what Linux says about the memory of a process."""
PAUSE = 0.01
"""Seconds between two looks."""


class Limits:
    """The time and memory of a job. Time is what it uses of a processor, or twice what it waits."""

    def __init__(self, seconds: float = inf, memory: float = inf) -> None:
        self.seconds = seconds
        self.ran_out = ""
        """What ran out first: time or memory."""
        self._begun, self._next = time.monotonic(), 0.0
        self._full = resident() + MOST * (memory - resident())
        self._share = self._held = 0.0

    def _look(self) -> None:
        """Measure what is used, unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            used = time.process_time()
            waited = time.monotonic() - self._begun - used - measure_delay("self")
            self._share, self._held = max(used, SHARES * waited) / self.seconds, resident()
            self._next = time.monotonic() + PAUSE

    def is_spent(self) -> bool:
        """Whether exploring has to stop."""
        self._look()
        self.ran_out = "time" if self._share > 1 else "memory" if self._held > self._full else ""
        return bool(self.ran_out)

    def late(self, share: float = LATE) -> bool:
        """Whether to try nothing more, so that findings can still be reported."""
        self._look()
        if self._share > share:
            self.ran_out = self.ran_out or "time"
            return True
        return False


def resident() -> int:
    """How many bytes of memory this process has."""
    return count_held(RESIDENT) if sys.platform == "linux" else 0


def count_held(column: int) -> int:
    """How many bytes of a kind this process holds, as Linux counts its pages."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[column]) * os.sysconf("SC_PAGE_SIZE")


def measure_delay(process: int | str) -> float:
    """How many seconds a process could have run, but others did."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
