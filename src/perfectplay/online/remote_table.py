"""A table at a server, followed from here: its events replayed, requests sent, lost connections restored.

The server's events are replayed here by the same rules, one at a time, so that a restored connection
continues at exactly the event where it was lost. Nothing is printed: `hear` returns the news to show.
"""

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import SIDES
from perfectplay.online.client import Connection, Heard, OnlineError, Server, TableLink, UnreachableError
from perfectplay.online.deserializers import read_event, read_table
from perfectplay.online.limits import LONGEST_WAIT
from perfectplay.online.table_news import Happened, Lost, Presence, Refused, Reloaded, TableNews, TooLate
from perfectplay.tables.events import Event, Seat

PATIENCE = 120.0
"""Seconds for which a lost server is looked for."""


class PendingRequest(NamedTuple):
    """A request that is not answered yet."""

    number: int
    kind: str
    text: str
    moment: tuple[int, int]
    """The game and the ply that it was meant for."""

    def is_met_by(self, event: Event) -> bool:
        """Whether an event of the same seat is what was requested."""
        kind = "move" if event.kind == "forfeit" else event.kind
        return (self.number, self.kind) == (event.number, kind) and (
            kind in ("claim", "close") or self.text == event.text
        )


class RemoteTable:
    """The state of a table at a server, and the connection to it.

    `shape` is the table as the server described it; `tell` is called from another thread with each message
    of the socket, to be given to `hear`.
    """

    def __init__(self, link: TableLink, server: Server, shape: Any, tell: Callable[[Heard], object]) -> None:
        self.link = link
        self.server = server
        self.seat, self.present, self.table, self._known = read_table(server, link.table, shape)
        self.request: PendingRequest | None = None
        self._since = monotonic()
        """When the last event happened, by the clock here."""
        self._tell = tell
        self._connection: Connection | None = None
        self._lost_at = self._retry_at = self._wait = 0.0
        self._gone: set[Seat] = set()
        """Seats that were reported as left."""

    @property
    def is_ready(self) -> bool:
        """Whether a request can be sent: the table is connected, and the last request was answered."""
        return self._connection is not None and self.request is None

    @property
    def moment(self) -> tuple[int, int]:
        """The number of the game, and how many plies of it have been played."""
        return self.table.games, 0 if self.table.match is None else self.table.match.plies

    @property
    def is_own_turn(self) -> bool:
        """Whether it is this client's turn to move."""
        # The server makes forced passes itself.
        return self.seat is not None and self.table.turn == self.seat and not self.table.must_pass

    def time_left(self, seat: Seat) -> float | None:
        """The seconds that a seat has left on its clock now; None without a clock."""
        table = self.table
        if table.control is None or table.match is None:
            return None
        ran = monotonic() - self._since if table.turn == seat else 0.0
        return max(0.0, table.left[seat] / 1000 - ran)

    # The connection

    def open(self) -> None:
        """Read what has happened so far, and connect."""
        self._fetch(self._known)
        self._connect()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def reconnect(self) -> bool:
        """Try to restore the connection: False if it is to be tried again in `retry_in` seconds.

        Raises UnreachableError when the server has been away for longer than the patience lasts.
        """
        try:
            self._connect()
        except UnreachableError:
            if monotonic() - self._lost_at > PATIENCE:
                raise
            self._wait = min(LONGEST_WAIT, 2 * self._wait or 0.25)
            self._retry_at = monotonic() + self._wait
            return False
        return True

    @property
    def retry_in(self) -> float | None:
        """Seconds until the next attempt to reconnect; None while there is a connection."""
        return None if self._connection is not None else max(0.0, self._retry_at - monotonic())

    def _connect(self) -> None:
        self._connection = self.server.connect(self.link.table, self.table.next - 1)
        threading.Thread(target=self._connection.receive_all, args=(self._tell,), daemon=True).start()

    def _lose(self) -> Lost:
        self.close()
        self._lost_at = self._retry_at = monotonic()
        self._wait = 0.0
        return Lost()

    def _fetch(self, following: int) -> None:
        """Replay the events that are not known yet, page by page, up to the one before `following`."""
        while self.table.next < following:
            page = self.server.get(f"/api/tables/{self.link.table}/events?after={self.table.next - 1}")
            if not isinstance(page, list):
                raise self.server.unexpected_answer()
            if not page:
                return  # the server has lost events since then; the socket will report it
            for shape in page:
                self._add(read_event(self.server, shape))

    # Requests

    def send(self, kind: str, text: str) -> bool:
        """Request an event: False if nothing can be sent now."""
        if not self.is_ready:
            return False
        self.request = PendingRequest(self.table.next, kind, text, self.moment)
        self._transmit(self.request)
        return True

    def _transmit(self, request: PendingRequest) -> None:
        event = {"number": request.number, "kind": request.kind, "text": request.text}
        if self._connection is not None:
            self._connection.send({"do": "event", **event, "id": request.number})

    def _resend(self, request: PendingRequest, why: str | None) -> list[TableNews]:
        """Send a request again under a new number, if it still means the same."""
        self.request = None
        if self.table.next > request.number and request.moment == self.moment:
            self.send(request.kind, request.text)
            return []
        return [TooLate(why)]

    # What the server says

    def hear(self, heard: Heard) -> list[TableNews]:
        """Process a message from the socket, and return the resulting news."""
        if heard.connection is not self._connection:
            return []
        if heard.text is None:
            return [self._lose()]
        message = heard.connection.read(heard.text)
        match message["type"]:
            case "event":
                return self._hear_event(read_event(self.server, message.get("event")))
            case "table":
                # The whole table: too many events were missed, or the server has lost some.
                _, self.present, fresh, following = read_table(
                    self.server, self.link.table, message.get("table")
                )
                self.table = fresh if following < self.table.next else self.table
                return self._reload(following)
            case "ready" if self.request is not None:
                # It may have been lost with a connection; the server does nothing twice.
                if self.table.next != self.request.number:
                    return self._resend(self.request, None)
                self._transmit(self.request)
            case "present":
                return self._hear_presence(message.get("present"), message.get("ran"))
            case "pong":
                heard.connection.send({"do": "echo", "mark": message.get("mark")})
            case "answer" if self.request is not None:
                return self._hear_answer(self.request, message)
        return []

    def _hear_event(self, event: Event) -> list[TableNews]:
        if event.number > self.table.next:
            return self._reload(event.number + 1)
        if event.number < self.table.next:
            return []
        table = self.table
        before, games, status = table.match and table.match.state, table.games, table.status
        forced = table.must_pass
        requested = event.seat == self.seat and self.request is not None and self.request.is_met_by(event)
        if requested:
            self.request = None
        self._add(event)
        self._since = monotonic()
        ends = table.status == "over" and status != "over"
        return [Happened(event, requested, forced, before, begins=table.games > games, ends=ends)]

    def _reload(self, following: int) -> list[TableNews]:
        try:
            self._fetch(following)
        except UnreachableError:
            return [self._lose()]
        return [Reloaded()]

    def _hear_presence(self, present: Any, ran: Any) -> list[TableNews]:
        if not isinstance(present, list) or len(present) != 2 or not isinstance(ran, int):
            raise self.server.unexpected_answer()
        self._since = monotonic() - ran / 1000
        was, self.present = self.present, [bool(each) for each in present]
        left = tuple(
            seat
            for seat in SIDES
            if seat != self.seat and was[seat] and not self.present[seat] and self.table.status == "running"
        )
        back = tuple(seat for seat in SIDES if seat in self._gone and self.present[seat])
        self._gone = (self._gone | set(left)) - set(back)
        return [Presence(left, back)] if left or back else []

    def _hear_answer(self, request: PendingRequest, message: dict[str, Any]) -> list[TableNews]:
        if message.get("id") != request.number:
            return []  # the answer to an earlier request, sent over a connection that was lost
        if message.get("ok") is True:
            if self.table.next > request.number:
                self.request = None
            return []
        text = str(message.get("text"))
        if message.get("error") == "number":
            return self._resend(request, text)
        self.request = None
        return [Refused(text)]

    def _add(self, event: Event) -> None:
        try:
            self.table.add(event)
        except PerfectplayError as error:
            raise OnlineError(f"the rules at {self.link.url} differ from those here: {error}") from error
