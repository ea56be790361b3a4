"""A table in memory, with what is not in its events: its clients, and when something last happened."""

import asyncio
import math
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from perfectplay.core.outcome import other
from perfectplay.tables.encoding import dumps
from perfectplay.tables.events import CHOSEN, Event, Seat
from perfectplay.tables.limits import MOST_MISSED
from perfectplay.tables.serializers import News, serialize_table
from perfectplay.tables.table import Table
from perfectplay_server.limits import MOST_QUEUED
from perfectplay_server.live.lag import GIVEN_BACK, LagMeter

if TYPE_CHECKING:
    from perfectplay.tables.schemas import PresenceSchema, TableSchema


SILENT = 20.0
"""Seconds without a sign of life after which another process counts as ended."""


class Counts(NamedTuple):
    """How many clients are at the two seats, and how many watch."""

    first: int = 0
    second: int = 0
    watching: int = 0


def milliseconds(seconds: float) -> int:
    """Seconds as milliseconds that fit the 31 bits the database has for them."""
    return min(max(0, round(1000 * seconds)), 2**31 - 1)


@dataclass(slots=True, eq=False)
class Subscriber:
    """A client that is connected to a table, and what waits to be sent to it."""

    seat: Seat | None
    drop: Callable[[], object]
    address: str = ""
    owner: str | None = None
    """The digest of the client's token; None without one."""
    queue: "asyncio.Queue[bytes]" = field(default_factory=lambda: asyncio.Queue(MOST_QUEUED))
    dropped: bool = False
    sending: bool = False
    """Whether a message from the queue is on its way."""
    write: Callable[[bytes], bool] | None = None
    """Sends a message at once, or returns False because the client takes nothing now."""
    lag: LagMeter = field(default_factory=LagMeter)

    def send(self, text: bytes) -> None:
        """Send a message, after those that wait; disconnect a client that has let too many pile up."""
        if self.dropped:
            return
        waiting = self.sending or not self.queue.empty()
        if self.write is not None and not waiting and self.write(text):
            return
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.dropped = True
            self.drop()


@dataclass(slots=True, eq=False)
class LiveTable:
    """A table in memory."""

    id: str
    used: float
    table: Table | None = None
    """None when it must be read before use: at first, and after a write that failed."""
    address: str = ""
    """The client address of the last event; its computer player's questions are queued under it."""
    code: str = ""
    public: bool = False
    owners: tuple[str | None, str | None] = (None, None)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    subscribers: tuple[Subscriber, ...] = ()
    recent: deque[News] = field(default_factory=lambda: deque(maxlen=MOST_MISSED))
    """The newest events, for clients that come back."""
    told: int = 0
    """The number of the last event that was sent to the subscribers."""
    seen: list[float] = field(init=False)
    """When each player was last connected, or did something."""
    since: float = field(init=False)
    """When the last event happened."""
    given: float = 0.0
    """Seconds of network delay that the player to move has got back since the last move."""
    thinking: "asyncio.Task[None] | None" = None
    elsewhere: dict[str, tuple[float, Counts]] = field(default_factory=dict)
    """For each other process: when it last gave a sign of life, and its clients."""

    def __post_init__(self) -> None:
        self.seen, self.since = [self.used, self.used], self.used

    @property
    def loaded(self) -> Table:
        """The table, where it is known to have been read."""
        assert self.table is not None
        return self.table

    @property
    def idle(self) -> bool:
        """Whether nobody in this process is connected to it or uses it."""
        return not self.subscribers and self.thinking is None and not self.lock.locked()

    @property
    def attended(self) -> bool:
        """Whether it is open or running, and one of its players is connected to this process."""
        if self.table is None or self.table.status not in ("open", "running"):
            return False
        return any(each.seat is not None for each in self.subscribers)

    @property
    def host_address(self) -> str:
        """The client address of a player who is connected, or else of the last event."""
        return next((each.address for each in self.subscribers if each.seat is not None), self.address)

    def seat_owned_by(self, owner: str | None) -> Seat | None:
        """The seat that `owner` has, if any."""
        if owner is None or owner not in self.owners:
            return None
        return 0 if self.owners[0] == owner else 1

    def serialize(self, owner: str | None) -> "TableSchema":
        """The table as `owner` sees it."""
        table, seat = self.loaded, self.seat_owned_by(owner)
        join = self.code if (seat is not None or self.public) and table.status == "open" else None
        return serialize_table(table, seat=seat, join=join, presence=self.presence(), public=self.public)

    def presence(self) -> "PresenceSchema":
        """Which seats are connected, for how many seconds others have been away, how many watch, and how
        long nothing has happened."""
        now, counts, table = monotonic(), self.all_counts(), self.loaded
        here = [bool(table.players[seat] or counts[seat]) for seat in (0, 1)]
        away = [
            None if here[seat] or table.names[seat] is None else int(now - self.seen[seat]) for seat in (0, 1)
        ]
        ran = milliseconds(now - self.since)
        return {"present": here, "away": away, "watching": counts.watching, "ran": ran}

    @property
    def allowance(self) -> float:
        """Seconds of network delay that the player to move may still get back."""
        return GIVEN_BACK - self.given

    def measure_elapsed(self, asked: float, lag: float = 0.0) -> int:
        """Milliseconds from the last event to a request, without the time that it took on the network."""
        return milliseconds(asked - self.since - min(lag, self.allowance))

    def charge(self, event: Event, asked: float, lag: float) -> int:
        """The milliseconds that the player to move used up to an event."""
        table = self.loaded
        turn = table.turn
        if turn is None or event.kind == "close":
            return 0
        if table.players[turn] is not None:
            return event.ms  # a computer player says itself for how long it thought
        if event.kind == "time":
            return min(self.measure_elapsed(asked), table.left[turn])
        if event.seat == turn and event.kind in CHOSEN:
            return self.measure_elapsed(asked, lag)
        spent, left = self.measure_elapsed(asked), table.left[turn]
        # A move may still be on its way, as with a flag.
        on_its_way = table.control is not None and spent < left + 1000 * self.allowance
        return min(spent, left - 1) if on_its_way else spent

    def until_flag_fall(self, now: float) -> float | None:
        """Seconds until the time of a person to move has run out for sure; None if no clock runs."""
        table = self.loaded
        turn = table.turn
        if table.control is None or turn is None or table.players[turn] is not None:
            return None
        # A move may still be on its way, and a part of that is given back.
        return table.left[turn] / 1000 + self.allowance - (now - self.since)

    def waits_on(self, turn: Seat | None, happened: Iterable[Event]) -> bool:
        """Whether it is still the turn of `turn` after what happened, the same turn as before."""
        return self.loaded.turn == turn and not any(event.kind in CHOSEN for event in happened)

    def may_claim(self, seat: Seat) -> bool:
        """Whether the opponent of a seat has been away, or silent on their own turn, for too long."""
        table, opponent = self.loaded, other(seat)
        limit = math.inf if table.away_limit is None else table.away_limit
        away = self.presence()["away"][opponent]
        silent = table.turn == opponent and table.waited / 1000 + monotonic() - self.since >= limit
        return silent or (away is not None and away >= limit)

    def tell_presence(self) -> None:
        """Tell the subscribers who is connected now."""
        if self.table is not None:
            self.tell(dumps({"type": "present", **self.presence()}))

    def tell(self, *messages: bytes) -> None:
        """Send messages to all subscribers."""
        for subscriber in self.subscribers:
            for message in messages:
                subscriber.send(message)

    def counts(self) -> Counts:
        """The clients of this process."""
        seats = Counter(subscriber.seat for subscriber in self.subscribers)
        return Counts(seats[0], seats[1], seats[None])

    def all_counts(self) -> Counts:
        """The clients of all known processes."""
        known = (counts for _, counts in self.elsewhere.values())
        return Counts(*map(sum, zip(self.counts(), *known, strict=True)))

    def note_peer(self, worker: str, counts: Counts, now: float) -> bool:
        """Note the clients of another process; returns whether that changes who is connected."""
        before = self.all_counts()
        was = self.elsewhere.pop(worker, (0.0, Counts()))[1]
        for seat in (0, 1):
            if counts[seat] or was[seat]:
                self.seen[seat] = now
        if any(counts):
            self.elsewhere[worker] = (now, counts)
        return self.all_counts() != before

    def drop_silent(self, now: float) -> bool:
        """Drop processes without a sign of life; returns whether that changes who is connected."""
        before = self.all_counts()
        self.elsewhere = {each: told for each, told in self.elsewhere.items() if now - told[0] < SILENT}
        return self.all_counts() != before
