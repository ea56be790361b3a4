"""Players at web tables: one process that plays both seats of many tables, with one socket per seat.

It sends moves at a steady rate and does not wait for a server that falls behind. Linux only: it reads /proc.
"""

import asyncio
import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import Any, Protocol

RATE = 500
"""Moves per second, of all tables together."""
LONGEST_GAME = 30
"""The most plies before a game is resigned, which bounds each table's memory."""
REQUESTS_PER_SECOND = 90
"""Below the server's limit per address: all requests come from one address here."""
PATIENCE = 10.0
SEED = 5

Shape = dict[str, Any]

EVENT = re.compile(rb'\{"type":"event","event":\{"number":([0-9]+),')
ANSWER = b'{"type":"answer",'
GOOD_ANSWER = b'{"type":"answer","id":null,"ok":true,'
TEXT, PING, PONG = 0x81, 0x89, 0x8A


class Board:
    """A table as its two players see it."""

    def __init__(self, crowd: "Crowd", table_id: str) -> None:
        self.crowd = crowd
        self.id = table_id
        self.seats: list[Socket] = []
        self.listener = 0
        """The seat that waits for news of the other seat's action."""
        self.expected = 0
        """The number of the event it waits for; earlier events may still arrive first."""
        self.sent: float | None = None
        """When the pending move was sent."""
        self.shown: Shape = {}
        self.left: float = crowd.random.randint(1, LONGEST_GAME)
        """Plies until the game is resigned; they differ, so that games end at different times."""

    def hear(self, payload: bytes, now: float) -> None:
        """Handle a message to the listener."""
        if self.sent is not None:
            self.crowd.take(now, now - self.sent)
            self.sent = None
        self.shown = json.loads(payload)
        status, position = self.shown["table"]["status"], self.shown["position"]
        if status == "over":
            if not self.shown["table"]["offers"]:
                self._do(0, "offer", "rematch")
            else:
                self.left = self.crowd.random.randint(5, LONGEST_GAME)
                self._do(1, "accept", "rematch")
        elif position["legal"] == ["pass"]:
            return  # the server passes by itself, and its event comes next
        elif self.left <= 0:
            self._do(position["seat"], "resign")
        else:
            self.crowd.ready.append(self)

    def move(self) -> None:
        """Play a random legal move for the seat to move."""
        position = self.shown["position"]
        self.left -= 1
        self._do(position["seat"], "move", self.choice(position))
        self.sent = perf_counter()

    def choice(self, position: Shape) -> str:
        """The move to play."""
        chosen: str = self.crowd.random.choice(position["legal"])
        return chosen

    def _do(self, seat: int, kind: str, text: str = "") -> None:
        self.listener, self.expected = 1 - seat, self.shown["table"]["next"]
        asked = {"do": "event", "number": self.expected, "kind": kind, "text": text}
        self.seats[seat].send(json.dumps(asked))


class Connection(asyncio.Protocol):
    """A WebSocket: the minimum of RFC 6455 that a cheap client needs."""

    def __init__(self, crowd: "Crowd", path: str, host: str, token: str = "") -> None:
        self.crowd = crowd
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._data = bytearray()
        self._upgraded = False
        self._transport: asyncio.Transport | None = None
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer {token}\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._hello.encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.crowd.wrong("a connection was lost")

    def receive(self, payload: bytes, now: float) -> None:
        """Handle a message."""
        raise NotImplementedError

    def send(self, text: str) -> None:
        self._frame(TEXT, text.encode())

    def close(self) -> None:
        assert self._transport is not None
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        now = perf_counter()
        self._data += data
        if not self._upgraded:
            if b"\r\n\r\n" not in self._data:
                return
            head, _, rest = bytes(self._data).partition(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 101 "):
                raise RuntimeError(f"no socket: {head!r} {rest!r}")
            self._upgraded, self._data = True, bytearray(rest)
        while (frame := self._next_frame()) is not None:
            kind, payload = frame
            if kind == PING:
                self._frame(PONG, payload)
            else:
                self.receive(payload, now)

    def _next_frame(self) -> tuple[int, bytes] | None:
        data = self._data
        if len(data) < 2:
            return None
        length, start = data[1], 2
        if length == 126:
            length, start = int.from_bytes(data[2:4]), 4
        if len(data) < start + length:
            return None
        kind, payload = data[0], bytes(data[start : start + length])
        del data[: start + length]
        return kind, payload

    def _frame(self, kind: int, payload: bytes) -> None:
        assert self._transport is not None
        length = len(payload)
        size = bytes((0x80 | length,)) if length < 126 else bytes((0x80 | 126, *length.to_bytes(2)))
        # A mask of zeros is valid: it costs the server the same work, and this process none.
        self._transport.write(bytes((kind,)) + size + bytes(4) + payload)


class Socket(Connection):
    """One player's connection to a table of this package."""

    def __init__(self, board: Board, seat: int, token: str, host: str) -> None:
        super().__init__(board.crowd, f"/api/tables/{board.id}/socket", host, token)
        self.board, self.seat = board, seat
        self.number = 0
        """The number of the last event received."""

    def receive(self, payload: bytes, now: float) -> None:
        if (found := EVENT.match(payload)) is not None:
            number = int(found[1])
            if number != self.number + 1:
                self.crowd.wrong("an event was missing, or came twice")
            self.number = number
            if self.board.listener == self.seat and number >= self.board.expected:
                self.board.hear(payload, now)
        elif payload.startswith(ANSWER):
            if not payload.startswith(GOOD_ANSWER):
                self.crowd.wrong(payload.decode())
        elif not self.opened.done():
            shown = json.loads(payload)["table"]
            self.number = shown["next"] - 1
            self.board.shown = {"table": shown, "position": shown["position"]}
            self.opened.set_result(None)


class Playable(Protocol):
    """A table where a move can be made."""

    def move(self) -> None: ...


@dataclass
class Crowd:
    """All players, and what they have seen."""

    random: Random = field(default_factory=lambda: Random(SEED))
    boards: list[Board] = field(default_factory=list)
    ready: deque[Playable] = field(default_factory=deque)
    """The tables where a move may be made, the one that has waited longest first."""
    times: list[tuple[float, float]] = field(default_factory=list)
    """For each move: when it arrived, and how long it took."""
    complaints: list[str] = field(default_factory=list)
    closing: bool = False

    def take(self, now: float, seconds: float) -> None:
        self.times.append((now, seconds))

    def wrong(self, what: str) -> None:
        if not self.closing:
            self.complaints.append(what)

    async def play(self, moves: int) -> None:
        """Play `moves` moves, evenly spread over time, and wait until all have arrived."""
        loop = asyncio.get_running_loop()
        begun, sent = loop.time(), 0
        late = begun + 2 * moves / RATE + PATIENCE
        while sent < moves and loop.time() < late:
            # If no table is ready at its time, the move is made up for later; the rate shows it.
            while sent < moves and begun + sent / RATE <= loop.time() and self.ready:
                self.ready.popleft().move()
                sent += 1
            await asyncio.sleep(max(0.0005, begun + sent / RATE - loop.time()))
        while len(self.times) < moves and loop.time() < late:
            await asyncio.sleep(0.01)


class Server:
    """A server process that says its address in its first line, with its memory and processor use."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://([^/\s]+)/", self.process.stdout.readline())
        if found is None:
            raise RuntimeError("the server does not start")
        self.host = found[1]

    @property
    def memory(self) -> float:
        """Resident memory, in megabytes."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+([0-9]+) kB", text)
        assert found is not None
        return int(found[1]) * 1024 / 1e6

    @property
    def busy(self) -> float:
        """Processor time used so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)


def serve_command(folder: Path) -> list[str]:
    """The command that starts a server of this package, which stores its tables in a folder."""
    options = ["--port", "0", "--no-open", "--data", str(folder)]
    # Raise the limits per address: all tables come from one address here.
    options += ["--tables-per-minute", "100000", "--tables-per-day", "100000"]
    return [sys.executable, "-m", "perfectplay", "serve", *options]


@contextmanager
def start_server(command: Sequence[str]) -> Iterator[Server]:
    server = Server(command)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


@asynccontextmanager
async def seat_crowd(
    server: Server, tables: int, games: Sequence[str], new_board: Callable[[Crowd, str], Board] = Board
) -> AsyncIterator[Crowd]:
    """A crowd at `tables` tables of the games, with two open sockets each."""
    crowd = Crowd()
    loop = asyncio.get_running_loop()
    host, port = server.host.split(":")
    connection = HTTPConnection(host, int(port), timeout=PATIENCE)
    for index in range(tables):
        tokens = [post(connection, "/api/tokens", {})["token"] for _ in (0, 1)]
        wanted = {"game": games[index % len(games)], "seat": 0, "name": "Ann"}
        made = post(connection, "/api/tables", wanted, tokens[0])
        board = new_board(crowd, made["table"]["id"])
        post(connection, f"/api/tables/{board.id}/join", {"code": made["join"], "name": "Bob"}, tokens[1])
        for seat, token in enumerate(tokens):
            sleep(1 / REQUESTS_PER_SECOND)
            _, socket = await loop.create_connection(
                lambda at=board, by=seat, holds=token: Socket(at, by, holds, server.host), host, int(port)
            )
            await asyncio.wait_for(socket.opened, PATIENCE)
            board.seats.append(socket)
        crowd.boards.append(board)
        crowd.ready.append(board)
    connection.close()
    try:
        yield crowd
    finally:
        crowd.closing = True
        for board in crowd.boards:
            for socket in board.seats:
                socket.close()
        await asyncio.sleep(1)


def post(connection: HTTPConnection, path: str, shape: Shape, token: str | None = None) -> Shape:
    """The response to a request, sent no sooner than the server allows."""
    sleep(1 / REQUESTS_PER_SECOND)
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    connection.request("POST", path, json.dumps(shape), headers)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status not in (200, 201):
        raise RuntimeError(f"{path}: {answer.status} {body!r}")
    found: Shape = json.loads(body)
    return found


def allow_sockets(tables: int) -> None:
    """Raise the limit of open files, if two sockets for each table need it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * tables + 200
    if soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
