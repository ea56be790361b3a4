"""A client of a web server: links, requests, and the socket of a table.

It uses only the server's API. `perfectplay play --table` and the example bot are built on it.
"""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from perfectplay.core.errors import BadParameterError, PerfectplayError, needs
from perfectplay.core.formatting import make_printable
from perfectplay.online.limits import LARGEST_ANSWER
from perfectplay.tables.limits import TOKEN

with needs("websockets", "web"):
    from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
    from websockets.sync.client import ClientConnection, connect

TIMEOUT = 10.0
"""Seconds that a server may take to answer."""


class OnlineError(PerfectplayError):
    """A table cannot be played at; the text says why."""


class UnreachableError(OnlineError):
    """A server does not answer at the moment."""


class DeniedError(OnlineError):
    """A server refused a request; `code` gives the reason in a word."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code


class TableLink(NamedTuple):
    """The address of a table. A link to its free seat has a `code`.

    >>> TableLink("http://localhost:8000", "h4Bx").url
    'http://localhost:8000/t/h4Bx'
    """

    server: str
    table: str
    code: str | None = None

    @property
    def url(self) -> str:
        """The address for watching the table, or for returning to a seat."""
        return f"{self.server}/t/{self.table}"


def read_link(url: str) -> TableLink:
    """Parse the address of a table. Raises BadParameterError if it is not one.

    >>> read_link("http://localhost:8000/join/h4Bx/s3cret")
    TableLink(server='http://localhost:8000', table='h4Bx', code='s3cret')
    >>> read_link("https://games.example/t/h4Bx").code is None
    True
    """
    allowed = "the address of a table, such as http://HOST/join/TABLE/CODE or http://HOST/t/TABLE"
    try:
        parts = urlsplit(url)
        host = bool(parts.hostname) and parts.port != 0  # `port` raises if it is invalid
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
    return TableLink(server, found[1] or found[2], found[3])


def read_server(url: str) -> str:
    """Parse the address of a server. Raises BadParameterError if it is not one."""
    try:
        return read_link(f"{url.rstrip('/')}/t/x").server
    except BadParameterError:
        raise BadParameterError("host", url, "the address of a server, such as https://HOST") from None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for one server only: redirects are not followed."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Server:
    """Requests and sockets of a server, with the token of a seat or, without one, as a spectator."""

    def __init__(self, address: str, token: str | None) -> None:
        self.address = address
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._opener = urllib.request.build_opener(_NoRedirects)

    def take_token(self) -> str:
        """Have the server issue a new token. It is sent with every request from now on."""
        match self.post("/api/tokens", {}):
            case {"token": str(token)} if TOKEN.fullmatch(token):
                self.headers = {"Authorization": f"Bearer {token}"}
                return token
        raise self.unexpected_answer()

    def get(self, path: str) -> Any:
        """The JSON answer to a GET request."""
        return self._answer(urllib.request.Request(self.address + path, headers=self.headers))

    def post(self, path: str, shape: Mapping[str, object]) -> Any:
        """The JSON answer to a POST request."""
        headers = {**self.headers, "Content-Type": "application/json"}
        data = json.dumps(shape).encode()
        return self._answer(urllib.request.Request(self.address + path, data, headers))

    def connect(self, table: str, after: int | None = None) -> "Connection":
        """Open the socket of a table. It sends the table, or only what happened `after` an event."""
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
            raise self._refusal(error.response.status_code, bytes(error.response.body or b"")) from error
        except (OSError, WebSocketException) as error:
            raise UnreachableError(self._unreachable(error)) from error
        return Connection(self, stack, socket)

    def _answer(self, request: urllib.request.Request) -> Any:
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                text = response.read(LARGEST_ANSWER)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error.code, error.read(LARGEST_ANSWER)) from error
        except (OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            raise UnreachableError(self._unreachable(reason)) from error
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise self.unexpected_answer() from None

    def unexpected_answer(self) -> OnlineError:
        """The error for an answer that no perfectplay server gives."""
        return OnlineError(f"{self.address} does not answer like a perfectplay server")

    def _refusal(self, status: int, body: bytes) -> OnlineError:
        try:
            shape = json.loads(body)
            code, text = str(shape["error"]), str(shape["text"])
        except (ValueError, RecursionError, KeyError, TypeError):
            if status >= 500:
                return UnreachableError(f"{self.address} cannot answer now (HTTP {status})")
            return self.unexpected_answer()
        if status in (429, 503):
            return UnreachableError(f"{self.address} says: {make_printable(text)}")
        return DeniedError(status, code, f"{self.address} says: {make_printable(text)}")

    def _unreachable(self, reason: object) -> str:
        text = (reason.strerror if isinstance(reason, OSError) else None) or str(reason)
        return f"cannot reach {self.address}: {text or 'no answer in time'}"


class Connection:
    """An open socket of a table."""

    def __init__(self, server: Server, stack: ExitStack, socket: ClientConnection) -> None:
        self._server = server
        self._stack = stack  # websockets wants its connections to be contexts
        self._socket = socket

    def messages(self) -> Iterator[dict[str, Any]]:
        """Every message as it arrives, until the socket is closed."""
        with suppress(ConnectionClosed):
            while True:
                yield self.read(str(self._socket.recv()))

    def read(self, text: str) -> dict[str, Any]:
        """A message as data. Raises OnlineError if it is not one."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            raise self._server.unexpected_answer() from None
        if not isinstance(message, dict) or "type" not in message:
            raise self._server.unexpected_answer()
        return message

    def receive_all(self, tell: "Callable[[Heard], object]") -> None:
        """Call `tell` with every message as it arrives, and with None when the socket is closed."""
        with suppress(ConnectionClosed):
            while True:
                tell(Heard(self, str(self._socket.recv())))
        tell(Heard(self, None))

    def send(self, shape: Mapping[str, object]) -> None:
        """Send a message. If the socket is closed, `receive_all` reports it."""
        with suppress(ConnectionClosed):
            self._socket.send(json.dumps(shape))

    def close(self) -> None:
        """Close the socket."""
        self._stack.close()


class Heard(NamedTuple):
    """The text of a message of a connection; None when it was closed."""

    connection: Connection
    text: str | None
