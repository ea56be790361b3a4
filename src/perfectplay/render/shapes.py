"""A View as plain shapes, from which pictures of any format are made: cells, their roles, their pieces."""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from typing import NamedTuple

from perfectplay.core.outcome import Side
from perfectplay.core.view import Cell, View
from perfectplay.render import colors
from perfectplay.render.folding import BoardLayout, Box

Point = tuple[float, float]


class Rounded(NamedTuple):
    """A rectangle with rounded corners."""

    box: Box
    radius: float
    fill: str | None
    edge: str | None = None
    width: float = 2


class Disc(NamedTuple):
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str


class Polygon(NamedTuple):
    """A closed shape with straight edges."""

    points: tuple[Point, ...]
    fill: str | None
    edge: str | None = None
    width: float = 2


class Line(NamedTuple):
    """A straight line from one point to another."""

    start: Point
    end: Point
    color: str
    width: float


class Arc(NamedTuple):
    """A part of the ellipse in a box, between two angles in degrees, clockwise from the right."""

    box: Box
    start: float
    end: float
    color: str
    width: float


class Label(NamedTuple):
    """A short text with its middle at a point."""

    x: float
    y: float
    text: str
    size: float
    color: str


Shape = Rounded | Disc | Polygon | Line | Arc | Label


def board(
    view: View, layout: BoardLayout, owners: Sequence[Side | None] = (), changed: Sequence[int] = ()
) -> Iterator[Shape]:
    """The shapes of a board, those behind others first.

    `owners` has the side that filled each cell, where the view does not say, and `changed` the cells
    that the last move changed.
    """
    if len(view.rows) == 1 and not view.links:
        yield from (Rounded(rail, 18, colors.RAIL) for rail in layout.rails)
    for a, b, matched in view.links:
        yield from _link(layout.cells[a], layout.cells[b], matched)
    for number, (cell, box) in enumerate(zip(view.cells, layout.cells, strict=True)):
        yield from _cell(cell, box, bare=bool(view.links and cell.pieces))
        if number in changed:
            yield Rounded(box, (box[2] - box[0]) * 0.2, None, colors.EDGE, 2)
        yield from _pieces(cell, box, view, owners[number] if number < len(owners) else None)


def _cell(cell: Cell, box: Box, *, bare: bool) -> Iterator[Shape]:
    size = box[2] - box[0]
    middle = (box[0] + box[2]) / 2
    goal = cell.role in ("goal", "later-goal")
    edge, ground = (colors.GLOW, colors.GLOW_SOFT) if cell.owner is None else colors.SIDES[cell.owner]
    if not bare:
        fill = ground if cell.role == "goal" else colors.SHADE if cell.role == "closed" else colors.WELL
        yield Rounded(box, size * 0.2, fill, edge if goal else None, 3)
    if goal:
        yield from _flag(box, edge, cell.role == "later-goal")
    if cell.role == "closed":
        y, reach = (box[1] + box[3]) / 2, size * 0.17
        yield Line((middle - reach, y - reach), (middle + reach, y + reach), colors.SOFT, 3)
        yield Line((middle - reach, y + reach), (middle + reach, y - reach), colors.SOFT, 3)
    if size >= 26:
        font = min(24.0, max(11.0, size * 0.24))
        yield Label(middle, box[3] + font * 0.95, cell.label, font, colors.SOFT)


def _pieces(cell: Cell, box: Box, view: View, owner: Side | None) -> Iterator[Shape]:
    size, count = box[2] - box[0], len(cell.pieces)
    r = size * 0.43 / count if count > 1 else size * 0.37
    for i, name in enumerate(cell.pieces):
        x = (box[0] + box[2]) / 2 + (i - (count - 1) / 2) * 2 * r
        y = (box[1] + box[3]) / 2
        if name in view.hollow:
            if cell.role != "closed":
                yield Label(x, y, name, r, colors.SOFT)
            continue
        sides = [side for side, own in enumerate(view.sides) if name in own]
        yield from piece(name, sides[0] if sides else owner, x, y, r)


def piece(name: str, side: int | None, x: float, y: float, r: float) -> Iterator[Shape]:
    """A piece. Those of side 0 are round, those of side 1 square; a piece of neither is a dark disc."""
    color = colors.INK if side is None else colors.SIDES[side][0]
    if side == 1:
        yield Rounded((x - r * 0.9, y - r * 0.9, x + r * 0.9, y + r * 0.9), r * 0.34, color)
    else:
        yield Disc(x, y, r, color)
    if name == "*":
        reaches = (r * (0.26 if corner % 2 else 0.62) for corner in range(10))
        turns = [(reach, pi * corner / 5) for corner, reach in enumerate(reaches)]
        yield Polygon(tuple((x + to * sin(at), y - to * cos(at)) for to, at in turns), colors.CARD)
    elif name:
        yield Label(x, y, name, min(r * 1.05, r * 1.75 / len(name)), colors.CARD)


def _flag(box: Box, color: str, later: bool) -> Iterator[Shape]:
    height = min(46.0, (box[2] - box[0]) * 0.55)
    x, y = (box[0] + box[2]) / 2 - height * 0.2, box[1] - 4
    cloth = ((x, y - height), (x + height * 0.56, y - height * 0.78), (x, y - height * 0.56))
    if later:  # dashed, as on the board of a page
        for part in range(0, 10, 2):
            yield Line((x, y - height * part / 10), (x, y - height * (part + 1) / 10), color, 3)
        yield Polygon(cloth, None, color)
    else:
        yield Line((x, y), (x, y - height), color, 4)
        yield Polygon(cloth, color)


def _link(a: Box, b: Box, matched: bool) -> Iterator[Shape]:
    if a[1] != b[1]:
        return  # a bend is between them
    left, right = (a[0] + a[2]) / 2, (b[0] + b[2]) / 2
    height = min((a[2] - a[0]) * 1.1, (right - left) * 0.5 + 16)
    around = (left, a[1] - 6 - height, right, a[1] - 6 + height)
    color = colors.MATCHED if matched else colors.OPEN
    for start in [180] if matched else range(180, 360, 20):
        yield Arc(around, start, 360 if matched else start + 11, color, 5)
