"""The shapes of lists of tables and games, and of codes that move seats."""

from collections.abc import Sequence
from typing import Annotated

from perfectplay.core.errors import MissingExtraError
from perfectplay.tables.events import Seat
from perfectplay.tables.position_schemas import ResultShape, ViewShape
from perfectplay.tables.schemas import BriefShape, OwnShape

try:
    from pydantic import Field
    from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error


class OwnGameShape(OwnShape):
    """A table where you have or had a seat, and its last game."""

    at: Annotated[float, Field(description="when something last happened there, in seconds since 1970")]
    number: Annotated[int, Field(description="the number of the last game; 0 before the first")]
    view: Annotated[ViewShape, Field(description="the board as it is, or as it was left")]
    owners: Annotated[
        Sequence[Seat | None],
        Field(description="the side that filled each cell, as far as cells are filled"),
    ]
    result: ResultShape | None


class OwnGamesShape(TypedDict):
    """A page of your games, the newest first."""

    games: Sequence[OwnGameShape]
    next: Annotated[str | None, Field(description="what `after` must be to get the next page")]


class ListShape(TypedDict):
    """The tables that are listed for everyone."""

    open: Annotated[Sequence[BriefShape], Field(description="those where someone waits for an opponent")]
    running: Sequence[BriefShape]
    finished: Annotated[Sequence[BriefShape], Field(description="those finished a moment ago")]


class TransferShape(TypedDict):
    """A code that moves your seat to another device, once."""

    code: str
    seconds: Annotated[float, Field(description="for how long it works")]
