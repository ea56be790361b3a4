"""A position as a PNG, for previews of links: drawn from its View, whatever the game."""

from io import BytesIO
from typing import NamedTuple

from perfectplay.core.errors import needs
from perfectplay.core.outcome import Side
from perfectplay.core.view import View
from perfectplay.render.colors import CARD, INK, LINE, PAPER, SOFT
from perfectplay.render.folding import Box, Room, lay_out
from perfectplay.render.shapes import Arc, Disc, Label, Line, Polygon, Rounded, Shape, board, piece

with needs("pillow", "web", "PIL"):
    from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
"""The size that sites expect of a preview."""
FINE = 2
"""Everything is drawn this much larger and then reduced, which makes edges smooth."""
MARGIN = 64
BOARD = (MARGIN, 176, WIDTH - MARGIN, 500)
"""Left, top, right and bottom of the place for the board."""
ROOM = Room(*BOARD, widest=110, roomy=44)


class Picture(NamedTuple):
    """What a picture shows: a board, and in words the game, what is going on, and who plays."""

    view: View
    owners: tuple[Side | None, ...]
    """The side that filled each cell, where the view does not say."""
    title: str
    line: str
    names: tuple[str, str]
    """The names of side 0 and side 1."""


def png(picture: Picture) -> bytes:
    """A picture as a PNG."""
    painter = _Painter()
    painter.words(picture)
    for shape in board(picture.view, lay_out(picture.view, ROOM), picture.owners):
        painter.draw(shape)
    file = BytesIO()
    painter.image.reduce(FINE).quantize(64).save(file, "PNG")
    return file.getvalue()


class _Painter:
    """Draws in the coordinates of the finished picture."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), PAPER)
        self._draw = ImageDraw.Draw(self.image)

    # Words.

    def words(self, picture: Picture) -> None:
        """The title and a line above the board, the players and the name of the site below."""
        self._draw_box((24, 24, WIDTH - 24, HEIGHT - 24), 28, CARD, LINE)
        self._text(MARGIN, 86, self._fit(picture.title, 58, WIDTH - 2 * MARGIN), 58, INK)
        self._text(MARGIN, 146, self._fit(picture.line, 34, WIDTH - 2 * MARGIN), 34, SOFT)
        x = float(MARGIN)
        for side, name in enumerate(picture.names):
            shown = self._fit(name, 32, 370)
            for shape in piece("", side, x + 20, 556, 19):
                self.draw(shape)
            self._text(x + 52, 556, shown, 32, INK)
            x += 52 + self._length(shown, 32) + 44
        brand = "perfectplay"
        self._text(WIDTH - MARGIN - self._length(brand, 28), 556, brand, 28, SOFT)

    def _length(self, text: str, size: float) -> float:
        return self._draw.textlength(text, _font(size)) / FINE

    def _fit(self, text: str, size: float, width: float) -> str:
        if self._length(text, size) <= width:
            return text
        while text and self._length(f"{text}…", size) > width:
            text = text[:-1]
        return f"{text}…"

    def _text(self, x: float, y: float, text: str, size: float, color: str, anchor: str = "lm") -> None:
        self._draw.text((x * FINE, y * FINE), text, color, _font(size), anchor)

    def draw(self, shape: Shape) -> None:
        """Draw one shape of a board."""
        match shape:
            case Rounded(box, radius, fill, edge, width):
                self._draw_box(box, radius, fill, edge, width)
            case Disc(x, y, radius, fill):
                self._draw.ellipse(_scale((x - radius, y - radius, x + radius, y + radius)), fill)
            case Polygon(points, fill, edge, width):
                scaled = [(x * FINE, y * FINE) for x, y in points]
                self._draw.polygon(scaled, fill, edge, round(width * FINE))
            case Line(start, end, color, width):
                self._draw.line(_scale((*start, *end)), color, round(width * FINE))
            case Arc(box, from_, to, color, width):
                self._draw.arc(_scale(box), from_, to, color, round(width * FINE))
            case Label(x, y, text, size, color):
                self._text(x, y, text, size, color, "mm")

    def _draw_box(
        self, box: Box, radius: float, fill: str | None, edge: str | None = None, width: float = 2
    ) -> None:
        self._draw.rounded_rectangle(_scale(box), radius * FINE, fill, edge, round(width * FINE))


def _scale(box: Box) -> Box:
    return (box[0] * FINE, box[1] * FINE, box[2] * FINE, box[3] * FINE)


def _font(size: float) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    return ImageFont.load_default(size * FINE)
