"""The shapes of requests and answers, for the OpenAPI page and to check what comes in."""

from typing import Annotated, Literal

from perfectplay.core.errors import MissingExtraError
from perfectplay.web.names import printable, proper_name
from perfectplay.web.settings import LONGEST_NAME, LONGEST_SPEC, LONGEST_TEXT
from perfectplay.web.table import MOST_PLIES

try:
    from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel, StringConstraints
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error


Name = Annotated[
    str,
    StringConstraints(max_length=LONGEST_NAME, strip_whitespace=True),
    AfterValidator(proper_name),
]
Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT), AfterValidator(printable)]
Spec = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SPEC), AfterValidator(printable)]
SeatNumber = Literal[0, 1]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class Request(BaseModel):
    """What a client sends: exactly the types that are named."""

    model_config = ConfigDict(strict=True, extra="forbid")


class NewTable(Request):
    """A table to be made, and the seat that its maker takes."""

    game: Spec = Field(description="the spec of a game, such as bit-flip or bit-flip:bits=12")
    seat: SeatNumber | None = Field(None, description="which seat to take; null: either")
    opponent: Spec | None = Field(None, description="a computer player, such as level:4; null: a person")
    name: Name = Field("", description="your name")
    public: bool = Field(
        False, description="whether the table is listed, and while a seat is free, open to anyone"
    )
    moves: list[Text] = Field(
        default=[],
        max_length=MOST_PLIES,
        description="moves from the start, after which the game begins; only against a computer player",
    )


class Joining(Request):
    """Who takes the free seat."""

    code: Text = Field(description="from the link that leads to the seat")
    name: Name = ""


class NewEvent(Request):
    """Something to do at a table."""

    number: Number = Field(description="the number of the next event, as the table says")
    kind: Literal["move", "resign", "offer", "accept", "decline", "close"]
    text: Text = Field("", description="the move, or what is offered: takeback, abandon or rematch")


class Solo(Request):
    """A position to study: a game and the moves that lead there."""

    game: Spec
    moves: list[Text] = Field(default=[], max_length=MOST_PLIES)
    ply: Number | None = Field(None, description="the position after so many moves; null: after all")


class PlayOn(Request):
    """Where to leave a played game, and whom to play from there."""

    ply: Number
    level: Spec = "perfect"


class Problem(BaseModel):
    """Why something was not done: `error` in a word, for programs, and `text` in a sentence."""

    error: str
    text: str
    table: str | None = None


class CellModel(BaseModel):
    """A cell: the move that it stands for if that is legal, and if not, why not."""

    label: str
    pieces: list[str]
    action: int | None
    text: str | None
    why: str | None


class ControlModel(BaseModel):
    """A button: the move that it plays, and with which others it stands."""

    label: str
    action: int
    text: str
    group: str


class FieldButtonModel(BaseModel):
    """A button beside a field for typed moves: what was typed, then `ending`, is the move."""

    label: str
    ending: str


class TextFieldModel(BaseModel):
    """A field in which a move is typed, where a wrong one costs the turn."""

    wants: str = Field(description="what to type, such as: a number from 1 to 9")
    buttons: list[FieldButtonModel]


class ViewModel(BaseModel):
    """A board: only legal moves have an action, and the text that plays it."""

    rows: list[list[CellModel]]
    controls: list[ControlModel]
    captions: list[str]
    sides: list[list[str]] = Field(description="the pieces of side 0, and those of side 1")
    hollow: list[str] = Field(description="the pieces drawn as an outline")
    text_field: TextFieldModel | None


class ParameterModel(BaseModel):
    """A parameter of a game, and what it may be."""

    name: str
    doc: str
    default: str
    choices: list[str] | None
    kind: Literal["whole", "choice", "text"]
    allowed: str


class GameModel(BaseModel):
    """A game as it stands on the home page."""

    name: str
    title: str
    side_names: list[str]
    summary: str
    parameters: list[ParameterModel]
    view: ViewModel
    levels: list[int]


class LastModel(BaseModel):
    """The turn that led to a position."""

    side: SeatNumber
    text: str
    kind: Literal["move", "forfeit"]
    events: list[str] = Field(description="what else it brought about, such as an inversion or a pass")


class ResultModel(BaseModel):
    """How a game ended; unfinished if nobody won or tied."""

    winner_seat: SeatNumber | None
    winner_side: SeatNumber | None
    reason: str
    finished: bool
    text: str


class PositionModel(BaseModel):
    """A position of a game: how it looks, whose turn it is, what may be played."""

    game: int
    ply: int
    view: ViewModel
    side: SeatNumber
    side_name: str
    seat: SeatNumber
    legal: list[str]
    last: LastModel | None
    changed: list[int] = Field(
        description="the cells that the last turn has changed, counted from 0 through all rows"
    )
    state: str
    result: ResultModel | None


class EventModel(BaseModel):
    """Something that has happened at a table."""

    number: int
    at: float
    seat: SeatNumber | None
    kind: Literal["sit", "move", "forfeit", "resign", "offer", "accept", "decline", "close"]
    text: str
    game: int


class MoveModel(BaseModel):
    """A line of a game's list of moves; a resignation has no ply."""

    ply: int | None
    side: SeatNumber
    seat: SeatNumber
    text: str
    kind: Literal["move", "forfeit", "resign"]
    events: list[str]


class PlayedModel(BaseModel):
    """A game of a table, move by move."""

    game: str = Field(description="the spec of the game, with who started")
    title: str
    side_names: list[str]
    names: list[str | None] = Field(description="the players of the two sides")
    moves: list[MoveModel]
    result: ResultModel | None


class PresenceModel(BaseModel):
    """Who is there: for each seat whether, and if not for how many seconds; and how many watch."""

    present: list[bool]
    away: list[int | None]
    watching: int


class StandModel(BaseModel):
    """What may change at a table with an event."""

    status: Literal["open", "running", "over", "closed"]
    names: list[str | None]
    score: list[int]
    games: int
    next: int = Field(description="the number of the next event")
    offers: dict[str, SeatNumber] = Field(description="what is on offer, and by which seat")
    closed: str | None
    sides: list[SeatNumber] = Field(description="the sides that the two seats play")
    plies: int


class TableModel(StandModel, PresenceModel):
    """All there is to know of a table."""

    id: str
    game: str
    title: str
    players: list[str | None] = Field(description="the specs of computer players")
    seat: SeatNumber | None = Field(description="the seat of who asks")
    join: str | None = None
    public: bool
    away_limit: float = Field(
        description="seconds that a player is gone before the other may close the table"
    )
    side_names: list[str]
    moves: list[MoveModel]
    position: PositionModel


class BriefModel(BaseModel):
    """A table as it stands in a list."""

    id: str
    game: str
    title: str
    names: list[str | None]
    score: list[int]
    status: Literal["open", "running", "over", "closed"]
    plies: int
    join: str | None = Field(None, description="the code for the free seat, while there is one")


class OwnModel(BriefModel):
    """A table where who asks has a seat."""

    seat: SeatNumber
    turn: SeatNumber | None = Field(description="the seat that is to move, while a game goes on")


class OwnListModel(BaseModel):
    """One's own tables."""

    tables: list[OwnModel]


class ListModel(BaseModel):
    """The tables that are listed for everyone."""

    open: list[BriefModel]
    running: list[BriefModel]


class TokenModel(BaseModel):
    """A token that nobody holds yet."""

    token: str


class MadeModel(BaseModel):
    """A table that was made. `token` is there for programs that asked for it."""

    table: TableModel
    join: str | None
    token: str | None = None


class JoinedModel(BaseModel):
    """A table at which a seat was taken."""

    table: TableModel
    token: str | None = None


class HappenedModel(BaseModel):
    """An event that has happened because it was asked for, now or before."""

    event: EventModel


class TableMessage(BaseModel):
    """The table as it is: the first message, unless only what happened after an event was asked for."""

    type: Literal["table"]
    table: TableModel


class EventMessage(BaseModel):
    """Something has happened. `table` has what may have changed; all else is as it was."""

    type: Literal["event"]
    event: EventModel
    table: StandModel
    position: PositionModel


class PresentMessage(PresenceModel):
    """Someone has come or gone."""

    type: Literal["present"]


class ReadyMessage(BaseModel):
    """All that was missed has been sent."""

    type: Literal["ready"]


class PongMessage(BaseModel):
    """The answer to a ping."""

    type: Literal["pong"]


class AnswerMessage(BaseModel):
    """Whether what was sent has happened: `event` if so, `error` and `text` if not."""

    type: Literal["answer"]
    id: str | int | None = Field(description="the id that was sent, if it was a short text or number")
    ok: bool
    event: EventModel | None = None
    error: str | None = None
    text: str | None = None


class Sent(
    RootModel[TableMessage | EventMessage | PresentMessage | ReadyMessage | PongMessage | AnswerMessage]
):
    """A message that the socket of a table sends."""


class AskedEvent(NewEvent):
    """Something to do at the table, as by POST; `id` comes back with the answer."""

    do: Literal["event"]
    id: str | int | None = None


class AskedPing(Request):
    """Asks for a pong."""

    do: Literal["ping"]


class Asked(RootModel[AskedEvent | AskedPing]):
    """A message that the socket of a table takes."""


class ValueModel(BaseModel):
    """What a position is worth to the side to move."""

    kind: Literal["win", "tie", "endless", "loss"]
    plies: int | None
    text: str


class StudiedMoveModel(BaseModel):
    """A move and its exact value."""

    action: int
    text: str
    kind: Literal["win", "tie", "endless", "loss"]
    plies: int | None
    best: bool
    words: str


class MarkModel(BaseModel):
    """How good a played move was."""

    ply: int
    text: str
    mark: str
    kept: bool


class StudyModel(BaseModel):
    """A position with all its moves valued, and the game up to now judged."""

    position: PositionModel
    side_names: list[str]
    played: list[MoveModel] = Field(description="all moves of the game, those after the position too")
    value: ValueModel
    moves: list[StudiedMoveModel]
    why: list[str]
    accuracy: list[float | None]
    marks: list[MarkModel] | None
    review: list[str]


class HealthModel(BaseModel):
    """That all is well."""

    ok: bool
    tables: int
