"""What uvicorn and h11 lack: bounds on what one client may send, and on how long it may take.

These libraries have no public way to limit connections of an address, slow requests, chunks of a body or
frames of a socket; `tests/web/test_protocols.py` fails when the methods that are extended here change. They
are together because uvicorn's two protocols hand connections over, and read them by h11 and websockets.
"""

import asyncio
import logging
from contextlib import ExitStack
from time import monotonic

import h11
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from perfectplay_server import limits
from perfectplay_server.http.middleware import address_of
from perfectplay_server.throttling import Bucket, ClientLimits

try:
    import resource
except ImportError:  # not on Windows, which has no such limit
    resource = None  # type: ignore[assignment]

logger = logging.getLogger("perfectplay_server")

WRITTEN_FOR = {"uvicorn": "0.54", "websockets": "17", "h11": "0.16"}

WRITE = "perfectplay.write"
"""The ASGI extension that sends a message at once: a function of its bytes, False if they must wait."""


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
            if self._chunks > limits.MOST_CHUNKS:
                raise h11.RemoteProtocolError("too many chunks")
        return event


class HttpProtocol(H11Protocol):
    """HTTP with time limits for requests, and limits on the connections of one address and of all."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a new client, and start its timer."""
        super().connection_made(transport)
        self.conn = BoundedConnection(h11.SERVER, limits.LONGEST_HEAD)
        self.counted = ExitStack()
        self._awaited: object = None
        self._timer: asyncio.TimerHandle | None = None
        clients: ClientLimits = self.app_state["limits"]
        # A new file gets the lowest number that is free.
        full = transport.get_extra_info("socket").fileno() >= most_connections()
        if full:
            logger.error("too many connections; new clients are refused")
        address = address_of({"client": self.client})
        if full or not self.counted.enter_context(clients.connection(address)):
            transport.abort()
        else:
            self._await_rest()

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
        seconds = {h11.IDLE: limits.HEAD_SECONDS, h11.SEND_BODY: 2 * limits.BODY_SECONDS}.get(
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

    Messages of a client are read in small pieces, and counted before the next one: a flood ends the
    connection before it can hold up others. The queue of messages to a client is bounded.
    """

    counted: ExitStack

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to count."""
        super().connection_made(transport)
        self._share = Bucket(limits.FRAMES_PER_SECOND, 2 * limits.FRAMES_PER_SECOND)
        self._pong = b""
        self._discarded: int | None = None

    async def run_asgi(self) -> None:
        """Run the application, which may send messages directly."""
        extensions: dict[str, object] = self.scope["extensions"]  # type: ignore[assignment]
        extensions[WRITE] = self.write
        await super().run_asgi()

    def write(self, text: bytes) -> bool:
        """Send a message, if the client takes it now."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def data_received(self, data: bytes) -> None:
        """Read a few frames at a time."""
        for at in range(0, len(data), limits.PIECE):
            if self._discarded is not None:
                self._discarded += len(data) - at
                return self.transport.abort() if self._discarded > limits.MOST_DISCARDED else None
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + limits.PIECE])

    def handle_events(self) -> None:
        """Handle the frames of a piece, unless the client sends too many."""
        if self.handshake_initiated and self._share.take(monotonic(), max(1, len(self.conn.events))) > 0:
            return self._fail(1008, "too many messages")
        super().handle_events()

    def _fail(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """Send the code of a failure, and read on: what is closed with bytes unread is reset, perhaps before
        the client has the code.
        """
        closed = self.conn.close_sent
        if closed is None:  # during the handshake
            return self.transport.abort()
        if self._discarded is not None:
            return
        self._discarded = 0
        self.queue.put_nowait({"type": "websocket.disconnect", "code": closed.code, "reason": closed.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.write_eof()  # the client disconnects then
        self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

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
        self._pong = b"".join(self.conn.data_to_send()) or self._pong  # of all pings of a piece
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


def most_connections() -> int:
    """How many connections this process may have, of all clients together."""
    if resource is None:
        return limits.MOST_FILES
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    files = limits.MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return files - min(limits.SPARE_FILES, files // 2)


def allow_connections() -> None:
    """Raise the limit of open files as far as possible: each connection is one, and 1024 are soon used up."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = limits.MOST_FILES if hard == resource.RLIM_INFINITY else min(limits.MOST_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
