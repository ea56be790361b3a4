"""Regular maintenance: old tables expire, and idle ones leave memory."""

import asyncio
import gc
import logging
import math
from collections.abc import Awaitable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from perfectplay.tables.events import RefusedError
from perfectplay_server.limits import KEPT_TABLES, MOST_GONE
from perfectplay_server.settings import DAY
from perfectplay_server.storage.database import MissingError, UnsavedError
from perfectplay_server.storage.writes import Drop, Write

if TYPE_CHECKING:
    from perfectplay_server.live.hub import Hub

logger = logging.getLogger("perfectplay_server")

QUIET = 1.0
"""Seconds without a write after which nobody is held up by a collection of garbage."""
WHY = {"open": "nobody joined", "running": "nobody moved for a long time"}
"""Why a table of a status is closed."""


@dataclass(eq=False)
class Maintenance:
    """Goes through all tables at intervals, and closes expired ones by `act`."""

    hub: "Hub"

    async def run(self) -> None:
        """Go through all tables until canceled. A fault at one table does not stop the rest."""
        first = True
        while True:
            self.hub.tables.forget(self.hub.settings.forget_seconds)
            self.collect_garbage()
            # First look for work that a stopped server has left undone.
            before = math.inf if first else self.hub.clock.now() - self.hub.settings.sweep_seconds
            try:
                await self.watch_clocks()
                await self.wake(before)
                await self.expire()
                first = False
                await self.hub.clock.beat()
            except UnsavedError as error:
                logger.error("the database does not answer: %s", error)
            except Exception:
                logger.exception("maintenance failed")
            await asyncio.sleep(self.hub.settings.sweep_seconds)

    def collect_garbage(self) -> None:
        """Free what clients have left behind: while nobody plays, or after very many have gone."""
        gone = self.hub.tables.disconnected
        quiet = monotonic() - self.hub.store.written > QUIET
        if gone >= MOST_GONE or (gone and quiet):
            self.hub.tables.disconnected = 0
            gc.collect()

    async def wake(self, before: float) -> None:
        """Read tables that could not be read, and wake computer players that were to move by `before`."""
        for live in list(self.hub.tables.values()):
            if live.table is None and live.subscribers:
                await self._each(live.id, self.hub.tables.catch_up(live))
        for table_id in await self.hub.store.read(self.hub.store.find_due, before):
            await self._each(table_id, self._wake(table_id))

    async def watch_clocks(self) -> None:
        """End the games of players whose time has run out, and set timers where it soon may."""
        before = self.hub.clock.now() + self.hub.flag_fall.horizon
        for table_id in await self.hub.store.read(self.hub.store.find_flag_falls, before):
            await self._each(table_id, self.hub.flag_fall.check(table_id))

    async def close_forgotten(self) -> bool:
        """Close tables that nobody is at and nobody has moved at, or else idle games against the computer.

        Returns whether there were any.
        """
        now, store = self.hub.clock.now(), self.hub.store
        before = now - self.hub.settings.away_seconds
        attended = self.hub.peers.find_attended()
        found = await store.read(store.find_unmoved, now, before, attended)
        if not found:
            found = [(table_id, "running") for table_id in await store.read(store.find_forgotten, before)]
        for table_id, status in found:
            await self._each(table_id, self._close(table_id, WHY[status], before))
        return bool(found)

    async def _wake(self, table_id: str) -> None:
        async with self.hub.tables.open(table_id) as live:
            self.hub.computers.think(live)

    async def expire(self) -> None:
        """Close abandoned tables, and delete those that have expired."""
        settings, now = self.hub.settings, self.hub.clock.now()
        for status, days in (("open", settings.open_days), ("running", settings.idle_days)):
            before = now - days * DAY
            for table_id in await self.hub.store.read(self.hub.store.find_untouched, status, before):
                await self._each(table_id, self._close(table_id, WHY[status], before))
        await self._drop(Drop(now - settings.open_days * DAY, begun=False))
        if settings.keep_days is not None:
            await self._drop(Drop(now - settings.keep_days * DAY))
        for begun in (False, True):
            await self._drop(Drop(now, begun=begun, kept=KEPT_TABLES * settings.most_tables))

    async def _close(self, table_id: str, why: str, before: float) -> None:
        async with self.hub.tables.open(table_id) as live:
            number = live.loaded.next
        # If something has happened since it was looked up, the number is taken and nothing is closed.
        if (await self.hub.store.read(self.hub.store.read_last_event, table_id)) < before:
            await self.hub.actions.act(table_id, None, number, "close", why)

    async def _drop(self, drop: Drop) -> None:
        write = Write(drop=drop)
        await self.hub.store.write(write)
        for table_id in write.dropped:
            self.hub.tables.pop(table_id, None)

    async def _each(self, table_id: str, work: Awaitable[None]) -> None:
        try:
            await work
        except UnsavedError:
            raise
        except (MissingError, RefusedError):
            pass  # it has just been deleted, by this process or another, or something happened first
        except Exception:
            logger.exception("table %s", table_id)
