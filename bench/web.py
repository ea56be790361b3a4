"""How much load one server process carries: `python -m bench.web`, or a tenth of it with `--quick`.

The server is a separate process that stores its tables on disk under `build`. This process plays both
seats of every table in all five games, with one socket per seat. It sends a move every 2 ms and does not
wait for a server that falls behind. When a game is over, the two seats agree on a rematch. Beside the load it
syncs pages of its own to the same disk: times are judged without the pauses that these show. Linux only: it
reads /proc.
"""

import asyncio
import gc
import os
import signal
import sqlite3
import sys
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter

import perfectplay as pp
from bench import BenchRow, report
from bench.crowd import RATE, Crowd, Server, allow_sockets, seat_crowd, serve_command, start_server

TABLES = 500
MOVES = 100_000
SETTLED = 20_000
"""Moves after which memory must no longer grow."""
QUICK = 10
"""How many times shorter the short run is."""
P99_AT_MOST = 20.0
GROWTH_AT_MOST = 5.0
RATE_AT_LEAST = 0.99 * RATE
WARMING = 10
"""How many tables are played before anything is measured."""
WINDOW = 10.0
PROBE = 0.02
"""Seconds between two syncs of the benchmark itself."""
SLOW = 0.01
"""Seconds of a sync from which it counts as a pause of the disk."""
LONGEST_PAUSE = 60.0


class Disk:
    """Syncs a page of its own beside the load, to tell the pauses of the disk from those of the server."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "page"
        self._ended = Event()
        self._thread = Thread(target=self._probe)
        self.probes: list[tuple[float, float]] = []
        """When each sync began and ended."""

    def __enter__(self) -> "Disk":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _probe(self) -> None:
        with self._file.open("wb", buffering=0) as page:
            while not self._ended.wait(PROBE):
                page.seek(0)
                page.write(os.urandom(4096))
                begun = perf_counter()
                os.fdatasync(page.fileno())
                self.probes.append((begun, perf_counter()))

    def pauses(self, begun: float, ended: float) -> float:
        """For how many of the seconds in between the disk was in a sync that took it long."""
        first = bisect_left(self.probes, (begun - LONGEST_PAUSE, 0.0))
        last = bisect_left(self.probes, (ended, 0.0))
        return sum(
            max(0.0, min(to, ended) - max(at, begun)) for at, to in self.probes[first:last] if to - at > SLOW
        )

    def subtract_own(self, times: Iterable[tuple[float, float]]) -> list[float]:
        """What is left of each time, given when it ended, without the pauses of the disk."""
        return [seconds - self.pauses(now - seconds, now) for now, seconds in times]


def quantile(times: list[float], share: float) -> float:
    """The quantile of the times, in milliseconds."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


async def measure(server: Server, folder: Path, disk: Disk, moves: int, settled: int) -> list[BenchRow]:
    async with seat_crowd(server, WARMING, pp.names()) as crowd:
        await crowd.play(20 * WARMING)  # memory loaded with the first tables belongs to no single table
    before = server.memory
    async with seat_crowd(server, TABLES, pp.names()) as crowd:
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
        _times_row(crowd, disk),
        _worst_row(crowd, disk, begun),
        _memory_row(before, with_tables),
        _growth_row(memory, settled, moves),
    ]


def _tables_row(crowd: Crowd, moves: int, folder: Path) -> BenchRow:
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
    return BenchRow(
        "tables played at the same time", f"{live}", f"{TABLES}", good, f"two sockets each; {figures}"
    )


def _rate_row(crowd: Crowd, spent: float, busy: float, own: float) -> BenchRow:
    rate = len(crowd.times) / spent
    figures = f"processor: server {busy / spent:.0%}, players {own / spent:.0%} of one core"
    return BenchRow(
        "moves per second at all tables", f"{rate:.1f}", f"{RATE}", rate >= RATE_AT_LEAST, figures
    )


def _times_row(crowd: Crowd, disk: Disk) -> BenchRow:
    times, added = [seconds for _, seconds in crowd.times], disk.subtract_own(crowd.times)
    p50, p90, p99 = (quantile(added, share) for share in (0.5, 0.9, 0.99))
    syncs = [to - at for at, to in disk.probes]
    figures = (
        f"p50 {p50:.1f}, p90 {p90:.1f} ms; with pauses of the disk p99 {quantile(times, 0.99):.1f},"
        f" max {quantile(times, 1):.1f} ms; its own fdatasync: p50 {quantile(syncs, 0.5):.1f},"
        f" p99 {quantile(syncs, 0.99):.1f}, max {quantile(syncs, 1):.1f} ms; load {os.getloadavg()[0]:.1f}"
    )
    return BenchRow(
        "99% of moves arrive within", f"{p99:.1f} ms", f"<{P99_AT_MOST:.0f} ms", p99 < P99_AT_MOST, figures
    )


def _worst_row(crowd: Crowd, disk: Disk, begun: float) -> BenchRow:
    """The same for each window of time: no pause of the server may hide among many good seconds."""
    windows: dict[int, list[tuple[float, float]]] = {}
    for now, seconds in crowd.times:
        windows.setdefault(int((now - begun) / WINDOW), []).append((now, seconds))
    each = sorted(quantile(disk.subtract_own(times), 0.99) for times in windows.values())
    middle = each[len(each) // 2]
    figures = f"p99 of each {WINDOW:.0f} s: {each[0]:.1f} to {each[-1]:.1f} ms, middle {middle:.1f}"
    return BenchRow(
        f"web: p99 of the worst {WINDOW:.0f} s",
        f"{each[-1]:.1f} ms",
        f"<{P99_AT_MOST:.0f} ms",
        each[-1] < P99_AT_MOST,
        figures,
    )


def _memory_row(before: float, with_tables: float) -> BenchRow:
    each = 1000 * (with_tables - before) / TABLES
    figures = f"server: {before:.1f} MB before, {with_tables:.1f} MB with {TABLES} tables and their sockets"
    return BenchRow("server memory per table", f"{each:.0f} kB", "stated", True, figures)


def _growth_row(memory: list[tuple[int, float]], settled: int, moves: int) -> BenchRow:
    at = next(used for done, used in memory if done >= settled)
    last, most = memory[-1][1], max(used for _, used in memory)
    growth = last - at
    figures = f"server: {at:.1f} MB after {settled} moves, {last:.1f} MB after {moves}, at most {most:.1f} MB"
    return BenchRow(
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
    allow_sockets(TABLES)
    # Not the folder for temporary files, which is in memory on some machines.
    Path("build").mkdir(exist_ok=True)
    with (
        TemporaryDirectory(dir="build") as name,
        start_server(serve_command(Path(name))) as server,
        Disk(Path(name)) as disk,
    ):
        rows = asyncio.run(measure(server, Path(name), disk, MOVES // shorter, SETTLED // shorter))
    return report(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
