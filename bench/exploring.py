"""Exploring a plain game file, against a list and a dict of objects, as before positions were packed."""

import subprocess
import sys
from array import array
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter, process_time

import perfectplay as pp
from bench import BenchRow
from perfectplay.solver.graph import explore
from perfectplay.solver.retrograde import retrograde

GAME = f"{Path(__file__).resolve().parents[1] / 'examples' / 'connect_four.py'}:columns=4,rows=5"
POSITIONS, MOVES = 1_706_255, 3_175_616
ROUNDS = 2
OBJECTS = 0
"""Stands for the yardstick, where others are numbers of processes."""


def rows() -> list[BenchRow]:
    best: dict[int, tuple[float, ...]] = {}
    for _ in range(ROUNDS):
        for processes in (OBJECTS, 1, 2):
            run = _run(processes)
            best[processes] = tuple(map(min, run, best.get(processes, run)))
    return [
        _row("one process", "processor time", best[OBJECTS][0] / best[1][0], 1, best[1][0]),
        _row("two processes", "by the clock", best[OBJECTS][1] / best[2][1], 1.5, best[2][1]),
        BenchRow(
            "solving it, memory",
            f"{best[1][2]:.0f} bytes/position",
            "at most 120",
            best[1][2] <= 120,
            f"{POSITIONS:,} positions",
        ),
    ]


def _row(how: str, clock: str, ratio: float, least: float, seconds: float) -> BenchRow:
    what = f"exploring Connect Four 4 x 5 as a plain file, {how}, against objects"
    figures = f"{POSITIONS / seconds:,.0f} positions/s, {clock}"
    return BenchRow(what, f"{ratio:.2f}x", f"at least {least:g}x", ratio >= least, figures)


def _run(processes: int) -> list[float]:
    """In a process of its own, so that its memory can be measured."""
    command = [sys.executable, "-m", __name__, str(processes)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return list(map(float, said.split()))


def objects(game: pp.Game[object]) -> tuple[int, int]:
    """How many positions and moves a game has: the yardstick."""
    states = [game.initial()]
    index = {states[0]: 0}
    offsets, actions, targets = array("q", [0]), array("l"), array("l")
    legal_actions, apply = game.legal_actions, game.apply
    for here, state in enumerate(states):  # grows during the loop
        for action in legal_actions(state):
            after = apply(state, action)
            number = index.get(after)
            if number is None:
                number = index[after] = len(states)
                states.append(after)
            elif number <= here:
                raise RuntimeError("Connect Four has no loops")
            actions.append(action)
            targets.append(number)
        offsets.append(len(targets))
    return len(states), len(targets)


def main(processes: int) -> None:
    """Print the seconds of this process, those by the clock, and bytes for each position."""
    game = pp.load(GAME)
    before, own, start = getrusage(RUSAGE_SELF).ru_maxrss, process_time(), perf_counter()
    if processes == OBJECTS:
        counts = objects(game)
    else:
        graph = explore(game, processes=processes)
        counts = len(graph.states), graph.edges
    seconds = process_time() - own, perf_counter() - start
    if processes == 1:
        retrograde(graph)
    if counts != (POSITIONS, MOVES):
        raise RuntimeError(f"{GAME} has {POSITIONS:,} positions and {MOVES:,} moves, not {counts}")
    used = (getrusage(RUSAGE_SELF).ru_maxrss - before) * 1024 / POSITIONS
    sys.stdout.write(f"{seconds[0]} {seconds[1]} {used}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
