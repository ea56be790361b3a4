"""Requests about games, tables and puzzles, and for exact answers. The hub decides what happens at tables."""

from datetime import date, timedelta
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as InPath
from pydantic import AfterValidator

from perfectplay.coach.puzzles import day_of
from perfectplay.core.errors import BadParameterError, ParseError, PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import other
from perfectplay.games.registry import names
from perfectplay.tables import position_schemas, serializers
from perfectplay.tables.encoding import JsonObject, dumps
from perfectplay.tables.events import RefusedError, Seat
from perfectplay.tables.limits import LONGEST_TABLE_SPEC, most_plies
from perfectplay.tables.position_serializers import is_end
from perfectplay.tables.schemas import (
    EventSchema,
    GameSchema,
    MistakesSchema,
    PlayedSchema,
    StudySchema,
    TableSchema,
)
from perfectplay.tables.table import Table
from perfectplay.tables.validation import Plies, load_small_game, plies_of
from perfectplay_server import schemas
from perfectplay_server.http import models
from perfectplay_server.http.identity import Asker, Caller, GameNumber, Ply, TableId, hub_of
from perfectplay_server.http.responses import PROBLEMS, JsonResponse, text_of
from perfectplay_server.storage.database import MissingError

router = APIRouter(responses=PROBLEMS)
games = APIRouter(prefix="/api/tables/{table_id}/games/{number}", responses=PROBLEMS)
puzzles = APIRouter(prefix="/api/puzzles/{day}", responses=PROBLEMS)


def check_day(text: str) -> str:
    """A day that has begun somewhere on earth."""
    try:
        day = day_of(text)
    except ParseError as error:
        raise ValueError(str(error)) from error
    if day > date.today() + timedelta(days=1):
        raise ValueError(f"{day} is not here yet")
    return text


Today = Annotated[str, Query(max_length=10), AfterValidator(check_day)]
Day = Annotated[str, InPath(max_length=10), AfterValidator(check_day)]
GameName = Annotated[str, InPath(max_length=40, pattern="^[a-z-]+$")]


@router.get("/healthz", response_model=schemas.HealthSchema)
async def health(request: Request) -> Response:
    """Whether the server works, and its database saves and returns what is written."""
    hub = hub_of(request)
    await hub.clock.check()
    return JsonResponse({"ok": True, "tables": len(hub.tables)})


@cache
def _games() -> bytes:
    return dumps([serializers.serialize_game(name) for name in names()])


@router.get("/api/games", response_model=list[GameSchema])
async def list_games() -> Response:
    """The games, their parameters and how they look at the start."""
    return Response(_games(), media_type="application/json")


@router.get("/api/games/{name}/rules", response_class=Response, responses={200: text_of("markdown")})
async def show_rules(name: Annotated[str, InPath(max_length=LONGEST_TABLE_SPEC)]) -> Response:
    """The rules of a game in words, as Markdown."""
    if name not in names():
        raise MissingError
    return Response(load_small_game(name).texts().rulebook(), media_type="text/markdown")


@router.post("/api/tokens", status_code=201, response_model=schemas.TokenSchema)
async def make_token(request: Request) -> Response:
    """A new token, for a program that wants to store it before it takes a seat."""
    return JsonResponse({"token": request.app.state.tokens.new()}, 201)


def playable_moves(spec: str, texts: list[str]) -> Plies:
    """Moves from the start as plies; PerfectplayError if one is illegal or the last ends the game."""
    game = load_small_game(spec)
    match = Match(game, max_plies=most_plies(game))
    for index, text in enumerate(texts):
        try:
            match.play(text)
        except PerfectplayError as error:
            raise PerfectplayError(f"moves.{index}: {error}") from error
    if match.result is not None:
        raise PerfectplayError("moves: the game is over after them")
    return plies_of(match)


@router.post("/api/tables", status_code=201, response_model=schemas.MadeSchema)
async def make_table(asker: Asker, wanted: models.NewTable) -> Response:
    """Make a table and take a seat at it."""
    asker.take("table")
    moves = playable_moves(wanted.game, wanted.moves)
    if moves:
        await asker.must_not_be_playing(load_small_game(wanted.game))
    if moves and wanted.opponent is None:
        raise BadParameterError("opponent", "null", "a computer player where moves are given")
    return await asker.make(wanted, moves)


@router.get("/api/tables/{table_id}", response_model=TableSchema)
async def show_table(asker: Asker, table_id: TableId) -> Response:
    """A table as it is now."""
    return JsonResponse(await asker.hub.show(table_id, asker.owner))


@router.post(
    "/api/tables/{table_id}/join",
    response_model=schemas.JoinedSchema,
)
async def join_table(asker: Asker, table_id: TableId, joining: models.Joining) -> Response:
    """Take the free seat, with the code from the link that leads to it."""
    asker.take("join")
    hub, owner = asker.hub, asker.new_owner
    await hub.join(table_id, code=joining.code, name=joining.name or "Guest", owner=owner)
    return asker.respond({"table": await hub.show(table_id, owner)}, 200)


@router.post(
    "/api/tables/{table_id}/events",
    response_model=schemas.HappenedSchema,
)
async def act(asker: Asker, table_id: TableId, event: models.NewEvent) -> Response:
    """Do something at a table: make a move, or whatever else a player may do."""
    happened = await asker.hub.request(
        table_id,
        asker.owner,
        event.number,
        event.kind,
        event.text,
        address=asker.address,
    )
    return JsonResponse({"event": happened._asdict()})


@router.get("/api/tables/{table_id}/events", response_model=list[EventSchema])
async def list_events(
    asker: Asker, table_id: TableId, after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0
) -> Response:
    """What has happened at a table after an event, at most 1000 events at a time."""
    found = await asker.hub.events(table_id, asker.owner, after)
    return JsonResponse([event._asdict() for event in found])


@games.get("", response_model=PlayedSchema)
async def show_game(request: Request, table_id: TableId, number: GameNumber) -> Response:
    """A game that was or is played at a table, move by move."""
    table, _ = await hub_of(request).game(table_id, number)
    return JsonResponse(serializers.serialize_played_game(table))


@games.get("/positions/{ply}", response_model=position_schemas.PositionSchema)
async def show_position(request: Request, table_id: TableId, number: GameNumber, ply: Ply) -> Response:
    """A position of a game that was or is played at a table."""
    table, _ = await hub_of(request).game(table_id, number, ply=ply)
    return JsonResponse(serializers.table_position(table, ply))


@games.get("/record", response_class=Response, responses={200: text_of("plain")})
async def show_record(request: Request, table_id: TableId, number: GameNumber) -> Response:
    """A game as a record, as `perfectplay replay` reads it."""
    table, _ = await hub_of(request).game(table_id, number)
    name = f"attachment; filename=perfectplay-{table.id}-{number}.txt"
    return Response(f"{table.record()}\n", media_type="text/plain", headers={"Content-Disposition": name})


@games.get("/study/{ply}", response_model=StudySchema)
async def study_game(asker: Asker, table_id: TableId, number: GameNumber, ply: Ply) -> Response:
    """What every move of a position was worth, and how well the game was played, once it is over."""
    table, _ = await _load_finished_game(asker, table_id, number, ply)
    question = {"do": "study", "record": str(table.record()), "ply": ply, "number": number}
    return await _study(asker, table.game, question)


@games.get("/journal", response_model=schemas.JournalSchema)
async def show_journal(asker: Asker, table_id: TableId, number: GameNumber, day: Today) -> Response:
    """What a finished game of yours adds to your journal, which your browser alone keeps."""
    table, own = await _load_finished_game(asker, table_id, number)
    if own is None:
        raise RefusedError("seat", "this is not a game of yours")
    question = {
        "do": "journal",
        "record": str(table.record()),
        "side": table.side_of(own),
        "opponent": table.players[other(own)] or "human",
        "day": day,
    }
    return await _study(asker, table.game_on.game, question)


@router.post("/api/study", response_model=StudySchema)
async def study_alone(asker: Asker, solo: models.Solo) -> Response:
    """What every move of any position is worth."""
    return await _study_alone(asker, solo, number=1)


@router.post("/api/mistakes", response_model=MistakesSchema)
async def find_mistakes(asker: Asker, erring: models.Erring) -> Response:
    """Where a computer player gives value away: in a position, and where it loses most."""
    return await _study_alone(asker, erring, player=erring.player)


@games.post("/play-on", status_code=201, response_model=schemas.MadeSchema)
async def play_on(asker: Asker, table_id: TableId, number: GameNumber, wanted: models.PlayOn) -> Response:
    """A new table against the computer, from a position of a game that is over."""
    asker.take("table")
    table, own = await _load_finished_game(asker, table_id, number, wanted.ply)
    match = table.game_on
    if is_end(match, wanted.ply):
        raise RefusedError("over", "the game is over in this position")
    side = match.game.side_to_move(match.positions[wanted.ply])
    seat = table.seat_of(side)
    name = table.names[seat] if own == seat else None
    new = models.NewTable(game=match.game.spec, opponent=wanted.level, seat=side, name=name or "")
    return await asker.make(new, plies_of(match)[: wanted.ply])


@puzzles.get("", response_model=list[schemas.DailyPuzzleSchema])
async def list_puzzles(asker: Asker, day: Day) -> Response:
    """The puzzles of a day, one for each game, the same for everyone."""
    return await _ask(asker, "day", date=day)


@puzzles.post("/{name}/attempt", response_model=schemas.PuzzleAttemptSchema)
async def attempt(asker: Asker, day: Day, name: GameName, tried: models.PuzzleMoves) -> Response:
    """Whether moves solve a puzzle, and what follows."""
    return await _ask(asker, "attempt", date=day, game=name, moves=tried.moves)


@puzzles.get("/{name}/answer", response_model=schemas.PuzzleAttemptSchema)
async def answer(asker: Asker, day: Day, name: GameName) -> Response:
    """The answer to a puzzle."""
    return await _ask(asker, "answer", date=day, game=name)


async def _load_finished_game(
    asker: Caller, table_id: str, number: int, ply: int = 0
) -> tuple[Table, Seat | None]:
    """A table with a game that is over, and one's seat at it, for whoever may have exact answers about it."""
    table, seat = await asker.hub.game(table_id, number, ply=ply, owner=asker.owner)
    await asker.must_not_be_playing(table.game)
    if table.status == "running":
        raise RefusedError("running", "this game is still being played")
    return table, seat


async def _study_alone(asker: Caller, solo: models.Solo, **more: object) -> JsonResponse:
    game = load_small_game(solo.game)
    await asker.must_not_be_playing(game)
    question = {"do": "solo", "game": game.spec, "moves": solo.moves, "ply": solo.ply, **more}
    return await _study(asker, game, question)


async def _study(asker: Caller, game: Game[Any], question: JsonObject) -> JsonResponse:
    asker.take("study")
    asker.limits.take_game(asker.address, game)
    return JsonResponse(await asker.hub.workers.study(game, question, asker.address))


async def _ask(asker: Caller, ask: str, **given: Any) -> JsonResponse:
    asker.take("study")
    return JsonResponse(await asker.hub.workers.puzzles(ask, asker.address, **given))
