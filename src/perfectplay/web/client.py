"""A client of a web server: the seats that it has taken, and a table's requests and socket.

It uses nothing of the server but its API. `perfectplay play --table` and the example of a bot are built
on it.
"""

import hashlib
import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any, NamedTuple, Self
from urllib.parse import urlsplit

from perfectplay import saves
from perfectplay.core.errors import BadParameterError, MissingExtraError, PerfectplayError
from perfectplay.core.wording import escaped

try:
    from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
    from websockets.sync.client import ClientConnection, connect
except ImportError as error:
    raise MissingExtraError("websockets", "web") from error

TIMEOUT = 10.0
"""Seconds that a server may take for an answer."""
LARGEST_ANSWER = 20_000_000
TOKEN = re.compile("[A-Za-z0-9_-]{32,128}")


class OnlineError(PerfectplayError):
    """A table that cannot be played at, and why."""


class UnreachableError(OnlineError):
    """A server that does not answer, now."""


class DeniedError(OnlineError):
    """A server that answers no; `code` names why in a word."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code


class Link(NamedTuple):
    """The address of a table; `code` is that of the link to its free seat."""

    server: str
    table: str
    code: str | None = None

    @property
    def url(self) -> str:
        """The address for watching, and for who has a seat."""
        return f"{self.server}/t/{self.table}"


def read_link(url: str) -> Link:
    """The table that an address leads to.

    >>> read_link("http://localhost:8000/join/h4Bx/s3cret")
    Link(server='http://localhost:8000', table='h4Bx', code='s3cret')
    >>> read_link("https://games.example/t/h4Bx").code is None
    True
    """
    allowed = "the address of a table, such as http://HOST/join/TABLE/CODE or http://HOST/t/TABLE"
    try:
        parts = urlsplit(url)
        host = bool(parts.hostname) and parts.port != 0  # asked for a port that is none, it raises
    except ValueError:
        raise BadParameterError("table", url, allowed) from None
    name = "[A-Za-z0-9_-]"
    found = re.fullmatch(
        rf"/(?:t/({name}{{1,32}})(?:/g/[0-9]+)?|join/({name}{{1,32}})/({name}{{1,100}}))/?", parts.path
    )
    plain = re.fullmatch(r"[A-Za-z0-9.:\[\]_-]+", parts.netloc)
    if parts.scheme not in ("http", "https") or not host or not plain or not found:
        raise BadParameterError("table", url, allowed)
    server = f"{parts.scheme}://{parts.netloc.lower()}"
    return Link(server, found[1] or found[2], found[3])


def seat_file(link: Link) -> Path:
    """Where the token of a seat is kept, one file for each server and table."""
    name = hashlib.sha256(link.url.encode()).hexdigest()[:32]
    return saves.home() / "seats" / f"{name}.json"


def kept_token(link: Link) -> str | None:
    """The token of the seat that was taken at a table before."""
    try:
        kept = json.loads(seat_file(link).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    token = kept.get("token") if isinstance(kept, dict) else None
    return token if isinstance(token, str) and TOKEN.fullmatch(token) else None


def keep_token(link: Link, token: str) -> None:
    """Keep the token of a seat where nobody else on this machine can read it. May raise OSError."""
    path = seat_file(link)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    forget_token(link)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"server": link.server, "table": link.table, "token": token}, file)
        file.flush()
        os.fsync(file.fileno())


def forget_token(link: Link) -> None:
    """Drop the token of a seat that is none any more."""
    with suppress(OSError):
        seat_file(link).unlink()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for one server: it is not carried on to where that one points."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        return None


class Server:
    """A server's requests and sockets, for who holds a token or, without one, for anyone."""

    def __init__(self, address: str, token: str | None) -> None:
        self.address = address
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._opener = urllib.request.build_opener(_NoRedirects)

    def take_token(self) -> str:
        """Have a new token issued; it is sent with everything from now on."""
        try:
            token = self.post("/api/tokens", {})["token"]
        except (TypeError, KeyError):
            raise self.strange() from None
        if not isinstance(token, str) or not TOKEN.fullmatch(token):
            raise self.strange()
        self.headers = {"Authorization": f"Bearer {token}"}
        return token

    def get(self, path: str) -> Any:
        """What the server answers to a question."""
        return self._answer(urllib.request.Request(self.address + path, headers=self.headers))

    def post(self, path: str, shape: Mapping[str, object]) -> Any:
        """What the server answers when asked to do something."""
        headers = {**self.headers, "Content-Type": "application/json"}
        data = json.dumps(shape).encode()
        return self._answer(urllib.request.Request(self.address + path, data, headers))

    def connect(self, table: str, after: int | None = None) -> "Connection":
        """A socket that tells all that happens at a table: after an event, or after the table as it is."""
        address = "ws" + self.address.removeprefix("http")
        query = "" if after is None else f"?after={after}"
        stack = ExitStack()
        try:
            socket = stack.enter_context(
                connect(
                    f"{address}/api/tables/{table}/socket{query}",
                    additional_headers=self.headers,
                    open_timeout=TIMEOUT,
                    close_timeout=1,
                    ping_interval=TIMEOUT,
                    ping_timeout=TIMEOUT,
                    max_size=LARGEST_ANSWER,
                )
            )
        except InvalidStatus as error:
            raise self._denied(error.response.status_code, bytes(error.response.body or b"")) from error
        except (OSError, WebSocketException) as error:
            raise UnreachableError(self._unreachable(error)) from error
        return Connection(self, stack, socket)

    def _answer(self, request: urllib.request.Request) -> Any:
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                text = response.read(LARGEST_ANSWER)
        except urllib.error.HTTPError as error:
            with error:
                raise self._denied(error.code, error.read(LARGEST_ANSWER)) from error
        except (OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            raise UnreachableError(self._unreachable(reason)) from error
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise self.strange() from None

    def strange(self) -> OnlineError:
        """The error for an answer that makes no sense."""
        return OnlineError(f"{self.address} does not answer as a server of perfectplay tables does")

    def _denied(self, status: int, body: bytes) -> OnlineError:
        try:
            shape = json.loads(body)
            code, text = str(shape["error"]), str(shape["text"])
        except (ValueError, RecursionError, KeyError, TypeError):
            if status >= 500:
                return UnreachableError(f"{self.address} cannot answer now (HTTP {status})")
            return self.strange()
        if status in (429, 503):
            return UnreachableError(f"{self.address} says: {escaped(text)}")
        return DeniedError(status, code, f"{self.address} says: {escaped(text)}")

    def _unreachable(self, reason: object) -> str:
        text = (reason.strerror if isinstance(reason, OSError) else None) or str(reason)
        return f"cannot reach {self.address}: {text or 'no answer in time'}"


class Connection:
    """An open socket of a table."""

    def __init__(self, server: Server, stack: ExitStack, socket: ClientConnection) -> None:
        self._server = server
        self._stack = stack
        self._socket = socket

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def messages(self) -> Iterator[dict[str, Any]]:
        """Every message as it comes, until the socket is closed."""
        with suppress(ConnectionClosed):
            while True:
                text = self._socket.recv()
                try:
                    message = json.loads(text)
                except (ValueError, RecursionError):
                    raise self._server.strange() from None
                if not isinstance(message, dict) or "type" not in message:
                    raise self._server.strange()
                yield message

    def receive_all(self, tell: "Callable[[Heard], object]") -> None:
        """Tell of every message as it comes, and of None at the end."""
        with suppress(ConnectionClosed):
            while True:
                tell(Heard(self, str(self._socket.recv())))
        tell(Heard(self, None))

    def send(self, shape: Mapping[str, object]) -> None:
        """Send a message; if the socket is closed, `receive_all` says so."""
        with suppress(ConnectionClosed):
            self._socket.send(json.dumps(shape))

    def close(self) -> None:
        """Let go of the socket."""
        self._stack.close()


class Heard(NamedTuple):
    """A message of a connection; None when it has ended."""

    connection: Connection
    text: str | None
