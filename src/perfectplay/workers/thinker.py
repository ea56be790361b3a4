"""Asking the worker processes: each has a queue, and each question a time limit."""

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress
from math import ceil
from operator import itemgetter
from typing import Generic, TypeVar

from perfectplay.core.errors import PerfectplayError
from perfectplay.tables.encoding import JsonObject, dumps
from perfectplay.tables.limits import LONGEST_ANSWER

T = TypeVar("T")


class FairQueue(Generic[T]):
    """At most `most` items, each put in by an address: those of the lowest rank come out first.

    Among items of the same rank the addresses take turns. When the queue is full, the address with
    the most items loses its newest one.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._lines: dict[tuple[int, str], list[T]] = {}
        """Waiting items by rank and address. The first address has the next turn."""

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def put(self, item: T, address: str, rank: int = 0) -> T | None:
        """Add an item. If the queue was full, return the item that was dropped, perhaps this one."""
        self._lines.setdefault((rank, address), []).append(item)
        if len(self) <= self.most:
            return None
        waiting: Counter[str] = Counter()
        for (_, each), line in self._lines.items():
            waiting[each] += len(line)
        # Of two addresses with equally many items, the one that came last loses.
        busiest = max(waiting, key=lambda each: (waiting[each], each == address))
        dearest = max(key for key in self._lines if key[1] == busiest)
        dropped = self._lines[dearest][-1]
        self.remove(dropped)
        return dropped

    def get(self) -> T | None:
        """Remove and return the next item; None if the queue is empty."""
        if not self._lines:
            return None
        key = min(self._lines, key=itemgetter(0))
        item, *rest = self._lines.pop(key)
        if rest:
            self._lines[key] = rest  # behind all other addresses
        return item

    def remove(self, item: T) -> None:
        """Remove an item before its turn, if it is still in the queue."""
        for key, line in self._lines.items():
            if item in line:
                line.remove(item)
                if not line:
                    del self._lines[key]
                return


GRACE = 5.0
"""Seconds that a process has to end what it started itself, before it is killed."""


class BusyError(Exception):
    """Too many questions are already waiting for an answer."""


class SlowError(PerfectplayError):
    """An answer took too long, and its process was ended after `seconds`."""

    def __init__(self, text: str, seconds: float = 0.0) -> None:
        super().__init__(text)
        self.seconds = seconds


class Thinker:
    """A worker process that answers one question at a time. The first question starts it."""

    def __init__(
        self, seconds: float, most_waiting: int = 200, program: str = "perfectplay.workers.worker"
    ) -> None:
        self.seconds = seconds
        self.program = program
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue(most_waiting)
        self._asking: asyncio.Future[None] | None = None
        """The turn of the question that is being answered."""
        self._process: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Future[asyncio.subprocess.Process] | None = None
        self._ending: set[asyncio.Future[None]] = set()
        """Processes that are being ended, even if nobody waits for that any more."""
        self._closed = False

    async def ask(self, request: JsonObject, address: str = "", rank: int = 0) -> JsonObject:
        """The answer to a request; PerfectplayError says what is wrong with it.

        Requests of a lower rank go first, and among equals the addresses take turns. BusyError if too
        many are waiting, most of them from this address.
        """
        if self._closed:
            raise BusyError
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        dropped = self._waiting.put(turn, address, rank)
        if dropped is not None:
            dropped.set_exception(BusyError())
        self._call_next()
        try:
            await turn
            answer = await self._exchange(dumps(request))
        finally:
            self._waiting.remove(turn)
            if self._asking is turn:
                self._asking = None
                self._call_next()
        if "error" in answer:
            raise PerfectplayError(answer["error"])
        return answer

    def _call_next(self) -> None:
        while self._asking is None and (turn := self._waiting.get()) is not None:
            if not turn.done():  # else its caller has just given up
                self._asking = turn
                turn.set_result(None)

    async def close(self) -> None:
        """Answer nothing any more, and end the process."""
        self._closed = True
        while (turn := self._waiting.get()) is not None:
            if not turn.done():
                turn.set_exception(BusyError())
        if self._starting is not None:
            with suppress(OSError):
                self._process = await asyncio.shield(self._starting)
        await self._end()
        await asyncio.gather(*self._ending)

    async def _exchange(self, line: bytes) -> JsonObject:
        if self._closed:
            raise BusyError
        process = self._process
        if process is None or process.returncode is not None:
            self._starting = asyncio.ensure_future(self._start())
            process = self._process = await asyncio.shield(self._starting)
            self._starting = None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(self.seconds):
                process.stdin.write(line + b"\n")
                await process.stdin.drain()
                answer = await process.stdout.readline()
            if not answer:
                raise ConnectionError
            found: JsonObject = json.loads(answer)
            return found
        except TimeoutError:
            await self._end()
            raise SlowError(
                f"this takes longer than {self.seconds:g} seconds, the most that this server allows;"
                " try a smaller game",
                self.seconds,
            ) from None
        except (ConnectionError, ValueError):
            await self._end()
            if self._closed:
                raise BusyError from None
            raise SlowError("this game is too large for this server") from None
        except asyncio.CancelledError:
            await self._end()  # else the answer would be taken for the answer to the next question
            raise

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self.program,
            str(ceil(self.seconds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_ANSWER,
            # Ctrl-C in a terminal reaches every process there; the server ends this one itself.
            start_new_session=True,
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            ending = asyncio.ensure_future(_terminate(process))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            await asyncio.shield(ending)


async def _terminate(process: asyncio.subprocess.Process) -> None:
    """End a process, which may first end what it has started itself."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(GRACE):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
