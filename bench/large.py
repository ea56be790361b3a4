"""Large games, solved by their rules on arrays, and a plain game file: `make bench-solve`."""

import os
import subprocess
import sys
from pathlib import Path

from bench import Row, report

CONNECT_FOUR = Path(__file__).resolve().parents[1] / "examples" / "connect_four.py"
FIVE = 69_763_700
"""Positions of Connect Four on 5 x 5, as John Tromp counted them."""
FIBONACCI = 39_088_169
"""Positions of Bit Flip with 36 bits: rows without two neighbors that are both 1."""
ARRAYS = """
import resource, sys, time
import perfectplay as pp
from perfectplay.solver.tablebase.oracle import solve_arrays
game = pp.load(sys.argv[1])
start = time.perf_counter()
oracle = solve_arrays(game, limit=10**10, memory=10**12)
seconds = time.perf_counter() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(seconds, memory, oracle.counts["positions"], oracle.value(game.initial()).kind)
"""
THEORY = """
import sys
import numpy as np
import perfectplay as pp
from perfectplay.games.bit_flip.theory import grundy
from perfectplay.solver.tablebase.engine import Engine, MemoryStore
from perfectplay.solver.tablebase.worth import WIN
game = pp.load(f"bit-flip:bits={sys.argv[1]}")
store = MemoryStore()
rules = game.array_rules()
rules.images = lambda xp, codes: ()  # every position is compared, not one of two mirror images
engine = Engine(rules, store)
values = np.array([grundy(length) for length in range(game.bits + 1)], np.uint8)
wrong = 0
for ply in range(engine.solve(game.initial())):
    for start in range(0, len(store.get("codes", ply)), 1 << 18):
        codes, found = (store.get(name, ply)[start : start + (1 << 18)] for name in ("codes", "values"))
        closed = codes | codes << 1 | codes >> 1
        run, total = np.zeros(len(codes), np.uint8), np.zeros(len(codes), np.uint8)
        for bit in range(game.bits):
            free = closed >> bit & 1 == 0
            total ^= np.where(free, 0, values[run])
            run = np.where(free, run + 1, 0).astype(np.uint8)
        total ^= values[run]
        wrong += int(((found >= WIN) != (total != 0)).sum())
print(engine.positions, engine.stored, wrong)
"""
PLAIN = """
import resource, sys, time
import perfectplay as pp
game = pp.load(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
from perfectplay.solver.graph import explore
from perfectplay.solver.retrograde import retrograde
solution = retrograde(explore(game, processes=int(sys.argv[2])))
seconds, count = time.perf_counter() - start, len(solution.graph.states)
used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
print(seconds, used / count, count)
"""


def rows() -> list[Row]:
    return [*_plain_rows(), *_five_rows(), _theory_row()]


def _plain_rows() -> list[Row]:
    """Reported: the version before has to be measured on the same machine, at the same time."""
    found = []
    for processes in (1, os.cpu_count() or 1):
        seconds, used, count = map(float, _run(PLAIN, f"{CONNECT_FOUR}:columns=4,rows=5", str(processes)))
        what = f"Connect Four 4 x 5, plain rules, processes: {processes}"
        found.append(Row(what, f"{count / seconds:,.0f} positions/s", "reported", True, f"{seconds:.1f} s"))
    found.append(
        Row("its memory", f"{used:.0f} bytes/position", "at most 120", used <= 120, f"{count:,.0f} positions")
    )
    return found


def _five_rows() -> list[Row]:
    seconds, memory, count, kind = _run(ARRAYS, f"{CONNECT_FOUR}:columns=5,rows=5")
    if (int(count), kind) != (FIVE, "tie"):
        raise RuntimeError(
            f"Connect Four 5 x 5 is a tie of {FIVE:,} positions, not a {kind} of {int(count):,}"
        )
    rate, megabytes = FIVE / float(seconds), float(memory)
    return [
        Row(
            "Connect Four 5 x 5, rules on arrays",
            f"{rate / 1e6:.1f}M positions/s",
            "at least 1M",
            rate >= 1e6,
            f"{float(seconds):.1f} s",
        ),
        Row(
            "its memory", f"{megabytes:,.0f} MB", "at most 3,000 MB", megabytes <= 3000, f"{FIVE:,} positions"
        ),
    ]


def _theory_row() -> Row:
    positions, stored, wrong = map(int, _run(THEORY, "36"))
    right = (positions, wrong) == (FIBONACCI, 0)
    what = "Bit Flip with 36 bits: values unlike the theory's"
    return Row(what, str(wrong), "none", right, f"{positions:,} positions, {stored:,} stored")


def _run(code: str, *arguments: str) -> list[str]:
    """In a process of its own, so that its memory can be measured."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


if __name__ == "__main__":
    sys.exit(report(rows()))
