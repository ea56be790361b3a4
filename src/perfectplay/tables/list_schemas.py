"""The schemas of lists of tables and games, and of codes that move seats."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11

from perfectplay.tables.events import Seat
from perfectplay.tables.position_schemas import ResultSchema, ViewSchema
from perfectplay.tables.schemas import BriefSchema, OwnSchema


class OwnGameSchema(OwnSchema):
    """A table where you have or had a seat, and its last game."""

    at: Annotated[float, Field(description="when something last happened there, in seconds since 1970")]
    number: Annotated[int, Field(description="the number of the last game; 0 before the first")]
    view: Annotated[ViewSchema, Field(description="the board as it is, or as it was left")]
    owners: Annotated[
        Sequence[Seat | None],
        Field(description="the side that filled each cell, as far as cells are filled"),
    ]
    result: ResultSchema | None


class OwnGamesSchema(TypedDict):
    """A page of your games, the newest first."""

    games: Sequence[OwnGameSchema]
    next: Annotated[str | None, Field(description="what `after` must be to get the next page")]


class ListSchema(TypedDict):
    """The tables that are listed for everyone."""

    open: Annotated[Sequence[BriefSchema], Field(description="those where someone waits for an opponent")]
    running: Sequence[BriefSchema]
    finished: Annotated[Sequence[BriefSchema], Field(description="those finished a moment ago")]


class TransferSchema(TypedDict):
    """A code that moves your seat to another device, once."""

    code: str
    seconds: Annotated[float, Field(description="for how long it works")]
