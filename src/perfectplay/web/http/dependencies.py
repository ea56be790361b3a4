"""What routes share: the client that asks, and the parameters of their paths."""

from contextlib import nullcontext
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi import Path as InPath

from perfectplay.core.game import Game
from perfectplay.tables.events import Seat
from perfectplay.tables.time_control import TimeControl
from perfectplay.tables.validation import Plies, bounded_away, bounded_game, opponent_spec
from perfectplay.web.http.identity import Identity, hub_of
from perfectplay.web.http.middleware import address_of
from perfectplay.web.http.responses import JsonResponse, ProblemError
from perfectplay.web.live.hub import Hub
from perfectplay.web.throttling import ClientLimits

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
        running = None if owner is None else await self.hub.playing_at(owner, game.name)
        if running is not None:
            text = f"you are playing {game.title} against someone; you can study it once that game is over"
            raise ProblemError(403, "seated", text, table=running)

    async def make(
        self,
        spec: str,
        *,
        opponent: str | None,
        seat: Seat | None,
        name: str,
        public: bool,
        moves: Plies,
        control: TimeControl | None = None,
        away_limit: float | None = None,
    ) -> JsonResponse:
        """Make a table, and take a seat at it."""
        hub, owner = self.hub, self.identity.new_owner
        game = bounded_game(spec)
        away_limit = bounded_away(away_limit, control)
        if opponent is not None:
            opponent = opponent_spec(opponent)
            if opponent != "random":
                self.limits.game(self.address, game)
                await hub.workers.check(game, self.address)
        with hub.lobby.room(self.address) if public and opponent is None else nullcontext():
            live = await hub.make(
                game.spec,
                seat=seat,
                opponent=opponent,
                name=name or "Guest",
                public=public,
                owner=owner,
                moves=moves,
                address=self.address,
                control=control,
                away_limit=away_limit,
            )
        table = hub.serialize(live, owner)
        return self.identity.respond({"table": table, "join": table.get("join")}, 201)


async def _caller(request: Request) -> Caller:
    return Caller(request, Identity.of(request))


Asker = Annotated[Caller, Depends(_caller)]
