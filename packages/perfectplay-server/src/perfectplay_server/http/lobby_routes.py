"""Requests about lists of tables, playing whoever waits, and moving a seat to another device."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from perfectplay.tables.events import RefusedError
from perfectplay.tables.validation import load_small_game
from perfectplay_server import schemas
from perfectplay_server.http import models
from perfectplay_server.http.identity import Asker, TableId, hub_of
from perfectplay_server.http.responses import PROBLEMS, JsonResponse
from perfectplay_server.live import transfers

router = APIRouter(responses=PROBLEMS)


@router.get("/api/tables", response_model=schemas.ListSchema)
async def list_tables(request: Request) -> Response:
    """Public tables with someone there: waiting for an opponent or playing; and games just finished."""
    return JsonResponse(await hub_of(request).lobby.public_tables())


@router.get("/api/seats", response_model=schemas.OwnListSchema)
async def list_seats(asker: Asker) -> Response:
    """Your tables, live ones first."""
    owner = asker.owner
    return JsonResponse({"tables": [] if owner is None else await asker.hub.lobby.own_tables(owner)})


@router.get("/api/own-games", response_model=schemas.OwnGamesSchema)
async def list_own_games(asker: Asker, after: Annotated[str | None, Query(max_length=80)] = None) -> Response:
    """All your games, the newest first, a page at a time."""
    owner = asker.owner
    if owner is None:
        return JsonResponse({"games": [], "next": None})
    return JsonResponse(await asker.hub.lobby.own_games(owner, after))


@router.post(
    "/api/play",
    response_model=schemas.JoinedSchema,
    responses={201: {"model": schemas.MadeSchema}},
)
async def play_anyone(asker: Asker, wanted: models.Anyone) -> Response:
    """Sit down where someone has waited longest, or make a table and wait there."""
    asker.take("join")
    hub, owner, spec = asker.hub, asker.new_owner, load_small_game(wanted.game).spec
    control, away_limit = wanted.times()
    # Nobody is put under a clock, or may lose by being away, other than as they have chosen.
    times = (None if control is None else str(control), hub.away_limit(away_limit, control))
    async with hub.lobby.matching():
        own, held = None, {each["id"]: each["seat"] for each in await hub.lobby.own_tables(owner)}
        for row, address in await hub.lobby.list_waiting():
            offered = held.get(row["id"], 0 if row["name0"] is None else 1)
            if (
                (row["game"] != spec and not wanted.any)
                or (row["clock"], row["away_limit"]) != times
                or wanted.seat not in (None, offered)
            ):
                continue
            try:
                await hub.join(row["id"], code=row["code"], name=wanted.name or "Guest", owner=owner)
            except RefusedError as error:
                if error.code == "own":
                    own = row["id"]
                continue  # someone else was first
            hub.lobby.had_turn(address)
            return asker.respond({"table": await hub.show(row["id"], owner)}, 200)
        if own is not None:
            return asker.respond({"table": await hub.show(own, owner)}, 200)
        asker.take("table")
        chosen = wanted.model_dump(exclude={"any"})
        return await asker.make(models.NewTable(**{**chosen, "game": spec, "public": True}))


@router.post(
    "/api/tables/{table_id}/transfer",
    status_code=201,
    response_model=schemas.TransferSchema,
)
async def offer_seat(asker: Asker, table_id: TableId) -> Response:
    """A code that moves your seat at a table to another device. It works once, for ten minutes."""
    asker.take("join")
    code = await asker.hub.transfers.offer(table_id, asker.owner)
    return JsonResponse({"code": code, "seconds": transfers.SECONDS}, 201)


@router.post("/api/transfers", response_model=schemas.JoinedSchema)
async def claim_seat(asker: Asker, claim: models.SeatCode) -> Response:
    """Take the seat that a code moves. The device that had it loses it."""
    asker.take("join")
    owner = asker.new_owner
    table_id = await asker.hub.transfers.claim(claim.code, owner)
    return asker.respond({"table": await asker.hub.show(table_id, owner)}, 200)
