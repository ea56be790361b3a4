"""The tables in memory: who may do what at them, who is connected to them, and who is told.

What happens at a table happens in this order, under the table's lock: it is checked against the
rules, written to the database, and only then told to anyone. If it cannot be written, the table is
read again, as if nothing had been asked.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from time import monotonic, time
from typing import Any, TypeVar

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import other
from perfectplay.web import shapes
from perfectplay.web.database import UnsavedError
from perfectplay.web.limits import Bucket
from perfectplay.web.live_table import LiveTable, MissingError, Subscriber
from perfectplay.web.peers import Peers
from perfectplay.web.settings import MOST_MISSED, Settings
from perfectplay.web.shapes import Shape, dumps
from perfectplay.web.store import Row, Store, Stored, Write, event_row
from perfectplay.web.table import MOST_EVENTS, Event, Kind, RefusedError, Seat, Table, replayed
from perfectplay.web.thinker import BusyError, SlowError, Workers
from perfectplay.web.upkeep import Upkeep

logger = logging.getLogger("perfectplay.web")

READERS = 4
TRIES = 3
"""How often a computer player may fail to find a move."""
SOCKETS_PER_SEAT = 10

T = TypeVar("T")


class Hub:
    """All tables of this process."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.live_tables: dict[str, LiveTable] = {}
        self.workers = Workers(settings)
        self.peers = Peers(self)
        self.upkeep = Upkeep(self)
        self.closing = False
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._acts: set[asyncio.Task[Any]] = set()
        """What was asked for, and is finished in any case."""
        self._tasks: set[asyncio.Task[Any]] = set()
        """What happens by itself, and may end at any time."""
        self._clock = (0.0, monotonic())
        """What the clock showed at some moment, and when that was."""

    async def start(self) -> None:
        """Begin to write, to listen to other processes, and to look after the tables."""
        self.store.start(asyncio.get_running_loop())
        _, seconds = await self.read(self.store.beats)
        self._clock = (seconds, monotonic())
        await self.peers.start()
        self.spawn(self.upkeep.run())

    async def close(self) -> None:
        """Finish what has been begun, and let go of everything."""
        self.closing = True
        # From the last line to the first, and each whatever becomes of those before it.
        async with AsyncExitStack() as stack:
            stack.callback(self._readers.shutdown)
            stack.push_async_callback(asyncio.to_thread, self.store.close)
            stack.push_async_callback(self.workers.close)
            stack.push_async_callback(self._finish)
            stack.push_async_callback(self.peers.close)

    async def _finish(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._acts, return_exceptions=True)

    async def read(self, reading: Callable[..., T], *arguments: Any, **settings: Any) -> T:
        """Read from the database in another thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, lambda: reading(*arguments, **settings))

    def now(self) -> float:
        """A clock, in seconds, that goes on only while a server runs, and that nobody can set.

        It goes on from what the database has kept. So neither a wrong clock of the machine nor a server
        that was off lets any table expire.
        """
        seconds, ticks = self._clock
        return seconds + monotonic() - ticks

    async def beat(self) -> None:
        """Write to the database and read what was written. UnsavedError if either is impossible."""
        before, _ = await self.read(self.store.beats)
        await self.store.write(Write(beat=self.now()))
        after, seconds = await self.read(self.store.beats)
        if after <= before:
            raise UnsavedError("what was written cannot be read")
        # Another process may have been running for longer.
        self._clock = (max(seconds, self.now()), monotonic())

    # Tables.

    @asynccontextmanager
    async def table(self, table_id: str, *, fresh: bool = True) -> AsyncIterator[LiveTable]:
        """A table as it is on the disk, to which nothing happens meanwhile; MissingError if there is none.

        If it need not be `fresh`, another process may have done something to it a moment ago.
        """
        if "\0" in table_id:  # which PostgreSQL cannot even look for
            raise MissingError
        while True:
            live = self._live_table(table_id)
            async with live.lock:
                if self.live_tables.get(table_id) is not live:
                    continue  # it was forgotten while this waited
                if live.table is None:
                    await self._load(live)
                elif fresh and self.store.shared:
                    await self._read_on(live)
                live.used = monotonic()
                yield live
                return

    async def make(
        self,
        spec: str,
        *,
        seat: Seat | None,
        opponent: str | None,
        name: str,
        public: bool,
        holder: str,
        moves: tuple[tuple[str, str], ...] = (),
        address: str = "",
    ) -> LiveTable:
        """A new table where someone has taken a seat, with moves that have been played before.

        `address` is where the request comes from.
        """
        if await self.read(self.store.live) >= self.settings.most_tables:
            raise BusyError
        own: Seat = seat if seat is not None else 0 if secrets.randbelow(2) else 1
        players: tuple[str | None, str | None] = (None, opponent) if own == 0 else (opponent, None)
        table_id = secrets.token_urlsafe(9)
        live = LiveTable(table_id, monotonic())
        live.code, live.public, live.address = secrets.token_urlsafe(12), public, address
        live.holders = (holder, None) if own == 0 else (None, holder)
        table = live.table = Table(
            table_id, shapes.bounded_game(spec), seed=secrets.randbelow(10**9), players=players
        )
        happened = [table.add(Event(1, time(), own, "sit", name))]
        if opponent is not None:
            happened.append(table.add(Event(2, time(), other(own), "sit", shapes.computer_name(opponent))))
        for kind, text in moves:
            assert table.turn is not None
            written: Kind = "forfeit" if kind == "forfeit" else "move"
            happened.append(table.add(Event(table.next, time(), table.turn, written, text)))
        while (follows := self._following(table)) is not None:
            happened.append(table.add(follows))
        row = {
            **self._facts(table),
            "id": table_id,
            "game": table.game.spec,
            "seed": table.seed,
            "player0": players[0],
            "player1": players[1],
            "code": live.code,
            "public": public,
        }
        rows = [event_row(table_id, event, holder if event.number == 1 else None) for event in happened]
        await asyncio.shield(self.store.write(Write(table=row, events=rows)))
        live.told = table.next - 1
        self.live_tables[table_id] = live
        self.think(live)
        return live

    async def join(self, table_id: str, *, code: str, name: str, holder: str) -> None:
        """Take the seat that is free. RefusedError tells why not."""
        async with self.table(table_id) as live:
            if not secrets.compare_digest(live.code.encode(), code.encode()):
                raise RefusedError("code", "this subscriber is not the one that leads to the free seat")
            table = live.loaded
            held = live.seat_of(holder)
            if held is not None and table.status == "open":
                raise RefusedError("own", "you sit at this table already; the subscriber is for someone else")
            if held is not None:
                return
            free: Seat = 0 if table.names[0] is None else 1
            number = table.next
        await self.act(table_id, free, number, "sit", name, holder=holder)

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
        """Let something happen at a table. Raises RefusedError if it may not, UnsavedError if it cannot.

        `address` is where the request comes from, if it comes from a client.
        """
        # What has begun is finished even if who asked for it is gone.
        work = asyncio.ensure_future(self._act(table_id, seat, number, kind, text, holder, address))
        self._acts.add(work)
        work.add_done_callback(self._acts.discard)
        return await asyncio.shield(work)

    async def _act(
        self,
        table_id: str,
        seat: Seat | None,
        number: int,
        kind: Kind,
        text: str,
        holder: str | None = None,
        address: str | None = None,
    ) -> Event:
        async with self.table(table_id, fresh=False) as live:
            table = live.loaded
            if address is not None:
                live.address = address
            if number > table.next and self.store.shared:
                await self._read_on(live)  # who asks has heard of it sooner than this process
            if number < table.next and holder is None:
                asked = Event(number, 0.0, seat, kind, text)
                return await self.read(self._repeated, live.id, asked, table.next)
            if kind == "close" and seat is not None:
                text = self._why_closed(live, seat)
            try:
                return await self._happen(live, Event(number, time(), seat, kind, text), holder)
            except BaseException:
                if live.table is table and table.next != number:
                    # Memory may be ahead of the disk now: the table is read again before it is used.
                    live.table = None
                    if live.subscribers and not self.closing:
                        self.spawn_quietly(self.catch_up(live))
                raise

    async def _happen(self, live: LiveTable, wanted: Event, holder: str | None) -> Event:
        """Check, write, and tell. The table's lock is held."""
        table, seat = live.loaded, wanted.seat
        messages: list[str] = []
        try:
            happened = [table.add(wanted)]
        except RefusedError as error:
            if error.code == "number" and holder is not None:
                raise _taken() from error
            raise
        while (follows := self._following(table)) is not None:
            if live.subscribers:
                messages.append(_message(table, happened[-1]))
            happened.append(table.add(follows))
        rows = [event_row(live.id, event) for event in happened]
        rows[0]["holder"] = holder
        notice = self.peers.notice("event", live.id)
        touch = {"table_id": live.id, **self._facts(table)}
        saving = self.store.write(Write(events=rows, touch=touch, notice=notice))
        if live.subscribers:
            messages.append(_message(table, happened[-1]))  # while the disk is busy
        if not await saving:
            live.table = None
            await self._load(live)
            late = RefusedError("number", "someone else was first; look at the table again")
            raise late if holder is None else _taken()
        if holder is not None:
            live.holders = (holder, live.holders[1]) if seat == 0 else (live.holders[0], holder)
        live.tell(*messages)
        live.told = table.next - 1
        if seat is not None:
            live.seen[seat] = monotonic()
        self.think(live)
        return happened[0]

    async def old_game(self, live: LiveTable, number: int) -> Table:
        """A table as it was at the end of one of its games; the last game is where it is now."""
        table = live.loaded
        if not 1 <= number <= table.games:
            raise MissingError
        if number == table.games:
            return table
        return await self.read(self._old_game, table, number)

    def _old_game(self, table: Table, number: int) -> Table:
        found = self.store.events(table.id, game=number)
        if not found:
            raise MissingError
        old = Table(table.id, table.game, seed=table.seed, players=table.players)
        old.names = list(table.names)
        old.begin(number)
        old.next = found[0].number + 1  # the event that began the game has done so just now
        return replayed(old, found[1:])

    def presence(self, live: LiveTable) -> Shape:
        """Who is there: for each seat whether, and if not for how long, and how many watch."""
        now, counts, table = monotonic(), live.all_counts(), live.loaded
        here = [bool(table.players[seat] or counts[seat]) for seat in (0, 1)]
        away = [
            None if here[seat] or table.names[seat] is None else int(now - live.seen[seat]) for seat in (0, 1)
        ]
        return {"present": here, "away": away, "watching": counts.watching}

    def shape(self, live: LiveTable, holder: str | None) -> Shape:
        """A table as it looks to someone."""
        seat = live.seat_of(holder)
        join = live.code if seat is not None and live.loaded.status == "open" else None
        return shapes.table_shape(
            live.loaded,
            seat=seat,
            join=join,
            presence=self.presence(live),
            public=live.public,
            away_limit=self.settings.away_seconds,
        )

    def slow(self, live: LiveTable, seat: Seat) -> float:
        """Seconds that a seat must wait before it does something more; 0 takes one of what it may."""
        bucket = live.buckets[seat]
        if bucket is None:
            rate = self.settings.events_per_second
            bucket = live.buckets[seat] = Bucket(rate, 2 * rate)
        return bucket.take(monotonic())

    # Clients.

    async def connect(
        self, table_id: str, holder: str | None, after: int | None, subscriber: Subscriber
    ) -> LiveTable:
        """Tell a client where the table stands, and from then on everything that happens."""
        async with self.table(table_id) as live:
            subscriber.seat = live.seat_of(holder)
            # Each by itself: those who watch keep no player from their seat.
            most = self.settings.sockets_per_table if subscriber.seat is None else SOCKETS_PER_SEAT
            if sum(each.seat == subscriber.seat for each in live.subscribers) >= most:
                raise BusyError
            table = live.loaded
            missed = None if after is None else table.next - 1 - after
            if missed is None or missed < 0 or missed > MOST_MISSED:
                live.subscribers += (subscriber,)
                subscriber.send(dumps({"type": "table", "table": self.shape(live, holder)}))
            else:
                if missed:
                    _, _, news = await self.read(self._replayed, live.id, after, table.next - 1)
                    for message in news:
                        subscriber.send(message)
                live.subscribers += (subscriber,)
            if after is not None:
                subscriber.send('{"type":"ready"}')
            self.tell_presence(live)
            self.peers.say("ask", live)
            return live

    def disconnect(self, live: LiveTable, subscriber: Subscriber) -> None:
        """A client is gone."""
        live.subscribers = tuple(each for each in live.subscribers if each is not subscriber)
        live.used = monotonic()
        if subscriber.seat is not None:
            live.seen[subscriber.seat] = live.used
        self.tell_presence(live)
        self.peers.say("present", live)

    def tell_presence(self, live: LiveTable) -> None:
        """Tell those who are connected here who is there now."""
        if live.table is not None:
            live.tell(dumps({"type": "present", **self.presence(live)}))

    # What happens by itself.

    def _following(self, table: Table) -> Event | None:
        """What the server does at once: passes that are forced, and a computer's answers to offers."""
        if table.next > MOST_EVENTS:
            return None
        if table.must_pass:
            assert table.match is not None
            return Event(table.next, time(), table.turn, "move", table.match.legal()[0])
        for what, seat in table.offers.items():
            if table.players[other(seat)] is not None:
                return Event(table.next, time(), other(seat), "accept", what)
        return None

    def think(self, live: LiveTable) -> None:
        """Have a computer player choose its move, if it is its turn."""
        table = live.table
        if table is None or live.thinking is not None or self.closing or not _is_due(table):
            return
        live.thinking = self.spawn(self._thought(live))

    async def _thought(self, live: LiveTable) -> None:
        slow = unsaved = 0
        try:
            while True:
                async with self.table(live.id) as found:
                    table = found.loaded
                    if found is not live or not _is_due(table):
                        return
                    seat, number = table.turn, table.next
                    assert seat is not None
                    record, player = str(table.record()), table.players[seat]
                    assert player is not None
                try:
                    move = await self.workers.choose(table.game, record, player, live.address)
                    await self._act(live.id, seat, number, "move", move)
                except (UnsavedError, BusyError):
                    unsaved += 1  # no fault of the player
                    await asyncio.sleep(min(30, 2**unsaved))
                except PerfectplayError as error:
                    if isinstance(error, RefusedError) and error.code == "number":
                        continue  # something else has happened meanwhile
                    slow += 1
                    logger.error("table %s: %s", live.id, error)
                    if slow >= TRIES or not isinstance(error, SlowError):
                        with suppress(RefusedError):
                            await self._act(live.id, None, number, "close", "the computer found no move")
                        return
        except (MissingError, UnsavedError):
            return  # it is looked for again later
        finally:
            live.thinking = None

    # What has happened elsewhere.

    async def catch_up(self, live: LiveTable) -> None:
        """Learn what has been written about a table, and tell those who are connected."""
        async with live.lock:
            if live.table is None:
                await self._load(live)
            else:
                await self._read_on(live)

    async def _read_on(self, live: LiveTable) -> None:
        """Let happen here what has happened in other processes. The table's lock is held."""
        table = live.loaded
        found = await self.read(self.store.events, live.id, after=table.next - 1)
        if any(event.kind == "sit" for event in found):
            live.holders = await self.read(self.store.holders, live.id)
        for event in found:
            table.add(event)
            if event.seat is not None:
                live.seen[event.seat] = monotonic()
            if live.subscribers:
                live.tell(_message(table, event))
        live.told = table.next - 1

    # Helpers.

    def _live_table(self, table_id: str) -> LiveTable:
        live = self.live_tables.get(table_id)
        if live is None:
            live = self.live_tables[table_id] = LiveTable(table_id, monotonic())
        return live

    def _stored(self, table_id: str) -> tuple[Table, Stored]:
        """A table before its events, and those. Belongs, as all that replays them, into another thread."""
        stored = self.store.load(table_id)
        if stored is None:
            raise MissingError
        try:
            game = shapes.bounded_game(stored.game)
        except PerfectplayError as error:
            logger.error("table %s cannot be played here: %s", table_id, error)
            raise MissingError from error
        return Table(table_id, game, seed=stored.seed, players=stored.players), stored

    async def _load(self, live: LiveTable) -> None:
        """Read a table, and tell those who are connected what they do not know yet. Its lock is held."""
        try:
            table, stored, news = await self.read(
                self._replayed, live.id, live.told if live.subscribers else None
            )
        except (MissingError, UnsavedError):
            if not live.subscribers:
                self.live_tables.pop(live.id, None)
            raise
        live.code, live.public, live.holders = stored.code, stored.public, stored.holders
        live.table, live.told = table, table.next - 1
        live.tell(*news)

    def _replayed(
        self, table_id: str, told: int | None, upto: int | None = None
    ) -> tuple[Table, Stored, list[str]]:
        """A table after its events, and the messages for who was `told` of those up to a number."""
        table, stored = self._stored(table_id)
        news = []
        try:
            for event in stored.events[:upto]:
                happened = table.add(event)
                if told is not None and event.number > told:
                    news.append(_message(table, happened))
        except RefusedError as error:
            logger.error("table %s cannot be played here: event %d: %s", table_id, event.number, error)
            raise MissingError from error
        return table, stored, news

    def _repeated(self, table_id: str, wanted: Event, next_number: int) -> Event:
        """The event that this seat has made before under this number, if it is the same."""
        number = wanted.number
        late = RefusedError("number", f"event {number} has happened; the next one is {next_number}")
        found = self.store.events(table_id, after=number - 1, most=1)
        if number < 1 or not found or found[0].seat != wanted.seat:
            raise late
        event = found[0]
        if wanted.kind == "close" and event.kind == "close":
            return event
        if (wanted.kind, wanted.text) != (event.kind, event.text):
            # Moves can be written in more than one way: it is asked again what this one would have been.
            table, stored = self._stored(table_id)
            try:
                again = replayed(table, stored.events[: number - 1]).add(wanted)
            except RefusedError:
                raise late from None
            if again.kind != event.kind or (again.kind != "forfeit" and again.text != event.text):
                raise late
        return event

    def _why_closed(self, live: LiveTable, seat: Seat) -> str:
        table = live.loaded
        if table.status == "open":
            return "nobody came"
        if table.status == "running":
            presence = self.presence(live)
            seconds = presence["away"][other(seat)]
            if seconds is None or seconds < self.settings.away_seconds:
                limit = f"{self.settings.away_seconds:g}"
                raise RefusedError("present", f"the other player must be gone for {limit} seconds first")
        return "the other player is gone"

    def _facts(self, table: Table) -> Row:
        """What is kept of a table besides its events, for lists."""
        score = table.score
        return {
            "touched": self.now(),
            "status": table.status,
            "due": _is_due(table),
            "turn": table.turn,
            "name0": table.names[0],
            "name1": table.names[1],
            "score0": score[0],
            "score1": score[1],
            "plies": 0 if table.match is None else table.match.plies,
        }

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Have something done that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def spawn_quietly(self, work: Awaitable[object]) -> None:
        """Have something done that may fail: it is made up for later."""
        self.spawn(_quietly(work))

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("something went wrong that nobody waits for", exc_info=error)


def _taken() -> RefusedError:
    return RefusedError("taken", "this seat is taken")


def _is_due(table: Table) -> bool:
    turn = table.turn
    return turn is not None and table.players[turn] is not None and table.next <= MOST_EVENTS


def _message(table: Table, event: Event) -> str:
    return dumps(
        {
            "type": "event",
            "event": shapes.event_shape(event),
            "table": shapes.brief_shape(table),
            "position": shapes.table_position(table),
        }
    )


async def _quietly(work: Awaitable[object]) -> None:
    """Do what may fail: nobody waits for it, and it is made up for later."""
    with suppress(UnsavedError, MissingError, RefusedError):
        await work
