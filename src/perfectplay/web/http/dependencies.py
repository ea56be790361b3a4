"""What routes share: the client that asks, and the parameters of their paths."""

from contextlib import nullcontext
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi import Path as InPath

from perfectplay.core.game import Game
from perfectplay.tables.validation import Plies, bounded_away, bounded_game, opponent_spec
from perfectplay.web.http.identity import Identity, hub_of
from perfectplay.web.http.middleware import address_of
from perfectplay.web.http.models import NewTable
from perfectplay.web.http.responses import JsonResponse, ProblemError
from perfectplay.web.live.hub import Hub
from perfectplay.web.throttling import ClientLimits, Counted

TableId = Annotated[str, InPath(min_length=1, max_length=32, description="the id of a table")]
GameNumber = Annotated[int, InPath(ge=1, le=2**31 - 1, description="the game of the table, counted from 1")]
Ply = Annotated[int, InPath(ge=0, le=2**31 - 1, description="how many plies led to the position")]


class Caller:
    """The client that makes a request, and the server that it asks."""

    def __init__(self, request: Request, identity: Identity) -> None:
        self.hub: Hub = hub_of(request)
        self.limits: ClientLimits = request.app.state.limits
        self.address = address_of(request.scope)
        self.identity = identity

    async def must_not_be_playing(self, game: Game[Any]) -> None:
        """Refuse exact answers about a game, and the computer's advice, to whoever plays a person at it.

        With other settings too: what they teach would help.
        """
        owner = self.identity.owner
        store = self.hub.store
        running = None if owner is None else await store.read(store.playing_at, owner, game.name)
        if running is not None:
            text = f"you are playing {game.title} against someone; you can study it once that game is over"
            raise ProblemError(403, "seated", text, table=running)

    def take(self, what: Counted) -> None:
        """Count one more of what an address may do; TooFastError if it was too often."""
        self.limits.take(what, self.address)

    async def make(self, wanted: NewTable, plies: Plies = ()) -> JsonResponse:
        """Make a table, and take a seat at it, after `plies` were played."""
        hub, owner, game = self.hub, self.identity.new_owner, bounded_game(wanted.game)
        control = None if wanted.clock is None else wanted.clock.control()
        opponent = None if wanted.opponent is None else opponent_spec(wanted.opponent)
        if opponent not in (None, "random"):
            self.limits.take_game(self.address, game)
            await hub.workers.check(game, self.address)
        with hub.lobby.room(self.address) if wanted.public and opponent is None else nullcontext():
            live = await hub.make(
                game.spec,
                seat=wanted.seat,
                opponent=opponent,
                name=wanted.name or "Guest",
                public=wanted.public,
                owner=owner,
                moves=plies,
                address=self.address,
                control=control,
                away_limit=bounded_away(wanted.away_limit, control),
            )
        table = hub.serialize(live, owner)
        return self.identity.respond({"table": table, "join": table.get("join")}, 201)


async def _caller(request: Request) -> Caller:
    return Caller(request, Identity.of(request))


Asker = Annotated[Caller, Depends(_caller)]
