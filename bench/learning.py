"""What the exact measure of a policy costs after every update, on one core. Left out without JAX."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from statistics import median
from time import perf_counter

import perfectplay as pp
from bench import Row

MOST, ROUNDS = 50.0, 20
"""Milliseconds for each of the five games in JAX."""


def rows() -> list[Row]:
    if find_spec("jax") is None:
        return []
    # In a process of its own, because libraries count the cores when they are loaded.
    done = subprocess.run([sys.executable, "-m", "bench.learning"], stdout=subprocess.PIPE, check=True)
    return [
        Row(f"learning: measure {name} in JAX", f"{took:.1f} ms", f"under {MOST:g} ms", took < MOST, "")
        for name, took in json.loads(done.stdout).items()
    ]


def measured() -> dict[str, float]:
    """Milliseconds by game."""
    import numpy as np

    from perfectplay.learning.jax_measure import jax_measure
    from perfectplay.learning.positions import positions_of

    found = {}
    for name in pp.names():
        legal = positions_of(name).legal
        chances = (legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)).astype(np.float32)
        measure, times = jax_measure(name), []
        for _ in range(ROUNDS + 1):  # the first compiles
            start = perf_counter()
            measure(chances)
            times.append(1000 * (perf_counter() - start))
        found[name] = median(times[1:])
    return found


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    sys.stdout.write(json.dumps(measured()))
