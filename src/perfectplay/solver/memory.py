"""How much memory there is, and how much this process uses."""

import os
from contextlib import suppress
from pathlib import Path

from perfectplay.core.limits import MOST_SOLVED

BYTES_PER_POSITION = 120
"""What a position takes at most while a game is solved, if it can be packed."""


def free_memory() -> int | None:
    """Bytes that programs can still use; None where the system does not say."""
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def measure_memory() -> int | None:
    """Bytes that this process uses; None where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def default_memory() -> int:
    """The bytes that solving a game may take by default: half of what is free."""
    free = free_memory()
    return MOST_SOLVED * BYTES_PER_POSITION if free is None else free // 2
