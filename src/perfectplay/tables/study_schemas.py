"""The schemas of the exact answers that the server sends."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from perfectplay.core.value import Kind
from perfectplay.tables.position_schemas import MoveSchema, PositionSchema


class ValueSchema(TypedDict):
    """The value of a position for the side to move."""

    kind: Kind
    plies: int | None
    text: str


class StudiedMoveSchema(TypedDict):
    """A move and its exact value."""

    action: int
    text: str
    kind: Kind
    plies: int | None
    best: bool
    words: str


class MarkSchema(TypedDict):
    """How good a played move was."""

    ply: int
    text: str
    mark: str
    kept: bool


class StudySchema(TypedDict):
    """A position with the value of each move, and a review of the game up to it."""

    position: PositionSchema
    side_names: Sequence[str]
    played: Annotated[
        Sequence[MoveSchema], Field(description="all moves of the game, including those after the position")
    ]
    value: ValueSchema
    moves: Sequence[StudiedMoveSchema]
    why: Sequence[str]
    accuracy: Sequence[float | None]
    marks: Sequence[MarkSchema] | None
    review: Sequence[str]
