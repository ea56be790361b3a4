"""The shapes of requests and answers, for the OpenAPI page and to check what comes in."""

from typing import Annotated, Literal

from perfectplay.core.errors import MissingExtraError
from perfectplay.web.settings import LONGEST_NAME, LONGEST_SPEC, LONGEST_TEXT
from perfectplay.web.table import MOST_PLIES

try:
    from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must be printable characters in one line")
    return text


# As a person sees it: neither control characters nor the marks that turn text around.
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f]*$"
Name = Annotated[
    str,
    StringConstraints(max_length=LONGEST_NAME, strip_whitespace=True),
    AfterValidator(_printable),
]
Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT), AfterValidator(_printable)]
Spec = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SPEC), AfterValidator(_printable)]
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
    public: bool = Field(True, description="whether the table is listed")
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
    label: str
    pieces: list[str]
    action: int | None
    text: str | None


class ControlModel(BaseModel):
    label: str
    action: int
    text: str
    group: str


class ViewModel(BaseModel):
    """A board: only legal moves have an action, and the text that plays it."""

    rows: list[list[CellModel]]
    controls: list[ControlModel]
    captions: list[str]


class ParameterModel(BaseModel):
    name: str
    doc: str
    default: str
    choices: list[str] | None
    kind: Literal["whole", "choice", "text"]
    allowed: str


class GameModel(BaseModel):
    name: str
    title: str
    side_names: list[str]
    summary: str
    parameters: list[ParameterModel]
    view: ViewModel
    levels: list[int]


class LastModel(BaseModel):
    side: SeatNumber
    text: str
    kind: Literal["move", "forfeit"]
    events: list[str] = Field(description="what else it brought about, such as an inversion or a pass")


class ResultModel(BaseModel):
    winner_seat: SeatNumber | None
    winner_side: SeatNumber | None
    reason: str
    finished: bool
    text: str


class PositionModel(BaseModel):
    game: int
    ply: int
    view: ViewModel
    side: SeatNumber
    side_name: str
    seat: SeatNumber
    legal: list[str]
    last: LastModel | None
    state: str
    result: ResultModel | None


class EventModel(BaseModel):
    number: int
    at: float
    seat: SeatNumber | None
    kind: Literal["sit", "move", "forfeit", "resign", "offer", "accept", "decline", "close"]
    text: str
    game: int


class MoveModel(BaseModel):
    ply: int | None
    side: SeatNumber
    seat: SeatNumber
    text: str
    kind: Literal["move", "forfeit", "resign"]
    events: list[str]


class TableModel(BaseModel):
    id: str
    game: str
    title: str
    status: Literal["open", "running", "over", "closed"]
    names: list[str | None]
    score: list[int]
    games: int
    next: int
    offers: dict[str, SeatNumber]
    closed: str | None
    sides: list[SeatNumber]
    plies: int
    players: list[str | None]
    seat: SeatNumber | None
    present: list[bool]
    away: list[int | None]
    watching: int
    join: str | None = None
    side_names: list[str]
    moves: list[MoveModel]
    position: PositionModel
    forfeits: bool


class BriefModel(BaseModel):
    id: str
    game: str
    title: str
    names: list[str | None]
    score: list[int]
    status: Literal["open", "running"]
    plies: int
    join: str | None = Field(None, description="the code for the free seat, while there is one")


class ListModel(BaseModel):
    open: list[BriefModel]
    running: list[BriefModel]


class MadeModel(BaseModel):
    table: TableModel
    join: str | None
    token: str | None = None


class JoinedModel(BaseModel):
    table: TableModel
    token: str | None = None


class HappenedModel(BaseModel):
    event: EventModel


class ValueModel(BaseModel):
    kind: Literal["win", "tie", "endless", "loss"]
    plies: int | None
    text: str


class StudiedMoveModel(BaseModel):
    action: int
    text: str
    kind: Literal["win", "tie", "endless", "loss"]
    plies: int | None
    best: bool
    words: str


class MarkModel(BaseModel):
    ply: int
    text: str
    mark: str
    kept: bool


class StudyModel(BaseModel):
    position: PositionModel
    value: ValueModel
    moves: list[StudiedMoveModel]
    why: list[str]
    accuracy: list[float | None]
    marks: list[MarkModel] | None
    review: list[str]


class HealthModel(BaseModel):
    ok: bool
    tables: int
