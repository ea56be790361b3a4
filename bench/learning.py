"""What the exact measure of a policy costs after every update, on one core: in NumPy, and in JAX."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import perfectplay as pp
from bench import BenchRow

MOST, MOST_TIC_TAC_TOE = 50.0, 5.0
"""Milliseconds of processor time for each of the five games, and for tic-tac-toe in JAX."""
TIC_TAC_TOE = "tic-tac-toe"
EXAMPLE = str(Path(__file__).resolve().parents[1] / "examples" / "tic_tac_toe.py")
ROUNDS = 20


def rows() -> list[BenchRow]:
    # In a process of its own, because libraries count the cores when they are loaded.
    done = subprocess.run([sys.executable, "-m", "bench.learning"], stdout=subprocess.PIPE, check=True)
    found = []
    for name, took in json.loads(done.stdout).items():
        most = MOST_TIC_TAC_TOE if name.startswith(TIC_TAC_TOE) else MOST
        found.append(
            BenchRow(f"learning: measure {name}", f"{took:.1f} ms", f"under {most:g} ms", took < most, "")
        )
    return found


def measure_all() -> dict[str, float]:
    """Milliseconds by game and library."""
    import numpy as np

    from perfectplay.evals.policies.positions import positions_of
    from perfectplay.learning.jax_measure import jax_measure

    found = {}
    for name, spec in {**{name: name for name in pp.names()}, TIC_TAC_TOE: EXAMPLE}.items():
        legal = positions_of(spec).legal
        chances = (legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)).astype(np.float32)
        measures: dict[str, Callable[[Any], Any]] = {"JAX": jax_measure(spec)}
        if name != TIC_TAC_TOE:
            measures["NumPy"] = partial(pp.measure_policy, spec)
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
    sys.stdout.write(json.dumps(measure_all()))
