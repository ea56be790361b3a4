"""What every request passes first: who it is from, how large it is, how many there are; and headers."""

import asyncio
import ipaddress
import logging
import math
import re
from collections import Counter, OrderedDict
from collections.abc import Container, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from perfectplay.core.errors import MissingExtraError
from perfectplay.core.game import Game
from perfectplay.web.limits import Limit, one_of
from perfectplay.web.responses import ProblemError, problem_response
from perfectplay.web.settings import DAY, LONGEST_MESSAGE, LONGEST_MOVES, Settings
from perfectplay.web.thinker import is_custom

try:
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ImportError as error:
    raise MissingExtraError("fastapi", "web") from error

logger = logging.getLogger("perfectplay.web")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SAFETY = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
WITH_MOVES = ("/api/study", "/api/tables")
"""Where the moves of a whole game may be sent."""
MOST_ASKING = 4
"""Studies of one client address that are not answered yet."""
HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]*)?")
"""What a request calls the server it wants."""
MOST_KNOWN = 10_000
"""Custom games of all addresses that are remembered."""
BODY_SECONDS = 20.0
"""How long a client may take to send the body of a request."""


class Limits:
    """What one client address may do in all; status 429 says when it has done too much."""

    def __init__(self, settings: Settings) -> None:
        self._requests = Limit(settings.requests_per_second, 2 * settings.requests_per_second)
        self._tables = (
            Limit(settings.tables_per_minute / 60, settings.tables_per_minute),
            Limit(settings.tables_per_day / DAY, settings.tables_per_day),
        )
        self._joins = Limit(settings.tables_per_minute / 30, 2 * settings.tables_per_minute)
        self._studies = Limit(settings.studies_per_minute / 60, settings.studies_per_minute)
        self._asking: Counter[str] = Counter()
        self._connected: Counter[str] = Counter()
        # The connections of a proxy are those of many clients.
        self._most_connected = math.inf if settings.behind_proxy else settings.connections_per_address
        self._games = Limit(settings.custom_games_per_minute / 60, settings.custom_games_per_minute)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Addresses with the custom games they have asked for, least recently used first."""

    def connection(self, address: str) -> AbstractContextManager[bool]:
        """A connection while it is open; whether there may be one more of this address."""
        if self._connected[address] >= self._most_connected:
            logger.warning("%s has %d connections; it gets no more", address, self._connected[address])
        return one_of(self._connected, address, self._most_connected)

    def request(self, address: str) -> None:
        """A request, or a new socket."""
        _take(self._requests, address)

    def table(self, address: str) -> None:
        """A new table."""
        for limit in self._tables:
            _take(limit, address)

    def join(self, address: str) -> None:
        """A seat, or an attempt at one: codes cannot be tried out."""
        _take(self._joins, address)

    def game(self, address: str, game: Game[Any]) -> None:
        """A game that has to be solved. Standard games are free, and so is one that was asked for before."""
        if not is_custom(game):
            return
        key = (address, game.spec)
        if key not in self._known:
            _take(self._games, address)
            self._known[key] = None
        self._known.move_to_end(key)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    @contextmanager
    def study(self, address: str) -> Iterator[None]:
        """A question for the process that studies, until it is answered: nobody fills the whole queue."""
        _take(self._studies, address)
        with one_of(self._asking, address, MOST_ASKING) as allowed:
            if not allowed:
                raise ProblemError(429, "slow", "you have asked much that is not answered yet", wait=1)
            yield


def _take(limit: Limit, address: str) -> None:
    wait = limit.wait(address)
    if wait:
        raise ProblemError(429, "slow", "that was too often; please wait a little", wait=wait)


class RequestMiddleware:
    """The outermost part of the application, around all others."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limits) -> None:
        self.app = app
        self.behind_proxy = settings.behind_proxy
        self.names = frozenset(settings.allowed_hosts)
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        if self.behind_proxy:
            scope = forwarded(scope, headers)
        socket = scope["type"] == "websocket"

        async def send_safely(message: Message) -> None:
            if message["type"].endswith("http.response.start"):  # of a denied socket as well
                MutableHeaders(scope=message).update(SAFETY)
            await send(message)

        try:
            self.limits.request(address_of(scope))
            check_host(headers, self.names)
            if socket or scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                check_origin(scope, headers)
                if not socket:
                    receive = await _within_limits(scope, headers, receive)
        except ProblemError as problem:
            return await problem_response(problem)(scope, receive, send_safely)
        await self.app(scope, receive, send_safely)


def forwarded(scope: Scope, headers: Headers) -> Scope:
    """A request as the proxy got it. What stands last, in the last line, was added by the proxy itself."""
    changed: Scope = dict(scope)
    scheme = _last(headers, "x-forwarded-proto").lower()
    if scheme in ("http", "https"):
        socket = scope["type"] == "websocket"
        changed["scheme"] = scheme.replace("http", "ws") if socket else scheme
    client = re.sub(r"^\[(.*)\](:[0-9]+)?$|^([0-9.]+):[0-9]+$", r"\1\3", _last(headers, "x-forwarded-for"))
    with suppress(ValueError):  # where there is no address, the proxy's own has to do
        changed["client"] = (str(ipaddress.ip_address(client)), 0)
    return changed


def _last(headers: Headers, name: str) -> str:
    lines = headers.getlist(name)
    return lines[-1].rpartition(",")[2].strip() if lines else ""


def address_of(scope: Scope) -> str:
    """The address of a client; an IPv6 one stands for its whole network of 64 bits.

    >>> address_of({"client": ("2001:db8::7", 80)}), address_of({"client": ("10.0.0.7", 80)})
    ('2001:db8::/64', '10.0.0.7')
    """
    client = scope.get("client")
    host = str(client[0]) if client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((int(address), 64), strict=False))
    return host


def check_host(headers: Headers, names: Container[str]) -> None:
    """A request must name this server: someone else's name that leads here belongs to someone else's pages.

    Addresses and the names of this very machine are always right.

    >>> check_host(Headers({"host": "[::1]:8000"}), ())
    >>> check_host(Headers({"host": "evil.test"}), ())
    Traceback (most recent call last):
    perfectplay.web.responses.ProblemError: unknown host evil.test; allow it with --allowed-host evil.test
    """
    found = HOST.fullmatch(headers.get("host", "localhost").lower())
    if found is None:
        raise ProblemError(400, "host", "Host: must be a name or an address, and perhaps a port")
    name = found["name"]
    if name in names or name.split(".")[-1] == "localhost":
        return
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        text = f"unknown host {name}; allow it with --allowed-host {name}"
        raise ProblemError(403, "host", text) from None


def check_origin(scope: Scope, headers: Headers) -> None:
    """A page of another origin may not act for whoever looks at it."""
    origin = headers.get("origin")
    if origin is None:
        return
    scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
    if origin.lower() != f"{scheme}://{headers.get('host', '')}".lower() or not urlsplit(origin).netloc:
        raise ProblemError(403, "origin", "this request comes from a page of another server")


async def _within_limits(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """The body of a request is read before anything else, and no more of it than is allowed."""
    most = LONGEST_MOVES if scope["path"] in WITH_MOVES else LONGEST_MESSAGE
    large = ProblemError(413, "large", f"at most {most} bytes can be sent here")
    length = headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,18}", length) or int(length) > most:
        raise large
    body, more = b"", True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    break
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > most:
                    raise large
    except TimeoutError:
        raise ProblemError(408, "slow", "the request did not come in time") from None
    handed = False

    async def receive_again() -> Message:
        nonlocal handed
        if handed:
            return await receive()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
