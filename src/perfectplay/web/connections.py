"""Connections: how long a client may take over a request, and when no more clients are accepted."""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from perfectplay.core.errors import MissingExtraError
from perfectplay.web import middleware
from perfectplay.web.encoding import frame
from perfectplay.web.throttling import Limits

try:
    import h11
    from uvicorn._types import ASGISendEvent
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from websockets.utils import apply_mask
except ImportError as error:
    raise MissingExtraError("uvicorn", "web") from error

try:
    import resource
except ImportError:  # not on Windows, which has no such limit
    resource = None  # type: ignore[assignment]

try:
    import uvloop
except ImportError:  # not on Windows, and not on every interpreter
    uvloop = None  # type: ignore[assignment]

logger = logging.getLogger("perfectplay.web")

WRITE = "perfectplay.write"
"""The ASGI extension that sends a message at once: a function of its bytes, False if they must wait."""
MOST_UNREAD = 16
"""Messages of a socket that may wait for the application before no more are read."""
HEAD_SECONDS = 20.0
"""How long a client may take to send the head of a request, from connecting or from the last response."""
ACCEPTED_AT_ONCE = 100
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
    """A WebSocket that counts among the connections of its address, and may be denied.

    Short messages take a short way: websockets takes ten times as long over a frame.
    """

    counted: ExitStack

    async def run_asgi(self) -> None:
        """Run the application, which may send messages directly."""
        extensions: dict[str, object] = self.scope["extensions"]  # type: ignore[assignment]
        extensions[WRITE] = self.write
        await super().run_asgi()

    def write(self, text: bytes) -> bool:
        """Send a message, if the client takes it now."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame(text))
        return True

    def data_received(self, data: bytes) -> None:
        """Take a message; whatever is not a single short one is left to websockets."""
        text = None if self.conn.reader.buffer or self.conn.current_size is not None else short_text(data)
        if text is None or not self.handshake_complete or self.close_sent:
            return super().data_received(data)
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() > MOST_UNREAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        super().connection_lost(exc)
        self.counted.close()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; a denial ends the handshake, which uvicorn would report as unfinished."""
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True


def short_text(data: bytes) -> str | None:
    r"""The text in a masked frame of a WebSocket, if that is all there is, and it is short.

    >>> short_text(b"\x81\x82\0\0\0\0hi"), short_text(b"\x81\x82\0\0\0\0hi\x81")
    ('hi', None)
    """
    length = len(data) - 6
    if not 0 <= length < 126 or data[0] != 0x81 or data[1] != 0x80 | length:
        return None
    try:
        return apply_mask(data[6:], data[2:6]).decode()
    except UnicodeDecodeError:
        return None


def new_loop() -> asyncio.AbstractEventLoop:
    """The event loop of a server: uvloop where there is one, which is faster."""
    loop = asyncio.SelectorEventLoop() if uvloop is None else uvloop.new_event_loop()

    async def create_server(
        new_protocol: Callable[[], asyncio.BaseProtocol], *, sock: socket.socket, **_: object
    ) -> ClientListener:
        return ClientListener(sock, new_protocol)

    loop.create_server = create_server  # type: ignore[assignment,method-assign]
    return loop


class ClientListener:
    """Accepts clients as long as the process has files left for them; the others wait."""

    def __init__(self, listener: socket.socket, new_protocol: Callable[[], asyncio.BaseProtocol]) -> None:
        self._listener = listener
        self._new_protocol = new_protocol
        self._loop = asyncio.get_running_loop()
        self._accepted: set[asyncio.Task[Any]] = set()
        self._again: asyncio.TimerHandle | None = None
        listener.setblocking(False)
        self._watch()

    def _watch(self) -> None:
        self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                client = self._accepted_client()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                logger.error("%s", error)
                self._loop.remove_reader(self._listener)
                self._again = self._loop.call_later(1, self._watch)
                return
            task = self._loop.create_task(self._loop.connect_accepted_socket(self._new_protocol, client))
            self._accepted.add(task)
            task.add_done_callback(self._accepted.discard)

    def _accepted_client(self) -> socket.socket:
        # A new file gets the lowest number that is free.
        free = os.dup(self._listener.fileno())
        os.close(free)
        if free >= most_connections():
            raise OSError(errno.EMFILE, "too many connections; new clients wait")
        client, _ = self._listener.accept()
        client.setblocking(False)
        return client

    def close(self) -> None:
        """Accept no more clients."""
        if self._again is not None:
            self._again.cancel()
        self._loop.remove_reader(self._listener)

    async def wait_closed(self) -> None:
        """Clients that are connected are waited for by uvicorn."""


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
