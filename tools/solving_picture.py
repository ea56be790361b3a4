"""Draw how long large games take: tools/solving_times.json as docs/solving.svg."""

import json
from math import log10
from pathlib import Path

from tools.curves import draw_curves

TIMES = Path(__file__).with_name("solving_times.json")
PICTURE = TIMES.parents[1] / "docs" / "solving.svg"


def draw() -> str:
    times = json.loads(TIMES.read_text("utf-8"))
    lines = {name: [_at(*point) for point in points] for name, points in times["lines"].items()}
    for name, published in times["published"].items():
        lines |= {name: [_at(*point) for point in published["points"]]}
    title, loose = "Positions and seconds", times["published"]
    return draw_curves(title, lines, across="positions", up="seconds", powers=True, loose=loose)


def _at(_: str, positions: int, seconds: float) -> tuple[float, float, float, float]:
    return log10(positions), log10(seconds), log10(seconds), log10(seconds)


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
