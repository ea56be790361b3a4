"""The server's own clock, kept in the database, and whether that database works."""

import asyncio
import math
from time import monotonic

from perfectplay_server.live.tasks import Tasks
from perfectplay_server.storage.database import UnsavedError
from perfectplay_server.storage.store import Store
from perfectplay_server.storage.writes import Write

HEALTH_SECONDS = 1.0
"""How long the database counts as working after a check."""
PATIENCE = 10.0
"""How long a check may take."""


class ServerClock:
    """A clock, in seconds, that runs only while a server runs, and cannot be set.

    It continues from the time in the database. So no table expires, and nobody loses time in a game,
    because the machine's clock is wrong or the server was off. Processes on one database tell each other
    what their clocks show, and the one that is ahead is right.
    """

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store = store
        self._tasks = tasks
        self._read = (0.0, monotonic())
        """What the clock showed at some moment, and when that was."""
        self._checking: asyncio.Task[None] | None = None
        self._fault = ""
        self._worked = -math.inf

    async def start(self) -> None:
        """Continue from the time in the database."""
        _, seconds = await self._store.read(self._store.beats)
        # A server that was killed has written events since its last beat.
        self.set(max(seconds, await self._store.read(self._store.newest)))

    def set(self, seconds: float) -> None:
        """Let the clock show this now."""
        self._read = (seconds, monotonic())

    def hear(self, seconds: float) -> None:
        """Catch up with the clock of another process."""
        if seconds > self.now():
            self.set(seconds)

    def now(self) -> float:
        """What the clock shows."""
        seconds, ticks = self._read
        return seconds + monotonic() - ticks

    async def beat(self) -> None:
        """Write the time to the database and read it back; UnsavedError if either fails."""
        store = self._store
        before, _ = await store.read(store.beats)
        await store.write(Write(beat=self.now()))
        after, seconds = await store.read(store.beats)
        if after <= before:
            raise UnsavedError("the database does not return what was written to it")
        self.hear(seconds)

    async def check(self) -> None:
        """Raises UnsavedError if the database does not work. All callers within a second share one check."""
        if monotonic() - self._worked < HEALTH_SECONDS:
            return
        if self._checking is None or self._checking.done():
            self._checking = self._tasks.spawn(self._check())
        await asyncio.shield(self._checking)
        if self._fault:
            raise UnsavedError(self._fault)

    async def _check(self) -> None:
        begun, self._fault = monotonic(), ""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.beat()
            self._worked = begun
        except TimeoutError:
            self._fault = "the database did not answer in time"
        except UnsavedError as error:
            self._fault = str(error)
