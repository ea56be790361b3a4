"""The schemas of positions and moves: boards, what can be played on them, and how games end."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11

from perfectplay.core.view import Role
from perfectplay.tables.events import Seat


def about(text: str) -> Any:
    """What a field holds, for the OpenAPI page."""
    return Field(description=text)


class CellSchema(TypedDict):
    """A cell: the move that it plays if that is legal, or why it is not. Most cells have no role."""

    label: str
    pieces: Sequence[str]
    action: int | None
    text: str | None
    why: str | None
    role: NotRequired[Role]
    owner: NotRequired[Annotated[Seat | None, about("the side whose goal the cell is")]]


class LinkSchema(TypedDict):
    """Two cells that belong together, counted from 0 through all rows."""

    a: int
    b: int
    matched: bool


class ControlSchema(TypedDict):
    """A button: the move that it plays, and the group that it is shown in."""

    label: str
    action: int
    text: str
    group: str
    adds: Annotated[int | None, about("the cell that the move adds to the board")]


class FieldButtonSchema(TypedDict):
    """A button beside a field for typed moves: what was typed, then `ending`, is the move."""

    label: str
    ending: str


class TextFieldSchema(TypedDict):
    """A field to type a move into, for games in which an illegal move costs the turn."""

    wants: Annotated[str, about("what to type, such as: a number from 1 to 9")]
    buttons: Sequence[FieldButtonSchema]


class ViewSchema(TypedDict):
    """A board. Only legal moves have an action, and the text that plays it."""

    rows: Sequence[Sequence[CellSchema]]
    controls: Sequence[ControlSchema]
    captions: Sequence[str]
    sides: Annotated[Sequence[Sequence[str]], about("the pieces of side 0, and those of side 1")]
    hollow: Annotated[Sequence[str], about("the pieces drawn as an outline")]
    text_field: TextFieldSchema | None
    links: Sequence[LinkSchema]
    aims: Annotated[Sequence[str], about("what side 0 is trying to do, and what side 1 is")]
    note: Annotated[str, about("a rule to keep in mind; may be empty")]
    on_board: Annotated[Sequence[str], about("the captions that roles, owners and links show too")]


class PlacedSchema(TypedDict):
    """The cell on which a move put something; with `adds`, the move added that cell to the board."""

    cell: int
    adds: bool
    words: NotRequired[Annotated[str, about("such a move in words, such as: 7 at the end")]]


class LastSchema(TypedDict):
    """The turn that led to a position."""

    side: Seat
    text: str
    kind: Literal["move", "forfeit"]
    events: Annotated[Sequence[str], about("what else it caused, such as an inversion or a pass")]
    placed: PlacedSchema | None


class ResultSchema(TypedDict):
    """How a game ended. `finished` is false if it has neither a winner nor a tie."""

    winner_seat: Seat | None
    winner_side: Seat | None
    reason: str
    why: Annotated[str, about("why it ended, in a sentence with {winner} and {loser} for the names")]
    finished: bool
    text: str


class PositionSchema(TypedDict):
    """A position of a game: how it looks, whose turn it is, and the legal moves."""

    game: int
    ply: int
    view: ViewSchema
    side: Seat
    side_name: str
    seat: Seat
    legal: Sequence[str]
    last: LastSchema | None
    changed: Annotated[
        Sequence[int], about("the cells that the last turn changed, counted from 0 through all rows")
    ]
    state: str
    result: ResultSchema | None


class MoveSchema(TypedDict):
    """An entry in the list of moves. Only a move and a lost turn have a ply."""

    ply: int | None
    side: Seat
    seat: Seat
    text: str
    kind: Literal["move", "forfeit", "resign", "time", "claim", "assisted"]
    events: Sequence[str]
    placed: PlacedSchema | None
