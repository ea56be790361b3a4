"""The shapes of all JSON that the server sends. The OpenAPI page is made from them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired

from perfectplay.core.errors import MissingExtraError
from perfectplay.core.view import Role

try:
    from pydantic import Field
    from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

SeatNumber = Literal[0, 1]
Status = Literal["open", "running", "over", "closed"]


class ProblemShape(TypedDict):
    """Why a request failed: `error` is a word for programs, `text` a sentence for people."""

    error: str
    text: str
    table: NotRequired[str | None]


class CellShape(TypedDict):
    """A cell: the move that it plays if that is legal, or why it is not. Most cells have no role."""

    label: str
    pieces: Sequence[str]
    action: int | None
    text: str | None
    why: str | None
    role: NotRequired[Role]
    owner: NotRequired[Annotated[SeatNumber | None, Field(description="the side whose goal the cell is")]]


class LinkShape(TypedDict):
    """Two cells that belong together, counted from 0 through all rows."""

    a: int
    b: int
    matched: bool


class ControlShape(TypedDict):
    """A button: the move that it plays, and the group that it is shown in."""

    label: str
    action: int
    text: str
    group: str
    adds: Annotated[int | None, Field(description="the cell that the move adds to the board")]


class FieldButtonShape(TypedDict):
    """A button beside a field for typed moves: what was typed, then `ending`, is the move."""

    label: str
    ending: str


class TextFieldShape(TypedDict):
    """A field to type a move into, for games in which an illegal move costs the turn."""

    wants: Annotated[str, Field(description="what to type, such as: a number from 1 to 9")]
    buttons: Sequence[FieldButtonShape]


class ViewShape(TypedDict):
    """A board. Only legal moves have an action, and the text that plays it."""

    rows: Sequence[Sequence[CellShape]]
    controls: Sequence[ControlShape]
    captions: Sequence[str]
    sides: Annotated[Sequence[Sequence[str]], Field(description="the pieces of side 0, and those of side 1")]
    hollow: Annotated[Sequence[str], Field(description="the pieces drawn as an outline")]
    text_field: TextFieldShape | None
    links: Sequence[LinkShape]
    aims: Annotated[Sequence[str], Field(description="what side 0 is trying to do, and what side 1 is")]
    note: Annotated[str, Field(description="a rule to keep in mind; may be empty")]
    on_board: Annotated[
        Sequence[str], Field(description="the captions that roles, owners and links show too")
    ]


class ParameterShape(TypedDict):
    """A parameter of a game, and its allowed values."""

    name: str
    doc: str
    default: str
    choices: Sequence[str] | None
    kind: Literal["whole", "choice", "text"]
    allowed: str


class PresetShape(TypedDict):
    """A recommended setting of a game."""

    spec: str
    title: str
    why: str


class IllustrationShape(TypedDict):
    """A board in the middle of a game, which shows what the game looks like."""

    view: ViewShape
    owners: Sequence[SeatNumber | None]


class GameShape(TypedDict):
    """A game as the home page shows it."""

    name: str
    title: str
    side_names: Sequence[str]
    summary: str
    parameters: Sequence[ParameterShape]
    view: ViewShape
    levels: Sequence[int]
    picture: IllustrationShape
    presets: Sequence[PresetShape]
    puzzle: Annotated[str, Field(description="what is known about the default setting; may be empty")]


class PlacedShape(TypedDict):
    """The cell on which a move put something; with `adds`, the move added that cell to the board."""

    cell: int
    adds: bool


class LastShape(TypedDict):
    """The turn that led to a position."""

    side: SeatNumber
    text: str
    kind: Literal["move", "forfeit"]
    events: Annotated[Sequence[str], Field(description="what else it caused, such as an inversion or a pass")]
    placed: PlacedShape | None


class ResultShape(TypedDict):
    """How a game ended. `finished` is false if it has neither a winner nor a tie."""

    winner_seat: SeatNumber | None
    winner_side: SeatNumber | None
    reason: str
    why: Annotated[
        str, Field(description="the end in a sentence, with {winner} and {loser} for the names; may be empty")
    ]
    finished: bool
    text: str


class PositionShape(TypedDict):
    """A position of a game: how it looks, whose turn it is, and the legal moves."""

    game: int
    ply: int
    view: ViewShape
    side: SeatNumber
    side_name: str
    seat: SeatNumber
    legal: Sequence[str]
    last: LastShape | None
    changed: Annotated[
        Sequence[int],
        Field(description="the cells that the last turn changed, counted from 0 through all rows"),
    ]
    state: str
    result: ResultShape | None


class EventShape(TypedDict):
    """Something that has happened at a table."""

    number: int
    at: float
    seat: SeatNumber | None
    kind: Literal[
        "sit", "move", "forfeit", "resign", "offer", "accept", "decline", "time", "claim", "close", "assisted"
    ]
    text: str
    game: int
    ms: Annotated[
        int,
        Field(description="how long the player to move had it on their clock since the event before"),
    ]


class MoveShape(TypedDict):
    """An entry in the list of moves. Only a move and a lost turn have a ply."""

    ply: int | None
    side: SeatNumber
    seat: SeatNumber
    text: str
    kind: Literal["move", "forfeit", "resign", "time", "claim", "assisted"]
    events: Sequence[str]
    placed: PlacedShape | None


class PlayedShape(TypedDict):
    """A game of a table, move by move."""

    game: Annotated[str, Field(description="the spec of the game, including who started")]
    title: str
    side_names: Sequence[str]
    names: Annotated[Sequence[str | None], Field(description="the players of the two sides")]
    moves: Sequence[MoveShape]
    result: ResultShape | None


class ClockShape(TypedDict):
    """The time for each move, or for a whole game with an increment after each move, in seconds."""

    per: Literal["move", "game"]
    seconds: int
    increment: int


class PresenceShape(TypedDict):
    """Which seats are connected, for how many seconds others have been away, and how many watch."""

    present: Sequence[bool]
    away: Sequence[int | None]
    watching: int
    ran: Annotated[
        int, Field(description="milliseconds since the last event, for which the clock that runs has run")
    ]


class StandShape(TypedDict):
    """What an event may change at a table."""

    status: Status
    names: Sequence[str | None]
    score: Sequence[int]
    games: int
    next: Annotated[int, Field(description="the number of the next event")]
    offers: Annotated[
        Mapping[str, SeatNumber], Field(description="the open offers, and which seat made each")
    ]
    closed: str | None
    sides: Annotated[Sequence[SeatNumber], Field(description="the sides that the two seats play")]
    plies: int
    left: Annotated[
        Sequence[int] | None,
        Field(description="the milliseconds that each seat had left after the last event; null: no clock"),
    ]
    waited: Annotated[
        int, Field(description="for how many milliseconds the player to move had been silent at that time")
    ]


class TableShape(PresenceShape, StandShape):
    """Everything about a table."""

    id: str
    game: str
    title: str
    players: Annotated[Sequence[str | None], Field(description="the specs of computer players")]
    seat: Annotated[SeatNumber | None, Field(description="your seat")]
    join: NotRequired[str | None]
    public: bool
    clock: ClockShape | None
    away_limit: Annotated[
        float | None,
        Field(
            description="seconds that a player may be away, or silent on their turn, before the other may"
            " claim the game; null: the clock decides"
        ),
    ]
    side_names: Sequence[str]
    moves: Sequence[MoveShape]
    position: PositionShape


class BriefShape(TypedDict):
    """A table in a list."""

    id: str
    game: str
    title: str
    names: Sequence[str | None]
    score: Sequence[int]
    status: Status
    plies: int
    clock: ClockShape | None
    join: NotRequired[
        Annotated[str | None, Field(description="the code for the free seat, while there is one")]
    ]


class OwnShape(BriefShape):
    """A table where you have a seat."""

    seat: SeatNumber
    turn: Annotated[SeatNumber | None, Field(description="the seat to move, while a game is running")]


class OwnListShape(TypedDict):
    """Your tables."""

    tables: Sequence[OwnShape]


class TokenShape(TypedDict):
    """A new token."""

    token: str


class MadeShape(TypedDict):
    """A new table. `token` is included for programs that asked for it."""

    table: TableShape
    join: str | None
    token: NotRequired[str | None]


class JoinedShape(TypedDict):
    """A table at which a seat was taken."""

    table: TableShape
    token: NotRequired[str | None]


class HappenedShape(TypedDict):
    """The event that was asked for, whether it happened now or on an earlier request."""

    event: EventShape


class HealthShape(TypedDict):
    """The server and its database work."""

    ok: bool
    tables: int
