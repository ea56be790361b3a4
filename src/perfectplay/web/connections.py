"""Connections: how long a client may take over a request, and when no more clients are accepted."""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic
from typing import Any

from perfectplay.core.errors import MissingExtraError
from perfectplay.tables.encoding import frame
from perfectplay.web.frames import FrameCounter, short_text
from perfectplay.web.http import middleware
from perfectplay.web.throttling import Bucket, Limits

try:
    import h11
    from uvicorn._types import ASGISendEvent
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from websockets.frames import Frame
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
FRAMES_PER_SECOND = 40
"""Frames of any kind from one socket, and reads; each KiB counts as one more. A client that sends more is
disconnected."""
MOST_CHUNKS = 100
"""Chunks of the body of a request: reading one takes as long as reading a whole request."""
LONGEST_HEAD = 65_536
"""Bytes of the head of a request."""
HEAD_SECONDS = 20.0
"""How long a client may take to send the head of a request, from connecting or from the last response."""
ACCEPTED_AT_ONCE = 100
MOST_FILES = 65_536
SPARE_FILES = 100
"""Open files reserved for the database, for pages and for other processes."""


class BoundedConnection(h11.Connection):
    """Reads requests, and refuses a body in too many chunks."""

    _chunks = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next part of a request."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = 0
        elif isinstance(event, h11.Data) and event.chunk_start:
            self._chunks += 1
            if self._chunks > MOST_CHUNKS:
                raise h11.RemoteProtocolError("too many chunks")
        return event


class HttpProtocol(H11Protocol):
    """HTTP with time limits for requests, and a limit on the connections of one address."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a new client, and start its timer."""
        super().connection_made(transport)
        self.conn = BoundedConnection(h11.SERVER, LONGEST_HEAD)
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

    def shutdown(self) -> None:
        """The server stops: studies are given up, and a request that has not arrived is not waited for."""
        self.app_state["stop"]()
        super().shutdown()
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, and disconnect: a request gets only one answer."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        self.transport.close()
        if self.cycle is not None:
            self.cycle.disconnected = True

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

    Short messages take a short way: websockets takes ten times as long over a frame. Everything that a client
    sends is counted before it is looked at, and what waits to be sent to it is bounded.
    """

    counted: ExitStack

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to count."""
        super().connection_made(transport)
        self._frames = FrameCounter()
        self._share = Bucket(FRAMES_PER_SECOND, 2 * FRAMES_PER_SECOND)
        self._pong = b""

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
        if self.handshake_initiated and self._floods(data):
            return self._fail(1008, "too many messages")
        text = None if self.conn.reader.buffer or self.conn.current_size is not None else short_text(data)
        if text is None or not self.handshake_complete or self.close_sent:
            return super().data_received(data)
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() > MOST_UNREAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _floods(self, data: bytes) -> bool:
        frames = self._frames.count(data, most=2 * FRAMES_PER_SECOND)
        return self._share.take(monotonic(), max(1, frames) + len(data) // 1024) > 0

    def _fail(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        if self.conn.close_sent is None:  # during the handshake
            self.transport.abort()
        else:
            self.handle_parser_exception()  # sends the code, and disconnects

    def handle_cont(self, event: Frame) -> None:
        """Take a part of a message; empty ones could be collected without end."""
        if event.data or event.fin:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; uvicorn would log a traceback about text that is not UTF-8."""
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            return self._fail(1007, "text must be UTF-8")
        super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Answer pings; a client that reads no answers gets the newest, once it reads."""
        self._pong = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self._send_pong()

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._send_pong()

    def _send_pong(self) -> None:
        pong, self._pong = self._pong, b""
        if pong and not self.close_sent:
            self.transport.write(pong)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        super().connection_lost(exc)
        self.counted.close()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; a denial ends the handshake, which uvicorn would report as unfinished."""
        await super().send(message)
        if self.close_sent:
            self.handshake_complete = True


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
