"""What happens to tables by itself: old ones expire, those that nobody looks at are forgotten."""

import asyncio
import logging
import math
from collections.abc import Awaitable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from perfectplay.web.database import UnsavedError
from perfectplay.web.live_table import MissingError
from perfectplay.web.settings import DAY
from perfectplay.web.store import Drop, Write
from perfectplay.web.table import RefusedError, Status

if TYPE_CHECKING:
    from perfectplay.web.hub import Hub

logger = logging.getLogger("perfectplay.web")

HEALTH_SECONDS = 1.0
"""How long the database counts as working after it was found to be."""
PATIENCE = 10.0
"""How long it may take to be found so."""
KEPT = 10
"""How many times as many tables are kept as may be live."""


class Upkeep:
    """Looks through all tables now and then."""

    def __init__(self, hub: "Hub") -> None:
        self.hub = hub
        self._checking: asyncio.Task[None] | None = None
        self._fault = ""
        self._worked = -math.inf

    async def healthy(self) -> None:
        """Raises UnsavedError if nothing can be saved. Those who ask within a second share one write."""
        if monotonic() - self._worked < HEALTH_SECONDS:
            return
        if self._checking is None or self._checking.done():
            self._checking = self.hub.spawn(self._check())
        await asyncio.shield(self._checking)
        if self._fault:
            raise UnsavedError(self._fault)

    async def _check(self) -> None:
        begun, self._fault = monotonic(), ""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.hub.beat()
            self._worked = begun
        except TimeoutError:
            self._fault = "no answer in time"
        except UnsavedError as error:
            self._fault = str(error)

    async def run(self) -> None:
        """Look through them until cancelled. What goes wrong with one table harms no other."""
        first = True
        while True:
            self.forget()
            # What a server that was stopped has left undone is looked for at once.
            before = math.inf if first else self.hub.now() - self.hub.settings.sweep_seconds
            try:
                await self.wake(before)
                await self.expire()
                first = False
                await self.hub.beat()
            except UnsavedError as error:
                logger.error("the database does not answer: %s", error)
            except Exception:
                logger.exception("looking after the tables")
            await asyncio.sleep(self.hub.settings.sweep_seconds)

    def forget(self) -> None:
        """Drop from memory what nobody looks at."""
        now, hub = monotonic(), self.hub
        for live in list(hub.live_tables.values()):
            if live.idle and now - live.used > hub.settings.forget_seconds:
                del hub.live_tables[live.id]

    async def wake(self, before: float) -> None:
        """See to tables where a computer has been to move for long, and to those whose state is unknown."""
        hub = self.hub
        for live in [live for live in hub.live_tables.values() if live.table is None and live.subscribers]:
            await self._each(live.id, hub.catch_up(live))
        for table_id in await hub.read(hub.store.due, before):
            await self._each(table_id, self._wake(table_id))

    async def _wake(self, table_id: str) -> None:
        async with self.hub.table(table_id) as live:
            self.hub.think(live)

    async def expire(self) -> None:
        """Close what nobody goes on with, and drop what is kept no longer."""
        hub, settings, now = self.hub, self.hub.settings, self.hub.now()
        waits: tuple[tuple[Status, float, str], ...] = (
            ("open", settings.open_days, "nobody came"),
            ("running", settings.idle_days, "nobody has moved for long"),
        )
        for status, days, why in waits:
            before = now - days * DAY
            for table_id in await hub.read(hub.store.untouched, status, before):
                await self._each(table_id, self._close(table_id, why, before))
        await self._drop(Drop(now - settings.open_days * DAY, begun=False))
        if settings.keep_days is not None:
            await self._drop(Drop(now - settings.keep_days * DAY))
        for begun in (False, True):
            await self._drop(Drop(now, begun=begun, kept=KEPT * settings.most_tables))

    async def _close(self, table_id: str, why: str, before: float) -> None:
        hub = self.hub
        async with hub.table(table_id) as live:
            number = live.loaded.next
        # Something may have happened since it was looked up: then it is not the next number any more.
        if (await hub.read(hub.store.touched, table_id)) < before:
            with suppress(RefusedError):
                await hub.act(table_id, None, number, "close", why)

    async def _drop(self, drop: Drop) -> None:
        write = Write(drop=drop)
        await self.hub.store.write(write)
        for table_id in write.dropped:
            self.hub.live_tables.pop(table_id, None)

    async def _each(self, table_id: str, work: Awaitable[None]) -> None:
        try:
            await work
        except UnsavedError:
            raise
        except MissingError:
            pass  # it has been dropped meanwhile, by this process or another
        except Exception:
            logger.exception("table %s", table_id)
