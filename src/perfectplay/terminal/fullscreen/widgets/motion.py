"""What moves on the board for a moment: a piece that slides along its track."""

from time import monotonic
from typing import NamedTuple

from perfectplay.core.view import View, compare_cells
from perfectplay.terminal.fullscreen.widgets.layout import Item

SLIDE = 0.18
"""Seconds that a piece takes from its cell to the next."""
FRAME = 1 / 30


class Slide(NamedTuple):
    """A piece on its way from one cell to another."""

    piece: str
    start: int
    end: int
    since: float

    @property
    def is_over(self) -> bool:
        """Whether the piece has arrived."""
        return monotonic() - self.since >= SLIDE

    def place(self, start: Item, end: Item) -> tuple[int, int]:
        """The column and the line of the piece now, between its two cells."""
        part = min(1.0, (monotonic() - self.since) / SLIDE)
        from_x, to_x = (item.x + (item.width - len(self.piece)) // 2 for item in (start, end))
        return round(from_x + (to_x - from_x) * part), start.y + start.height // 2


def slide(before: View, after: View) -> Slide | None:
    """The piece that a move took from one cell to another; None if it did anything else."""
    changed = compare_cells(before, after)
    if len(changed) != 2:
        return None
    for start, end in (changed, changed[::-1]):
        left = set(before.cells[start].pieces) - set(after.cells[start].pieces)
        came = set(after.cells[end].pieces) - set(before.cells[end].pieces)
        if len(left) == 1 and left == came:
            return Slide(left.pop(), start, end, monotonic())
    return None
