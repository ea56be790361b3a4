"""What every request passes through first: its address, host, origin and size are checked."""

import asyncio
import ipaddress
import logging
import re
from collections.abc import Container
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from perfectplay.tables.limits import LONGEST_MESSAGE, LONGEST_MOVES
from perfectplay_server import limits
from perfectplay_server.http.responses import ProblemError, problem_response
from perfectplay_server.settings import ServerSettings
from perfectplay_server.throttling import ClientLimits, Counted, TooFastError

logger = logging.getLogger("perfectplay_server")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SAFETY = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
WITH_MOVES = ("/api/mistakes", "/api/study", "/api/tables")
"""Paths that accept the moves of a whole game."""
HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]*)?")
"""The Host header of a request."""


class RequestMiddleware:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, limits: ClientLimits) -> None:
        self.app = app
        self.behind_proxy = settings.behind_proxy
        self.names = frozenset(settings.allowed_hosts)
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        if self.behind_proxy:
            scope = forward(scope, headers)
        socket = scope["type"] == "websocket"
        without_body = not socket and scope["method"] == "HEAD"
        if without_body:
            scope = {**scope, "method": "GET"}  # whose head is the answer

        async def send_safely(message: Message) -> None:
            if message["type"].endswith("http.response.start"):  # of a denied socket as well
                sent = MutableHeaders(scope=message)
                sent.update(SAFETY)
                # Browsers revalidate a page before each use, so that a new release shows at once.
                sent.setdefault("Cache-Control", "no-cache")
            elif without_body and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            what: Counted = "file" if scope["path"].startswith("/static/") else "request"
            self.limits.take(what, address_of(scope))
            check_host(headers, self.names)
            if socket or scope["method"] not in ("GET", "OPTIONS"):
                check_origin(scope, headers)
                if not socket:
                    receive = await _within_limits(scope, headers, receive)
        except (ProblemError, TooFastError) as error:
            return await problem_response(error)(scope, receive, send_safely)
        except ClientDisconnect:
            return
        await self.app(scope, receive, send_safely)


def forward(scope: Scope, headers: Headers) -> Scope:
    """A request as the proxy received it. The proxy has added the last entry of the last header line."""
    changed: Scope = dict(scope)
    scheme = _last(headers, "x-forwarded-proto").lower()
    if scheme in ("http", "https"):
        socket = scope["type"] == "websocket"
        changed["scheme"] = scheme.replace("http", "ws") if socket else scheme
    client = re.sub(r"^\[(.*)\](:[0-9]+)?$|^([0-9.]+):[0-9]+$", r"\1\3", _last(headers, "x-forwarded-for"))
    with suppress(ValueError):  # without a valid address, the proxy's own is used
        changed["client"] = (str(ipaddress.ip_address(client)), 0)
    return changed


def _last(headers: Headers, name: str) -> str:
    lines = headers.getlist(name)
    return lines[-1].rpartition(",")[2].strip() if lines else ""


def address_of(scope: Scope) -> str:
    """The address of a client; for IPv6, its network of 56 bits: providers give a customer that much."""
    client = scope.get("client")
    host = str(client[0]) if client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((int(address), 56), strict=False))
    return host


def check_host(headers: Headers, names: Container[str]) -> None:
    """Refuse a request for a host name that is not this server's: the page may belong to somebody else.

    IP addresses and localhost are always accepted.
    """
    found = HOST.fullmatch(headers.get("host", "localhost").lower())
    if found is None:
        raise ProblemError(400, "host", "Host: must be a name or an address, with an optional port")
    name = found["name"]
    if name in names or name.split(".")[-1] == "localhost":
        return
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        text = f"unknown host {name}; allow it with --allowed-host {name}"
        raise ProblemError(403, "host", text) from None


def check_origin(scope: Scope, headers: Headers) -> None:
    """Refuse requests from pages of another origin."""
    origin = headers.get("origin")
    if origin is None:
        return
    scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
    if origin.lower() != f"{scheme}://{headers.get('host', '')}".lower() or not urlsplit(origin).netloc:
        raise ProblemError(403, "origin", "this request comes from a page of another server")


async def _within_limits(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    """Read the body of a request, up to the size and the time that are allowed."""
    most = LONGEST_MOVES if scope["path"] in WITH_MOVES else LONGEST_MESSAGE
    large = ProblemError(413, "large", f"at most {most} bytes can be sent here")
    length = headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,18}", length) or int(length) > most:
        raise large
    body, more = b"", True
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > most:
                    raise large
    except TimeoutError:
        raise ProblemError(408, "slow", "the request did not arrive in time") from None
    handed = False

    async def receive_again() -> Message:
        nonlocal handed
        if handed:
            return await receive()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
