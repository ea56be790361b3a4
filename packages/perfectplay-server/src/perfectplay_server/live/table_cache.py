"""The tables in memory: read from the database when asked for, and kept up to date with it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from perfectplay.tables.serializers import event_news
from perfectplay_server.live.live_table import LiveTable
from perfectplay_server.live.server_clock import ServerClock
from perfectplay_server.storage.database import MissingError, UnsavedError
from perfectplay_server.storage.restore import replay
from perfectplay_server.storage.store import Store


class TableCache(dict[str, LiveTable]):
    """All tables in the memory of this process, by their ids."""

    def __init__(self, store: Store, clock: ServerClock) -> None:
        self.store, self.clock = store, clock
        self.disconnected = 0
        """Clients that have gone since garbage was last collected."""

    @asynccontextmanager
    async def open(self, table_id: str, *, fresh: bool = True) -> AsyncIterator[LiveTable]:
        """A table, locked against changes by others; MissingError if it does not exist.

        With `fresh` it is as the database has it. Without, another process may have changed it a moment ago.
        """
        if "\0" in table_id:  # PostgreSQL refuses even to look for it
            raise MissingError
        while True:
            live = self.get(table_id)
            if live is None:
                live = self[table_id] = LiveTable(table_id, monotonic())
            async with live.lock:
                if self.get(table_id) is not live:
                    continue  # it was removed while this waited
                if live.table is None:
                    await self.load(live)
                elif fresh and self.store.shared:
                    await self.read_on(live)
                live.used = monotonic()
                yield live
                return

    async def catch_up(self, live: LiveTable) -> None:
        """Read what has happened at a table, and tell its subscribers."""
        async with live.lock:
            if live.table is None:
                await self.load(live)
            else:
                await self.read_on(live)

    async def load(self, live: LiveTable) -> None:
        """Read a table, and tell its subscribers what they have missed. Its lock is held."""
        try:
            told = live.told if live.subscribers else None
            table, stored, news = await self.store.read(replay, self.store, live.id, told)
        except (MissingError, UnsavedError):
            if not live.subscribers:
                self.pop(live.id, None)
            raise
        live.code, live.public, live.owners = stored.row["code"], stored.row["public"], stored.owners
        missed = table.next - 1 - live.told
        live.table, live.told = table, table.next - 1
        live.since = self._moment(stored.row["touched"])
        live.given = 0.0
        live.recent.clear()
        live.recent.extend(news)
        if live.subscribers and missed > 0:
            live.tell(*(each.text() for each in news[-missed:]))

    async def read_on(self, live: LiveTable) -> None:
        """Add the events that other processes have written. The table's lock is held."""
        table = live.loaded
        turn = table.turn
        found = await self.store.read(self.store.events, live.id, after=table.next - 1)
        if any(event.kind == "sit" for event in found):
            live.owners = await self.store.read(self.store.owners, live.id)
        if found:
            live.since = self._moment(await self.store.read(self.store.read_last_event, live.id))
        for event in found:
            table.add(event)
            if event.seat is not None and event.kind != "time":
                live.seen[event.seat] = monotonic()
            news = event_news(table, event)
            live.recent.append(news)
            if live.subscribers:
                live.tell(news.text())
        if not live.waits_on(turn, found):
            live.given = 0.0
        live.told = table.next - 1

    def _moment(self, touched: float) -> float:
        """When something happened that is stored by the clock of all servers."""
        return monotonic() - max(0.0, self.clock.now() - touched)

    def forget(self, seconds: float) -> None:
        """Remove the tables that nobody has looked at for `seconds`."""
        now = monotonic()
        for live in list(self.values()):
            if live.idle and now - live.used > seconds:
                del self[live.id]
