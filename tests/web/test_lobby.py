"""Who is listed while they are there, playing whoever waits, all of one's games, and moving a seat."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from pydantic import TypeAdapter

from perfectplay_server import limits, schemas
from perfectplay_server.live import lobby, peers, transfers
from perfectplay_server.storage import restore
from perfectplay_server.storage.store import Store
from tests.web.servers import Person, TestClient, client, code_of, hub_of, next_of, two


@pytest.fixture
def there() -> Iterator[ExitStack]:
    """Sockets that stay open until the test ends."""
    with ExitStack() as stack:
        yield stack


def stay(stack: ExitStack, person: Person, table: str) -> Any:
    """Connect someone to a table for the rest of the test."""
    socket = stack.enter_context(person.socket(table))
    next_of(socket, "table")
    return socket


def listed(server: TestClient) -> dict[str, list[str]]:
    """The ids in the public lists."""
    found = server.get("/api/tables").json()
    return {name: [brief["id"] for brief in found[name]] for name in ("open", "running", "finished")}


def wait_for_list(server: TestClient, name: str, ids: list[str]) -> None:
    """Until a list has these tables: the end of a socket takes a moment to arrive."""
    for _ in range(10_000):
        if listed(server)[name] == ids:
            return
    assert listed(server)[name] == ids


# The lobby.


def test_a_table_is_listed_while_its_maker_is_there(server: TestClient, there: ExitStack) -> None:
    ann = Person(server)
    made = ann.make(name="Ann", public=True)
    waiting = made["table"]["id"]
    assert listed(server)["open"] == []
    with ann.socket(waiting) as socket:
        next_of(socket, "table")
        (brief,) = server.get("/api/tables").json()["open"]
        assert (brief["id"], brief["names"], brief["join"]) == (waiting, ["Ann", None], made["join"])
        with Person(server).socket(waiting) as other:  # a spectator does not wait for anyone
            next_of(other, "table")
    wait_for_list(server, "open", [])
    with Person(server).socket(waiting) as spectator:
        next_of(spectator, "table")
        assert listed(server)["open"] == []
    stay(there, ann, waiting)
    wait_for_list(server, "open", [waiting])
    assert Person(server).join(made).status_code == 200
    found = server.get("/api/tables").json()
    assert [brief["id"] for brief in found["running"]] == [waiting]
    assert found["open"] == []
    assert "join" not in found["running"][0]  # once the seat is taken, nobody is told the code


def test_a_private_table_is_not_listed(server: TestClient, there: ExitStack) -> None:
    ann, _, running = two(server)
    stay(there, ann, running)
    stay(there, ann, ann.make()["table"]["id"])
    assert listed(server) == {"open": [], "running": [], "finished": []}


def test_a_game_is_listed_while_it_is_played_and_a_moment_longer(
    server: TestClient, there: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, table = two(server, "bit-flip:bits=1", public=True)
    assert listed(server)["running"] == []
    stay(there, ann, table)
    assert listed(server)["running"] == [table]
    with monkeypatch.context() as patched:
        patched.setattr(lobby, "RECENT", -1.0)  # nobody has moved for a long time
        assert listed(server)["running"] == []
    assert ann.act(table, 3, "move", "0").status_code == 200
    assert listed(server) == {"open": [], "running": [], "finished": [table]}
    monkeypatch.setattr(lobby, "FADING", -1.0)
    assert listed(server)["finished"] == []


def test_a_process_that_has_ended_lists_nobody(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = hub_of(server)
    waiting = Person(server).make(public=True)["table"]["id"]
    hub.tables.pop(waiting)  # this process need not have the table in memory

    def hear(attended: bool, kind: str = "present") -> list[str]:
        notice = {"worker": "x", "kind": kind, "table": waiting, "counts": [1, 0, 0], "attended": attended}
        notice["address"] = "10.1.1.1"
        hub.peers.receive(json.dumps(notice))
        return listed(server)["open"]

    assert [hear(True), hear(False), hear(True, "ask"), hear(True, "event")] == [
        *([waiting], [], [waiting], [waiting])
    ]
    assert hub.peers.find_attended() == {waiting: "10.1.1.1"}
    monkeypatch.setattr(peers, "SILENT", 0.0)
    assert listed(server)["open"] == []
    hub.peers.beat()
    monkeypatch.undo()
    assert listed(server)["open"] == []


# Playing whoever waits.


def play(person: Person, game: str = "bit-flip", **wishes: Any) -> Any:
    return person.post("/api/play", {"game": game, **wishes})


def test_whoever_asks_first_waits_and_the_next_one_joins(server: TestClient) -> None:
    ann, bob, cy = Person(server), Person(server), Person(server)
    first = play(ann, name="Ann")
    assert first.status_code == 201
    TypeAdapter(schemas.MadeSchema).validate_python(first.json())
    table = first.json()["table"]["id"]
    assert first.json()["table"]["public"] is True
    # Ann's page has not connected yet, but it is about to. Asking again makes no second table.
    again = play(ann)
    assert (again.status_code, again.json()["table"]["id"]) == (200, table)
    assert play(cy, "bit-flip:bits=4").status_code == 201
    joined = play(bob, name="Bob")
    TypeAdapter(schemas.JoinedSchema).validate_python(joined.json())
    assert (joined.status_code, joined.json()["table"]["id"]) == (200, table)
    assert sorted(joined.json()["table"]["names"]) == ["Ann", "Bob"]
    assert play(Person(server)).status_code == 201  # nobody waits any more


def test_the_one_who_waits_longest_comes_first(server: TestClient, there: ExitStack) -> None:
    hosts = [Person(server) for _ in range(3)]
    games = ["dual-direction", "bit-flip", "bit-flip"]
    tables = [host.make(game, public=True)["table"]["id"] for host, game in zip(hosts, games, strict=True)]
    for host, table in zip(hosts[::-1], tables[::-1], strict=True):
        stay(there, host, table)
    assert play(Person(server)).json()["table"]["id"] == tables[1]
    assert play(Person(server), any=True).json()["table"]["id"] == tables[0]
    assert play(Person(server), any=True).json()["table"]["id"] == tables[2]


def test_nobody_is_put_under_a_clock_unasked(server: TestClient, there: ExitStack) -> None:
    host = Person(server)
    clocked = host.make("bit-flip", public=True, clock={"per": "move", "seconds": 30})["table"]["id"]
    stay(there, host, clocked)
    made = play(Person(server), any=True)
    assert (made.status_code, made.json()["table"]["clock"]) == (201, None)


CLOCK = {"per": "move", "seconds": 30}


@pytest.mark.parametrize(
    ("made", "wanted", "meet"),
    [
        ({"clock": CLOCK}, {"clock": CLOCK}, True),
        ({"clock": CLOCK}, {"clock": {"per": "move", "seconds": 60}}, False),
        ({}, {"clock": CLOCK}, False),
        ({"away_limit": 60}, {}, False),
        ({}, {"away_limit": 60}, False),
        ({"away_limit": 60}, {"away_limit": 60}, True),
        ({"seat": 0}, {"seat": 1}, True),
        ({"seat": 0}, {"seat": 0}, False),
        ({"seat": 0}, {}, True),
    ],
)
def test_who_plays_anyone_gets_the_clock_and_the_seat_that_they_chose(
    server: TestClient, made: dict[str, Any], wanted: dict[str, Any], meet: bool
) -> None:
    first, second = play(Person(server), **made).json()["table"], play(Person(server), **wanted)
    table = second.json()["table"]
    assert (second.status_code, table["id"] == first["id"]) == ((200, True) if meet else (201, False))
    wish = {"clock": None, "away_limit": 300.0, "seat": table["seat"], **wanted}
    assert (table["clock"] is None, table["seat"]) == (wish["clock"] is None, wish["seat"])
    if wish["clock"] is None:
        assert table["away_limit"] == wish["away_limit"]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_who_asks_again_for_anyone_waits_at_the_same_table(server: TestClient, seat: int | None) -> None:
    ann = Person(server)
    tables = {play(ann, seat=seat).json()["table"]["id"] for _ in range(2)}
    assert len(tables) == 1


def test_an_address_has_only_so_many_tables_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(tmp_path, waiting_per_address=2) as server:
        people = [Person(server) for _ in range(4)]
        tables = [people[0].make(public=True), play(people[1]).json()]
        assert code_of(people[2].post("/api/tables", {"game": "bit-flip", "public": True})) == (429, "slow")
        assert code_of(play(people[2], "bit-flip:bits=9")) == (429, "slow")
        people[2].make()  # for a friend
        people[2].make(public=True, opponent="random")
        assert people[3].join(tables[0]).status_code == 200
        people[2].make(public=True)
        assert code_of(play(people[3], "bit-flip:bits=9")) == (429, "slow")
        # A table that nobody waits at does not count.
        monkeypatch.setattr(lobby, "ARRIVAL", 0.0)
        with people[1].socket(tables[1]["table"]["id"]):
            people[3].make(public=True)


def test_an_address_is_listed_only_so_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "ARRIVAL", 0.0)
    with client(tmp_path, waiting_per_address=2) as server, ExitStack() as there:
        ann = Person(server)
        tables = [ann.make(public=True)["table"]["id"] for _ in range(3)]
        for table in tables:
            stay(there, ann, table)
        assert listed(server)["open"] == tables[:0:-1]


def test_addresses_take_turns_to_get_someone(tmp_path: Path) -> None:
    with client(tmp_path, behind_proxy=True) as server:

        def waits(address: str) -> str:
            made = Person(server).post(
                "/api/tables", {"game": "bit-flip", "public": True}, **{"X-Forwarded-For": address}
            )
            table: str = made.json()["table"]["id"]
            return table

        captors = [waits("6.6.6.6") for _ in range(3)]
        others = [waits("10.1.1.1"), waits("10.2.2.2")]
        met = [play(Person(server)).json()["table"]["id"] for _ in range(5)]
        assert met == [captors[0], *others, *captors[1:]]
        last = waits("6.6.6.6"), waits("10.3.3.3")
        assert play(Person(server)).json()["table"]["id"] == last[1]


def test_only_so_many_turns_are_remembered(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_WAITING", 2)
    found = hub_of(server).lobby
    for address in ("a", "b", "a", "c"):
        found.had_turn(address)
    assert list(found.turns) == ["a", "c"]


def test_nobody_is_brought_to_someone_who_left(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert play(Person(server)).status_code == 201
    monkeypatch.setattr(lobby, "ARRIVAL", 0.0)
    assert play(Person(server)).status_code == 201
    made = Person(server).make("bit-flip", public=True)
    assert play(Person(server)).json()["table"]["id"] != made["table"]["id"]


def test_people_who_ask_at_the_same_moment_meet(server: TestClient) -> None:
    people = [Person(server) for _ in range(6)]
    tokens = [person.headers for person in people]
    body = {"game": "bit-flip"}
    with ThreadPoolExecutor(6) as threads:
        answers = list(
            threads.map(lambda headers: server.post("/api/play", json=body, headers=headers), tokens)
        )
    found = sorted((answer.json()["table"]["id"], answer.status_code) for answer in answers)
    assert [status for _, status in found] == [200, 201] * 3
    assert len({table for table, _ in found}) == 3


# All of one's games.


def test_all_ones_games_are_listed_in_pages(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GAMES_PER_PAGE", 2)
    ann, bob, won = two(server, "bit-flip:bits=1")
    ann.act(won, 3, "move", "0")
    _, _, others = two(server)
    ann.make("mirror-match")
    given_up = ann.make("bit-flip", opponent="random")["table"]["id"]
    ann.act(given_up, 3, "move", "4")
    ann.act(given_up, ann.table(given_up)["next"], "resign")
    tables: list[Any] = []
    after = ""
    while after is not None:
        page = ann.get(f"/api/own-games{after and f'?after={after}'}").json()
        TypeAdapter(schemas.OwnGamesSchema).validate_python(page)
        assert 0 < len(page["games"]) <= 2
        tables += page["games"]
        after = page["next"]
    assert [each["status"] for each in tables] == ["over", "open", "over"]
    assert [each["at"] for each in tables] == sorted((each["at"] for each in tables), reverse=True)
    last, waiting, first = tables
    assert (first["id"], first["result"]["winner_seat"], first["seat"]) == (won, 0, 0)
    assert (first["owners"], first["number"]) == ([0], 1)
    assert [cell["pieces"] for cell in first["view"]["rows"][0]] == [["1"]]
    assert (last["id"], last["result"]["winner_seat"], last["result"]["reason"]) == (
        given_up,
        1,
        "resignation",
    )
    assert last["owners"][4] == 0
    assert (waiting["result"], waiting["number"], waiting["owners"]) == (None, 0, [])
    assert others not in {each["id"] for each in tables}
    assert [each["id"] for each in bob.get("/api/own-games").json()["games"]] == [won]
    assert server.get("/api/own-games").json() == {"games": [], "next": None}
    assert code_of(ann.get("/api/own-games?after=yesterday")) == (400, "bad")


def test_every_game_of_a_table_is_listed_the_newest_first(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, table = two(server, "bit-flip:bits=1")
    ann.act(table, 3, "move", "0")
    for person, kind in ((ann, "offer"), (bob, "accept")):
        person.act(table, person.table(table)["next"], kind, "rematch")
    assert [(each["number"], each["status"]) for each in ann.get("/api/own-games").json()["games"]] == [
        (2, "running"),
        (1, "over"),
    ]
    bob.act(table, bob.table(table)["next"], "move", "0")
    games = ann.get("/api/own-games").json()["games"]
    assert [(each["number"], each["result"]["winner_seat"]) for each in games] == [(2, 1), (1, 0)]
    assert [each["score"] for each in games] == [[1, 1]] * 2
    assert games[0]["at"] >= games[1]["at"] > 0
    TypeAdapter(schemas.OwnGamesSchema).validate_python({"games": games, "next": None})
    monkeypatch.setattr(limits, "GAMES_PER_TABLE", 1)
    bob.act(table, bob.table(table)["next"], "offer", "rematch")
    assert [each["number"] for each in ann.get("/api/own-games").json()["games"]] == [2]


def test_a_board_is_read_once_and_anew_after_a_move(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, table = two(server)
    read, replay = [], restore.replay

    def counted(store: Store, table_id: str) -> Any:
        read.append(table_id)
        return replay(store, table_id)

    monkeypatch.setattr(restore, "replay", counted)
    monkeypatch.setattr(limits, "MOST_BOARDS", 1)

    def owners() -> Any:
        return ann.get("/api/own-games").json()["games"][0]["owners"]

    assert [owners(), owners(), read] == [[], [], [table]]
    ann.act(table, 3, "move", "1")
    assert [owners(), owners(), read] == [[None, 0], [None, 0], [table] * 2]


# Moving a seat.


def code_for(person: Person, table: str) -> str:
    answer = person.post(f"/api/tables/{table}/transfer", {})
    assert answer.status_code == 201
    TypeAdapter(schemas.TransferSchema).validate_python(answer.json())
    code: str = answer.json()["code"]
    return code


def claim(person: Person, code: str) -> Any:
    return person.post("/api/transfers", {"code": code})


def test_a_seat_moves_to_another_device_once(server: TestClient) -> None:
    ann, bob, table = two(server)
    phone, thief = Person(server), Person(server)
    code = code_for(ann, table)
    with ann.socket(table) as old:
        next_of(old, "table")
        answer = claim(phone, f" {code.lower().replace('-', ' ')}")  # as people type
        assert answer.status_code == 200
        assert (answer.json()["table"]["id"], answer.json()["table"]["seat"]) == (table, 0)
        assert next_of(old, "table")["table"]["seat"] is None  # from now on it watches
        assert next_of(old, "present")["present"] == [False, False]
    with ann.socket(table, "?after=2") as again:
        assert next_of(again, "ready")["seat"] is None
    assert code_of(claim(thief, code)) == (403, "code")
    assert code_of(ann.act(table, 3, "move", "0")) == (403, "seat")
    assert ann.table(table)["seat"] is None
    assert phone.act(table, 3, "move", "0").status_code == 200
    assert bob.act(table, 4, "move", "2").status_code == 200
    assert [each["id"] for each in phone.get("/api/own-games").json()["games"]] == [table]
    assert ann.get("/api/own-games").json()["games"] == []


def test_a_seat_comes_back_to_a_device_that_still_watches(server: TestClient) -> None:
    ann, bob, table = two(server)
    phone = Person(server)
    with ann.socket(table) as first, bob.socket(table) as other:
        next_of(first, "table"), next_of(other, "table")
        assert claim(phone, code_for(ann, table)).status_code == 200
        assert next_of(first, "table")["table"]["seat"] is None
        with phone.socket(table) as second:
            assert next_of(second, "table")["table"]["seat"] == 0
            assert claim(ann, code_for(phone, table)).status_code == 200
            assert next_of(first, "table")["table"]["seat"] == 0
            assert next_of(second, "table")["table"]["seat"] is None
            assert next_of(first, "present")["present"] == [True, True]
        first.send_json({"do": "event", "id": 1, "number": 3, "kind": "move", "text": "0"})
        assert next_of(first, "answer")["ok"]
        messages = [other.receive_json() for _ in range(6)]
    # Nothing about the seat of anyone else: who comes and goes, and then the move.
    assert [message["type"] for message in messages] == ["present"] * 5 + ["event"]


def test_a_code_is_for_those_who_have_a_seat(server: TestClient) -> None:
    ann, bob, table = two(server)
    assert code_of(Person(server).post(f"/api/tables/{table}/transfer", {})) == (403, "seat")
    assert code_of(server.post(f"/api/tables/{table}/transfer", json={})) == (403, "seat")
    assert code_of(ann.post("/api/tables/nowhere/transfer", {})) == (404, "missing")
    # Whoever sits there already cannot take the other seat as well, and uses nothing up.
    code = code_for(ann, table)
    for person in (ann, bob):
        assert code_of(claim(person, code)) == (409, "own")
    assert claim(Person(server), code).status_code == 200


def test_a_new_code_replaces_the_one_before(server: TestClient) -> None:
    ann, bob, table = two(server)
    first, others, second = code_for(ann, table), code_for(bob, table), code_for(ann, table)
    assert code_of(claim(Person(server), first)) == (403, "code")
    assert claim(Person(server), second).json()["table"]["seat"] == 0
    assert claim(Person(server), others).json()["table"]["seat"] == 1


def test_a_code_expires(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _, table = two(server)
    monkeypatch.setattr(transfers, "SECONDS", -1.0)
    assert code_of(claim(Person(server), code_for(ann, table))) == (403, "code")
    assert ann.table(table)["seat"] == 0


def test_of_many_devices_with_a_code_one_gets_the_seat(server: TestClient) -> None:
    ann, _, table = two(server)
    code = code_for(ann, table)
    headers = [Person(server).headers for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        answers = list(
            threads.map(
                lambda each: server.post("/api/transfers", json={"code": code}, headers=each), headers
            )
        )
    assert sorted(answer.status_code for answer in answers) == [200, *[403] * 5]


def test_the_database_knows_no_code(server: TestClient) -> None:
    ann, _, table = two(server)
    code = code_for(ann, table)
    engine = hub_of(server).store.engine
    with engine.connect() as connection:
        (row,) = connection.execute(sql.text("SELECT * FROM transfers")).all()
    assert code not in map(str, row)
    assert code.replace("-", "") not in map(str, row)
    assert transfers.digest_of(code) in row
    assert len(code) == 11
    assert set(code) <= {*transfers.LETTERS, "-"}


def test_nobody_can_try_many_codes(tmp_path: Path) -> None:
    with client(tmp_path, tables_per_minute=2) as server:
        answers = [claim(Person(server), f"0000{number}-00000") for number in range(6)]
        assert [answer.status_code for answer in answers] == [403] * 4 + [429] * 2


def test_a_moved_seat_survives_a_restart(tmp_path: Path) -> None:
    with client(tmp_path) as server:
        ann, _, table = two(server)
        phone = Person(server)
        assert claim(phone, code_for(ann, table)).status_code == 200
        waiting = code_for(phone, table)
    with client(tmp_path) as server:
        assert Person(server, phone.token).table(table)["seat"] == 0
        assert Person(server, ann.token).table(table)["seat"] is None
        assert claim(Person(server), waiting).status_code == 200
