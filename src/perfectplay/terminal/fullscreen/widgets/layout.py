"""Where the cells and buttons of a view go on a screen of characters. Draws nothing itself."""

import os.path
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from perfectplay.core.game import Action
from perfectplay.core.view import Control, View
from perfectplay.render.folding import fold

SIZES = (
    (21, 9), (17, 7), (15, 7), (13, 5), (11, 5), (9, 5), (9, 3), (7, 3), (5, 3), (4, 3), (3, 3),
    (5, 1), (4, 1), (3, 1),
)  # fmt: skip
"""Sizes to try for the inside of a cell, columns and lines, largest first."""
NARROWEST = 3
WIDEST_FOLDED = 9
"""The most columns inside a cell of a row that is folded."""
GROWS_TO = 8
"""Cells that a row has room for from the start, where moves add cells to it."""


class Item(NamedTuple):
    """A cell or a button, and the rectangle of characters that it covers."""

    x: int
    y: int
    width: int
    height: int
    action: Action | None
    """The move that choosing it makes."""
    forbidden: Action | None = None
    """The illegal move that it stands for, if it is not legal."""
    cell: int | None = None
    """The number of the cell, counted through all rows; None for a button."""
    label: str = ""

    @property
    def is_choice(self) -> bool:
        """Whether it can be chosen, if only to be told which rule forbids it."""
        return self.action is not None or self.forbidden is not None


class Heading(NamedTuple):
    """The name of a group of buttons, at the start of a line."""

    y: int
    text: str


class Layout(NamedTuple):
    """The items of a view in the order in which they are counted, and the size that they need."""

    items: tuple[Item, ...]
    headings: tuple[Heading, ...]
    width: int
    height: int
    inside: tuple[int, int] = (0, 0)
    """The columns and lines inside a cell."""

    def at(self, x: int, y: int) -> Item | None:
        """The item at a place on the screen."""
        return next((i for i in self.items if i.x <= x < i.x + i.width and i.y <= y < i.y + i.height), None)

    def lines(self) -> list[list[Item]]:
        """The items on each line, from left to right."""
        found: list[list[Item]] = [[] for _ in range(self.height)]
        for item in self.items:
            for y in range(item.y, item.y + item.height):
                found[y].append(item)
        return found


def nearest(choices: Sequence[Item], start: Item | None, dx: int, dy: int) -> Item | None:
    """The next of some items from one of them in a direction; None if there is none that way.

    Sideways it goes on in reading order, across the ends of lines.
    """
    if start is None:
        return choices[0 if dx > 0 or dy > 0 else -1] if choices else None
    if dx:
        place = (start.y, start.x)
        if dx > 0:
            return next((item for item in choices if (item.y, item.x) > place), None)
        return next((item for item in reversed(choices) if (item.y, item.x) < place), None)
    away = [item for item in choices if (item.y - start.y) * dy > 0]
    return min(away, key=lambda item: (abs(item.y - start.y), abs(item.x - start.x)), default=None)


def arrange(
    view: View, width: int, height: int, *, note: int = 0, at_most: tuple[int, int] | None = None
) -> Layout:
    """Arrange a view in the largest size that fits; rows too wide for any are folded into bands.

    `note` is the most characters that are written beside a move, such as its value. Cells become no
    larger than `at_most`, so that a board keeps its size while the game goes on.
    """
    # The fewest columns inside a cell: for its label and a mark, and for one piece of each side at once.
    both = [max(pieces, key=cell_len, default="") for pieces in view.sides]
    contents = [join_pieces(pieces) for pieces in (both, *(cell.pieces for cell in view.cells))]
    labels = (len(cell.label) + 1 for cell in view.cells)
    least = max(note, NARROWEST, *(cell_len("".join(pieces)) for pieces in contents), *labels)
    on_board = {cell.action for cell in view.cells if cell.action is not None}
    buttons = [control for control in view.controls if control.action not in on_board]
    grows = any(control.adds is not None for control in view.controls)
    longest = max((len(row) for row in view.rows), default=0)
    wanted = max(longest, GROWS_TO) if grows and GROWS_TO * (least + 2) <= width else longest
    for gap in (1, 0):
        below = _add_buttons([], [], buttons, 0, width, note, gap) + (gap if buttons else 0)
        for inside, lines in SIZES:
            if at_most is not None and (inside > at_most[0] or lines > at_most[1]):
                continue
            fits = wanted * (inside + 2) <= width and len(view.rows) * (lines + 2) + below <= height
            if inside >= least and fits:
                return _place(view, buttons, inside, lines, width, note, gap)
    # Rows in bands of about the same length, in cells as large as the screen allows.
    bands = -(-longest // max(1, width // (least + 2))) or 1
    inside = min(width // -(-longest // bands) - 2, WIDEST_FOLDED) if longest else least
    options = ((lines, gap) for lines in (3, 1) for gap in (1, 0))
    found = [_place(view, buttons, max(inside, least), lines, width, note, gap) for lines, gap in options]
    return next((layout for layout in found if layout.height <= height), found[-1])


def join_pieces(pieces: Sequence[str]) -> tuple[str, ...]:
    """The pieces of one cell in as few characters as say which they are: a shared beginning comes once."""
    shared = os.path.commonprefix(pieces)  # noqa: RUF071 any texts will do
    if shared in pieces:
        return tuple(pieces)
    return tuple(piece if number == 0 else piece[len(shared) :] for number, piece in enumerate(pieces))


def _place(
    view: View, buttons: Sequence[Control], inside: int, lines: int, width: int, note: int, gap: int
) -> Layout:
    items: list[Item] = []
    y = number = 0
    per_band = max(1, width // (inside + 2))
    folded = any(len(row) > per_band for row in view.rows)
    for row in view.rows:
        y += bool(folded and y)  # a blank line, so that it is seen where a row ends
        for band in fold([row], per_band):
            for place, cell in enumerate(band):
                x = place * (inside + 2)
                items.append(
                    Item(x, y, inside + 2, lines + 2, cell.action, cell.forbidden, number, cell.label)
                )
                number += 1
            y += lines + 2
    headings: list[Heading] = []
    height = _add_buttons(items, headings, buttons, y, width, note, gap)
    used = max((item.x + item.width for item in items), default=0)
    return Layout(tuple(items), tuple(headings), used, height, (inside, lines))


def _add_buttons(
    items: list[Item],
    headings: list[Heading],
    buttons: Sequence[Control],
    y: int,
    width: int,
    note: int,
    gap: int,
) -> int:
    """Add the buttons, group by group, `gap` lines below line `y`. Returns how many lines are used in all."""
    groups: dict[str, list[Control]] = {}
    for button in buttons:
        groups.setdefault(button.group, []).append(button)
    indent = max((len(group) + 1 for group in groups if group), default=0)
    if indent > width // 2:
        indent = 0
    for group, members in groups.items():
        if y:
            y += 0 if headings else gap
        headings.append(Heading(y, group))
        x = indent
        if group and not indent:
            y += 1
        for button in members:
            wide = len(button.label) + 2 + (note + 1 if note else 0)
            if x + wide > width and x > indent:
                x, y = indent, y + 1
            items.append(Item(x, y, wide, 1, button.action, label=button.label))
            x += wide
        y += 1
    return y
