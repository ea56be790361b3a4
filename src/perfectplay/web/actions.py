"""Adding events to tables.

Under the table's lock, an event is checked against the rules, written to the database, and only then
sent to anyone. If it cannot be written, the table is read again, as if nothing had been requested.
"""

from time import monotonic, time

from perfectplay.core.outcome import other
from perfectplay.web.clock import ServerClock
from perfectplay.web.computer import ComputerPlayers, is_due, next_automatic
from perfectplay.web.history import History
from perfectplay.web.live_table import LiveTable
from perfectplay.web.peers import Peers
from perfectplay.web.serializers import event_news
from perfectplay.web.settings import Settings
from perfectplay.web.store import Store
from perfectplay.web.table import Event, Kind, RefusedError, Seat, Table
from perfectplay.web.table_cache import TableCache
from perfectplay.web.tasks import Tasks
from perfectplay.web.thinker import Workers
from perfectplay.web.writes import Row, Write, event_row


class Actions:
    """Checks, writes and sends events, and lets computer players reply to them."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        tables: TableCache,
        history: History,
        peers: Peers,
        tasks: Tasks,
        clock: ServerClock,
        workers: Workers,
    ) -> None:
        self._store = store
        self._settings = settings
        self._tables = tables
        self._history = history
        self._peers = peers
        self._tasks = tasks
        self._clock = clock
        self.computers = ComputerPlayers(workers, tables, tasks, self._add)

    async def act(
        self,
        table_id: str,
        seat: Seat | None,
        number: int,
        kind: Kind,
        text: str,
        *,
        holder: str | None = None,
        address: str | None = None,
    ) -> Event:
        """Add an event to a table. RefusedError if the rules refuse it, UnsavedError if it is not saved.

        It is finished even if the caller is cancelled. `address` is the client's, if one has asked for it.
        """
        wanted = Event(number, 0.0, seat, kind, text)
        return await self._tasks.complete(self._add(table_id, wanted, holder, address))

    async def _add(
        self, table_id: str, wanted: Event, holder: str | None = None, address: str | None = None
    ) -> Event:
        async with self._tables.open(table_id, fresh=False) as live:
            table = live.loaded
            if address is not None:
                live.address = address
            if wanted.number > table.next and self._store.shared:
                await self._tables.read_on(live)  # the client has heard of it before this process
            if wanted.number < table.next and holder is None:
                return await self._store.read(self._history.repeated, live.id, wanted, table.next)
            if wanted.kind == "close" and wanted.seat is not None:
                wanted = wanted._replace(text=self._why_closed(live, wanted.seat))
            try:
                return await self._happen(live, wanted._replace(at=time()), holder)
            except BaseException:
                if live.table is table and table.next != wanted.number:
                    # Memory may be ahead of the disk: the table is read again before it is used.
                    live.table = None
                    if live.subscribers and not self._tasks.closing:
                        self._tasks.spawn_quietly(self._tables.catch_up(live))
                raise

    async def _happen(self, live: LiveTable, wanted: Event, holder: str | None) -> Event:
        """Check an event, write it, and tell the subscribers. The table's lock is held."""
        table, seat = live.loaded, wanted.seat
        try:
            happened = [table.add(wanted)]
        except RefusedError as error:
            if error.code == "number" and holder is not None:
                raise _taken() from error
            raise
        news = [event_news(table, happened[0])]
        while (follows := next_automatic(table)) is not None:
            happened.append(table.add(follows))
            news.append(event_news(table, happened[-1]))
        rows = [event_row(live.id, event) for event in happened]
        rows[0]["holder"] = holder
        notice = self._peers.notice("event", live.id)
        touch = {"table_id": live.id, **table_columns(table, self._clock.now())}
        saving = self._store.write(Write(events=rows, touch=touch, notice=notice))
        messages = [each.text() for each in news] if live.subscribers else []  # while the disk is busy
        if not await saving:
            live.table = None
            await self._tables.load(live)
            late = RefusedError("number", "someone else was first; check the table and try again")
            raise late if holder is None else _taken()
        if holder is not None:
            live.holders = (holder, live.holders[1]) if seat == 0 else (live.holders[0], holder)
        live.recent.extend(news)
        live.tell(*messages)
        live.told = table.next - 1
        if seat is not None:
            live.seen[seat] = monotonic()
        self.computers.think(live)
        return happened[0]

    def _why_closed(self, live: LiveTable, seat: Seat) -> str:
        """The reason why a seat may close the table; RefusedError if it may not."""
        table = live.loaded
        if table.status == "open":
            return "nobody joined"
        if table.status == "running":
            seconds = live.presence()["away"][other(seat)]
            if seconds is None or seconds < self._settings.away_seconds:
                limit = f"{self._settings.away_seconds:g}"
                raise RefusedError("present", f"the other player must be gone for {limit} seconds first")
        return "the other player is gone"


def table_columns(table: Table, now: float) -> Row:
    """The columns that are stored beside the events, for lists of tables."""
    score = table.score
    return {
        "touched": now,
        "status": table.status,
        "due": is_due(table),
        "turn": table.turn,
        "name0": table.names[0],
        "name1": table.names[1],
        "score0": score[0],
        "score1": score[1],
        "plies": 0 if table.match is None else table.match.plies,
    }


def _taken() -> RefusedError:
    return RefusedError("taken", "this seat is taken")
