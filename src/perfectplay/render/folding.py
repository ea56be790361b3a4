"""Where the cells of a board are, and how long rows are folded into bands."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from perfectplay.core.view import Cell, View

MOST_BANDS = 12

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class Room(NamedTuple):
    """The room for a board, and how large its cells may be."""

    left: float
    top: float
    right: float
    bottom: float | None
    """None for as much as the board needs; otherwise it is centered."""
    widest: float
    roomy: float
    """A row is folded into bands only if its cells would otherwise be smaller than this."""


class BoardLayout(NamedTuple):
    """Where the cells are, the rails under them, and where the board ends."""

    cells: list[Box]
    rails: list[Box]
    bottom: float


def fold(rows: Sequence[tuple[Cell, ...]], columns: int) -> list[tuple[Cell, ...]]:
    """Rows in bands of at most `columns` cells. An empty row is one empty band."""
    return [row[start : start + columns] for row in rows for start in range(0, len(row) or 1, columns)]


def lay_out(view: View, room: Room) -> BoardLayout:
    """Where everything is. A row that is too long is folded into bands."""
    width = room.right - room.left - 24
    longest = max([1, *(len(row) for row in view.rows)])
    head = 1.0 if view.links else 0.55 if any(cell.role.endswith("goal") for cell in view.cells) else 0.1
    sizes = []
    for folds in range(1, MOST_BANDS + 1):
        across = ceil(longest / folds)
        pitch = min(room.widest, width / across)
        if room.bottom is not None:
            rows = max(1, sum(max(1, ceil(len(row) / across)) for row in view.rows))
            pitch = min(pitch, (room.bottom - room.top) / (rows * (1.35 + head)))
        sizes.append((pitch, -folds))
    # As few bands as possible, as long as the cells are large enough.
    pitch, folds = next((each for each in sizes if each[0] >= room.roomy), max(sizes))
    columns, gap = ceil(longest / -folds), pitch * 0.08
    bands = fold(view.rows, columns)
    tall = pitch * (1.35 + head)
    y = room.top
    if room.bottom is not None:
        y += (room.bottom - room.top - tall * len(bands)) / 2
    cells: list[Box] = []
    rails: list[Box] = []
    for band in bands:
        x = room.left + (room.right - room.left - pitch * columns) / 2
        upper = y + pitch * head
        cells += [
            (x + pitch * i + gap / 2, upper, x + pitch * (i + 1) - gap / 2, upper + pitch - gap)
            for i in range(len(band))
        ]
        rails.append((x - 12, upper - 10, x + pitch * max(1, len(band)) + 12, upper + pitch - gap + 10))
        y += tall
    return BoardLayout(cells, rails, y)
