"""Who makes a request: the token that it carries, and what it may ask for; and the parameters of paths."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from contextlib import nullcontext
from functools import cached_property
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi import Path as InPath
from starlette.requests import HTTPConnection

from perfectplay.core.game import Game
from perfectplay.tables.limits import TOKEN
from perfectplay.tables.validation import (
    Plies,
    is_solved_for,
    load_small_game,
    validate_opponent,
)
from perfectplay_server.http.middleware import address_of
from perfectplay_server.http.models import NewTable
from perfectplay_server.http.responses import JsonResponse, ProblemError
from perfectplay_server.live.hub import Hub
from perfectplay_server.schemas import JoinedSchema, MadeSchema
from perfectplay_server.throttling import ClientLimits, Counted

COOKIE = "perfectplay"
SAFE_COOKIE = f"__Host-{COOKIE}"
"""Under https: browsers accept it from this server only, not from another one of the same domain."""
RANDOM = 43
"""How many characters of a token are random; the rest is the server's signature."""
YEAR = 365 * 86_400


class Tokens:
    """Issues tokens, and recognizes those it has issued."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def new(self) -> str:
        """A new token."""
        random = secrets.token_urlsafe(32)
        return random + self._signature(random)

    def has_issued(self, token: str) -> bool:
        """Whether a token was issued with this key."""
        if not TOKEN.fullmatch(token):
            return False
        return hmac.compare_digest(token[RANDOM:].encode(), self._signature(token[:RANDOM]).encode())

    def _signature(self, random: str) -> str:
        return urlsafe_b64encode(hmac.digest(self._key, random.encode(), "sha256")).decode().rstrip("=")


def hub_of(connection: HTTPConnection) -> Hub:
    """The hub of the server."""
    hub: Hub = connection.app.state.hub
    return hub


class Caller:
    """The client that makes a request, with its token or a new one, and the server that it asks.

    A bad token is an error in a header, and ignored in a cookie.
    """

    def __init__(self, connection: HTTPConnection) -> None:
        self.hub = hub_of(connection)
        self.limits: ClientLimits = connection.app.state.limits
        self.address = address_of(connection.scope)
        self._tokens: Tokens = connection.app.state.tokens
        self._wants_token = connection.headers.get("x-client") == "1"
        self._secure = connection.url.scheme in ("https", "wss")
        self._cookie = SAFE_COOKIE if self._secure else COOKIE
        self._given = self._token_in(connection)
        self._token = self._given or self._tokens.new()

    def _token_in(self, connection: HTTPConnection) -> str | None:
        header = connection.headers.get("authorization")
        if header is None:
            cookie = connection.cookies.get(self._cookie, "")
            return cookie if self._tokens.has_issued(cookie) else None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not TOKEN.fullmatch(token):
            raise ProblemError(400, "token", "Authorization: must be Bearer and a token")
        if not self._tokens.has_issued(token):
            text = "this server has not issued that token; POST /api/tokens gets one"
            raise ProblemError(400, "token", text)
        return token

    @property
    def owner(self) -> str | None:
        """The digest of the token, which is what the database stores; None without a token."""
        return None if self._given is None else self.new_owner

    @cached_property
    def new_owner(self) -> str:
        """The digest of the token, or of the new one."""
        return hashlib.sha256(self._token.encode()).hexdigest()

    def respond(self, data: MadeSchema | JoinedSchema, status: int) -> JsonResponse:
        """A response that gives the client its new token, if it had none."""
        if self._given is None and self._wants_token:
            data["token"] = self._token
        response = JsonResponse(data, status)
        if self._given is None:
            response.set_cookie(
                self._cookie,
                self._token,
                max_age=YEAR,
                path="/",
                httponly=True,
                samesite="lax",
                secure=self._secure,
            )
        return response

    async def must_not_be_playing(self, game: Game[Any]) -> None:
        """Refuse exact answers about a game, and the computer's advice, to whoever plays a person at it.

        With other settings too: what they teach would help.
        """
        owner, store = self.owner, self.hub.store
        running = None if owner is None else await store.read(store.find_running_table, owner, game.name)
        if running is not None:
            text = f"you are playing {game.title} against someone; you can study it once that game is over"
            raise ProblemError(403, "seated", text, table=running)

    def take(self, what: Counted) -> None:
        """Count one more of what an address may do; TooFastError if it was too often."""
        self.limits.take(what, self.address)

    async def make(self, wanted: NewTable, plies: Plies = ()) -> JsonResponse:
        """Make a table, and take a seat at it, after `plies` were played."""
        hub, owner, game = self.hub, self.new_owner, load_small_game(wanted.game)
        control, away_limit = wanted.times()
        opponent = None if wanted.opponent is None else validate_opponent(wanted.opponent, game)
        if opponent is not None and is_solved_for(opponent):
            self.limits.take_game(self.address, game)
            await hub.workers.check(game, self.address)
        with hub.lobby.room(self.address) if wanted.public and opponent is None else nullcontext():
            live = await hub.make(
                game.spec,
                seat=wanted.seat,
                opponent=None if opponent is None else opponent.spec,
                name=wanted.name or "Guest",
                public=wanted.public,
                owner=owner,
                moves=plies,
                address=self.address,
                control=control,
                away_limit=away_limit,
            )
        table = live.serialize(owner)
        return self.respond({"table": table, "join": table.get("join")}, 201)


async def _caller(request: Request) -> Caller:
    return Caller(request)


Asker = Annotated[Caller, Depends(_caller)]
TableId = Annotated[str, InPath(min_length=1, max_length=32, description="the id of a table")]
GameNumber = Annotated[int, InPath(ge=1, le=2**31 - 1, description="the game of the table, counted from 1")]
Ply = Annotated[int, InPath(ge=0, le=2**31 - 1, description="how many plies led to the position")]
