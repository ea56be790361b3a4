"""Exact answers, compared with a peer's solvers and with fixed limits on this machine."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import perfectplay as pp
from bench import BenchRow
from bench.startup import until_prompt

ROUNDS = 5
TIC_TAC_TOE = Path(__file__).resolve().parents[1] / "examples" / "tic_tac_toe.py"
PERFECT_AT_MOST = 1.5
BIG = """
import resource, time
import perfectplay as pp
start = time.perf_counter()
oracle = pp.solve(pp.load("bit-flip:bits=26"), exact_distance=True)
assert oracle.counts["positions"] == 317811
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def rows() -> list[BenchRow]:
    return [*_peer_rows(), *_big_rows(), _long_row(), _perfect_row()]


def _peer_rows() -> list[BenchRow]:
    """The tic-tac-toe file of the docs, solved with distances, against OpenSpiel's own game."""
    import pyspiel
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver
    from open_spiel.python.algorithms.value_iteration import value_iteration

    game, peer = pp.load(str(TIC_TAC_TOE)), pyspiel.load_game("tic_tac_toe")
    if pp.solve(game).value(game.initial()) != pp.Value("tie", 9):
        raise RuntimeError("tic-tac-toe is not solved as a tie")
    rivals: dict[str, tuple[float, Callable[[], object]]] = {
        "value_iteration": (6, lambda: value_iteration(peer, -1, 0.01, cyclic_game=True)),
        "MinimaxSolver": (1.5, lambda: MinimaxSolver("tic_tac_toe").solve()),
    }
    ours = []
    theirs: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(ROUNDS):
        ours.append(_seconds(lambda: pp.solve(game)))
        for name, (_, run) in rivals.items():
            theirs[name].append(_seconds(run))
    found = []
    for name, (least, _) in rivals.items():
        ratio = min(theirs[name]) / min(ours)
        figures = f"{min(ours) * 1000:.0f} ms / {min(theirs[name]) * 1000:.0f} ms"
        found.append(
            BenchRow(
                f"solving tic-tac-toe, against OpenSpiel's {name}",
                f"{ratio:.1f}x",
                f"at least {least:g}x",
                ratio >= least,
                figures,
            )
        )
    return found


def _big_rows() -> list[BenchRow]:
    """Run in a separate process, so that its memory can be measured."""
    said = subprocess.run([sys.executable, "-c", BIG], capture_output=True, text=True, check=True).stdout
    seconds, megabytes = map(float, said.split())
    what = "solving bit-flip with 26 bits"
    return [
        BenchRow(what, f"{seconds:.1f} s", "under 4 s", seconds < 4, "317,811 positions"),
        BenchRow(f"memory for {what}", f"{megabytes:.0f} MB", "under 250 MB", megabytes < 250, ""),
    ]


def _long_row() -> BenchRow:
    game = pp.load("bit-flip:bits=1000000")
    state = game.initial()

    def answer() -> None:
        oracle = pp.solve(game)
        oracle.value(state)
        oracle.best(state)

    seconds = min(_seconds(answer) for _ in range(3))
    what = "value and best flips of bit-flip with 1,000,000 bits"
    return BenchRow(what, f"{seconds:.2f} s", "under 1 s", seconds < 1, "")


def _perfect_row() -> BenchRow:
    """The game in which `perfect` delays the first prompt the most, compared with `random`."""
    specs = [*pp.names(), "bit-flip:bits=1000"]
    best: dict[tuple[str, str], float] = {}
    with TemporaryDirectory() as home:
        environment = {**os.environ, "PERFECTPLAY_HOME": home}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(2 * ROUNDS):
            for spec in specs:
                for player in ("random", "perfect"):
                    seconds = until_prompt(spec, environment, "--p2", player)
                    best[spec, player] = min(seconds, best.get((spec, player), seconds))
    worst = max(specs, key=lambda spec: best[spec, "perfect"] / best[spec, "random"])
    ours, theirs = best[worst, "perfect"], best[worst, "random"]
    figures = f"{ours * 1000:.0f} ms / {theirs * 1000:.0f} ms"
    ratio = ours / theirs
    what = f"first prompt of {worst} with a perfect opponent, against a random one"
    return BenchRow(what, f"{ratio:.2f}x", f"at most {PERFECT_AT_MOST:g}x", ratio <= PERFECT_AT_MOST, figures)


def _seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start
