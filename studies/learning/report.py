"""The table and the pictures of the study, made from one file of results."""

import json
import re
from math import ceil, floor
from pathlib import Path
from statistics import median
from typing import Any

from perfectplay.output import write_whole
from studies.learning.cells import CELLS, LEARNERS, Cell
from tools.curves import BandPoint, draw_curves

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.json")
PAGE = ROOT / "docs" / "studies" / "learning-curves.md"
DEFAULTS = ("bit-flip", "dual-direction", "inversion-race", "mirror-match", "race-to-the-center")


def gather(folder: Path) -> None:
    """Gather the results of all cells in one file, and write what is made from it.

    A cell that is not in the folder keeps the results that were gathered before.
    """
    cells = {Cell(each["learner"], each["game"]): each for each in json.loads(RESULTS.read_text("utf-8"))}
    for cell in CELLS:
        if (path := folder / f"{cell.name}.json").is_file():
            cells[cell] = json.loads(path.read_text())
    found = [cells[cell] for cell in CELLS if cell in cells]
    lines = ",\n".join(json.dumps(each) for each in found)
    write_whole(RESULTS, f"[\n{lines}\n]\n")
    write_whole(PAGE, page(PAGE.read_text(), found))
    for game in DEFAULTS:
        write_whole(PAGE.with_name(f"learning-{game}.svg"), picture(game, found))


def compare(folder: Path, published: list[dict[str, Any]]) -> dict[str, bool]:
    """Whether all seeds of the cells in a folder end within the published band, as lines to read."""
    found = {}
    for each in published:
        path = folder / f"{Cell(each['learner'], each['game']).name}.json"
        if path.is_file():
            low, high = band(each["final"])
            again = json.loads(path.read_text())["final"]
            ends = ", ".join(f"{share:.3f}" for share in again)
            line = f"{each['learner']} {each['game']}: {ends}; published {low:.2f} to {high:.2f}"
            found[line] = all(low <= share <= high for share in again)
    return found


def page(text: str, results: list[dict[str, Any]]) -> str:
    """The page with the table of these results between its marks."""
    return re.sub(
        r"(<!-- results -->\n).*?(<!-- end -->)",
        lambda marks: f"{marks[1]}{table(results)}{marks[2]}",
        text,
        flags=re.DOTALL,
    )


def band(values: list[float]) -> tuple[float, float]:
    """The lowest and the highest of all seeds, rounded outwards."""
    return floor(min(values) * 100) / 100, ceil(max(values) * 100) / 100


def table(results: list[dict[str, Any]]) -> str:
    """One row for each cell: the corrected share at the end, and the worst case of the median seed.

    The last line has the machines.
    """
    rows = [
        "| game | learner | moves seen | corrected: median | all seeds | worst case by seat |",
        "|---|---|---|---|---|---|",
    ]
    for each in results:
        low, high = band(each["final"])
        order = sorted(range(each["seeds"]), key=lambda number: each["final"][number])
        worst = each["worst"][order[each["seeds"] // 2]]
        points = "-" if worst is None else " and ".join(f"{seat:.3f}" for seat in worst)
        moves = each["moves"] * each["updates"][-1]
        rows.append(
            f"| `{each['game']}` | {LEARNERS[each['learner']]} | {moves:,} | {median(each['final']):.3f}"
            f" | {low:.2f} to {high:.2f} | {points} |"
        )
    machines = {
        name: " and ".join(sorted({each["machine"] for each in results if each["learner"] == learner}))
        for learner, name in LEARNERS.items()
    }
    where = "; ".join(f"{name} on {found}" for name, found in machines.items())
    return "\n".join(rows) + f"\n\nTrained on these machines: {where}.\n"


def picture(game: str, results: list[dict[str, Any]]) -> str:
    """The curves of all learners of one game: the median of the seeds, and all of them as the band."""
    lines: dict[str, list[BandPoint]] = {}
    where = "over all positions"
    for each in results:
        if each["game"] == game:
            share = each["updates"][-1]
            if each["worst"][0] is None:  # no table can hold the game
                where = "over positions within six plies of the start"
            lines[LEARNERS[each["learner"]]] = [
                (100 * update / share, median(row), *band(row))
                for update, row in zip(each["updates"], each["corrected"], strict=True)
            ]
    title = f"{game}: corrected share of decisions kept, {where}"
    return draw_curves(title, lines, across="percent of the training", up=title, least=0, most=1)
