"""Requests for exact answers: what moves are worth, and playing on from a position."""

from typing import Any

from fastapi import APIRouter, Response

from perfectplay.core.game import Game
from perfectplay.tables.encoding import JsonObject
from perfectplay.tables.events import RefusedError
from perfectplay.tables.position_serializers import is_end
from perfectplay.tables.schemas import MadeSchema, StudySchema
from perfectplay.tables.table import Table
from perfectplay.tables.validation import bounded_game, plies_of
from perfectplay.web.http import models
from perfectplay.web.http.dependencies import Asker, GameNumber, Ply, TableId
from perfectplay.web.http.openapi import PROBLEMS
from perfectplay.web.http.responses import JsonResponse

router = APIRouter(responses=PROBLEMS)


@router.get(
    "/api/tables/{table_id}/games/{number}/study/{ply}",
    response_model=StudySchema,
)
async def study_game(asker: Asker, table_id: TableId, number: GameNumber, ply: Ply) -> Response:
    """What every move of a position was worth, and how well the game was played, once it is over."""
    table = (await asker.hub.game(table_id, number, ply=ply)).table
    await asker.must_not_be_playing(table.game)
    _must_be_over(table)
    question = {"do": "study", "record": str(table.record()), "ply": ply, "number": number}
    return await _study(asker, table.game, question)


@router.post("/api/study", response_model=StudySchema)
async def study_alone(asker: Asker, solo: models.Solo) -> Response:
    """What every move of any position is worth."""
    game = bounded_game(solo.game)
    await asker.must_not_be_playing(game)
    question = {"do": "solo", "game": game.spec, "moves": solo.moves, "ply": solo.ply, "number": 1}
    return await _study(asker, game, question)


@router.post(
    "/api/tables/{table_id}/games/{number}/play-on",
    status_code=201,
    response_model=MadeSchema,
)
async def play_on(asker: Asker, table_id: TableId, number: GameNumber, wanted: models.PlayOn) -> Response:
    """A new table against the computer, from a position of a game that is over."""
    asker.take("table")
    table, match, own = await asker.hub.game(table_id, number, ply=wanted.ply, owner=asker.identity.owner)
    await asker.must_not_be_playing(table.game)
    _must_be_over(table)
    if is_end(match, wanted.ply):
        raise RefusedError("over", "the game is over in this position")
    side = match.game.side_to_move(match.positions[wanted.ply])
    seat = table.seat_of(side)
    name = table.names[seat] if own == seat else None
    new = models.NewTable(game=match.game.spec, opponent=wanted.level, seat=side, name=name or "")
    return await asker.make(new, plies_of(match)[: wanted.ply])


def _must_be_over(table: Table) -> None:
    if table.status == "running":
        raise RefusedError("running", "this game is still being played")


async def _study(asker: Asker, game: Game[Any], question: JsonObject) -> JsonResponse:
    asker.take("study")
    asker.limits.take_game(asker.address, game)
    return JsonResponse(await asker.hub.workers.study(game, question, asker.address))
