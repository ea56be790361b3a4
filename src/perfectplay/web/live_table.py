"""A table in memory, with what is no part of its events: who is connected to it, and from where."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from perfectplay.web.limits import Bucket
from perfectplay.web.table import Seat, Table

MOST_QUEUED = 256
"""Messages that wait for a client to take them; one that lets more pile up is dropped."""
SILENT = 20.0
"""Seconds after which another process that says nothing is taken for ended."""


class MissingError(Exception):
    """There is no such table, or no such game at it."""


class Counts(NamedTuple):
    """How many clients are at the two seats, and how many watch."""

    first: int = 0
    second: int = 0
    watching: int = 0


class Subscriber:
    """A client that is connected to a table, and what waits to be sent to it."""

    __slots__ = ("address", "drop", "dropped", "queue", "seat")

    def __init__(self, seat: Seat | None, drop: Callable[[], object], address: str = "") -> None:
        self.seat = seat
        self.address = address
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


class LiveTable:
    """A table in memory."""

    __slots__ = (
        "address",
        "buckets",
        "code",
        "elsewhere",
        "holders",
        "id",
        "lock",
        "public",
        "seen",
        "subscribers",
        "table",
        "thinking",
        "told",
        "used",
    )

    def __init__(self, table_id: str, now: float) -> None:
        self.id = table_id
        self.table: Table | None = None
        """None when it must be read before use: at first, and after a write that failed."""
        self.address = ""
        """Where the last request to do something here came from; questions are queued under it."""
        self.code = ""
        self.public = False
        self.holders: tuple[str | None, str | None] = (None, None)
        self.lock = asyncio.Lock()
        self.subscribers: tuple[Subscriber, ...] = ()
        self.told = 0
        """The number of the last event that those who are connected know."""
        self.used = now
        self.seen = [now, now]
        """When each player was last connected, or did something."""
        self.buckets: list[Bucket | None] = [None, None]
        self.thinking: asyncio.Task[None] | None = None
        self.elsewhere: dict[str, tuple[float, Counts]] | None = None
        """For each other process: when it was heard of, and its clients."""

    @property
    def loaded(self) -> Table:
        """The table, where it is known to have been read."""
        assert self.table is not None
        return self.table

    @property
    def idle(self) -> bool:
        """Whether nobody here is connected to it or busy with it."""
        return not self.subscribers and self.thinking is None and not self.lock.locked()

    def seat_of(self, holder: str | None) -> Seat | None:
        """The seat that someone holds."""
        if holder is None or holder not in self.holders:
            return None
        return 0 if self.holders[0] == holder else 1

    def tell(self, *messages: str) -> None:
        """Have messages sent to everyone who is connected."""
        for subscriber in self.subscribers:
            for message in messages:
                subscriber.send(message)

    def counts(self) -> Counts:
        """The clients of this process."""
        seats = Counter(subscriber.seat for subscriber in self.subscribers)
        return Counts(seats[0], seats[1], seats[None])

    def all_counts(self) -> Counts:
        """The clients of all processes that are known."""
        here = self.counts()
        if not self.elsewhere:
            return here
        return Counts(*map(sum, zip(here, *(counts for _, counts in self.elsewhere.values()), strict=True)))

    def heard_of(self, worker: str, counts: Counts, now: float) -> bool:
        """Another process has told of its clients; whether that changes who is there."""
        before, known = self.all_counts(), self.elsewhere or {}
        was = known.get(worker, (0.0, Counts()))[1]
        for seat in (0, 1):
            if counts[seat] or was[seat]:
                self.seen[seat] = now
        kept = {each: told for each, told in known.items() if each != worker}
        if any(counts):
            kept[worker] = (now, counts)
        self.elsewhere = kept or None
        return self.all_counts() != before

    def miss_silent(self, now: float) -> bool:
        """Count no more on processes that have said nothing for long; whether that changes who is there."""
        before, known = self.all_counts(), self.elsewhere or {}
        self.elsewhere = {each: told for each, told in known.items() if now - told[0] < SILENT} or None
        return self.all_counts() != before
