"""A View as SVG: one picture that needs no style sheet, readable on light and dark pages."""

from collections.abc import Iterable, Sequence
from html import escape
from math import cos, pi, sin

from perfectplay.core.outcome import Side
from perfectplay.core.view import View
from perfectplay.render import colors, shapes
from perfectplay.render.folding import Box, Room, lay_out

WIDTH = 640
"""The width of a picture in pixels; where there is less room, it shrinks."""
MARGIN = 14
WIDEST, ROOMY = 64, 34
FONT = 14
"""The size of the lines below a board."""


def svg(
    view: View, owners: Sequence[Side | None] = (), *, changed: Sequence[int] = (), title: str = "A board"
) -> str:
    """A view as the text of one SVG element, on a ground of its own. The board in words is its description.

    `owners` has the side that filled each cell, where the view does not say, and `changed` the cells
    that the last move changed.
    """
    layout = lay_out(view, Room(MARGIN, MARGIN, WIDTH - MARGIN, None, WIDEST, ROOMY))
    lines = [line for line in view.lines if line not in view.on_board]
    height = round(layout.bottom + MARGIN + len(lines) * FONT * 1.5)
    drawn: list[shapes.Shape] = [
        shapes.Rounded((1, 1, WIDTH - 1, height - 1), 14, colors.CARD, colors.LINE),
        *shapes.board(view, layout, owners, changed),
        *(
            shapes.Label(WIDTH / 2, layout.bottom + FONT * (1.5 * number + 0.9), line, FONT, colors.SOFT)
            for number, line in enumerate(lines)
        ),
    ]
    words = escape("\n".join(view.as_text()), quote=False)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}" style="max-width: 100%; height: auto" font-family="system-ui, sans-serif">'
        f"<title>{escape(title, quote=False)}</title><desc>{words}</desc>"
        f"{''.join(map(write_shape, drawn))}</svg>"
    )


def write_shape(shape: shapes.Shape) -> str:
    """A shape as an element of an SVG."""
    match shape:
        case shapes.Rounded(box, radius, fill, edge, width):
            left, top, right, bottom = box
            size = f'width="{_n(right - left)}" height="{_n(bottom - top)}" rx="{_n(radius)}"'
            return f'<rect x="{_n(left)}" y="{_n(top)}" {size}{_paint(fill, edge, width)}/>'
        case shapes.Disc(x, y, radius, fill):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{_paint(fill)}/>'
        case shapes.Polygon(points, fill, edge, width):
            return f'<polygon points="{_points(points)}"{_paint(fill, edge, width)}/>'
        case shapes.Line(start, end, color, width):
            return f'<polyline points="{_points((start, end))}"{_paint(None, color, width)}/>'
        case shapes.Arc(box, start, end, color, width):
            (x1, y1), (x2, y2) = _at(box, start), _at(box, end)
            radii = f"{_n((box[2] - box[0]) / 2)} {_n((box[3] - box[1]) / 2)}"
            path = f"M{_n(x1)} {_n(y1)}A{radii} 0 0 1 {_n(x2)} {_n(y2)}"
            return f'<path d="{path}"{_paint(None, color, width)}/>'
        case shapes.Label(x, y, text, size, color):
            where = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"'
            middle = 'text-anchor="middle" dominant-baseline="central"'
            return f'<text {where} {middle} fill="{color}">{escape(text, quote=False)}</text>'


def _paint(fill: str | None, edge: str | None = None, width: float = 2) -> str:
    stroke = f' stroke="{edge}" stroke-width="{_n(width)}" stroke-linecap="round"' if edge else ""
    return f' fill="{fill or "none"}"{stroke}'


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _at(box: Box, degrees: float) -> tuple[float, float]:
    """The point of the ellipse in a box at an angle."""
    angle = pi * degrees / 180
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return x + (box[2] - box[0]) / 2 * cos(angle), y + (box[3] - box[1]) / 2 * sin(angle)


def _n(number: float) -> str:
    return f"{round(number, 1):g}"
