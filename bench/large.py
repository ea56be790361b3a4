"""Large games, solved by their rules on arrays: `make bench-solve`.

With `--on jax`, what needs an accelerator with 60 GiB: `python -m bench.large --on jax`.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from bench import BenchRow, report

CONNECT_FOUR = Path(__file__).resolve().parents[1] / "examples" / "connect_four.py"
FIVE = 69_763_700
"""Positions of Connect Four on 5 x 5, as John Tromp counted them."""
SIX = 2_818_972_642
"""Those on 6 x 5."""
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
from perfectplay.solver.tablebase.engine import Engine
from perfectplay.solver.tablebase.files import MemoryStore
from perfectplay.solver.tablebase.worth import WIN
game = pp.load(f"bit-flip:bits={sys.argv[1]}")
store = MemoryStore()
rules = game.array_rules()
values = np.array([grundy(length) for length in range(game.bits + 1)], np.uint8)
def count_wrong(xp, codes, found):
    closed = codes | codes << 1 | codes >> 1
    run, total = xp.zeros(len(codes), xp.uint8), xp.zeros(len(codes), xp.uint8)
    for bit in range(game.bits):
        free = closed >> bit & 1 == 0
        total = xp.where(free, total, total ^ xp.asarray(values)[run])
        run = xp.where(free, run + 1, 0).astype(xp.uint8)
    total = total ^ xp.asarray(values)[run]
    return ((found >= WIN) != (total != 0)).sum()
if sys.argv[2] == "jax":
    import jax
    from perfectplay.solver.tablebase.jax_engine import JaxEngine as Engine
    jax.config.update("jax_enable_x64", True)
    size, compare_block = 1 << 22, jax.jit(lambda *block: count_wrong(jax.numpy, *block))
else:
    rules.images = lambda xp, codes: ()  # every position is compared, not one of two mirror images
    size, compare_block = 1 << 18, lambda *block: count_wrong(np, *block)
engine = Engine(rules, store)
wrong = 0
for ply in range(engine.solve(game.initial())):
    for start in range(0, len(store.get("codes", ply)), size):
        codes, found = (store.get(name, ply)[start : start + size] for name in ("codes", "values"))
        whole = len(codes) == size  # JAX compiles for each length
        wrong += int(compare_block(codes, found) if whole else count_wrong(np, codes, found))
print(engine.positions, engine.stored, wrong)
"""
TWICE = """
import sys, time
import perfectplay as pp
from perfectplay.solver.tablebase.files import MemoryStore
from perfectplay.solver.tablebase.jax_engine import JaxEngine
from perfectplay.solver.tablebase.worth import value_of
game = pp.load(sys.argv[1])
for run in range(2):
    store = MemoryStore()
    engine = JaxEngine(game.array_rules(), store)
    start = time.perf_counter()
    engine.solve(game.initial())
    seconds = time.perf_counter() - start
    print(seconds, engine.positions, value_of(int(store.get("values", 0)[0])).kind)
"""


def rows() -> list[BenchRow]:
    return [*_five_rows(), _theory_row(36, _rows_of(36))]


def jax_rows(columns: int, bits: int) -> list[BenchRow]:
    """Connect Four with five rows, twice in a process, and Bit Flip, with JAX. Bounds are for the largest."""
    game, wanted = f"{CONNECT_FOUR}:columns={columns},rows=5", {4: 1_706_255, 5: FIVE, 6: SIX}[columns]
    answers = _run(TWICE, game)
    for count, kind in (answers[1:3], answers[4:6]):
        if (int(count), kind) != (wanted, "tie"):
            raise RuntimeError(f"{game} is a tie of {wanted:,} positions, not a {kind} of {int(count):,}")
    found = []
    for run, seconds in zip(("first", "second"), map(float, answers[::3]), strict=True):
        rate, bound = wanted / seconds, run == "second" and columns == 6
        what = f"Connect Four {columns} x 5, JAX, {run} run"
        required = "at least 150M" if bound else "reported"
        right = not bound or rate >= 150e6
        found.append(BenchRow(what, f"{rate / 1e6:.1f}M positions/s", required, right, f"{seconds:.2f} s"))
    return [*found, _theory_row(bits, _rows_of(bits), "jax")]


def _five_rows() -> list[BenchRow]:
    seconds, memory, count, kind = _run(ARRAYS, f"{CONNECT_FOUR}:columns=5,rows=5")
    if (int(count), kind) != (FIVE, "tie"):
        raise RuntimeError(
            f"Connect Four 5 x 5 is a tie of {FIVE:,} positions, not a {kind} of {int(count):,}"
        )
    rate, megabytes = FIVE / float(seconds), float(memory)
    return [
        BenchRow(
            "Connect Four 5 x 5, rules on arrays",
            f"{rate / 1e6:.1f}M positions/s",
            "at least 1M",
            rate >= 1e6,
            f"{float(seconds):.1f} s",
        ),
        BenchRow(
            "its memory", f"{megabytes:,.0f} MB", "at most 3,000 MB", megabytes <= 3000, f"{FIVE:,} positions"
        ),
    ]


def _theory_row(bits: int, wanted: int, on: str = "numpy") -> BenchRow:
    positions, stored, wrong = map(int, _run(THEORY, str(bits), on))
    right = (positions, wrong) == (wanted, 0)
    what = f"Bit Flip with {bits} bits: values unlike the theory's"
    return BenchRow(what, str(wrong), "none", right, f"{positions:,} positions, {stored:,} stored")


def _rows_of(bits: int) -> int:
    """Positions of Bit Flip: rows without two neighbors that are both 1, a Fibonacci number."""
    ending_in_one, all_of_them = 0, 1
    for _ in range(bits):
        ending_in_one, all_of_them = all_of_them - ending_in_one, 2 * all_of_them - ending_in_one
    return all_of_them


def _run(code: str, *arguments: str) -> list[str]:
    """In a process of its own, so that its memory can be measured."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.large", description=__doc__)
    parser.add_argument("--on", choices=("numpy", "jax"), default="numpy")
    parser.add_argument("--columns", type=int, choices=(4, 5, 6), default=6, help="of Connect Four, with JAX")
    parser.add_argument("--bits", type=int, default=45, help="of Bit Flip, with JAX")
    options = parser.parse_args()
    return report(jax_rows(options.columns, options.bits) if options.on == "jax" else rows())


if __name__ == "__main__":
    sys.exit(main())
