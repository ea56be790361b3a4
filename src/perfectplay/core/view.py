"""A position as data to draw, the same for terminal and browser."""

from collections.abc import Sequence
from typing import NamedTuple


class Cell(NamedTuple):
    """A place on the board: what is printed on it, what stands on it, the move a click on it makes."""

    label: str
    pieces: tuple[str, ...] = ()
    action: int | None = None
    forbidden: int | None = None
    """The move that a click would make if it were legal; whoever clicks is told which rule forbids it."""


class Control(NamedTuple):
    """A move that belongs to no place on the board, as a button; `group` heads related buttons."""

    label: str
    action: int
    group: str = ""
    adds: int | None = None
    """The cell that the move adds to the board, counted through all rows of the board after it."""


class TextField(NamedTuple):
    """A field in which a move is typed, for games where a wrong one costs the turn.

    `wants` says what to type. Each of `buttons` has a label, and the ending that makes a move of what
    was typed.
    """

    wants: str
    buttons: tuple[tuple[str, str], ...]


class View(NamedTuple):
    """A board as rows of cells, with controls beside it and captions and numbers below.

    >>> row = (Cell("1", ("X",)), Cell("2", action=1))
    >>> draw_view(View((row,), captions=("O to move",), numbers=(("Moves left", 8),)))
    ('X 2', 'O to move', 'Moves left: 8')
    """

    rows: tuple[tuple[Cell, ...], ...]
    controls: tuple[Control, ...] = ()
    captions: tuple[str, ...] = ()
    sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The pieces of side 0 and those of side 1; any other piece belongs to neither."""
    hollow: tuple[str, ...] = ()
    """Pieces drawn as an outline, such as a bit that is not set."""
    text_field: TextField | None = None
    numbers: tuple[tuple[str, int], ...] = ()
    """Numbers that change in the course of a game, by name: an observation tells them in binary."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all rows, in the order in which they are counted."""
        return tuple(cell for row in self.rows for cell in row)

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands below the board: the captions, then each number after its name."""
        return (*self.captions, *(f"{name}: {number}" for name, number in self.numbers))


def changed_cells(before: View, after: View, action: int | None = None) -> tuple[int, ...]:
    """The numbers of the cells of `after` that `action`, or a lost turn, has changed.

    Where the board has another size than before, that is the cell the action's control says it adds.

    >>> a, b, empty = Cell("1", ("A",)), Cell("2", ("B",)), Cell("3")
    >>> changed_cells(View(((a, empty), (b,))), View(((a, b), (empty,))))
    (1, 2)
    >>> changed_cells(View(((a,),), (Control("A", 7, adds=0),)), View(((a, a),)), 7)
    (0,)
    """
    old, new = before.cells, after.cells
    if len(old) == len(new):
        return tuple(i for i, (was, now) in enumerate(zip(old, new, strict=True)) if was.pieces != now.pieces)
    added = (control.adds for control in before.controls if control.action == action)
    return tuple(cell for cell in added if cell is not None)


def draw_view(view: View) -> tuple[str, ...]:
    """Draw any view as text: a line per row, each cell by its pieces or, if empty, its label."""
    texts = [["".join(cell.pieces) or cell.label for cell in row] for row in view.rows]
    width = max((len(text) for row in texts for text in row), default=0)
    rows = (" ".join(text.ljust(width) for text in row).rstrip() for row in texts)
    return (*rows, *view.lines)


def draw_track(
    heads: tuple[str, str], labels: Sequence[str], pieces: Sequence[str], width: int | None = None
) -> tuple[str, ...]:
    """Draw a row of labelled cells over what stands on them, folded into bands to fit `width`.

    A piece stands under the first character of its cell's label and may reach into the gap behind it.

    >>> print("\\n".join(draw_track(("Cells: ", "Piece: "), ["0", "1", "2"], ["", "AB", ""])))
    Cells: 0 1 2
    Piece:   AB
    """
    indent = max(map(len, heads))
    above, below = (head.ljust(indent) for head in heads)
    lines: list[str] = []
    top, bottom = above, below
    for label, piece in zip(labels, pieces, strict=True):
        if width is not None and len(top) > indent and len(top) + max(len(label), len(piece)) > width:
            lines += [top.rstrip(), bottom.rstrip()]
            top, bottom = above, below
        bottom = bottom.ljust(len(top)) + piece
        top += label + " "
    return (*lines, top.rstrip(), bottom.rstrip())
