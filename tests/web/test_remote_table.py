"""A table followed from elsewhere, with a fake server: pages, requests, connections."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.online.client import Connection, Heard, OnlineError, Server, TableLink, UnreachableError
from perfectplay.online.limits import LONGEST_WAIT
from perfectplay.online.remote_table import RemoteTable
from perfectplay.online.table_news import Happened, Lost, Presence, Refused, Reloaded, TableNews, TooLate
from perfectplay.tables.events import Event, Seat
from perfectplay.tables.table import Table


class FakeConnection(Connection):
    """A socket on which nothing comes; what is sent is remembered."""

    def __init__(self, server: "FakeServer") -> None:
        self._server = server
        self.sent: list[dict[str, Any]] = []
        self.closed = False

    def receive_all(self, tell: Any) -> None:
        """Nothing comes by itself."""

    def send(self, shape: Mapping[str, object]) -> None:
        self.sent.append(dict(shape))

    def close(self) -> None:
        self.closed = True


class FakeServer(Server):
    """A table of Bit Flip whose events are answered in pages of `page` events."""

    def __init__(self, page: int = 1000) -> None:
        super().__init__("http://127.0.0.1:1", None)
        self.page = page
        self.table = Table("t", pp.load("bit-flip:bits=9"))
        self.events: list[Event] = []
        self.fetched: list[str] = []
        self.connected: list[int | None] = []
        self.away = False
        self.happen(0, "sit", "Ann")
        self.happen(1, "sit", "Bob")

    def happen(self, seat: Seat, kind: Any, text: str = "") -> dict[str, Any]:
        """Let something happen, and return it as a message."""
        event = self.table.add(Event(self.table.next, 0.0, seat, kind, text))
        self.events.append(event)
        return {"type": "event", "event": event._asdict()}

    def shape(self) -> dict[str, Any]:
        return {
            "seat": 1,
            "present": [True, True],
            "players": [None, None],
            "game": self.table.game.spec,
            "clock": None,
            "next": self.table.next,
        }

    def get(self, path: str) -> Any:
        if self.away:
            raise UnreachableError("away")
        self.fetched.append(path)
        after = int(path.rpartition("=")[2])
        return [event._asdict() for event in self.events if event.number > after][: self.page]

    def connect(self, table: str, after: int | None = None) -> FakeConnection:
        if self.away:
            raise UnreachableError("away")
        self.connected.append(after)
        return FakeConnection(self)


class Follower(RemoteTable):
    """Bob's end of the table."""

    def __init__(self, server: FakeServer) -> None:
        super().__init__(TableLink(server.address, "t"), server, server.shape(), lambda heard: None)
        self.open()

    @property
    def socket(self) -> FakeConnection:
        assert isinstance(self._connection, FakeConnection)
        return self._connection

    def told(self, message: dict[str, Any] | None) -> list[TableNews]:
        return self.hear(Heard(self.socket, None if message is None else json.dumps(message)))


def offers(server: FakeServer, times: int) -> None:
    for _ in range(times):
        server.happen(0, "offer", "abandon")
        server.happen(1, "decline", "abandon")


# Pages


@pytest.mark.parametrize("page", [1, 2, 3, 5, 12, 1000])
def test_the_history_is_read_to_its_end_whatever_the_size_of_a_page(page: int) -> None:
    server = FakeServer(page)
    offers(server, 4)
    server.happen(0, "move", "4")
    bob = Follower(server)
    assert (bob.table.next, bob.moment) == (12, (1, 1))
    assert len(server.fetched) == -(-11 // page)  # no page is asked for in vain
    assert server.connected == [11]


def test_a_gap_and_a_table_are_caught_up_with_page_by_page() -> None:
    server = FakeServer(2)
    bob = Follower(server)
    offers(server, 3)
    assert bob.told(server.happen(0, "move", "4")) == [Reloaded()]
    assert bob.table.next == server.table.next == 10
    offers(server, 3)
    assert bob.told({"type": "table", "table": server.shape()}) == [Reloaded()]
    assert bob.table.next == server.table.next


def test_a_server_that_has_lost_events_is_followed_and_not_asked_without_end() -> None:
    server = FakeServer()
    server.happen(0, "move", "4")
    bob = Follower(server)
    lost = FakeServer()
    server.table, server.events = lost.table, lost.events
    assert bob.told({"type": "table", "table": server.shape()}) == [Reloaded()]
    assert (bob.table.next, bob.moment) == (3, (1, 0))
    assert bob.told({"type": "table", "table": {**server.shape(), "next": 9}}) == [Reloaded()]
    assert bob.table.next == 3


@pytest.mark.parametrize("next_event", [None, "3", 3.5])
def test_a_table_without_the_number_of_its_next_event_is_rejected(next_event: object) -> None:
    server = FakeServer()
    shape = {**server.shape(), "next": next_event}
    with pytest.raises(OnlineError, match="does not answer like a perfectplay server"):
        RemoteTable(TableLink(server.address, "t"), server, shape, lambda heard: None)


# Requests


def test_a_request_is_sent_under_the_number_of_the_next_event_and_met_by_it() -> None:
    server = FakeServer()
    server.happen(0, "move", "4")
    bob = Follower(server)
    assert bob.is_ready
    assert bob.send("move", "6")
    assert bob.socket.sent == [{"do": "event", "number": 4, "kind": "move", "text": "6", "id": 4}]
    assert not bob.is_ready
    assert not bob.send("resign", "")
    [news] = bob.told(server.happen(1, "move", "6"))
    assert isinstance(news, Happened)
    assert (news.requested, news.begins, news.ends) == (True, False, False)
    assert server.table.game.state_text(news.before) == "000010000 2"
    assert bob.is_ready


def test_a_request_that_may_be_lost_is_repeated_as_it_was() -> None:
    server = FakeServer()
    server.happen(0, "move", "4")
    bob = Follower(server)
    bob.send("move", "6")
    sent = bob.socket.sent
    assert bob.told(None) == [Lost()]
    assert not bob.is_ready
    assert bob.reconnect()
    assert bob.told({"type": "ready"}) == []
    assert bob.socket.sent == sent


def test_a_request_that_was_overtaken_is_sent_again_only_if_it_means_the_same() -> None:
    server = FakeServer()
    server.happen(0, "move", "4")
    bob = Follower(server)
    bob.send("move", "6")
    bob.told(server.happen(0, "offer", "abandon"))
    late = {"type": "answer", "ok": False, "error": "number", "text": "too late"}
    assert bob.told({**late, "id": 3}) == []  # the answer to an earlier request
    assert bob.told({**late, "id": 4}) == []
    assert [each["number"] for each in bob.socket.sent] == [4, 5]
    bob.told(server.happen(1, "move", "6"))
    bob.send("offer", "takeback")
    bob.told(server.happen(0, "move", "8"))
    assert bob.told({**late, "id": 6}) == [TooLate("too late")]
    assert len(bob.socket.sent) == 3
    assert bob.is_ready


def test_a_refused_request_is_over() -> None:
    bob = Follower(FakeServer())
    bob.send("move", "6")
    answer = {"type": "answer", "ok": False, "error": "turn", "text": "not your turn", "id": 3}
    assert bob.told(answer) == [Refused("not your turn")]
    assert bob.is_ready


# Connections


def test_a_server_is_looked_for_at_growing_intervals_until_patience_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("perfectplay.online.remote_table.monotonic", lambda: now)
    monkeypatch.setattr("perfectplay.online.remote_table.PATIENCE", 1000)
    server = FakeServer()
    bob = Follower(server)
    socket = bob.socket
    assert bob.retry_in is None
    assert bob.told(None) == [Lost()]
    assert socket.closed
    assert bob.retry_in == 0
    server.away = True
    waits: list[float | None] = []
    for _ in range(7):
        assert not bob.reconnect()
        waits.append(bob.retry_in)
    assert waits == [0.25, 0.5, 1, 2, 4, LONGEST_WAIT, LONGEST_WAIT]
    server.away = False
    assert bob.reconnect()
    assert server.connected == [2, 2]
    server.away = True
    assert bob.told(None) == [Lost()]
    now += 1000
    assert not bob.reconnect()
    now += 1
    with pytest.raises(UnreachableError):
        bob.reconnect()


def test_what_an_old_connection_still_says_is_ignored() -> None:
    server = FakeServer()
    bob = Follower(server)
    old = bob.socket
    bob.told(None)
    bob.reconnect()
    assert bob.hear(Heard(old, "{")) == bob.hear(Heard(old, None)) == []
    with pytest.raises(OnlineError):
        bob.hear(Heard(bob.socket, "{"))


def test_a_server_that_goes_away_during_a_page_is_a_lost_connection() -> None:
    server = FakeServer()
    bob = Follower(server)
    server.happen(0, "move", "4")
    message = server.happen(1, "move", "6")
    server.away = True
    assert bob.told(message) == [Lost()]


def test_players_who_leave_and_return_are_reported_once() -> None:
    bob = Follower(FakeServer())
    gone = {"type": "present", "present": [False, True], "ran": 0}
    here = {"type": "present", "present": [True, True], "ran": 0}
    assert bob.told(here) == []
    assert bob.told(gone) == [Presence((0,), ())]
    assert bob.told(gone) == []
    assert bob.told(here) == [Presence((), (0,))]
    assert bob.told({"type": "present", "present": [True, False], "ran": 0}) == []  # one's own seat
