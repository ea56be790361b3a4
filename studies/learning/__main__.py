"""Train all learners and draw their exact curves: `python -m studies.learning FOLDER`, or `make
study-learning`.

Each cell (a learner and a game) is written to FOLDER once it is done, so a run that was stopped
continues; a cell continues from its last measurement, one of Q-learning from its last seed. With
--gather, the results are gathered in one file at the end, and the table and the pictures in docs/ are
made from it. With --compare, all seeds must end within the published bands, or the exit code is 1, as in:

    python -m studies.learning FOLDER --compare --seeds 3 --learner ppo --game race-to-the-center
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from perfectplay.output import write_whole
from studies.learning.cells import CELLS, LEARNERS, SPECS, Cell, train
from studies.learning.report import RESULTS, compare, gather


def one(cell: Cell, folder: Path, seeds: int, settings: dict[str, Any]) -> None:
    """Train one cell, and write what came of it."""
    began, checkpoint = time.time(), folder / f"{cell.name}.checkpoint"
    found = train(cell, seeds, checkpoint, **settings)
    policy = found.pop("policy", None)
    if policy is not None:
        write_whole(folder / f"{cell.name}.policy.json", policy)
    found["seconds"] = round(time.time() - began)
    write_whole(folder / f"{cell.name}.json", json.dumps(found) + "\n")
    checkpoint.unlink(missing_ok=True)


def run(cells: list[Cell], folder: Path, processes: int, *options: str) -> bool:
    """Train the cells that are not done yet, several at a time, each in a process of its own.

    Whether all of them succeeded.
    """
    succeeded = True
    waiting = [cell for cell in cells if not (folder / f"{cell.name}.json").is_file()]
    running: list[tuple[Cell, subprocess.Popen[bytes]]] = []
    while waiting or running:
        while waiting and len(running) < processes:
            cell = waiting.pop(0)
            command = [sys.executable, "-m", "studies.learning", str(folder), *options, "--cell", *cell]
            running.append((cell, subprocess.Popen(command)))
        for each in [each for each in running if each[1].poll() is not None]:
            running.remove(each)
            succeeded = succeeded and not each[1].returncode
            problem = f"failed with {each[1].returncode}" if each[1].returncode else "done"
            sys.stdout.write(f"{each[0].learner} {each[0].game}: {problem}\n")
            sys.stdout.flush()
        time.sleep(0.2)
    return succeeded


def positive(text: str) -> int:
    """A number of at least 1."""
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


def settings(text: str) -> dict[str, Any]:
    """Settings as JSON; lists become tuples."""
    given = json.loads(text)
    if not isinstance(given, dict):
        raise ValueError(text)
    return {name: tuple(each) if isinstance(each, list) else each for name, each in given.items()}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m studies.learning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=positive, default=10)
    parser.add_argument("--processes", type=positive, default=1, help="how many cells train at the same time")
    parser.add_argument("--learner", action="append", choices=LEARNERS, help="only this")
    parser.add_argument("--game", action="append", choices=SPECS, metavar="GAME", help="only this")
    parser.add_argument("--gather", action="store_true", help="write the table and the pictures in docs")
    parser.add_argument("--compare", action="store_true", help="compare with the published bands")
    parser.add_argument("--settings", type=settings, default={}, help="other settings, as JSON")
    parser.add_argument("--cell", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    cells = [
        cell
        for cell in CELLS
        if (not options.learner or cell.learner in options.learner)
        and (not options.game or cell.game in options.game)
    ]
    if not cells:
        parser.error("no table can hold this game, so Q-learning cannot learn it")
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.cell:
        one(Cell(*options.cell), options.folder, options.seeds, options.settings)
        return 0
    passed_on = ("--seeds", str(options.seeds), "--settings", json.dumps(options.settings))
    succeeded = run(cells, options.folder, options.processes, *passed_on)
    if options.gather:
        gather(options.folder)
    if options.compare:
        for line, inside in compare(options.folder, json.loads(RESULTS.read_text("utf-8"))).items():
            sys.stdout.write(f"{line}: {'within' if inside else 'OUTSIDE'}\n")
            succeeded = succeeded and inside
    return 0 if succeeded else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # the same command continues
        sys.exit(130)
