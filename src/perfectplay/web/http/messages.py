"""The messages of a table's socket: those that the server sends, and those that clients may send."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field, RootModel
from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11

from perfectplay.tables.events import Seat
from perfectplay.tables.position_schemas import PositionSchema
from perfectplay.tables.schemas import EventSchema, PresenceSchema, TableSchema, TableStateSchema
from perfectplay.web.http.models import NewEvent, Number, Request


class TableMessage(TypedDict):
    """The whole table: the first message, unless the client asked for the events after a number."""

    type: Literal["table"]
    table: TableSchema


class EventMessage(TypedDict):
    """Something has happened. `table` holds all that may have changed."""

    type: Literal["event"]
    event: EventSchema
    table: TableStateSchema
    position: PositionSchema


class PresentMessage(PresenceSchema):
    """Someone has come or gone."""

    type: Literal["present"]


class ReadyMessage(TypedDict):
    """Everything that you missed has been sent."""

    type: Literal["ready"]
    seat: Annotated[
        Seat | None, Field(description="your seat, which may have moved to another device meanwhile, or back")
    ]


class PongMessage(TypedDict):
    """The answer to a ping; where there is a clock, also sent when you connect.

    Send the mark back at once, as an echo, to have the delay of the network measured.
    """

    type: Literal["pong"]
    mark: int


class AnswerMessage(TypedDict):
    """Whether your request was carried out: `event` if so, `error` and `text` if not."""

    type: Literal["answer"]
    id: Annotated[
        str | int | None,
        Field(description="the id that you sent, if it was a short text or a whole number of 64 bits"),
    ]
    ok: bool
    event: NotRequired[EventSchema | None]
    error: NotRequired[str | None]
    text: NotRequired[str | None]


class Sent(
    RootModel[TableMessage | EventMessage | PresentMessage | ReadyMessage | PongMessage | AnswerMessage]
):
    """A message that the socket of a table sends."""


class AskedEvent(NewEvent):
    """Something to do at the table, as by POST. The answer repeats `id`."""

    do: Literal["event"]
    id: str | int | None = None


class AskedPing(Request):
    """Asks for a pong."""

    do: Literal["ping"]


class AskedEcho(Request):
    """The mark of a pong. The time that it took is given back to you for each move, up to half a second."""

    do: Literal["echo"]
    mark: Number


class Asked(RootModel[AskedEvent | AskedPing | AskedEcho]):
    """A message that clients may send to the socket of a table."""
