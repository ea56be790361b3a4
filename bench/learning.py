"""What the exact measure of a policy costs after every update, on one core: in NumPy, and in JAX."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import perfectplay as pp
from bench import Row

MOST, ROUNDS = 50.0, 20
"""Milliseconds of processor time for each of the five games."""


def rows() -> list[Row]:
    # In a process of its own, because libraries count the cores when they are loaded.
    done = subprocess.run([sys.executable, "-m", "bench.learning"], stdout=subprocess.PIPE, check=True)
    return [
        Row(f"learning: measure {name}", f"{took:.1f} ms", f"under {MOST:g} ms", took < MOST, "")
        for name, took in json.loads(done.stdout).items()
    ]


def measured() -> dict[str, float]:
    """Milliseconds by game and library."""
    import numpy as np

    from perfectplay.evals.policies.positions import positions_of
    from perfectplay.learning.jax_measure import jax_measure

    found = {}
    for name in pp.names():
        legal = positions_of(name).legal
        chances = (legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)).astype(np.float32)
        measures: dict[str, Callable[[Any], Any]] = {
            "NumPy": partial(pp.measure_policy, name),
            "JAX": jax_measure(name),
        }
        for library, measure in measures.items():
            times = []
            for _ in range(ROUNDS + 1):  # the first compiles, or fills caches
                start = process_time()
                measure(chances)
                times.append(1000 * (process_time() - start))
            found[f"{name} in {library}"] = median(times[1:])
    return found


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    sys.stdout.write(json.dumps(measured()))
