"""Requests about games and tables. What happens at a table is decided elsewhere."""

import logging
from collections.abc import Iterable
from functools import cache
from math import ceil
from time import monotonic
from typing import Annotated, Any

from perfectplay.core.errors import BadParameterError, MissingExtraError, PerfectplayError
from perfectplay.core.match import Match
from perfectplay.games.registry import names
from perfectplay.games.rulebook import rulebook
from perfectplay.web import models, shapes
from perfectplay.web.hub import Hub
from perfectplay.web.identity import Identity, tokens_of
from perfectplay.web.live_table import LiveTable, MissingError
from perfectplay.web.middleware import Limits, address_of
from perfectplay.web.responses import JsonResponse, ProblemError, problems
from perfectplay.web.settings import LONGEST_SPEC
from perfectplay.web.shapes import Shape, dumps
from perfectplay.web.store import Row
from perfectplay.web.table import RefusedError, Seat, Table, most_plies

try:
    from fastapi import APIRouter, Depends, Query, Request, Response
    from fastapi import Path as InPath
    from starlette.requests import HTTPConnection
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

logger = logging.getLogger("perfectplay.web")

LISTED = 50
"""Tables in a list."""
OWN = 20
"""Tables in the list of one's own."""
RECENT = 3600.0
"""Seconds after which a game in which nobody moves is listed no more."""
SCHEMAS = "#/components/schemas/"

TableId = Annotated[str, InPath(min_length=1, max_length=32, description="of a table")]
GameNumber = Annotated[int, InPath(ge=1, le=2**31 - 1, description="which game of the table, from 1 on")]
Ply = Annotated[int, InPath(ge=0, le=2**31 - 1, description="the position after so many plies")]

Plies = tuple[tuple[str, str], ...]
"""Plies as they are played again: of which kind each is, and its text."""


def hub_of(connection: HTTPConnection) -> Hub:
    """The tables of the server that is asked."""
    hub: Hub = connection.app.state.hub
    return hub


class Caller:
    """Who asks, and whom."""

    def __init__(self, request: Request, identity: Identity) -> None:
        self.hub = hub_of(request)
        self.limits: Limits = request.app.state.limits
        self.address = address_of(request.scope)
        self.identity = identity

    async def may_be_told(self) -> None:
        """Who plays a game may neither study nor have a computer player show how to go on."""
        hub, holder = self.hub, self.identity.holder
        running = None if holder is None else await hub.read(hub.store.seated_at, holder)
        if running is not None:
            text = "you have a seat at a running game; finish it first"
            raise ProblemError(403, "seated", text, table=running)

    async def make(
        self, spec: str, *, opponent: str | None, seat: Seat | None, name: str, public: bool, moves: Plies
    ) -> JsonResponse:
        """Make a table, and take a seat at it."""
        hub, holder = self.hub, self.identity.new_holder
        game = shapes.bounded_game(spec)
        if opponent is not None:
            opponent = shapes.opponent_spec(opponent)
            if opponent != "random":
                self.limits.game(self.address, game)
                await hub.workers.admit(game, self.address)
        live = await hub.make(
            game.spec,
            seat=seat,
            opponent=opponent,
            name=name or "Guest",
            public=public,
            holder=holder,
            moves=moves,
            address=self.address,
        )
        table = hub.shape(live, holder)
        return self.identity.answer({"table": table, "join": table.get("join")}, 201)


async def _caller(request: Request) -> Caller:
    return Caller(request, await Identity.of(request))


Asker = Annotated[Caller, Depends(_caller)]
router = APIRouter()


@router.get("/healthz", response_model=models.HealthModel, responses=problems(503))
async def health(request: Request) -> Response:
    """Whether the server works, and its database takes what is written and gives it back."""
    hub = hub_of(request)
    await hub.upkeep.healthy()
    return JsonResponse({"ok": True, "tables": len(hub.live_tables)})


@cache
def _games() -> str:
    return dumps([shapes.game_shape(name) for name in names()])


@router.get("/api/games", response_model=list[models.GameModel], responses=problems())
async def list_games() -> Response:
    """The games, their parameters and how they look at the start."""
    return Response(_games(), media_type="application/json", headers={"Cache-Control": "no-cache"})


def text_of(kind: str) -> dict[str, Any]:
    """An answer that is text, for the OpenAPI page."""
    return {"content": {f"text/{kind}": {"schema": {"type": "string"}}}, "description": "the text"}


@router.get(
    "/api/games/{name}/rules", response_class=Response, responses={**problems(404), 200: text_of("markdown")}
)
async def show_rules(name: Annotated[str, InPath(max_length=LONGEST_SPEC)]) -> Response:
    """The rules of a game in words, as Markdown."""
    if name not in names():
        raise MissingError
    text = rulebook(type(shapes.bounded_game(name)))
    return Response(text, media_type="text/markdown", headers={"Cache-Control": "no-cache"})


@router.get("/api/tables", response_model=models.ListModel, responses=problems(503))
async def list_tables(request: Request) -> Response:
    """Public tables that wait for a player, and those that are played at, the newest first."""
    hub = hub_of(request)
    shown = {}
    for status, since in (("open", 0.0), ("running", hub.now() - RECENT)):
        rows = await hub.read(hub.store.listed, status, since, LISTED)
        shown[status] = [brief for _, brief in _briefs(rows)]
    return JsonResponse(shown)


@router.post("/api/tokens", status_code=201, response_model=models.TokenModel, responses=problems(408, 413))
async def make_token(request: Request) -> Response:
    """A new token, for a program that wants to keep it before it takes a seat."""
    return JsonResponse({"token": tokens_of(request).new()}, 201)


@router.get("/api/seats", response_model=models.OwnListModel, responses=problems(503))
async def list_seats(asker: Asker) -> Response:
    """Your tables, those that go on first."""
    hub, holder = asker.hub, asker.identity.holder
    rows = [] if holder is None else await hub.read(hub.store.seats, holder, OWN)
    own = [{**brief, "seat": row["seat"], "turn": row["turn"]} for row, brief in _briefs(rows)]
    return JsonResponse({"tables": own})


@router.post(
    "/api/tables",
    status_code=201,
    response_model=models.MadeModel,
    response_model_exclude_none=True,
    responses=problems(408, 413, 503),
)
async def make_table(asker: Asker, wanted: models.NewTable) -> Response:
    """Make a table and take a seat at it."""
    asker.limits.table(asker.address)
    moves = _moves(wanted.game, wanted.moves)
    if moves:
        await asker.may_be_told()
    if moves and wanted.opponent is None:
        raise BadParameterError("opponent", "null", "a computer player where moves are given")
    return await asker.make(
        wanted.game,
        opponent=wanted.opponent,
        seat=wanted.seat,
        name=wanted.name,
        public=wanted.public,
        moves=moves,
    )


@router.get("/api/tables/{table_id}", response_model=models.TableModel, responses=problems(404, 503))
async def show_table(asker: Asker, table_id: TableId) -> Response:
    """A table as it is now."""
    async with asker.hub.table(table_id) as live:
        _seen(live, asker.identity)
        return JsonResponse(asker.hub.shape(live, asker.identity.holder))


@router.post(
    "/api/tables/{table_id}/join",
    response_model=models.JoinedModel,
    responses=problems(404, 408, 409, 413, 503),
)
async def join_table(asker: Asker, table_id: TableId, joining: models.Joining) -> Response:
    """Take the free seat, with the code from the link that leads to it."""
    asker.limits.join(asker.address)
    hub, holder = asker.hub, asker.identity.new_holder
    await hub.join(table_id, code=joining.code, name=joining.name or "Guest", holder=holder)
    async with hub.table(table_id) as live:
        return asker.identity.answer({"table": hub.shape(live, holder)}, 200)


@router.post(
    "/api/tables/{table_id}/events",
    response_model=models.HappenedModel,
    responses=problems(404, 408, 409, 413, 503),
)
async def act(asker: Asker, table_id: TableId, event: models.NewEvent) -> Response:
    """Do something at a table: a move, or whatever else a player may do."""
    hub = asker.hub
    async with hub.table(table_id) as live:
        seat = live.seat_of(asker.identity.holder)
        if seat is None:
            raise RefusedError("seat", "only who has a seat at this table can do that")
        wait = hub.slow(live, seat)
    if wait:
        raise ProblemError(429, "slow", "that was too quick; please wait a little", wait=ceil(wait))
    happened = await hub.act(table_id, seat, event.number, event.kind, event.text, address=asker.address)
    return JsonResponse({"event": shapes.event_shape(happened)})


@router.get(
    "/api/tables/{table_id}/events", response_model=list[models.EventModel], responses=problems(404, 503)
)
async def list_events(
    asker: Asker, table_id: TableId, after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0
) -> Response:
    """What has happened at a table after an event, at most 1000 events at a time."""
    hub = asker.hub
    async with hub.table(table_id) as live:
        _seen(live, asker.identity)
        found = await hub.read(hub.store.events, table_id, after=after, most=1000)
    return JsonResponse([shapes.event_shape(event) for event in found])


async def game_of(hub: Hub, live: LiveTable, number: int, ply: int = 0) -> tuple[Table, Match[Any]]:
    """A game that was or is played at a table, and which has got at least as far as a ply."""
    table = await hub.old_game(live, number)
    if table.match is None or ply > table.match.plies:
        raise MissingError
    return table, table.match


@router.get(
    "/api/tables/{table_id}/games/{number}",
    response_model=models.PlayedModel,
    responses=problems(404, 503),
)
async def show_game(request: Request, table_id: TableId, number: GameNumber) -> Response:
    """A game that was or is played at a table, move by move."""
    hub = hub_of(request)
    async with hub.table(table_id) as live:
        table, match = await game_of(hub, live, number)
        return JsonResponse(shapes.played_shape(table, match))


@router.get(
    "/api/tables/{table_id}/games/{number}/positions/{ply}",
    response_model=models.PositionModel,
    responses=problems(404, 503),
)
async def show_position(request: Request, table_id: TableId, number: GameNumber, ply: Ply) -> Response:
    """A position of a game that was or is played at a table."""
    hub = hub_of(request)
    async with hub.table(table_id) as live:
        table, _ = await game_of(hub, live, number, ply)
        return JsonResponse(shapes.table_position(table, ply))


@router.get(
    "/api/tables/{table_id}/games/{number}/record",
    response_class=Response,
    responses={**problems(404, 503), 200: text_of("plain")},
)
async def show_record(request: Request, table_id: TableId, number: GameNumber) -> Response:
    """A game as a record, as `perfectplay replay` reads it."""
    hub = hub_of(request)
    async with hub.table(table_id) as live:
        table, _ = await game_of(hub, live, number)
        text = f"{table.record()}\n"
    name = f"attachment; filename=perfectplay-{live.id}-{number}.txt"
    return Response(text, media_type="text/plain", headers={"Content-Disposition": name})


def plies_of(match: Match[Any]) -> Plies:
    """All plies of a game."""
    return tuple((entry.kind, match.line(entry).text) for entry in match.history if entry.is_ply)


def _moves(spec: str, texts: list[str]) -> Plies:
    """Moves from the start of a game, checked one by one; the game must go on after them."""
    game = shapes.bounded_game(spec)
    match = Match(game, max_plies=most_plies(game))
    for index, text in enumerate(texts):
        try:
            match.play(text)
        except PerfectplayError as error:
            raise ProblemError(400, "bad", f"moves.{index}: {error}") from error
    if match.result is not None:
        raise ProblemError(400, "bad", "moves: the game is over after them")
    return plies_of(match)


def _briefs(rows: Iterable[Row]) -> list[tuple[Row, Shape]]:
    """Tables as they stand in a list. One that waits for someone can be joined from there."""
    found = []
    for row in rows:
        try:
            game = shapes.bounded_game(row["game"])
        except PerfectplayError as error:
            # A game that is not installed any more; the others are shown all the same.
            logger.error("table %s cannot be shown here: %s", row["id"], error)
            continue
        brief = {
            "id": row["id"],
            "game": row["game"],
            "title": game.title,
            "names": [row["name0"], row["name1"]],
            "score": [row["score0"], row["score1"]],
            "status": row["status"],
            "plies": row["plies"],
            **({"join": row["code"]} if row["status"] == "open" else {}),
        }
        found.append((row, brief))
    return found


def _seen(live: LiveTable, identity: Identity) -> None:
    """Who asks for the table is there, even without a socket."""
    seat = live.seat_of(identity.holder)
    if seat is not None:
        live.seen[seat] = monotonic()
