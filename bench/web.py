"""How much load one server process carries: `python -m bench.web`, or a tenth of it with `--quick`.

The server is a separate process that stores its tables on disk under `build`. This process plays both
seats of every table in all five games, with one socket per seat. It sends a move every 2 ms and does not
wait for a server that falls behind. When a game is over, the two seats agree on a rematch. Linux only: it
reads /proc.
"""

import asyncio
import gc
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

import perfectplay as pp
from bench import Row
from bench.__main__ import table

TABLES = 500
RATE = 500
"""Moves per second, of all tables together."""
MOVES = 100_000
SETTLED = 20_000
"""Moves after which memory must no longer grow."""
QUICK = 10
"""How many times shorter the short run is."""
P99_AT_MOST = 20.0
GROWTH_AT_MOST = 5.0
RATE_AT_LEAST = 0.99 * RATE
LONGEST_GAME = 30
"""The most plies before a game is resigned, which bounds each table's memory."""
REQUESTS_PER_SECOND = 90
"""Below the server's limit per address: all requests come from one address here."""
WARMING = 10
"""How many tables are played before anything is measured."""
WINDOW = 10.0
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
        self.left = crowd.random.randint(1, LONGEST_GAME)
        """Plies until the game is resigned; they differ, so that games end at different times."""

    def heard(self, payload: bytes, now: float) -> None:
        """Handle a message to the listener."""
        if self.sent is not None:
            self.crowd.taken(now, now - self.sent)
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
        self._do(position["seat"], "move", self.crowd.random.choice(position["legal"]))
        self.sent = perf_counter()

    def _do(self, seat: int, kind: str, text: str = "") -> None:
        self.listener, self.expected = 1 - seat, self.shown["table"]["next"]
        asked = {"do": "event", "number": self.expected, "kind": kind, "text": text}
        self.seats[seat].send(json.dumps(asked))


class Socket(asyncio.Protocol):
    """One player's connection: the minimum of RFC 6455 that a cheap client needs."""

    def __init__(self, board: Board, seat: int, token: str, host: str) -> None:
        self.board, self.seat = board, seat
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._data = bytearray()
        self._upgraded = False
        self.number = 0
        """The number of the last event received."""
        self._transport: asyncio.Transport | None = None
        self._hello = (
            f"GET /api/tables/{board.id}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer {token}\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._hello.encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.board.crowd.wrong("a connection was lost")

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
            self._received(*frame, now)

    def _received(self, kind: int, payload: bytes, now: float) -> None:
        if kind == PING:
            self._frame(PONG, payload)
        elif (found := EVENT.match(payload)) is not None:
            number = int(found[1])
            if number != self.number + 1:
                self.board.crowd.wrong("an event was missing, or came twice")
            self.number = number
            if self.board.listener == self.seat and number >= self.board.expected:
                self.board.heard(payload, now)
        elif payload.startswith(ANSWER):
            if not payload.startswith(GOOD_ANSWER):
                self.board.crowd.wrong(payload.decode())
        elif not self.opened.done():
            shown = json.loads(payload)["table"]
            self.number = shown["next"] - 1
            self.board.shown = {"table": shown, "position": shown["position"]}
            self.opened.set_result(None)

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
        assert len(payload) < 126
        # A mask of zeros is valid: it costs the server the same work, and this process none.
        self._transport.write(bytes((kind, 0x80 | len(payload), 0, 0, 0, 0)) + payload)


@dataclass
class Crowd:
    """All players, and what they have seen."""

    random: Random = field(default_factory=lambda: Random(SEED))
    boards: list[Board] = field(default_factory=list)
    ready: deque[Board] = field(default_factory=deque)
    """The tables where a move may be made, the one that has waited longest first."""
    times: list[tuple[float, float]] = field(default_factory=list)
    """For each move: when it arrived, and how long it took."""
    complaints: list[str] = field(default_factory=list)
    closing: bool = False

    def taken(self, now: float, seconds: float) -> None:
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
    """The server process, with its memory and processor use."""

    def __init__(self, folder: Path) -> None:
        options = ["--port", "0", "--no-open", "--data", str(folder)]
        # Raise the limits per address: all tables come from one address here.
        options += ["--tables-per-minute", "100000", "--tables-per-day", "100000"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "perfectplay", "serve", *options], stdout=subprocess.PIPE, text=True
        )
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


@contextmanager
def started(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


@asynccontextmanager
async def seated(server: Server, tables: int) -> AsyncIterator[Crowd]:
    """A crowd at `tables` tables, with two open sockets each."""
    crowd = Crowd()
    loop = asyncio.get_running_loop()
    host, port = server.host.split(":")
    names = pp.names()
    connection = HTTPConnection(host, int(port), timeout=PATIENCE)
    for index in range(tables):
        tokens = [_post(connection, "/api/tokens", {})["token"] for _ in (0, 1)]
        wanted = {"game": names[index % len(names)], "seat": 0, "name": "Ann"}
        made = _post(connection, "/api/tables", wanted, tokens[0])
        board = Board(crowd, made["table"]["id"])
        _post(connection, f"/api/tables/{board.id}/join", {"code": made["join"], "name": "Bob"}, tokens[1])
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


def _post(connection: HTTPConnection, path: str, shape: Shape, token: str | None = None) -> Shape:
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


def syncing(folder: Path) -> float:
    """How long the disk takes to sync a page, in milliseconds."""
    file, times = folder / "page", []
    with file.open("wb") as page:
        for _ in range(100):
            page.write(bytes(4096))
            page.flush()
            begun = perf_counter()
            os.fsync(page.fileno())
            times.append(perf_counter() - begun)
    file.unlink()
    return 1000 * sorted(times)[50]


def quantile(times: list[float], share: float) -> float:
    """The quantile of the times, in milliseconds."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


async def measured(server: Server, folder: Path, moves: int, settled: int) -> list[Row]:
    async with seated(server, WARMING) as crowd:
        await crowd.play(20 * WARMING)  # memory loaded with the first tables belongs to no single table
    before = server.memory
    async with seated(server, TABLES) as crowd:
        with_tables = server.memory
        gc.collect()
        gc.freeze()
        gc.disable()
        begun, busy, own = perf_counter(), server.busy, sum(os.times()[:2])
        playing = asyncio.create_task(crowd.play(moves))
        memory: list[tuple[int, float]] = []
        while not playing.done():
            memory.append((len(crowd.times), server.memory))
            await asyncio.wait((playing,), timeout=1)
        await playing
        spent = perf_counter() - begun
        busy, own = server.busy - busy, sum(os.times()[:2]) - own
        memory.append((len(crowd.times), server.memory))
        gc.enable()
    server.stop()
    return [
        _tables_row(crowd, moves, folder),
        _rate_row(crowd, spent, busy, own),
        _times_row(crowd, begun, folder),
        _memory_row(before, with_tables),
        _growth_row(memory, settled, moves),
    ]


def _tables_row(crowd: Crowd, moves: int, folder: Path) -> Row:
    """Check that every move arrived, and that the file has every received event after shutdown."""
    chosen = "SELECT table_id, count(*), max(number) FROM events GROUP BY table_id"
    connection = sqlite3.connect(folder / "tables.sqlite3")
    stored = {name: (count, last) for name, count, last in connection.execute(chosen)}
    connection.close()
    for board in crowd.boards:
        count, last = stored.get(board.id, (0, 0))
        if count != last or any(socket.number > last for socket in board.seats):
            crowd.complaints.append("a received event is not in the file")
    for complaint in sorted(set(crowd.complaints))[:5]:
        sys.stderr.write(f"{crowd.complaints.count(complaint)} times: {complaint}\n")
    live = sum(len(board.seats) == 2 for board in crowd.boards)
    good = not crowd.complaints and len(crowd.times) == moves and live == TABLES
    figures = f"{len(crowd.times)} of {moves} moves arrived, {len(crowd.complaints)} refused, lost or doubled"
    return Row("tables played at the same time", f"{live}", f"{TABLES}", good, f"two sockets each; {figures}")


def _rate_row(crowd: Crowd, spent: float, busy: float, own: float) -> Row:
    rate = len(crowd.times) / spent
    figures = f"processor: server {busy / spent:.0%}, players {own / spent:.0%} of one core"
    return Row("moves per second at all tables", f"{rate:.1f}", f"{RATE}", rate >= RATE_AT_LEAST, figures)


def _times_row(crowd: Crowd, begun: float, folder: Path) -> Row:
    windows: dict[int, list[float]] = {}
    for now, seconds in crowd.times:
        windows.setdefault(int((now - begun) / WINDOW), []).append(seconds)
    each = sorted(quantile(times, 0.99) for times in windows.values())
    times = [seconds for _, seconds in crowd.times]
    p50, p90, p99, worst = (quantile(times, share) for share in (0.5, 0.9, 0.99, 1))
    figures = (
        f"p50 {p50:.1f}, p90 {p90:.1f}, max {worst:.1f} ms; p99 of each {WINDOW:.0f} s:"
        f" {each[0]:.1f} to {each[-1]:.1f} ms, middle {each[len(each) // 2]:.1f};"
        f" fsync {syncing(folder):.2f} ms, load {os.getloadavg()[0]:.1f}"
    )
    return Row(
        "99% of moves arrive within", f"{p99:.1f} ms", f"<{P99_AT_MOST:.0f} ms", p99 < P99_AT_MOST, figures
    )


def _memory_row(before: float, with_tables: float) -> Row:
    each = 1000 * (with_tables - before) / TABLES
    figures = f"server: {before:.1f} MB before, {with_tables:.1f} MB with {TABLES} tables and their sockets"
    return Row("server memory per table", f"{each:.0f} kB", "stated", True, figures)


def _growth_row(memory: list[tuple[int, float]], settled: int, moves: int) -> Row:
    at = next(used for done, used in memory if done >= settled)
    last, most = memory[-1][1], max(used for _, used in memory)
    growth = last - at
    figures = f"server: {at:.1f} MB after {settled} moves, {last:.1f} MB after {moves}, at most {most:.1f} MB"
    return Row(
        "growth of the server's memory",
        f"{growth:.1f} MB",
        f"<{GROWTH_AT_MOST:.0f} MB",
        growth < GROWTH_AT_MOST,
        figures,
    )


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--quick"]):
        sys.stderr.write("usage: python -m bench.web [--quick]\n")
        return 2
    # If terminated from outside, still stop the server and remove its folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    shorter = QUICK if arguments else 1
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * TABLES + 200
    if soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    # Not the folder for temporary files, which is in memory on some machines.
    Path("build").mkdir(exist_ok=True)
    with TemporaryDirectory(dir="build") as name, started(Path(name)) as server:
        rows = asyncio.run(measured(server, Path(name), MOVES // shorter, SETTLED // shorter))
    sys.stdout.write(table(rows) + "\n")
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
