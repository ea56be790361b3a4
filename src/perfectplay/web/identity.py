"""Who asks: the token that a request carries, and how a new one is handed over."""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from typing import Self

from perfectplay.core.errors import MissingExtraError
from perfectplay.web.hub import Hub
from perfectplay.web.responses import JsonResponse, ProblemError
from perfectplay.web.shapes import Shape

try:
    from starlette.requests import HTTPConnection
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

COOKIE = "perfectplay"
SAFE_COOKIE = f"__Host-{COOKIE}"
"""Under https: a browser takes it from this very server alone, not from another of the same domain."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{32,128}")
RANDOM = 43
"""How many characters of a token are random; the rest shows that this server has issued it."""
YEAR = 365 * 86_400


class Tokens:
    """Issues tokens, and tells those it has issued from any other.

    >>> tokens = Tokens("key")
    >>> tokens.issued(tokens.new()), tokens.issued("x" * 86), Tokens("other").issued(tokens.new())
    (True, False, False)
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def new(self) -> str:
        """A token that nobody has had before."""
        random = secrets.token_urlsafe(32)
        return random + self._signature(random)

    def issued(self, token: str) -> bool:
        """Whether a token was issued with this key."""
        return hmac.compare_digest(token[RANDOM:].encode(), self._signature(token[:RANDOM]).encode())

    def _signature(self, random: str) -> str:
        return urlsafe_b64encode(hmac.digest(self._key, random.encode(), "sha256")).decode().rstrip("=")


class Identity:
    """Who asks: the token that a request carries, if it is one that was issued, or a new one."""

    def __init__(self, connection: HTTPConnection, given: str | None) -> None:
        self.secure = _is_secure(connection)
        self.wants_token = connection.headers.get("x-client") == "1"
        self.given = given
        self.token = given or tokens_of(connection).new()

    @classmethod
    async def of(cls, connection: HTTPConnection) -> Self:
        """Who asks. A header must have a token that was issued; a cookie without one is passed over."""
        header = connection.headers.get("authorization")
        if header is None:
            cookie = connection.cookies.get(_cookie(_is_secure(connection)), "")
            return cls(connection, cookie if await _known(connection, cookie) else None)
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not TOKEN.fullmatch(token):
            raise ProblemError(400, "token", "Authorization: must be Bearer and a token")
        if not await _known(connection, token):
            raise ProblemError(
                400, "token", "this server has not issued that token; POST /api/tokens gets one"
            )
        return cls(connection, token)

    @property
    def holder(self) -> str | None:
        """What is stored instead of the token, if the request had one."""
        return None if self.given is None else _digest(self.given)

    @property
    def new_holder(self) -> str:
        """What is stored instead of the token, a new one if need be."""
        return _digest(self.token)

    def answer(self, shape: Shape, status: int) -> JsonResponse:
        """An answer that hands a new token over."""
        if self.given is None and self.wants_token:
            shape = {**shape, "token": self.token}
        answer = JsonResponse(shape, status)
        if self.given is None:
            answer.set_cookie(
                _cookie(self.secure),
                self.token,
                max_age=YEAR,
                path="/",
                httponly=True,
                samesite="lax",
                secure=self.secure,
            )
        return answer


def tokens_of(connection: HTTPConnection) -> Tokens:
    """What issues the tokens of the server that is asked."""
    tokens: Tokens = connection.app.state.tokens
    return tokens


async def _known(connection: HTTPConnection, token: str) -> bool:
    if not TOKEN.fullmatch(token):
        return False
    if tokens_of(connection).issued(token):
        return True
    # Earlier releases let clients choose: such a token is good while it has a seat.
    hub: Hub = connection.app.state.hub
    return bool(await hub.read(hub.store.seats, _digest(token), 1))


def _is_secure(connection: HTTPConnection) -> bool:
    return connection.url.scheme in ("https", "wss")


def _cookie(secure: bool) -> str:
    return SAFE_COOKIE if secure else COOKIE


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
