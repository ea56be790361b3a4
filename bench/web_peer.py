"""What a move costs this server and boardgame.io: `python -m bench.web_peer`, a quarter of it with `--quick`.

Both servers get the same load, one after the other: 100 tables of Dual Direction, two sockets each, 500
moves per second. The players walk at random and turn back before the ends of the line, so that no game
ends and both do nothing but take moves. Ours syncs each move to the disk before it tells anyone. The peer
runs twice: in memory, where it saves nothing, and with its own file storage, which it does not sync.
Processor time is that of the server process, from /proc.
"""

import asyncio
import gc
import json
import math
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from bench import BenchRow, report
from bench.crowd import (
    PATIENCE,
    RATE,
    Board,
    Connection,
    Crowd,
    Server,
    Shape,
    allow_sockets,
    post,
    seat_crowd,
    serve_command,
    start_server,
)

TABLES = 100
WARMING = 2000
"""Moves before anything is measured: the peer compiles its code meanwhile."""
MOVES = 10_000
QUICK = 4
GAME = "dual-direction"
LAST = 11
"""The last position of the line."""
MEMORY_AT_MOST, FILES_AT_MOST = 1.5, 0.35
PEER = Path(__file__).parent / "boardgame_io"


def step(crowd: Crowd, position: int) -> str:
    """A random step that does not end the game."""
    if position == 2:
        return "right"
    return "left" if position == LAST - 1 else crowd.random.choice(("left", "right"))


class Walk(Board):
    """A table of ours, at which no game ends."""

    def __init__(self, crowd: Crowd, table_id: str) -> None:
        super().__init__(crowd, table_id)
        self.left = math.inf

    def choice(self, position: Shape) -> str:
        return step(self.crowd, int(position["state"].split()[0]))


class PeerTable:
    """A match on boardgame.io, as its two players see it."""

    def __init__(self, crowd: Crowd, match_id: str) -> None:
        self.crowd = crowd
        self.id = match_id
        self.seats: list[PeerSocket] = []
        self.state: Shape = {}
        self.listener = 0
        """The seat that waits for news of the other seat's move."""
        self.sent = 0.0

    def hear(self, state: Shape, now: float) -> None:
        """Handle the new state."""
        if state["_stateID"] <= self.state["_stateID"]:
            return  # the news of its own move, which the other seat has answered already
        if state["_stateID"] != self.state["_stateID"] + 1:
            self.crowd.wrong("an update was missing")
        self.state = state
        self.crowd.take(now, now - self.sent)
        self.crowd.ready.append(self)

    def move(self) -> None:
        seat = int(self.state["ctx"]["currentPlayer"])
        self.listener = 1 - seat
        self.seats[seat].play(step(self.crowd, self.state["G"]["position"]), self.state["_stateID"])
        self.sent = perf_counter()


class PeerSocket(Connection):
    """One player's connection to boardgame.io: the minimum of Socket.IO."""

    def __init__(self, at: PeerTable, seat: int, credentials: str, host: str) -> None:
        super().__init__(at.crowd, "/socket.io/?EIO=4&transport=websocket", host)
        self.table, self.seat, self.credentials = at, seat, credentials

    def receive(self, payload: bytes, now: float) -> None:
        text = payload.decode()
        if text.startswith("0"):  # connected
            self.send(f"40/{GAME},")
        elif text.startswith(f"40/{GAME},"):
            self._say("sync", self.table.id, str(self.seat), self.credentials, 2)
        elif text == "2":  # ping
            self.send("3")
        elif text.startswith(f"42/{GAME},"):
            kind, _, *more = json.loads(text.removeprefix(f"42/{GAME},"))
            if kind == "sync":
                self.table.state = more[0]["state"]
                self.opened.set_result(None)
            elif kind == "update" and self.seat == self.table.listener:
                self.table.hear(more[0], now)
        else:
            self.crowd.wrong(text)

    def play(self, move: str, state_id: int) -> None:
        """Make a move in the state with this number."""
        payload = {"type": move, "args": [], "playerID": str(self.seat), "credentials": self.credentials}
        self._say(
            "update", {"type": "MAKE_MOVE", "payload": payload}, state_id, self.table.id, str(self.seat)
        )

    def _say(self, *what: object) -> None:
        self.send(f"42/{GAME}," + json.dumps(what, separators=(",", ":")))


@asynccontextmanager
async def seat_peer(server: Server) -> AsyncIterator[Crowd]:
    """A crowd at matches of boardgame.io, with two open sockets each."""
    crowd = Crowd()
    loop = asyncio.get_running_loop()
    host, port = server.host.split(":")
    connection = HTTPConnection(host, int(port), timeout=PATIENCE)
    sockets = []
    for _ in range(TABLES):
        made = PeerTable(crowd, post(connection, f"/games/{GAME}/create", {"numPlayers": 2})["matchID"])
        for seat in (0, 1):
            wanted = {"playerID": str(seat), "playerName": "Ann"}
            joined = post(connection, f"/games/{GAME}/{made.id}/join", wanted)
            _, socket = await loop.create_connection(
                partial(PeerSocket, made, seat, joined["playerCredentials"], server.host), host, int(port)
            )
            await asyncio.wait_for(socket.opened, PATIENCE)
            made.seats.append(socket)
            sockets.append(socket)
        crowd.ready.append(made)
    connection.close()
    try:
        yield crowd
    finally:
        crowd.closing = True
        for socket in sockets:
            socket.close()


class Cost(NamedTuple):
    """What the moves cost a server."""

    each: float
    """Milliseconds of processor time for each move."""
    p99: float
    """Milliseconds from sending a move until the other seat has it."""
    good: bool
    """Whether all moves arrived, and at the rate."""


async def cost(server: Server, crowds: AbstractAsyncContextManager[Crowd], moves: int) -> Cost:
    async with crowds as crowd:
        await crowd.play(WARMING)
        crowd.times.clear()
        gc.collect()
        gc.disable()
        begun, busy = perf_counter(), server.busy
        await crowd.play(moves)
        spent, busy = perf_counter() - begun, server.busy - busy
        gc.enable()
    for complaint in sorted(set(crowd.complaints))[:5]:
        sys.stderr.write(f"{crowd.complaints.count(complaint)} times: {complaint}\n")
    times = sorted(seconds for _, seconds in crowd.times)
    good = not crowd.complaints and len(times) == moves and moves / spent >= 0.99 * RATE
    return Cost(1000 * busy / moves, 1000 * times[int(0.99 * len(times))], good)


def measure(
    command: list[str], seat: Callable[[Server], AbstractAsyncContextManager[Crowd]], moves: int
) -> Cost:
    with start_server(command) as server:
        return asyncio.run(cost(server, seat(server), moves))


def rows(folder: Path, moves: int) -> list[BenchRow]:
    os.environ["NODE_ENV"] = "production"
    peer = ["node", str(PEER / "server.js")]
    ours = measure(
        serve_command(folder / "ours"), lambda server: seat_crowd(server, TABLES, (GAME,), Walk), moves
    )
    theirs = measure(peer, seat_peer, moves)
    files = measure([*peer, str(folder / "theirs")], seat_peer, moves)
    return [
        _row("in memory", ours, theirs, MEMORY_AT_MOST),
        _row("on files", ours, files, FILES_AT_MOST),
    ]


def _row(how: str, ours: Cost, theirs: Cost, at_most: float) -> BenchRow:
    ratio = ours.each / theirs.each
    figures = (
        f"ours {ours.each:.2f} ms a move, each synced, p99 {ours.p99:.1f} ms;"
        f" theirs {theirs.each:.2f} ms, p99 {theirs.p99:.1f} ms"
    )
    good = ours.good and theirs.good and ratio <= at_most
    return BenchRow(f"web: processor, boardgame.io {how}", f"{ratio:.2f}x", f"<={at_most}x", good, figures)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--quick"]):
        sys.stderr.write("usage: python -m bench.web_peer [--quick]\n")
        return 2
    # If terminated from outside, still stop the server and remove its folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    allow_sockets(TABLES)
    # Not the folder for temporary files, which is in memory on some machines.
    Path("build").mkdir(exist_ok=True)
    with TemporaryDirectory(dir="build") as name:
        found = rows(Path(name), MOVES // QUICK if arguments else MOVES)
    return report(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
