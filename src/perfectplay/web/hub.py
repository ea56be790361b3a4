"""The tables in memory: who may do what at them, who is connected to them, and who is told.

What happens at a table happens in this order, under the table's lock: it is checked against the
rules, written to the database, and only then told to anyone. If it cannot be written, the table is
read again, as if nothing had been asked.
"""

import asyncio
import json
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from time import monotonic, time
from typing import Any, TypeVar

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import other
from perfectplay.web import shapes
from perfectplay.web.limits import Bucket
from perfectplay.web.notices import Listener
from perfectplay.web.pool import BusyError, SlowError, Thinker
from perfectplay.web.settings import DAY, MOST_MISSED, Settings
from perfectplay.web.shapes import Shape, dumps
from perfectplay.web.store import Row, Store, Stored, UnsavedError, Write, event_row
from perfectplay.web.table import MOST_EVENTS, Event, Kind, RefusedError, Seat, Table, replayed

logger = logging.getLogger("perfectplay.web")

MOST_QUEUED = 256
"""Messages that wait for a client to take them; one that lets more pile up is dropped."""
SILENT = 20.0
"""Seconds after which another process that says nothing is taken for ended."""
BEAT = 5.0
"""Seconds between two signs of life to other processes."""
READERS = 4
TRIES = 3
LISTED = 50

T = TypeVar("T")


class MissingError(Exception):
    """There is no such table, or no such game at it."""


class Link:
    """A client that is connected to a table, and what waits to be sent to it."""

    __slots__ = ("drop", "dropped", "queue", "seat")

    def __init__(self, seat: Seat | None, drop: Callable[[], object]) -> None:
        self.seat = seat
        self.queue: asyncio.Queue[str] = asyncio.Queue(MOST_QUEUED)
        self.drop = drop
        self.dropped = False

    def send(self, text: str) -> None:
        """Have a message sent, or give the client up if it takes none."""
        if self.dropped:
            return
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.dropped = True
            self.drop()


class Place:
    """A table in memory, with what is no part of its events."""

    __slots__ = (
        "buckets",
        "code",
        "elsewhere",
        "holders",
        "id",
        "links",
        "lock",
        "public",
        "seen",
        "table",
        "thinking",
        "told",
        "used",
    )

    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.table: Table | None = None
        """None when it must be read before use: at first, and after a write that failed."""
        self.code = ""
        self.public = False
        self.holders: tuple[str | None, str | None] = (None, None)
        self.lock = asyncio.Lock()
        self.links: tuple[Link, ...] = ()
        self.told = 0
        """The number of the last event that those who are connected know."""
        self.used = monotonic()
        self.seen = [self.used, self.used]
        """When each player was last connected, or did something."""
        self.buckets: list[Bucket | None] = [None, None]
        self.thinking: asyncio.Task[None] | None = None
        self.elsewhere: dict[str, tuple[float, int, int, int]] | None = None
        """For each other process: when it was heard of, and its clients at seats 0 and 1 and watching."""

    def seat_of(self, holder: str | None) -> Seat | None:
        """The seat that someone holds."""
        if holder is None or holder not in self.holders:
            return None
        return 0 if self.holders[0] == holder else 1

    def counts(self) -> tuple[int, int, int]:
        """Clients of this process at seats 0 and 1 and watching."""
        seats = Counter(link.seat for link in self.links)
        return seats[0], seats[1], seats[None]

    def all_counts(self, now: float) -> tuple[int, int, int]:
        """The same for all processes."""
        here = self.counts()
        if not self.elsewhere:
            return here
        there = [counts[1:] for counts in self.elsewhere.values() if now - counts[0] < SILENT]
        sums = [sum(each) for each in zip(here, *there, strict=True)]
        return sums[0], sums[1], sums[2]

    @property
    def loaded(self) -> Table:
        """The table, where it is known to have been read."""
        assert self.table is not None
        return self.table


class Hub:
    """All tables of this process."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.places: dict[str, Place] = {}
        self.worker = secrets.token_urlsafe(6)
        self.players = Thinker(settings.think_seconds)
        self.students = Thinker(settings.think_seconds, most_waiting=20)
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._acts: set[asyncio.Task[Any]] = set()
        """What was asked for, and is finished in any case."""
        self._tasks: set[asyncio.Task[Any]] = set()
        """What happens by itself, and may end at any time."""
        self._listener: Listener | None = None
        self._started = (time(), monotonic())
        self._closing = False

    async def start(self) -> None:
        """Begin to write, to listen to other processes, and to look after the tables."""
        self.store.start(asyncio.get_running_loop())
        if self.store.shared:
            self._listener = Listener(self.store.url, self._heard, self._heard_nothing)
            await self._listener.start()
            self._spawn(self._beat())
        self._spawn(self._look_after())

    async def close(self) -> None:
        """Finish what has been begun, and let go of everything."""
        self._closing = True
        if self._listener is not None:
            await self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._acts, return_exceptions=True)
        await self.players.close()
        await self.students.close()
        await asyncio.get_running_loop().run_in_executor(None, self.store.close)
        self._readers.shutdown()

    async def read(self, reading: Callable[..., T], *arguments: Any, **settings: Any) -> T:
        """Read from the database in another thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, lambda: reading(*arguments, **settings))

    def now(self) -> float:
        """Seconds since 1970 by a clock that is looked at once: if it is set anew, no table expires."""
        begun, ticks = self._started
        return begun + monotonic() - ticks

    # Tables.

    @asynccontextmanager
    async def table(self, table_id: str, *, fresh: bool = True) -> AsyncIterator[Place]:
        """A table as it is on the disk, to which nothing happens meanwhile; MissingError if there is none.

        If it need not be `fresh`, another process may have done something to it a moment ago.
        """
        while True:
            place = self._place(table_id)
            async with place.lock:
                if self.places.get(table_id) is not place:
                    continue  # it was forgotten while this waited
                if place.table is None:
                    await self._load(place)
                elif fresh and self.store.shared:
                    await self._read_on(place)
                place.used = monotonic()
                yield place
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
    ) -> Place:
        """A new table where someone has taken a seat, with moves that have been played before."""
        if await self.read(self.store.live) >= self.settings.most_tables:
            raise BusyError
        own: Seat = seat if seat is not None else 0 if secrets.randbelow(2) else 1
        players: tuple[str | None, str | None] = (None, opponent) if own == 0 else (opponent, None)
        table_id = secrets.token_urlsafe(9)
        place = Place(table_id)
        place.code, place.public = secrets.token_urlsafe(12), public
        place.holders = (holder, None) if own == 0 else (None, holder)
        table = place.table = Table(
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
            **self._touch(table),
            "id": table_id,
            "game": table.game.spec,
            "seed": table.seed,
            "player0": players[0],
            "player1": players[1],
            "code": place.code,
            "public": public,
        }
        del row["table_id"]
        rows = [event_row(table_id, event, holder if event.number == 1 else None) for event in happened]
        await asyncio.shield(self.store.write(Write(table=row, events=rows)))
        place.told = table.next - 1
        self.places[table_id] = place
        self._think(place)
        return place

    async def join(self, table_id: str, *, code: str, name: str, holder: str) -> None:
        """Take the seat that is free. RefusedError tells why not."""
        async with self.table(table_id) as place:
            if not secrets.compare_digest(place.code.encode(), code.encode()):
                raise RefusedError("code", "this link is not the one that leads to the free seat")
            table = place.loaded
            held = place.seat_of(holder)
            if held is not None and table.status == "open":
                raise RefusedError("own", "you sit at this table already; the link is for someone else")
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
    ) -> Event:
        """Let something happen at a table. Raises RefusedError if it may not, UnsavedError if it cannot."""
        # What has begun is finished even if who asked for it is gone.
        work = asyncio.ensure_future(self._act(table_id, seat, number, kind, text, holder))
        self._acts.add(work)
        work.add_done_callback(self._acts.discard)
        return await asyncio.shield(work)

    async def _act(
        self, table_id: str, seat: Seat | None, number: int, kind: Kind, text: str, holder: str | None
    ) -> Event:
        async with self.table(table_id, fresh=False) as place:
            table = place.loaded
            if number > table.next and self.store.shared:
                await self._read_on(place)  # who asks has heard of it sooner than this process
            if number < table.next and holder is None:
                return await self._repeated(place, seat, number, kind, text)
            if kind == "close" and seat is not None:
                text = self._why_closed(place, seat)
            messages: list[str] = []
            try:
                happened = [table.add(Event(number, time(), seat, kind, text))]
                while (follows := self._following(table)) is not None:
                    if place.links:
                        messages.append(_message(table, happened[-1]))
                    happened.append(table.add(follows))
            except RefusedError as error:
                if error.code == "number" and holder is not None:
                    raise RefusedError("taken", "this seat is taken") from error
                raise
            rows = [event_row(place.id, event) for event in happened]
            rows[0]["holder"] = holder
            notice = self._notice("event", place.id)
            saving = self.store.write(Write(events=rows, touch=self._touch(table), notice=notice))
            if place.links:
                messages.append(_message(table, happened[-1]))  # while the disk is busy
            try:
                saved = await saving
            except UnsavedError:
                place.table = None
                raise
            if not saved:
                place.table = None
                await self._load(place)
                raise RefusedError("number", "someone else was first; look at the table again")
            if holder is not None and seat is not None:
                place.holders = (holder, place.holders[1]) if seat == 0 else (place.holders[0], holder)
            self._tell(place, messages)
            place.told = table.next - 1
            if seat is not None:
                place.seen[seat] = monotonic()
            self._think(place)
            return happened[0]

    async def old_game(self, place: Place, number: int) -> Table:
        """A table as it was at the end of one of its games; the last game is where it is now."""
        table = place.loaded
        if not 1 <= number <= table.games:
            raise MissingError
        if number == table.games:
            return table
        found = await self.read(self.store.events, place.id, game=number)
        old = Table(place.id, table.game, seed=table.seed, players=table.players)
        old.names = list(table.names)
        old.begin(number)
        old.next = found[0].number + 1  # the event that began the game has done so just now
        return replayed(old, found[1:])

    def presence(self, place: Place) -> Shape:
        """Who is there: for each seat whether, and if not for how long, and how many watch."""
        now = monotonic()
        counts = place.all_counts(now)
        table = place.loaded
        here = [bool(table.players[seat] or counts[seat]) for seat in (0, 1)]
        away = [
            None if here[seat] or table.names[seat] is None else int(now - place.seen[seat])
            for seat in (0, 1)
        ]
        return {"present": here, "away": away, "watching": counts[2]}

    def shape(self, place: Place, holder: str | None) -> Shape:
        """A table as it looks to someone."""
        seat = place.seat_of(holder)
        join = place.code if seat is not None and place.loaded.status == "open" else None
        return shapes.table_shape(place.loaded, seat=seat, join=join, presence=self.presence(place))

    def slow(self, place: Place, seat: Seat) -> float:
        """Seconds that a seat must wait before it does something more; 0 takes one of what it may."""
        bucket = place.buckets[seat]
        if bucket is None:
            rate = self.settings.events_per_second
            bucket = place.buckets[seat] = Bucket(rate, 2 * rate)
        return bucket.take(monotonic())

    # Clients.

    async def connect(self, table_id: str, holder: str | None, after: int | None, link: Link) -> Place:
        """Tell a client where the table stands, and from then on everything that happens."""
        async with self.table(table_id) as place:
            if len(place.links) >= self.settings.sockets_per_table:
                raise BusyError
            link.seat = place.seat_of(holder)
            table = place.loaded
            missed = None if after is None else table.next - 1 - after
            if missed is None or missed < 0 or missed > MOST_MISSED:
                place.links += (link,)
                link.send(dumps({"type": "table", "table": self.shape(place, holder)}))
            else:
                if missed:
                    assert after is not None
                    for message in await self._missed(place, after):
                        link.send(message)
                place.links += (link,)
            if after is not None:
                link.send('{"type":"ready"}')
            self._tell_presence(place)
            if self.store.shared:
                self._say("ask", place)
            return place

    def disconnect(self, place: Place, link: Link) -> None:
        """A client is gone."""
        place.links = tuple(each for each in place.links if each is not link)
        place.used = monotonic()
        if link.seat is not None:
            place.seen[link.seat] = place.used
        if place.table is not None:
            self._tell_presence(place)

    def _tell(self, place: Place, messages: list[str]) -> None:
        for link in place.links:
            for message in messages:
                link.send(message)

    def _tell_presence(self, place: Place) -> None:
        self._tell(place, [dumps({"type": "present", **self.presence(place)})])
        if self.store.shared and not self._closing:
            self._say("present", place)

    async def _missed(self, place: Place, after: int) -> list[str]:
        """The messages that a client has missed, made again from the database."""
        stored = await self.read(self.store.load, place.id)
        if stored is None:
            raise MissingError
        table = _begun(place.id, stored)
        messages = []
        for event in stored.events[: place.loaded.next - 1]:
            happened = table.add(event)
            if event.number > after:
                messages.append(_message(table, happened))
        return messages

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

    def _think(self, place: Place) -> None:
        """Have a computer player choose its move, if it is its turn."""
        table = place.table
        if table is None or place.thinking is not None or self._closing or not _is_due(table):
            return
        place.thinking = self._spawn(self._thought(place))

    async def _thought(self, place: Place) -> None:
        failures = 0
        try:
            while True:
                async with self.table(place.id) as found:
                    table = found.loaded
                    if found is not place or not _is_due(table):
                        return
                    seat, number = table.turn, table.next
                    assert seat is not None
                    record, player = str(table.record()), table.players[seat]
                try:
                    answer = await self.players.ask({"do": "choose", "record": record, "player": player})
                    await self._act(place.id, seat, number, "move", answer["text"], None)
                except RefusedError:
                    continue  # something else has happened meanwhile
                except (UnsavedError, BusyError):
                    failures += 1
                    await asyncio.sleep(min(30, 2**failures))
                except PerfectplayError as error:
                    failures += 1
                    logger.error("table %s: %s", place.id, error)
                    if failures >= TRIES or not isinstance(error, SlowError):
                        with suppress(RefusedError):
                            await self._act(
                                place.id, None, number, "close", "the computer found no move", None
                            )
                        return
        except (MissingError, UnsavedError):
            return  # it is looked for again later
        finally:
            place.thinking = None

    async def _look_after(self) -> None:
        """Now and then: forget tables nobody looks at, let old ones expire, wake computer players."""
        first = True
        while True:
            self._forget()
            try:
                before = self.now() - (0 if first else self.settings.sweep_seconds)
                for table_id in await self.read(self.store.due, before):
                    with suppress(MissingError):
                        async with self.table(table_id) as place:
                            self._think(place)
                await self._expire()
                first = False
            except UnsavedError as error:
                logger.error("the database does not answer: %s", error)
            await asyncio.sleep(self.settings.sweep_seconds)

    def _forget(self) -> None:
        now = monotonic()
        for place in list(self.places.values()):
            busy = place.links or place.thinking is not None or place.lock.locked()
            if not busy and now - place.used > self.settings.forget_seconds:
                del self.places[place.id]

    async def _expire(self) -> None:
        settings, now = self.settings, self.now()
        for table_id in await self.read(self.store.untouched, ("running",), now - settings.idle_days * DAY):
            with suppress(RefusedError, MissingError):
                async with self.table(table_id) as place:
                    number = place.loaded.next
                await self._act(table_id, None, number, "close", "nobody has moved for long", None)
        gone = await self.read(self.store.untouched, ("open",), now - settings.open_days * DAY)
        if settings.keep_days is not None:
            old = now - settings.keep_days * DAY
            gone += await self.read(self.store.untouched, ("over", "closed"), old)
        gone += await self.read(self.store.beyond, 10 * settings.most_tables)
        gone = [
            table_id for table_id in gone if table_id not in self.places or not self.places[table_id].links
        ]
        if gone:
            await self.store.write(Write(drop=gone))
            for table_id in gone:
                self.places.pop(table_id, None)

    # Other processes.

    def _notice(self, kind: str, table_id: str, **more: object) -> str:
        if not self.store.shared:
            return ""
        return dumps({"worker": self.worker, "kind": kind, "table": table_id, **more})

    def _say(self, kind: str, place: Place) -> None:
        notice = self._notice(kind, place.id, counts=place.counts())
        self._spawn(_quietly(self.store.write(Write(notice=notice))))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            for place in list(self.places.values()):
                if place.links:
                    self._say("present", place)

    def _heard(self, text: str) -> None:
        for line in text.split("\n"):
            notice = json.loads(line)
            place = self.places.get(notice["table"])
            if notice["worker"] == self.worker or place is None:
                continue
            if notice["kind"] == "event":
                self._spawn(_quietly(self._catch_up(place)))
                continue
            self._heard_of(place, notice["worker"], *notice["counts"])
            if notice["kind"] == "ask" and place.links:
                self._say("present", place)

    def _heard_of(self, place: Place, worker: str, *counts: int) -> None:
        now = monotonic()
        before = place.all_counts(now)
        known = place.elsewhere or {}
        for seat in (0, 1):
            if counts[seat] or known.get(worker, (0.0, 0, 0, 0))[seat + 1]:
                place.seen[seat] = now
        kept = {each: known[each] for each in known if now - known[each][0] < SILENT and each != worker}
        if any(counts):
            kept[worker] = (now, counts[0], counts[1], counts[2])
        place.elsewhere = kept or None
        if place.all_counts(now) != before and place.table is not None:
            self._tell(place, [dumps({"type": "present", **self.presence(place)})])

    def _heard_nothing(self) -> None:
        """Notices may have been missed: every table that someone looks at is looked up."""
        for place in list(self.places.values()):
            self._spawn(_quietly(self._catch_up(place)))

    async def _catch_up(self, place: Place) -> None:
        async with place.lock:
            if place.table is None:
                await self._load(place)
            else:
                await self._read_on(place)

    async def _read_on(self, place: Place) -> None:
        """Let happen here what has happened in other processes. The table's lock is held."""
        table = place.loaded
        found = await self.read(self.store.events, place.id, after=table.next - 1)
        if any(event.kind == "sit" for event in found):
            place.holders = await self.read(self.store.holders, place.id)
        for event in found:
            table.add(event)
            if event.seat is not None:
                place.seen[event.seat] = monotonic()
            if place.links:
                self._tell(place, [_message(table, event)])
        place.told = table.next - 1

    # Helpers.

    def _place(self, table_id: str) -> Place:
        place = self.places.get(table_id)
        if place is None:
            place = self.places[table_id] = Place(table_id)
        return place

    async def _load(self, place: Place) -> None:
        """Read a table if it has not been, and tell those who are connected what they do not know yet."""
        if place.table is not None:
            return
        try:
            stored = await self.read(self.store.load, place.id)
            if stored is None:
                raise MissingError
        except (MissingError, UnsavedError):
            if not place.links:
                self.places.pop(place.id, None)
            raise
        place.code, place.public, place.holders = stored.code, stored.public, stored.holders
        table = _begun(place.id, stored)
        for event in stored.events:
            happened = table.add(event)
            if place.links and event.number > place.told:
                self._tell(place, [_message(table, happened)])
        place.table, place.told = table, table.next - 1

    async def _repeated(self, place: Place, seat: Seat | None, number: int, kind: Kind, text: str) -> Event:
        """The event that this seat has made before under this number, if it is the same."""
        found = await self.read(self.store.events, place.id, after=number - 1, most=1)
        late = RefusedError("number", f"event {number} has happened; the next one is {place.loaded.next}")
        if number < 1 or not found or found[0].seat != seat:
            raise late
        event = found[0]
        if kind == "close" and event.kind == "close":
            return event
        if (kind, text) != (event.kind, event.text):
            # Moves can be written in more than one way: it is asked again what this one would have been.
            stored = await self.read(self.store.load, place.id)
            if stored is None:
                raise MissingError
            table = replayed(_begun(place.id, stored), stored.events[: number - 1])
            try:
                again = table.add(Event(number, 0.0, seat, kind, text))
            except RefusedError:
                raise late from None
            if (again.kind, again.kind == "forfeit" or again.text) != (
                event.kind,
                event.kind == "forfeit" or event.text,
            ):
                raise late
        return event

    def _why_closed(self, place: Place, seat: Seat) -> str:
        table = place.loaded
        if table.status == "open":
            return "nobody came"
        if table.status == "running":
            presence = self.presence(place)
            seconds = presence["away"][other(seat)]
            if seconds is None or seconds < self.settings.away_seconds:
                limit = f"{self.settings.away_seconds:g}"
                raise RefusedError("present", f"the other player must be gone for {limit} seconds first")
        return "the other player is gone"

    def _touch(self, table: Table) -> Row:
        score = table.score
        return {
            "table_id": table.id,
            "touched": self.now(),
            "status": table.status,
            "due": _is_due(table),
            "name0": table.names[0],
            "name1": table.names[1],
            "score0": score[0],
            "score1": score[1],
            "plies": 0 if table.match is None else table.match.plies,
        }

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _is_due(table: Table) -> bool:
    turn = table.turn
    return turn is not None and table.players[turn] is not None


def _begun(table_id: str, stored: Stored) -> Table:
    return Table(table_id, shapes.bounded_game(stored.game), seed=stored.seed, players=stored.players)


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
