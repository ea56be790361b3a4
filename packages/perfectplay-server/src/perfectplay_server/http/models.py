"""What clients may send, as models that check it, and the messages of a table's socket."""

from typing import Annotated, Literal, NotRequired

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel, StringConstraints
from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11

from perfectplay.core.errors import BadParameterError
from perfectplay.tables import limits
from perfectplay.tables.events import Seat
from perfectplay.tables.position_schemas import PositionSchema
from perfectplay.tables.schemas import EventSchema, PresenceSchema, TableSchema, TableStateSchema
from perfectplay.tables.time_control import Per, TimeControl
from perfectplay_server.names import printable, proper_name

Name = Annotated[
    str,
    StringConstraints(max_length=limits.LONGEST_NAME, strip_whitespace=True),
    AfterValidator(proper_name),
]
Text = Annotated[str, StringConstraints(max_length=limits.LONGEST_TEXT), AfterValidator(printable)]
Spec = Annotated[
    str, StringConstraints(min_length=1, max_length=limits.LONGEST_TABLE_SPEC), AfterValidator(printable)
]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class Request(BaseModel):
    """What a client sends. Types are not converted, and unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class NewClock(Request):
    """The time for each move, or for a whole game with an increment after each move."""

    per: Per
    seconds: Number = Field(
        description=f"{limits.SHORTEST_MOVE} to {limits.LONGEST_MOVE:,} for a move,"
        f" {limits.SHORTEST_GAME} to {limits.LONGEST_GAME:,} for a game"
    )
    increment: Number = Field(
        default=0,
        description=f"seconds added after each move, up to {limits.LONGEST_INCREMENT}; only for a game",
    )


def validate_control(per: Per, seconds: int, increment: int = 0) -> TimeControl:
    """A control that a table may have."""
    least, most = (
        (limits.SHORTEST_MOVE, limits.LONGEST_MOVE)
        if per == "move"
        else (limits.SHORTEST_GAME, limits.LONGEST_GAME)
    )
    if not least <= seconds <= most:
        raise BadParameterError("clock.seconds", str(seconds), f"{least} to {most:,} for a {per}")
    if not 0 <= increment <= (limits.LONGEST_INCREMENT if per == "game" else 0):
        allowed = f"0 to {limits.LONGEST_INCREMENT}, and 0 for a clock per move"
        raise BadParameterError("clock.increment", str(increment), allowed)
    return TimeControl(per, seconds, increment)


def validate_away_limit(seconds: float | None, control: TimeControl | None) -> float | None:
    """How long a player may be away or silent before the other may claim the game.

    None if the client does not say; a table with a clock has no such limit.
    """
    if seconds is None:
        return None
    if control is not None:
        raise BadParameterError("away_limit", seconds, "null at a table with a clock")
    if not limits.SHORTEST_AWAY <= seconds <= limits.LONGEST_AWAY:
        raise BadParameterError("away_limit", seconds, f"{limits.SHORTEST_AWAY} to {limits.LONGEST_AWAY:,}")
    return seconds


class NewSeat(Request):
    """The seat to take at a new table, and the time that its players have."""

    game: Spec = Field(description="the spec of a game, such as bit-flip or bit-flip:bits=12")
    seat: Seat | None = Field(default=None, description="the seat to take; null: either")
    name: Name = Field(default="", description="your name")
    clock: NewClock | None = Field(default=None, description="the time that the players have; null: no clock")
    away_limit: Number | None = Field(
        default=None,
        description="without a clock: seconds that a player may be away, or silent on their turn, before the"
        f" other may claim the game, {limits.SHORTEST_AWAY} to {limits.LONGEST_AWAY:,}; null: as the server"
        " has it",
    )

    def times(self) -> tuple[TimeControl | None, float | None]:
        """The clock and the limit without one, if a table may have them."""
        control = None if self.clock is None else validate_control(**self.clock.model_dump())
        return control, validate_away_limit(self.away_limit, control)


class NewTable(NewSeat):
    """A table to make, and the seat that you take at it."""

    opponent: Spec | None = Field(
        default=None, description="a computer player, such as level:4; null: a person"
    )
    public: bool = Field(
        default=False, description="whether the table is listed and anyone may take its free seat"
    )
    moves: list[Text] = Field(
        default=[],
        max_length=limits.MOST_PLIES,
        description="moves from the start, after which the game begins; only with a computer player",
    )


class Anyone(NewSeat):
    """A wish to play whoever waits."""

    any: bool = Field(default=False, description="whether another game will do if someone waits there")


class SeatCode(Request):
    """A request for a seat that is being moved to this device."""

    code: Text = Field(description="the code that the other device shows")


class Joining(Request):
    """A request for the free seat of a table."""

    code: Text = Field(description="the code in the link to the seat")
    name: Name = ""


class NewEvent(Request):
    """Something to do at a table."""

    number: Number = Field(description="the number of the next event, from `next` of the table")
    kind: Literal["move", "resign", "offer", "accept", "decline", "claim", "close"]
    text: Text = Field(default="", description="the move, or what is offered: takeback, abandon or rematch")


class Solo(Request):
    """A position to study: a game and the moves that lead there."""

    game: Spec
    moves: list[Text] = Field(default=[], max_length=limits.MOST_PLIES)
    ply: Number | None = Field(default=None, description="how many moves lead to the position; null: all")


class Erring(Solo):
    """A position to study, and the computer player whose mistakes to look for."""

    player: Spec


class PuzzleMoves(Request):
    """The solver's moves, without the replies to them."""

    moves: list[Text] = Field(max_length=10)


class PlayOn(Request):
    """The position to play on from, and the computer player."""

    ply: Number
    level: Spec = "perfect"


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
