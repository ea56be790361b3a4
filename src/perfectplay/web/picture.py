"""A position as a PNG, for previews of links: drawn from its View, whatever the game."""

from collections.abc import Sequence
from io import BytesIO
from math import ceil, cos, pi, sin
from typing import NamedTuple

from perfectplay.core.errors import MissingExtraError
from perfectplay.core.outcome import Side
from perfectplay.core.view import Cell, View

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise MissingExtraError("pillow", "web") from error

WIDTH, HEIGHT = 1200, 630
"""The size that sites expect of a preview."""
FINE = 2
"""Everything is drawn this much larger and then reduced, which makes edges smooth."""
MARGIN = 64
BOARD = (MARGIN, 176, WIDTH - MARGIN, 500)
"""Left, top, right and bottom of the place for the board."""
WIDEST = 110
ROOMY = 44
PAPER, CARD, INK, SOFT, LINE = "#f6f1e7", "#fffdf8", "#231e17", "#635a4c", "#ddd3c1"
RAIL, WELL, SHADE, GLOW, GLOW_SOFT = "#e8dcc6", "#f8f1e3", "#ded2bb", "#a96a00", "#fbeec4"
SIDES = (("#bb3d0a", "#fbe2d1"), ("#0d5c76", "#d3e9f1"))
MATCHED, OPEN = "#24692a", "#a8241c"

Box = tuple[float, float, float, float]


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
    """A picture as a PNG.

    >>> from perfectplay import load
    >>> game = load("bit-flip")
    >>> start = game.view(game.initial())
    >>> png(Picture(start, (), "Bit Flip", "Ann invites you", ("Ann", "Player 2")))[1:4]
    b'PNG'
    """
    painter = _Painter()
    painter.words(picture)
    painter.board(picture.view, picture.owners)
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
        self._rounded((24, 24, WIDTH - 24, HEIGHT - 24), 28, CARD, LINE)
        self._text(MARGIN, 86, self._fitting(picture.title, 58, WIDTH - 2 * MARGIN), 58, INK)
        self._text(MARGIN, 146, self._fitting(picture.line, 34, WIDTH - 2 * MARGIN), 34, SOFT)
        x = float(MARGIN)
        for side, name in enumerate(picture.names):
            shown = self._fitting(name, 32, 370)
            self._piece("", side, x + 20, 556, 19)
            self._text(x + 52, 556, shown, 32, INK)
            x += 52 + self._length(shown, 32) + 44
        brand = "perfectplay"
        self._text(WIDTH - MARGIN - self._length(brand, 28), 556, brand, 28, SOFT)

    def _length(self, text: str, size: float) -> float:
        return self._draw.textlength(text, _font(size)) / FINE

    def _fitting(self, text: str, size: float, width: float) -> str:
        if self._length(text, size) <= width:
            return text
        while text and self._length(f"{text}…", size) > width:
            text = text[:-1]
        return f"{text}…"

    def _text(self, x: float, y: float, text: str, size: float, color: str, anchor: str = "lm") -> None:
        self._draw.text((x * FINE, y * FINE), text, color, _font(size), anchor)

    # The board.

    def board(self, view: View, owners: Sequence[Side | None]) -> None:
        """The cells, what they are for, and the pieces on them."""
        cells = view.cells
        boxes, rails = _laid_out(view)
        if len(view.rows) == 1 and not view.links:
            for rail in rails:
                self._rounded(rail, 18, RAIL)
        for a, b, matched in view.links:
            self._link(boxes[a], boxes[b], matched)
        for number, (cell, box) in enumerate(zip(cells, boxes, strict=True)):
            self._cell(cell, box, bare=bool(view.links and cell.pieces))
            self._pieces(cell, box, view, owners[number] if number < len(owners) else None)

    def _cell(self, cell: Cell, box: Box, *, bare: bool) -> None:
        size = box[2] - box[0]
        goal = cell.role in ("goal", "later-goal")
        edge, ground = (GLOW, GLOW_SOFT) if cell.owner is None else SIDES[cell.owner]
        if not bare:
            fill = ground if cell.role == "goal" else SHADE if cell.role == "closed" else WELL
            self._rounded(box, size * 0.2, fill, edge if goal else None, 3)
        if goal:
            self._flag(box, edge, cell.role == "later-goal")
        if cell.role == "closed":
            x, y, reach = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, size * 0.17
            self._line((x - reach, y - reach, x + reach, y + reach), SOFT, 3)
            self._line((x - reach, y + reach, x + reach, y - reach), SOFT, 3)
        if size >= 30:
            font = min(24.0, max(11.0, size * 0.24))
            self._text((box[0] + box[2]) / 2, box[3] + font * 0.95, cell.label, font, SOFT, "mm")

    def _pieces(self, cell: Cell, box: Box, view: View, owner: Side | None) -> None:
        size, count = box[2] - box[0], len(cell.pieces)
        r = size * 0.43 / count if count > 1 else size * 0.37
        for i, name in enumerate(cell.pieces):
            x = (box[0] + box[2]) / 2 + (i - (count - 1) / 2) * 2 * r
            y = (box[1] + box[3]) / 2
            if name in view.hollow:
                if cell.role != "closed":
                    self._text(x, y, name, r, SOFT, "mm")
                continue
            sides = [side for side, own in enumerate(view.sides) if name in own]
            self._piece(name, sides[0] if sides else owner, x, y, r)

    def _piece(self, name: str, side: int | None, x: float, y: float, r: float) -> None:
        color = INK if side is None else SIDES[side][0]
        if side == 1:
            self._rounded((x - r * 0.9, y - r * 0.9, x + r * 0.9, y + r * 0.9), r * 0.34, color)
        else:
            self._draw.ellipse(_scaled((x - r, y - r, x + r, y + r)), color)
        if name == "*":
            points = [(x + _star(i, r)[0], y + _star(i, r)[1]) for i in range(10)]
            self._draw.polygon([(px * FINE, py * FINE) for px, py in points], CARD)
        elif name:
            self._text(x, y, name, min(r * 1.05, r * 1.75 / len(name)), CARD, "mm")

    def _flag(self, box: Box, color: str, later: bool) -> None:
        height = min(46.0, (box[2] - box[0]) * 0.55)
        x, y = (box[0] + box[2]) / 2 - height * 0.2, box[1] - 4
        cloth = [(x, y - height), (x + height * 0.56, y - height * 0.78), (x, y - height * 0.56)]
        if later:  # dashed, as on the board of a page
            for part in range(0, 10, 2):
                self._line((x, y - height * part / 10, x, y - height * (part + 1) / 10), color, 3)
            self._draw.polygon([(px * FINE, py * FINE) for px, py in cloth], None, color, 2 * FINE)
        else:
            self._line((x, y, x, y - height), color, 4)
            self._draw.polygon([(px * FINE, py * FINE) for px, py in cloth], color)

    def _link(self, a: Box, b: Box, matched: bool) -> None:
        if a[1] != b[1]:
            return  # a bend is between them
        left, right = (a[0] + a[2]) / 2, (b[0] + b[2]) / 2
        height = min(120.0, (right - left) * 0.5 + 16)
        arc = _scaled((left, a[1] - 6 - height, right, a[1] - 6 + height))
        color = MATCHED if matched else OPEN
        for start in [180] if matched else range(180, 360, 20):
            self._draw.arc(arc, start, 360 if matched else start + 11, color, 5 * FINE)

    def _line(self, box: Box, color: str, width: int) -> None:
        self._draw.line(_scaled(box), color, width * FINE)

    def _rounded(self, box: Box, radius: float, fill: str, edge: str | None = None, width: int = 2) -> None:
        self._draw.rounded_rectangle(_scaled(box), radius * FINE, fill, edge, width * FINE)


def _scaled(box: Box) -> Box:
    return (box[0] * FINE, box[1] * FINE, box[2] * FINE, box[3] * FINE)


def _star(corner: int, r: float) -> tuple[float, float]:
    reach = r * (0.62 if corner % 2 == 0 else 0.26)
    angle = pi * corner / 5
    return reach * sin(angle), -reach * cos(angle)


def _font(size: float) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    return ImageFont.load_default(size * FINE)


def _laid_out(view: View) -> tuple[list[Box], list[Box]]:
    """Where the cells are, and the rails under them. A row that is too long is folded into bands."""
    left, top, right, bottom = BOARD
    width, height = right - left - 24, bottom - top
    longest = max(1, *(len(row) for row in view.rows))
    head = 1.0 if view.links else 0.55 if any(cell.role.endswith("goal") for cell in view.cells) else 0.1
    sizes = []
    for folds in range(1, 13):
        across = ceil(longest / folds)
        rows = sum(max(1, ceil(len(row) / across)) for row in view.rows)
        sizes.append((min(WIDEST, width / across, height / (rows * (1.35 + head))), -folds))
    # As few bands as possible, as long as the cells are large enough.
    pitch, folds = next((each for each in sizes if each[0] >= ROOMY), max(sizes))
    columns, gap = ceil(longest / -folds), pitch * 0.08
    bands = [row[i : i + columns] for row in view.rows for i in range(0, max(1, len(row)), columns)]
    tall = pitch * (1.35 + head)
    y = top + (height - tall * len(bands)) / 2
    boxes: list[Box] = []
    rails: list[Box] = []
    for band in bands:
        x = left + (right - left - pitch * (columns if len(bands) > 1 else len(band))) / 2
        upper = y + pitch * head
        boxes += [
            (x + pitch * i + gap / 2, upper, x + pitch * (i + 1) - gap / 2, upper + pitch - gap)
            for i in range(len(band))
        ]
        rails.append((x - 12, upper - 10, x + pitch * max(1, len(band)) + 12, upper + pitch - gap + 10))
        y += tall
    return boxes, rails
