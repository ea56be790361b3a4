"""Adding events to tables.

Under the table's lock, an event is checked against the rules, written to the database, and only then
sent to anyone. If it cannot be written, the table is read again, as if nothing had been requested.
"""

from dataclasses import dataclass
from time import monotonic, time
from typing import TYPE_CHECKING

from perfectplay.tables.automatic import is_due, next_automatic
from perfectplay.tables.events import Event, EventKind, RefusedError, Seat, late_error
from perfectplay.tables.serializers import event_news
from perfectplay.tables.table import Table
from perfectplay_server.live.lag import GIVEN_BACK
from perfectplay_server.live.live_table import LiveTable
from perfectplay_server.storage.restore import find_repeat
from perfectplay_server.storage.writes import Columns, Write, event_columns

if TYPE_CHECKING:
    from perfectplay_server.live.hub import Hub


@dataclass(eq=False)
class Actions:
    """Checks, writes and sends events, and lets computer players reply to them."""

    hub: "Hub"

    async def act(
        self,
        table_id: str,
        seat: Seat | None,
        number: int,
        kind: EventKind,
        text: str = "",
        *,
        ms: int = 0,
        owner: str | None = None,
        address: str | None = None,
        asked: float | None = None,
        lag: float = 0.0,
    ) -> Event:
        """Add an event to a table. RefusedError if the rules refuse it, UnsavedError if it is not saved.

        It is finished even if the caller is canceled. `ms` says how long a computer player thought.
        `address` is the client's, if one has asked for it; `asked` says when, and `lag` how many seconds a
        message takes to the client and back.
        """
        wanted = Event(number, 0.0, seat, kind, text, ms=ms)
        asked = monotonic() if asked is None else asked  # before the lock is waited for
        return await self.hub.tasks.complete(self._add(table_id, wanted, owner, address, asked, lag))

    async def _add(
        self, table_id: str, wanted: Event, owner: str | None, address: str | None, asked: float, lag: float
    ) -> Event:
        hub = self.hub
        async with hub.tables.open(table_id, fresh=False) as live:
            table = live.loaded
            if address is not None:
                live.address = address
            if wanted.number > table.next and hub.store.shared:
                await hub.tables.read_on(live)  # the client has heard of it before this process
            if wanted.number < table.next and owner is None:
                return await hub.store.read(find_repeat, hub.store, live.id, wanted, table.next)
            if wanted.kind == "close" and wanted.seat is not None:
                wanted = wanted._replace(text=self._why_closed(live, wanted.seat))
            wanted = wanted._replace(at=time(), ms=live.charge(wanted, asked, lag))
            given = live.given + max(0, live.measure_elapsed(asked) - wanted.ms) / 1000
            if wanted.kind == "claim" and wanted.seat is not None and table.status == "running":
                _check_waited(live, wanted.seat)
            turn = table.turn
            is_late = wanted.number == table.next and table.is_late(wanted)
            event = wanted._replace(seat=turn, kind="time", text="") if is_late else wanted
            try:
                happened = await self._happen(live, event, owner, given)
            except BaseException:
                if live.table is table and table.next != wanted.number:
                    # Memory may be ahead of the disk: the table is read again before it is used.
                    live.table = None
                    if live.subscribers and not hub.tasks.closing:
                        hub.tasks.spawn_quietly(hub.tables.catch_up(live))
                raise
            if is_late:
                raise late_error(wanted.seat == turn)
            return happened

    async def _happen(self, live: LiveTable, wanted: Event, owner: str | None, given: float) -> Event:
        """Check an event, write it, and tell the subscribers. The table's lock is held."""
        hub, table, seat = self.hub, live.loaded, wanted.seat
        turn = table.turn
        try:
            happened = [table.add(wanted)]
        except RefusedError as error:
            if error.code == "number" and owner is not None:
                raise _refuse_taken() from error
            raise
        news = [event_news(table, happened[0])]
        while (follows := next_automatic(table)) is not None:
            happened.append(table.add(follows))
            news.append(event_news(table, happened[-1]))
        rows = [event_columns(live.id, event) for event in happened]
        rows[0]["owner"] = owner
        notice = hub.peers.notice("event", live.id)
        since = monotonic()
        touch = {"table_id": live.id, **table_columns(table, hub.clock.now())}
        saving = hub.store.write(Write(events=rows, touch=touch, notice=notice))
        messages = [each.text() for each in news] if live.subscribers else []  # while the disk is busy
        if not await saving:
            live.table = None
            await hub.tables.load(live)
            first = RefusedError("number", "someone else was first; check the table and try again")
            raise first if owner is None else _refuse_taken()
        if owner is not None:
            live.owners = (owner, live.owners[1]) if seat == 0 else (live.owners[0], owner)
        live.since = since
        live.given = given if live.waits_on(turn, happened) else 0.0
        live.recent.extend(news)
        live.tell(*messages)
        live.told = table.next - 1
        if seat is not None and wanted.kind != "time":
            live.seen[seat] = since
        hub.computers.think(live)
        hub.flag_fall.watch(live)
        return happened[0]

    def _why_closed(self, live: LiveTable, seat: Seat) -> str:
        """The reason why a seat may close the table; RefusedError if it may not."""
        table = live.loaded
        if table.status == "open":
            return "nobody joined"
        if table.status == "running":
            _check_waited(live, seat)
        return "the other player left"


def _check_waited(live: LiveTable, seat: Seat) -> None:
    """Refuse to end a game whose other player has not been away or silent for long enough."""
    table = live.loaded
    if table.control is not None:
        raise RefusedError("clock", "the clock decides at this table")
    if not live.may_claim(seat):
        limit = f"{table.away_limit:g}"
        raise RefusedError(
            "present", f"the other player must be away, or silent on their turn, for {limit} seconds first"
        )


def table_columns(table: Table, now: float) -> Columns:
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
        "flag_fall": _flag_fall_at(table, now),
    }


def _flag_fall_at(table: Table, now: float) -> float | None:
    """When the time of a person to move runs out, if nothing happens from now on."""
    turn = table.turn
    if table.control is None or turn is None or table.players[turn] is not None:
        return None
    return now + table.left[turn] / 1000 + GIVEN_BACK


def _refuse_taken() -> RefusedError:
    return RefusedError("taken", "this seat is taken")
