"""What a client sends over a socket: cut in any way, broken, or without pause."""

import asyncio
import hashlib
import inspect
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import h11
import pytest
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed

from perfectplay.tables.limits import LONGEST_MESSAGE
from perfectplay_server import limits, protocols
from perfectplay_server.limits import FRAMES_PER_SECOND, MOST_CHUNKS, MOST_DISCARDED
from perfectplay_server.protocols import BoundedConnection, HttpProtocol, SocketProtocol
from perfectplay_server.settings import ServerSettings
from perfectplay_server.throttling import ClientLimits
from tests.web.servers import Server, heard

HANDSHAKE = (
    b"GET /socket HTTP/1.1\r\nHost: testserver\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = 0xC0
"""The mask of every byte of a frame: it turns letters into what a frame begins with."""
TEXT, PART, REST, PING, PONG = b"\x81", b"\x01", b"\x00", b"\x89", b"\x8a"
"""What frames begin with: a text, the first part of one, another part, a ping and a pong."""
BURST = 2 * FRAMES_PER_SECOND


def masked(head: bytes, text: bytes = b"") -> bytes:
    size = len(text)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
    return head + length + bytes([MASK]) * 4 + bytes(each ^ MASK for each in text)


EXTENDED = {
    "uvicorn": (H11Protocol, HttpProtocol, "ebf6d7c7a92a"),
    "uvicorn and websockets": (WebSocketsSansIOProtocol, SocketProtocol, "1d9eb156187b"),
    "h11": (h11.Connection, BoundedConnection, "7d3288bcc261"),
}


@pytest.mark.parametrize("library", EXTENDED)
def test_what_is_extended_is_as_it_was_when_that_was_written(library: str) -> None:
    """If this fails: read what has changed in the library, mend what extends it, and put the new digest here."""
    theirs, ours, known = EXTENDED[library]
    names = [name for name, each in vars(ours).items() if callable(each) and hasattr(theirs, name)]
    sources = "".join(
        inspect.getsource(getattr(theirs, name)) for name in sorted(names) if name in vars(theirs)
    )
    assert hashlib.sha256(sources.encode()).hexdigest()[:12] == known


def test_the_libraries_are_those_that_the_module_was_written_for() -> None:
    """After an upgrade: read what has changed in the library, and change `WRITTEN_FOR`."""
    for library, known in protocols.WRITTEN_FOR.items():
        assert f"{version(library)}.".startswith(f"{known}."), library


async def received(client: socket.socket) -> bytes:
    """All that a client was sent, once the server has disconnected."""
    loop, found = asyncio.get_running_loop(), b""
    while piece := await asyncio.wait_for(loop.sock_recv(client, 65_536), 30):
        found += piece
    return found


class Socket:
    """A socket of the server, from the inside, and the other end of it."""

    def __init__(self, protocol: SocketProtocol, client: socket.socket, messages: list[str]) -> None:
        self.protocol = protocol
        self.client = client
        self.messages = messages

    @property
    def unsent(self) -> int:
        return self.protocol.transport.get_write_buffer_size()

    async def ended(self) -> bytes:
        """The frames that the client was sent, once the server has disconnected."""
        return (await received(self.client)).partition(b"\r\n\r\n")[2]


@asynccontextmanager
async def opened(*, accepted: bool = True) -> AsyncIterator[Socket]:
    """A socket after its handshake, or in the middle of it."""
    messages: list[str] = []
    accept = asyncio.Event()

    async def listen(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await accept.wait()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            messages.append(message["text"])

    config = Config(
        listen, lifespan="off", log_config=None, ws_max_size=LONGEST_MESSAGE, ws_per_message_deflate=False
    )
    config.load()
    ours, theirs = socket.socketpair()
    protocol = SocketProtocol(config, ServerState(), {})
    protocol.counted = ExitStack()
    with ours:
        ours.setblocking(False)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, theirs)
        protocol.data_received(HANDSHAKE)
        (task,) = protocol.tasks
        if accepted:
            accept.set()
            while not protocol.handshake_complete:
                await asyncio.sleep(0)
        yield Socket(protocol, ours, messages)
        protocol.transport.close()
        accept.set()
        await task


def closed_with(code: int, answers: bytes) -> bool:
    """Whether the frames of a server are perhaps pongs, and then a close with this code."""
    while answers[:1] == PONG:
        answers = answers[2 + answers[1] :]
    return answers[:1] == b"\x88" and int.from_bytes(answers[2:4]) == code and len(answers) == 2 + answers[1]


@pytest.mark.parametrize(
    ("pieces", "messages"),
    [
        ([masked(TEXT, b"one"), masked(TEXT, b"two")], ["one", "two"]),
        # The second piece is half of a frame, and looks like a whole one.
        (
            [masked(TEXT, b"12345678ABwxyzhi")[:14], masked(TEXT, b"12345678ABwxyzhi")[14:]],
            ["12345678ABwxyzhi"],
        ),
        # A frame in the middle of a message in parts breaks the protocol.
        ([masked(PART, b"be"), masked(TEXT, b"gin")], []),
        ([masked(PART, b"be"), masked(REST), masked(b"\x80", b"gin")], ["begin"]),
    ],
    ids=["whole", "half", "in between", "in parts"],
)
def test_a_message_is_what_was_sent_however_it_arrives(pieces: list[bytes], messages: list[str]) -> None:
    async def talk() -> list[str]:
        async with opened() as there:
            for piece in pieces:
                there.protocol.data_received(piece)
        return there.messages

    assert asyncio.run(talk()) == messages


@pytest.mark.parametrize(
    "pieces",
    [
        [masked(PING) * (BURST + 1)],
        [masked(PING, b"x" * 125) * (BURST + 1)],
        [masked(PONG) * (BURST + 1)],
        [masked(PART) + masked(REST) * BURST],
        [masked(TEXT, b"{}") * (BURST + 1)],
        [masked(TEXT, b"x" * 4000) * 40],
        [b"\x81\xfe\x10\x00" + bytes(4), *[b"x"] * 4000],
    ],
    ids=["pings", "long pings", "pongs", "empty parts", "texts", "long texts", "single bytes"],
)
def test_a_flood_of_any_kind_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch, pieces: list[bytes]
) -> None:
    monkeypatch.setattr(protocols, "monotonic", lambda: 0.0)

    async def flood() -> bytes:
        async with opened() as there:
            for piece in pieces:
                if not there.protocol.close_sent:
                    there.protocol.data_received(piece)
            return await there.ended()

    assert closed_with(1008, asyncio.run(flood()))


@pytest.mark.parametrize(
    ("sent", "code"),
    [(masked(PING) * (BURST + 1), 1008), (masked(TEXT, b"x" * (LONGEST_MESSAGE + 1)), 1009)],
    ids=["flood", "too long"],
)
def test_a_client_that_is_still_sending_reads_why_it_is_disconnected(sent: bytes, code: int) -> None:
    """A socket that is closed before all was read is reset, and the client may never read the rest."""

    async def flood() -> bytes:
        loop = asyncio.get_running_loop()
        async with opened() as there:
            there.protocol.data_received(sent)
            await asyncio.wait_for(loop.sock_sendall(there.client, bytes(MOST_DISCARDED // 2)), 30)
            return await there.ended()

    assert closed_with(code, asyncio.run(flood()))


def test_a_client_that_never_stops_sending_is_disconnected() -> None:
    async def flood() -> None:
        loop = asyncio.get_running_loop()
        async with opened() as there:
            there.protocol.data_received(masked(PING) * (BURST + 1))
            with pytest.raises(ConnectionError):
                await asyncio.wait_for(loop.sock_sendall(there.client, bytes(8 * MOST_DISCARDED)), 30)

    asyncio.run(flood())


@pytest.mark.parametrize("sent", [masked(PING) * (BURST + 1), b"\xff" * 9], ids=["flood", "nonsense"])
def test_a_failure_before_the_handshake_is_over_ends_the_connection(sent: bytes) -> None:
    async def flood() -> bool:
        async with opened(accepted=False) as there:
            there.protocol.data_received(sent)
            return there.protocol.transport.is_closing()

    assert asyncio.run(flood())


def test_a_client_that_sends_steadily_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(protocols, "monotonic", lambda: now)

    async def talk() -> bool:
        nonlocal now
        async with opened() as there:
            for _ in range(20 * FRAMES_PER_SECOND):
                now += 1 / FRAMES_PER_SECOND
                there.protocol.data_received(masked(PONG))
            return there.protocol.transport.is_closing()

    assert not asyncio.run(talk())


def test_pongs_that_nobody_reads_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FRAMES_PER_SECOND", 1_000_000)

    async def ping() -> tuple[int, bytes]:
        loop = asyncio.get_running_loop()
        async with opened() as there:
            for number in range(30_000):
                there.protocol.data_received(masked(PING, b"%0125d" % number))
            most, pongs = there.unsent, b""
            while not pongs.endswith(b"29999"):
                pongs += await asyncio.wait_for(loop.sock_recv(there.client, 65_536), 30)
            return most, pongs

    most, pongs = asyncio.run(ping())
    assert most < 70_000
    assert len(pongs) < 30_000 * 127 / 2


def test_a_client_that_reads_again_gets_the_pong_of_its_last_ping() -> None:
    async def ping() -> bytes:
        async with opened() as there:
            there.protocol.pause_writing()
            there.protocol.data_received(masked(PING, b"1") + masked(PING, b"2"))
            there.protocol.resume_writing()
            there.protocol.shutdown()
            return await there.ended()

    assert b"\x8a\x012" in asyncio.run(ping())


def test_empty_parts_of_a_message_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FRAMES_PER_SECOND", 1_000_000)

    async def send() -> int:
        async with opened() as there:
            there.protocol.data_received(masked(PART, b"x") + masked(REST) * 10_000)
            return len(there.protocol.frames)

    assert asyncio.run(send()) == 1


@pytest.mark.parametrize(
    "frame", [masked(TEXT, b"\xff\xfe") * 2, masked(TEXT, b"\xff" * 200)], ids=["twice", "long"]
)
def test_text_that_is_not_utf8_is_refused_without_a_traceback(
    caplog: pytest.LogCaptureFixture, frame: bytes
) -> None:
    async def send() -> bytes:
        async with opened() as there:
            there.protocol.data_received(frame)
            return await there.ended()

    with caplog.at_level(logging.WARNING):
        assert closed_with(1007, asyncio.run(send()))
    assert not caplog.records


def test_a_flood_ends_the_connection_of_a_server(tmp_path: Path) -> None:
    """With the event loop and the protocols of `perfectplay serve`."""
    with Server("--data", str(tmp_path)) as server:
        ann = server.person()
        table = ann.make()["table"]["id"]
        with ann.socket(table) as flooding:
            flooding.socket.sendall(masked(PING) * (BURST + 1))
            with pytest.raises(ConnectionClosed) as ended:
                heard(flooding, "never")
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1008
        assert ann.table(table)["status"] == "open"
        assert server.stop() == (0, "")


@pytest.mark.parametrize("answered", [False, True], ids=["before the answer", "after it"])
def test_a_body_in_very_many_chunks_is_not_read(caplog: pytest.LogCaptureFixture, answered: bool) -> None:
    """Each chunk takes as long as a request: a body of them would hold everybody up."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 413, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    async def flood() -> bytes:
        config = Config(answer, lifespan="off", log_config=None, http=HttpProtocol)
        config.load()
        ours, theirs = socket.socketpair()
        protocol = HttpProtocol(config, ServerState(), {"limits": ClientLimits(ServerSettings())})
        loop = asyncio.get_running_loop()
        with ours:
            ours.setblocking(False)
            await loop.connect_accepted_socket(lambda: protocol, theirs)
            protocol.data_received(
                b"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
            )
            (task,) = protocol.tasks
            if answered:
                await task
            protocol.data_received(b"1\r\nx\r\n" * (MOST_CHUNKS + 1000))
            await task
            assert len(protocol.cycle.body) <= MOST_CHUNKS
            return await received(ours)

    answers = asyncio.run(flood())
    assert answers.startswith(b"HTTP/1.1 413" if answered else b"HTTP/1.1 400")
    assert answers.count(b"HTTP/1.1") == 1
    assert not [record for record in caplog.records if record.levelno > logging.WARNING]
