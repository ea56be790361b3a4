"""A position as environments render it: as text, or as a small picture drawn with NumPy alone."""

from colorsys import hsv_to_rgb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.view import View
from perfectplay.simulate.single import SingleGame

CELL = 16
"""The width and height of a cell in pixels, including its border."""
BACKGROUND = 255
EMPTY = 224
_GOLDEN_RATIO = 0.6180339887498949


def render(play: SingleGame[Any], mode: str) -> str | NDArray[np.uint8]:
    """The position of a game as a render mode shows it: a picture for "rgb_array", otherwise text."""
    state = play.row.state
    if mode == "rgb_array":
        return picture(play.game.view(state), play.observer.board)
    return "\n".join(play.game.dialogue().board(state))


def picture(view: View, board: tuple[int, ...] = ()) -> NDArray[np.uint8]:
    """Draw a view as uint8 of shape `(16 * rows, 16 * columns, 3)`.

    Each cell is a square, striped in the colors of its pieces. `board` is the smallest size of the
    picture in cells, `(rows, columns)` or `(columns,)`, so that a growing board gives pictures of one
    size; an observer has it as `board`.
    """
    rows, columns = (1, *board)[-2:] if board else (1, 1)
    rows = max(rows, len(view.rows))
    columns = max([columns, *map(len, view.rows)])
    drawn = np.full((rows * CELL, columns * CELL, 3), BACKGROUND, np.uint8)
    for y, row in enumerate(view.rows):
        for x, cell in enumerate(row):
            square = drawn[y * CELL + 1 : (y + 1) * CELL - 1, x * CELL + 1 : (x + 1) * CELL - 1]
            square[:] = EMPTY
            if cell.pieces:
                stripes = np.array_split(square, len(cell.pieces), axis=1)
                for piece, stripe in zip(cell.pieces, stripes, strict=True):
                    stripe[:] = color(piece)
    return drawn


def color(piece: str) -> tuple[int, int, int]:
    """Return the color of a piece, which is the same in every picture."""
    # Steps of the golden ratio spread hues evenly, so that neighboring numbers or letters look different.
    number = int(piece) if piece.isdecimal() else int.from_bytes(piece.encode())
    hue = number * _GOLDEN_RATIO % 1
    red, green, blue = (round(255 * part) for part in hsv_to_rgb(hue, 0.8, 0.8))
    return red, green, blue
