"""How much one address, one seat and all together may ask of the server."""

import logging
from contextlib import ExitStack
from functools import partial
from itertools import takewhile
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from perfectplay.tables.validation import load_small_game
from perfectplay_server import throttling
from perfectplay_server.http import middleware
from perfectplay_server.limits import SOCKETS_PER_SEAT
from perfectplay_server.live import hub
from perfectplay_server.settings import ServerSettings
from perfectplay_server.throttling import Bucket, ClientLimits, RateLimit, Seldom, TooFastError
from tests.web.servers import Person, WebSocketDenialResponse, client, code_of, next_of, two


def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time passes for the limits of a server that is made after this."""
    for module in (throttling, hub):
        monkeypatch.setattr(module, "RateLimit", partial(RateLimit, clock=lambda: 5.0))


@pytest.mark.parametrize(("limit", "wait"), [("tables_per_minute", 20), ("tables_per_day", 28_800)])
def test_tables_are_limited_by_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, wait: int
) -> None:
    stopped(monkeypatch)
    with client(tmp_path, **{limit: 3}) as server:
        answers = [Person(server).post("/api/tables", {"game": "bit-flip"}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
        assert int(answers[3].headers["retry-after"]) == wait


def test_seats_and_studies_are_limited_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch)
    with client(tmp_path, tables_per_minute=1, studies_per_minute=2) as server:
        made = Person(server).make()
        wrong = {**made, "join": "x"}
        codes = [code_of(Person(server).join(wrong)) for _ in range(3)]
        assert codes == [(403, "code"), (403, "code"), (429, "slow")]
        asked = [Person(server).post("/api/study", {"game": "bit-flip:bits=3"}) for _ in range(3)]
        assert [answer.status_code for answer in asked] == [200, 200, 429]


def test_custom_games_are_limited_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch)
    with client(tmp_path, custom_games_per_minute=2) as server:

        def study(game: str) -> int:
            return Person(server).post("/api/study", {"game": game}).status_code

        def play(game: str, opponent: str | None) -> int:
            wish = {"game": game, "opponent": opponent}
            return Person(server).post("/api/tables", wish).status_code

        assert [study("bit-flip:bits=3"), study("bit-flip:bits=3")] == [200, 200]
        # By any of its names a game is the same.
        assert [play("bit-flip:bits=4", "perfect"), study("bit-flip:bits=04")] == [201, 200]
        assert [study("bit-flip:bits=5"), play("bit-flip:bits=5", "perfect")] == [429, 429]
        assert [study("bit-flip:bits=10"), play("bit-flip", "perfect")] == [200, 201]  # a standard game
        assert [play("bit-flip:bits=5", None), play("bit-flip:bits=5", "random")] == [201, 201]  # not solved


def test_only_so_many_custom_games_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch)
    monkeypatch.setattr(throttling, "KNOWN_GAMES", 2)
    address_limits = ClientLimits(ServerSettings(custom_games_per_minute=2))
    one, two = (load_small_game(f"bit-flip:bits={bits}") for bits in (3, 4))
    for address, game in (("a", one), ("a", two), ("a", one), ("b", one)):
        address_limits.take_game(address, game)
    address_limits.take_game("a", one)  # of which the least recent was forgotten:
    with pytest.raises(TooFastError, match="too many requests"):
        address_limits.take_game("a", two)


def test_an_address_is_that_of_a_network_and_comes_from_the_proxy_itself() -> None:
    def address(*lines: str) -> str:
        raw = [(b"x-forwarded-for", line.encode()) for line in lines]
        scope = {"type": "http", "client": ("127.0.0.1", 7), "headers": raw}
        return middleware.address_of(middleware.forward(scope, Headers(raw=raw)))

    assert address("6.6.6.6, 10.1.1.1") == "10.1.1.1"
    assert address("6.6.6.6", "10.1.1.1") == "10.1.1.1"  # a proxy that adds a line of its own
    assert address("10.1.1.1:8080") == "10.1.1.1"
    assert address("[2001:db8::1]:8080") == address("2001:db8::2") == "2001:db8::/56"
    assert address("2001:db8:0:ff::1") == address("2001:db8::1") != address("2001:db8:0:100::1")
    assert address("::ffff:10.1.1.1") == "10.1.1.1"
    assert address("nonsense") == address("") == address() == "127.0.0.1"


def test_events_are_limited_by_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch)
    with client(tmp_path, events_per_second=2) as server:
        ann, bob, table = two(server, "dual-direction")
        codes = [code_of(ann.act(table, 9, "move", "left")) for _ in range(5)]
        assert codes == [(409, "number")] * 4 + [(429, "slow")]
        assert code_of(bob.act(table, 9, "move", "left")) == (409, "number")
        with ann.socket(table) as socket:
            socket.send_json({"do": "event", "number": 3, "kind": "move", "text": "left"})
            assert next_of(socket, "answer")["error"] == "slow"


def test_requests_are_limited_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch)
    with client(tmp_path, requests_per_second=1) as server:
        assert [server.get("/api/games").status_code for _ in range(3)] == [200, 200, 429]
        with pytest.raises(WebSocketDenialResponse) as denied, Person(server).socket("none"):
            pass
        assert (denied.value.status_code, denied.value.json()["error"]) == (429, "slow")


def test_a_page_with_many_files_is_not_refused_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(monkeypatch)
    with client(tmp_path, requests_per_second=1) as server:
        assert [server.get("/static/style.css").status_code for _ in range(21)] == [200] * 20 + [429]
        assert server.get("/api/games").status_code == 200


def test_connections_are_limited_by_address_but_not_those_of_a_proxy() -> None:
    address_limits = ClientLimits(ServerSettings(connections_per_address=2))
    with ExitStack() as stack:
        allowed = [stack.enter_context(address_limits.connection(address)) for address in "aaab"]
        assert allowed == [True, True, False, True]
    with address_limits.connection("a") as again:
        assert again
    proxied = ClientLimits(ServerSettings(connections_per_address=2, behind_proxy=True))
    with ExitStack() as stack:
        allowed = [stack.enter_context(proxied.connection("a")) for _ in range(5)]
        assert allowed == [True] * 5


def test_the_same_message_is_logged_once_a_minute() -> None:
    now = 0.0
    seldom = Seldom(clock=lambda: now)

    def logged(text: str, *arguments: object, error: Exception | None = None) -> bool:
        trace = None if error is None else (type(error), error, None)
        return seldom.filter(logging.LogRecord("x", logging.ERROR, "", 1, text, arguments, trace))

    assert [logged("%d files", 1), logged("%d files", 1), logged("%d files", 2)] == [True, False, True]
    assert [logged("failed", error=OSError(number)) for number in (1, 1, 2)] == [True, False, True]
    now = 60.0
    assert logged("%d files", 1)


def test_live_tables_are_limited(tmp_path: Path) -> None:
    with client(tmp_path, most_tables=2) as server:
        ann, _, table = two(server)
        ann.make()
        assert code_of(ann.post("/api/tables", {"game": "bit-flip"})) == (503, "busy")
        ann.act(table, 3, "resign")
        assert ann.post("/api/tables", {"game": "bit-flip"}).status_code == 201


def test_sockets_are_limited(tmp_path: Path) -> None:
    with client(tmp_path, sockets_per_table=2, sockets_per_address=3) as server, ExitStack() as stack:
        ann = Person(server)
        one, other = ann.make()["table"]["id"], ann.make()["table"]["id"]
        for table in (one, one, other):
            stack.enter_context(ann.socket(table))
        for table in (one, other):
            with pytest.raises(WebSocketDenialResponse) as denied, ann.socket(table):
                pass
            assert (denied.value.status_code, denied.value.json()["error"]) == (503, "busy")


def test_those_who_watch_keep_no_player_out(tmp_path: Path) -> None:
    with client(tmp_path, sockets_per_table=2) as server, ExitStack() as stack:
        ann = Person(server)
        table = ann.make()["table"]["id"]
        for _ in range(2):
            stack.enter_context(Person(server).socket(table))
        with pytest.raises(WebSocketDenialResponse), Person(server).socket(table):
            pass
        for _ in range(SOCKETS_PER_SEAT):
            stack.enter_context(ann.socket(table))
        with pytest.raises(WebSocketDenialResponse), ann.socket(table):
            pass


def test_a_bucket_fills_by_the_clock_it_is_given() -> None:
    bucket = Bucket(rate=10, most=2)
    assert [bucket.take(0.0), bucket.take(0.0), bucket.take(0.0)] == [0.0, 0.0, pytest.approx(0.1)]
    assert bucket.take(0.1) == 0.0
    assert not bucket.full(0.2)
    assert bucket.full(0.4)


def test_a_flood_of_addresses_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling, "LIMITED_KEYS", 100)
    limit = RateLimit(1, 1, clock=lambda: 0.0)
    for number in range(1000):
        limit.wait(number)
    # Asking about one that is remembered takes nobody's place.
    remembered = list(takewhile(lambda number: limit.wait(number) == 1, reversed(range(1000))))
    assert 0 < len(remembered) <= 100
