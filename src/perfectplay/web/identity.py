"""Who asks: the token that a request carries, and how a new one is handed over."""

import hashlib
import re
import secrets

from perfectplay.core.errors import MissingExtraError
from perfectplay.web.answers import Answer, Problem
from perfectplay.web.shapes import Shape

try:
    from starlette.requests import HTTPConnection
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

COOKIE = "perfectplay"
SAFE_COOKIE = f"__Host-{COOKIE}"
"""Under https: a browser takes it from this very server alone, not from another of the same domain."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{32,128}")
YEAR = 365 * 86_400


class Identity:
    """Who asks: the token that a request carries, or a new one."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.secure = connection.url.scheme in ("https", "wss")
        self.cookie = SAFE_COOKIE if self.secure else COOKIE
        self.wants_token = connection.headers.get("x-client") == "1"
        self.given = self._given(connection)
        self.token = self.given or secrets.token_urlsafe(32)

    def _given(self, connection: HTTPConnection) -> str | None:
        header = connection.headers.get("authorization")
        if header is not None:
            scheme, _, token = header.partition(" ")
            if scheme.lower() != "bearer" or not TOKEN.fullmatch(token):
                raise Problem(
                    400, "token", "Authorization: must be Bearer and a token of 32 to 128 characters"
                )
            return token
        cookie = connection.cookies.get(self.cookie, "")
        return cookie if TOKEN.fullmatch(cookie) else None

    @property
    def holder(self) -> str | None:
        """What is stored instead of the token, if the request had one."""
        return None if self.given is None else _digest(self.given)

    @property
    def new_holder(self) -> str:
        """What is stored instead of the token, a new one if need be."""
        return _digest(self.token)

    def answer(self, shape: Shape, status: int) -> Answer:
        """An answer that hands a new token over."""
        if self.given is None and self.wants_token:
            shape = {**shape, "token": self.token}
        answer = Answer(shape, status)
        if self.given is None:
            answer.set_cookie(
                self.cookie,
                self.token,
                max_age=YEAR,
                path="/",
                httponly=True,
                samesite="lax",
                secure=self.secure,
            )
        return answer


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
