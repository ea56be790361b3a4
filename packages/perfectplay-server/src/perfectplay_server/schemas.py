"""The schemas of what the server alone sends: lists, seats, puzzles, problems. The others are in `tables`."""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic wants this one on Python 3.11

from perfectplay.tables.events import Seat
from perfectplay.tables.position_schemas import PositionSchema, about
from perfectplay.tables.schemas import ClockSchema, EventSchema, LeftSchema, TableSchema
from perfectplay.tables.table import Status


class ProblemSchema(TypedDict):
    """Why a request failed: `error` is a word for programs, `text` a sentence for people."""

    error: str
    text: str
    table: NotRequired[str | None]


class BriefSchema(TypedDict):
    """A table in a list."""

    id: str
    game: str
    title: str
    names: Sequence[str | None]
    score: Sequence[int]
    status: Status
    plies: int
    clock: ClockSchema | None
    join: NotRequired[Annotated[str | None, about("the code for the free seat, while there is one")]]


class OwnSchema(BriefSchema):
    """A table where you have a seat."""

    seat: Seat
    turn: Annotated[Seat | None, about("the seat to move, while a game is running")]


class OwnListSchema(TypedDict):
    """Your tables."""

    tables: Sequence[OwnSchema]


class TokenSchema(TypedDict):
    """A new token."""

    token: str


class JoinedSchema(TypedDict):
    """A table at which a seat was taken."""

    table: TableSchema
    token: NotRequired[str | None]


class MadeSchema(JoinedSchema):
    """A new table. `token` is included for programs that asked for it."""

    join: str | None


class HappenedSchema(TypedDict):
    """The event that was asked for, whether it happened now or on an earlier request."""

    event: EventSchema


class HealthSchema(TypedDict):
    """The server and its database work."""

    ok: bool
    tables: int


class BoardSchema(LeftSchema):
    """A game of a table as it was left, and when."""

    at: Annotated[float, about("when something last happened in it, in seconds since 1970")]


class OwnGameSchema(OwnSchema, BoardSchema):
    """A table where you have or had a seat, and one of its games; the newest game comes first."""


class OwnGamesSchema(TypedDict):
    """A page of your games, the newest first."""

    games: Sequence[OwnGameSchema]
    next: Annotated[str | None, about("what `after` must be to get the next page")]


class ListSchema(TypedDict):
    """The tables that are listed for everyone."""

    open: Annotated[Sequence[BriefSchema], about("those where someone waits for an opponent")]
    running: Sequence[BriefSchema]
    finished: Annotated[Sequence[BriefSchema], about("those finished a moment ago")]


class TransferSchema(TypedDict):
    """A code that moves your seat to another device, once."""

    code: str
    seconds: Annotated[float, about("for how long it works")]


class PuzzleBoardSchema(TypedDict):
    """The board of a puzzle, and the side that filled each cell."""

    position: PositionSchema
    owners: Sequence[Seat | None]


class DailyPuzzleSchema(PuzzleBoardSchema):
    """A puzzle of a day: a position in which only one move keeps the value."""

    name: str
    spec: str
    title: str
    sides: Sequence[str]
    question: str
    difficulty: Literal["easy", "medium", "hard"]
    moves: Annotated[Sequence[str], about("moves that lead to the position")]


class PuzzleAttemptSchema(PuzzleBoardSchema):
    """What became of the moves of an attempt, and the board after the reply."""

    right: bool
    solved: bool
    words: Annotated[Sequence[str], about("what the last move keeps or gives away")]
    line: NotRequired[Annotated[Sequence[str], about("the answer, with the replies to it")]]


class PlayedGameSchema(TypedDict):
    """A game as one person played it, for a journal."""

    day: str
    game: str
    opponent: Annotated[str, about("the spec of the opponent; human for a person")]
    side: Seat
    result: Literal["won", "lost", "tied", "unfinished"]
    decisions: Annotated[int, about("how many moves could give the value away")]
    kept: Annotated[int, about("how many of them did not")]
    guess: Annotated[float, about("how many a random move is expected to keep")]
    slips: Annotated[float, about("how many a level loses that slips every time")]
    assisted: bool


class AnswerSchema(TypedDict):
    """A move of an exercise: whether it solves it, and what it leads to."""

    action: int
    text: str
    solves: bool
    words: Sequence[str]


class ExerciseSchema(TypedDict):
    """A position in which a move gave something away, with everything to ask it again."""

    game: str
    title: str
    sides: Sequence[str]
    position: str
    key: Annotated[str, about("with the game, it names the exercise")]
    played: str
    attempts: Annotated[Sequence[Sequence[str | bool]], about("days, and whether it was solved")]
    question: str
    moves: Sequence[AnswerSchema]
    led_to: Sequence[str]
    board: PositionSchema
    owners: Sequence[Seat | None]


class JournalSchema(TypedDict):
    """What a game adds to a journal."""

    games: Sequence[PlayedGameSchema]
    exercises: Sequence[ExerciseSchema]
