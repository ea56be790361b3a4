"""How many bytes a step of many games moves, and how that compares with plain copying."""

import os
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from bench import BenchRow
from bench.peers import REPORTED, TIC_TAC_TOE, Run, best_seconds
from bench.peers.batched import HANDED_IN, LARGE, RANDOM_PLAY, TABLES_ONLY
from perfectplay.simulate import BatchedGame
from perfectplay.simulate.batch import BLOCK

SIZES = {"L2": 1 << 18, "L3": 1 << 22, "memory": 1 << 28}
"""Sizes of the copied buffers; on most machines, two of them fit into the memory named."""
COPIED = 1 << 24
"""The fewest bytes that a run copies."""
ROUNDS = 10
GAMES = 1 << 15
"""How many games are stepped to count bytes: one block, processed by one thread."""
STEPS = 64
RANDOM_BITS = 2 + 2 + 4
"""Bytes for the random bits of one choice: drawn as 16 bits, then read and written as a 32-bit number."""


def rows(rates: dict[str, float]) -> list[BenchRow]:
    """The copy bandwidth, and the share of it that our steps reach; `rates` is their speed."""
    copying = bandwidths()
    told = ", ".join(f"{value / 1e9:.0f} in {name}" for name, value in copying.items())
    measured = f"{copying['memory'] / 1e9:.0f} GB/s"
    found = [BenchRow("copying speed of one core", measured, REPORTED, True, f"GB/s: {told}")]
    for what, counted in bytes_per_step().items():
        rate = counted * rates[what] / min(os.cpu_count() or 1, LARGE // BLOCK)
        shares = ", ".join(f"{rate / copying[name]:.0%} of {name}" for name in ("L2", "memory"))
        figures = f"{rate / 1e9:.0f} GB/s a core: {shares}"
        found.append(BenchRow(f"bytes per step: {what}", f"{counted:.0f}", REPORTED, True, figures))
    return found


def bytes_per_step() -> dict[str, float]:
    """Bytes that one step of one game reads and writes: positions, indices, table rows and output."""
    batch: BatchedGame[Any] = BatchedGame(TIC_TAC_TOE, GAMES)
    actions = batch.random_actions()
    kernel: Any = batch.kernel
    for holder in (kernel, kernel.legal):
        for name, array in list(vars(holder).items()):
            if isinstance(array, np.ndarray):
                setattr(holder, name, array.view(Counted))
    start = kernel.start
    kernel.start = lambda size: tuple(array.view(Counted) for array in start(size))
    batch.reset()
    return {
        # The actions are read once more to check their range.
        HANDED_IN: actions.itemsize + _count_moved(lambda: batch.step(actions)) / GAMES,
        RANDOM_PLAY: RANDOM_BITS + _count_moved(batch.step_random) / GAMES,
        TABLES_ONLY: RANDOM_BITS + _count_moved(lambda: batch.play_random(STEPS)) / GAMES / STEPS,
    }


def _count_moved(work: Callable[[], object]) -> int:
    before = Counted.moved
    work()
    return Counted.moved - before


def bandwidths() -> dict[str, float]:
    """Bytes read and written per second by copying buffers of several sizes."""
    runs: dict[str, Run] = {}
    for name, size in SIZES.items():
        runs[name] = partial(_copying, np.ones(size, np.uint8), np.zeros(size, np.uint8))
    best = best_seconds(runs, ROUNDS)
    return {name: 2 * SIZES[name] / seconds for name, seconds in best.items()}


def _copying(source: Any, target: Any) -> float:
    calls: int = max(1, COPIED // source.nbytes)
    began = perf_counter()
    for _ in range(calls):
        np.copyto(target, source)
    return (perf_counter() - began) / calls


class Counted(np.ndarray[Any, np.dtype[Any]]):
    """An array that counts the bytes that operations on it read and write."""

    moved: ClassVar[int] = 0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if options.get("out") is not None:
            options["out"] = tuple(_plain(each) for each in options["out"])
        result = getattr(ufunc, method)(*map(_plain, inputs), **options)
        return _count(*inputs, result)

    def take(self, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
        result = _plain(self).take(_plain(indices), axis, _plain(out), mode)
        if indices.dtype != np.intp:
            _count(*[np.broadcast_to(np.intp(0), indices.shape)] * 2)  # NumPy makes a copy in that type
        return _count(indices, result, result)


def _plain(array: Any) -> Any:
    return array.view(np.ndarray) if isinstance(array, Counted) else array


def _count(*arrays: Any) -> Any:
    """Count the bytes of some arrays, and return the last as an array that keeps counting."""
    Counted.moved += sum(each.nbytes for each in arrays if isinstance(each, np.ndarray))
    return arrays[-1].view(Counted) if isinstance(arrays[-1], np.ndarray) else arrays[-1]
