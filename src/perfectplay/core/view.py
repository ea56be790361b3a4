"""A position as data to draw, the same for terminal and browser."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from perfectplay.core.outcome import Side

Role = Literal["", "goal", "later-goal", "closed"]
"""What a cell is for: a place to reach, a place to reach later in the game, or one out of play."""


class Cell(NamedTuple):
    """A cell of the board: its label, the pieces on it, and the move made by clicking it.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip:bits=3")
    >>> game.view(game.initial()).cells[1]
    Cell(label='1', pieces=('0',), action=1, forbidden=None, role='', owner=None)
    """

    label: str
    pieces: tuple[str, ...] = ()
    action: int | None = None
    forbidden: int | None = None
    """An illegal move that a click would make; the player is told which rule forbids it."""
    role: Role = ""
    owner: Side | None = None
    """Whose goal the cell is; None for a goal of both sides."""


class Link(NamedTuple):
    """Two cells that belong together, by their indices, and whether they match already.

    >>> import perfectplay as pp
    >>> game = pp.load("mirror-match")
    >>> game.view(game.parse_state("4-7-1 2")).links
    (Link(a=0, b=2, matched=False),)
    """

    a: int
    b: int
    matched: bool


class Control(NamedTuple):
    """A move without a cell on the board, shown as a button; `group` is the heading of related buttons.

    A label that stands in several groups can be offered once, followed by a choice of the group.

    >>> import perfectplay as pp
    >>> game = pp.load("mirror-match")
    >>> [(each.label, each.group) for each in game.view(game.initial()).controls if each.label == "9"]
    [('9', 'Beginning'), ('9', 'End')]
    """

    label: str
    action: int
    group: str = ""
    adds: int | None = None
    """The index of the cell that the move adds, counted through all rows of the new board."""


class TextField(NamedTuple):
    """A field for typing a move, for games in which an invalid move costs the turn.

    `wants` says what to type. Each of `buttons` has a label and the suffix that completes the typed
    text to a move.

    >>> import perfectplay as pp
    >>> game = pp.load("mirror-match")
    >>> game.view(game.initial()).text_field.wants
    'a number from 1 to 9'
    """

    wants: str
    buttons: tuple[tuple[str, str], ...]


class View(NamedTuple):
    """A board as rows of cells, with controls beside it and captions and numbers below.

    Roles, owners, links, aims and notes are for people: observations do not contain them.

    >>> row = (Cell("1", ("X",)), Cell("2", action=1))
    >>> View((row,), captions=("O to move",), numbers=(("Moves left", 8),)).as_text()
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
    """Numbers that change during a game, by name. Observations encode them in binary."""
    links: tuple[Link, ...] = ()
    aims: tuple[str, str] = ("", "")
    """What side 0 and side 1 are trying to do now, in a short sentence each."""
    note: str = ""
    """A rule to keep in mind in this position, in a sentence."""
    on_board: tuple[str, ...] = ()
    """The captions that roles, owners and links show too. A board that draws those can leave them out."""

    picture: tuple[str, ...] = ()
    """The position as somebody else draws it, line by line. Observations do not contain it."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all rows, in the order in which they are counted."""
        return tuple(cell for row in self.rows for cell in row)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines below the board: the captions, then each number with its name."""
        return (*self.captions, *(f"{name}: {number}" for name, number in self.numbers))

    def as_text(self) -> tuple[str, ...]:
        """The board as text: one line per row, each cell as its pieces or, if empty, its label."""
        texts = [["".join(cell.pieces) or cell.label for cell in row] for row in self.rows]
        width = max((len(text) for row in texts for text in row), default=0)
        rows = (" ".join(text.ljust(width) for text in row).rstrip() for row in texts)
        return (*self.picture, *rows, *self.lines)


def compare_cells(before: View, after: View, action: int | None = None) -> tuple[int, ...]:
    """The indices of the cells of `after` that changed through `action` or a lost turn.

    If the board changed size, it is the cell that the action's control adds.
    """
    old, new = before.cells, after.cells
    if len(old) == len(new):
        return tuple(i for i, (was, now) in enumerate(zip(old, new, strict=True)) if was.pieces != now.pieces)
    added = (control.adds for control in before.controls if control.action == action)
    return tuple(cell for cell in added if cell is not None)


class Placed(NamedTuple):
    """The cell on which a move put something, and whether the move added that cell to the board.

    >>> import perfectplay as pp
    >>> match = pp.Match(pp.load("mirror-match"))
    >>> match.play("4 B")
    >>> match.placements()
    (Placed(cell=0, adds=True),)
    """

    cell: int
    adds: bool


def describe_placing(view: View, action: int | None) -> str | None:
    """A move that adds a cell at an end of the board, in words; None for any other move."""
    control = next((each for each in view.controls if each.action == action), None)
    if control is None or control.adds is None or not control.group:
        return None
    return f"{control.label} at the {control.group.lower()}"


def find_placed_cell(before: View, after: View, changed: Sequence[int]) -> Placed | None:
    """What a move that changed these cells put on the board; None if it moved a piece, or changed nothing."""
    if len(changed) != 1:
        return None
    return Placed(changed[0], len(before.cells) != len(after.cells))
