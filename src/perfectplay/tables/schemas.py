"""The schemas of all JSON that the server sends. The OpenAPI page is made from them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11

from perfectplay.core.value import Kind as ValueKind
from perfectplay.tables.events import EventKind, Seat
from perfectplay.tables.position_schemas import MoveSchema, PositionSchema, ResultSchema, ViewSchema, about
from perfectplay.tables.table import Status
from perfectplay.tables.time_control import Per


class ParameterSchema(TypedDict):
    """A parameter of a game, and its allowed values."""

    name: str
    doc: str
    default: str
    choices: Sequence[str] | None
    kind: Literal["whole", "choice", "text"]
    allowed: str


class PresetSchema(TypedDict):
    """A recommended setting of a game."""

    spec: str
    title: str
    why: str


class IllustrationSchema(TypedDict):
    """A board in the middle of a game, which shows what the game looks like."""

    view: ViewSchema
    owners: Sequence[Seat | None]


class WonGameSchema(IllustrationSchema):
    """A board at the end of a game, which shows what a win looks like."""

    words: Annotated[str, about("why it is one, in a sentence")]


class GameSchema(TypedDict):
    """A game as the home page shows it."""

    name: str
    title: str
    side_names: Sequence[str]
    summary: str
    parameters: Sequence[ParameterSchema]
    view: ViewSchema
    levels: Sequence[int]
    level: Annotated[int, about("the level that is chosen by default")]
    learned: Annotated[Sequence[str], about("the settings for which there is a trained opponent, learned")]
    picture: IllustrationSchema
    won: WonGameSchema
    presets: Annotated[
        Sequence[PresetSchema],
        about("the settings to choose from, the one to propose first; empty if there is one only"),
    ]
    puzzle: Annotated[str, about("what is known about the default setting; may be empty")]
    puzzle_solved: Annotated[str, about("what to say to a player who has found the answer")]


class EventSchema(TypedDict):
    """Something that has happened at a table."""

    number: int
    at: float
    seat: Seat | None
    kind: EventKind
    text: str
    game: int
    ms: Annotated[int, about("how long the player to move had it on their clock since the event before")]


class PlayedSchema(TypedDict):
    """A game of a table, move by move."""

    game: Annotated[str, about("the spec of the game, including who started")]
    title: str
    side_names: Sequence[str]
    names: Annotated[Sequence[str | None], about("the players of the two sides")]
    moves: Sequence[MoveSchema]
    result: ResultSchema | None


class ClockSchema(TypedDict):
    """The time for each move, or for a whole game with an increment after each move, in seconds."""

    per: Per
    seconds: int
    increment: int


class PresenceSchema(TypedDict):
    """Which seats are connected, for how many seconds others have been away, and how many watch."""

    present: Sequence[bool]
    away: Sequence[int | None]
    watching: int
    ran: Annotated[int, about("milliseconds since the last event, for which the clock that runs has run")]


class TableStateSchema(TypedDict):
    """What an event may change at a table."""

    status: Status
    names: Sequence[str | None]
    score: Sequence[int]
    games: int
    next: Annotated[int, about("the number of the next event")]
    offers: Annotated[Mapping[str, Seat], about("the open offers, and which seat made each")]
    closed: str | None
    sides: Annotated[Sequence[Seat], about("the sides that the two seats play")]
    plies: int
    repeated: Annotated[int, about("how often the position has come up in this game")]
    left: Annotated[
        Sequence[int] | None,
        about("the milliseconds that each seat had left after the last event; null: no clock"),
    ]
    waited: Annotated[int, about("for how many milliseconds the player to move had been silent at that time")]


class TableSchema(PresenceSchema, TableStateSchema):
    """Everything about a table."""

    id: str
    game: str
    title: str
    players: Annotated[Sequence[str | None], about("the specs of computer players")]
    seat: Annotated[Seat | None, about("your seat")]
    join: NotRequired[str | None]
    public: bool
    clock: ClockSchema | None
    away_limit: Annotated[
        float | None,
        about(
            "seconds that a player may be away, or silent on their turn, before the other may"
            " claim the game; null: the clock decides"
        ),
    ]
    side_names: Sequence[str]
    moves: Sequence[MoveSchema]
    position: PositionSchema


class LeftSchema(TypedDict):
    """A game of a table as it was left."""

    number: Annotated[int, about("the number of the game; 0 before the first")]
    view: Annotated[ViewSchema, about("the board as it is, or as it was left")]
    owners: Annotated[
        Sequence[Seat | None], about("the side that filled each cell, as far as cells are filled")
    ]
    result: ResultSchema | None


class ValueSchema(TypedDict):
    """The value of a position for the side to move."""

    kind: ValueKind
    plies: int | None
    text: str


class StudiedMoveSchema(TypedDict):
    """A move and its exact value."""

    action: int
    text: str
    kind: ValueKind
    plies: int | None
    best: bool
    words: str


class MarkSchema(TypedDict):
    """How good a played move was."""

    ply: int
    text: str
    mark: str
    kept: bool


class ChartPointSchema(TypedDict):
    """What a position of a played game was worth to the first side."""

    ply: Annotated[int, about("a resignation that gave something away counts as one more")]
    kind: ValueKind
    plies: int | None
    mistake: bool
    height: Annotated[float, about("from -1, lost, to 1, won; 0 if nobody wins")]


class StudySchema(TypedDict):
    """A position with the value of each move, and a review of the game up to it."""

    position: PositionSchema
    side_names: Sequence[str]
    played: Annotated[
        Sequence[MoveSchema], about("all moves of the game, including those after the position")
    ]
    value: ValueSchema
    moves: Sequence[StudiedMoveSchema]
    why: Sequence[str]
    accuracy: Sequence[float | None]
    marks: Sequence[MarkSchema] | None
    chart: Sequence[ChartPointSchema]
    review: Sequence[str]


class WrongMoveSchema(TypedDict):
    """A move that loses value, and how likely a player makes it."""

    action: int
    text: str
    kind: Annotated[ValueKind, about("what is left to the side that moves")]
    chance: float


class ErringPositionSchema(TypedDict):
    """A position in which a player may lose value."""

    moves: Annotated[Sequence[str], about("moves from the start that lead there")]
    side: Seat
    kind: Annotated[ValueKind, about("what the position is worth to the side to move")]
    chance: Annotated[float, about("of a move that has a worse kind of value")]
    lost: Annotated[float, about("the points that the player is expected to lose with its move")]
    likeliest: Annotated[str, about("the likeliest of those moves")]


class MistakesSchema(TypedDict):
    """Where a computer player gives value away: in a position, and where it loses most."""

    wrong: Annotated[Sequence[WrongMoveSchema], about("in the position that was asked about")]
    positions: Annotated[int, about("how many were searched: all, or those near the start")]
    decisions: Annotated[int, about("in how many of them some move loses value")]
    erring: Annotated[int, about("in how many of those the player may do so")]
    worst: Annotated[Sequence[ErringPositionSchema], about("the most points lost first")]
