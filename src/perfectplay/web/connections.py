"""Connections: how long a client may take over a request, and when no more clients are accepted."""

import asyncio
import errno
import os
import socket
from contextlib import ExitStack
from typing import Any

from perfectplay.core.errors import MissingExtraError
from perfectplay.web import middleware
from perfectplay.web.limits import Limits

try:
    import h11
    from uvicorn._types import ASGISendEvent
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
except ImportError as error:
    raise MissingExtraError("uvicorn", "web") from error

try:
    import resource
except ImportError:  # not on Windows, which has no such limit
    resource = None  # type: ignore[assignment]

HEAD_SECONDS = 20.0
"""How long a client may take to send the head of a request, from connecting or from the last response."""
MOST_FILES = 65_536
SPARE_FILES = 100
"""Open files reserved for the database, for pages and for other processes."""


class HttpProtocol(H11Protocol):
    """HTTP with time limits for requests, and a limit on the connections of one address."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a new client, and start its timer."""
        super().connection_made(transport)
        self.counted = ExitStack()
        self._awaited: object = None
        self._timer: asyncio.TimerHandle | None = None
        limits: Limits = self.app_state["limits"]
        if self.counted.enter_context(limits.connection(middleware.address_of({"client": self.client}))):
            self._await_rest()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        super().connection_lost(exc)
        self.counted.close()
        self._cancel()

    def handle_events(self) -> None:
        """Handle what has arrived, and limit the wait for the rest."""
        super().handle_events()
        self._await_rest()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over; it still counts."""
        super().handle_websocket_upgrade(event)
        upgraded = self.transport.get_protocol()
        assert isinstance(upgraded, SocketProtocol)
        upgraded.counted = self.counted.pop_all()

    def _await_rest(self) -> None:
        # One timer for the head and one for the body of each request, however slowly they trickle in.
        awaited = (self.conn.their_state, self.cycle)
        if awaited == self._awaited:
            return
        self._awaited = awaited
        self._cancel()
        # For a slow body the application responds first; this closes the connection after that.
        seconds = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: 2 * middleware.BODY_SECONDS}.get(
            self.conn.their_state
        )
        if seconds is not None and self.transport.get_protocol() is self:
            self._timer = self.loop.call_later(seconds, self.transport.close)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that counts among the connections of its address, and may be denied."""

    counted: ExitStack

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        super().connection_lost(exc)
        self.counted.close()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; a denial ends the handshake, which uvicorn would report as unfinished."""
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True


class ListeningSocket(socket.socket):
    """A listening socket that lets new clients wait while the process has too few files left."""

    _full = False

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a client, if files are left."""
        # A new file gets the lowest number that is free.
        free = os.dup(self.fileno())
        os.close(free)
        if free < most_connections():
            return super().accept()
        # The first error makes asyncio stop accepting for a second, the second ends its loop before that.
        self._full = not self._full
        if self._full:
            raise OSError(errno.EMFILE, "too many connections; new clients wait")
        raise BlockingIOError

    def __reduce__(self) -> tuple[Any, ...]:
        from multiprocessing.reduction import DupFd

        return _inherited, (DupFd(self.fileno()),)


def new_listener(family: int) -> socket.socket:
    """A listening socket."""
    return (socket.socket if resource is None else ListeningSocket)(family, socket.SOCK_STREAM)


def _inherited(shared: Any) -> ListeningSocket:
    return ListeningSocket(fileno=shared.detach())


def most_connections() -> int:
    """How many connections this process may have, of all clients together."""
    if resource is None:
        return MOST_FILES
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    files = MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return files - min(SPARE_FILES, files // 2)


def allow_connections() -> None:
    """Raise the limit of open files as far as possible: each connection is one, and 1024 are soon used up."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
