"""Players who leave, and tables that expire."""

from pathlib import Path
from time import time

import pytest

import perfectplay as pp
from perfectplay.tables import automatic
from perfectplay_server.live import actions, live_table, table_cache
from perfectplay_server.live import hub as hubs
from tests.web.servers import Person, TestClient, client, code_of, hub_of, next_of, two

# Leaving.


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What every clock of the process shows."""
    shown = [1000.0]
    for module in (hubs, actions, live_table, table_cache):
        monkeypatch.setattr(module, "monotonic", lambda: shown[0])
    return shown


def test_who_stayed_may_claim_the_game(tmp_path: Path, now: list[float]) -> None:
    with client(tmp_path) as server:
        ann, bob, table = two(server, "bit-flip", away_limit=60)
        ann.act(table, 3, "move", "4")
        bob.act(table, 4, "move", "0")
        with bob.socket(table) as socket:
            now[0] += 100
            assert code_of(ann.act(table, 5, "claim")) == (409, "present")  # it is her own turn
            assert next_of(socket, "present")
        now[0] += 59
        assert code_of(ann.act(table, 5, "claim")) == (409, "present")
        assert ann.table(table)["away"][1] == 59
        assert code_of(ann.act(table, 5, "close")) == (409, "present")
        now[0] += 1
        claimed = ann.act(table, 5, "claim").json()["event"]
        assert (claimed["kind"], claimed["seat"]) == ("claim", 0)
        assert ann.act(table, 5, "claim").json()["event"] == claimed
        data = bob.table(table)
        assert (data["status"], data["score"]) == ("over", [0, 0])
        assert data["position"]["result"]["text"] == "unfinished: claimed"
        # Both are free: the game can be studied, and another one played.
        assert ann.get(f"/api/tables/{table}/games/1/study/2").status_code == 200
        assert ann.act(table, 6, "offer", "rematch").status_code == 200


def test_a_tab_left_open_does_not_count_as_a_move(tmp_path: Path, now: list[float]) -> None:
    with client(tmp_path) as server:
        ann, bob, table = two(server, "bit-flip", away_limit=60)
        ann.act(table, 3, "move", "4")
        with bob.socket(table):
            now[0] += 40
            assert ann.act(table, 4, "offer", "abandon").status_code == 200  # which is not his doing
            now[0] += 19.9
            assert (ann.table(table)["waited"], ann.table(table)["ran"]) == (40_000, 19_900)
            assert code_of(ann.act(table, 5, "claim")) == (409, "present")
            now[0] += 0.1
            assert bob.act(table, 5, "decline", "abandon").status_code == 200  # a sign of life
            assert code_of(ann.act(table, 6, "claim")) == (409, "present")
            now[0] += 60
            assert ann.act(table, 6, "claim").status_code == 200
        record = ann.get(f"/api/tables/{table}/games/1/record").text
    assert record.startswith("perfectplay record 1\n")
    assert record.endswith("Player 1: claim\nresult: unfinished: claimed\n")
    assert str(pp.Match.replay(pp.read_records(record)[0], pp.load("bit-flip")).record()) + "\n" == record


def test_who_asks_without_a_socket_is_there_too(tmp_path: Path, now: list[float]) -> None:
    with client(tmp_path) as server:
        ann, bob, table = two(server, "bit-flip", away_limit=60)
        ann.act(table, 3, "move", "4")
        bob.act(table, 4, "move", "0")
        now[0] += 59
        bob.get(f"/api/tables/{table}/events?after=2")
        now[0] += 59
        assert code_of(ann.act(table, 5, "claim")) == (409, "present")


def test_a_forgotten_game_against_the_computer_blocks_nothing(tmp_path: Path) -> None:
    with client(tmp_path, most_tables=2) as server:
        hub = hub_of(server)
        ann = Person(server)
        forgotten = ann.make("bit-flip", opponent="random", seat=0)["table"]["id"]
        hub.clock.set(hub.clock.now() + 301)
        ann.make()
        assert ann.table(forgotten)["status"] == "running"
        ann.make()  # for which there was no room
        assert ann.table(forgotten)["closed"] == "nobody moved for a long time"
        assert code_of(ann.post("/api/tables", {"game": "bit-flip"})) == (503, "busy")


@pytest.mark.parametrize("public", [False, True])
def test_tables_that_nobody_is_at_make_room_before_games(tmp_path: Path, public: bool) -> None:
    with client(tmp_path, most_tables=4) as server:
        hub, ann = hub_of(server), Person(server)
        played = ann.make("bit-flip", opponent="random", seat=0)["table"]["id"]
        with ann.socket(played) as socket:
            ann.act(played, 3, "move", "4")
            while next_of(socket, "event")["event"]["number"] < 4:  # the computer's move
                pass
        waiting, left = (ann.make(public=public)["table"]["id"] for _ in range(2))
        _, _, unmoved = two(server, "bit-flip")
        with ann.socket(waiting):
            hub.clock.set(hub.clock.now() + 301)
            ann.make()
            assert ann.table(left)["closed"] == "nobody joined"
            assert ann.table(unmoved)["closed"] == "nobody moved for a long time"
            assert ann.table(waiting)["status"] == "open"
            assert ann.table(played)["status"] == "running"
            ann.make()
            ann.make()  # for which only the game can make room
            assert ann.table(waiting)["status"] == "open"
            assert ann.table(played)["closed"] == "nobody moved for a long time"


def test_games_that_people_have_time_for_never_make_room(tmp_path: Path) -> None:
    with client(tmp_path, most_tables=3) as server:
        hub, clock = hub_of(server), {"per": "move", "seconds": 86_400}
        tables = [
            two(server, "bit-flip", **wishes) for wishes in ({"clock": clock}, {"away_limit": 3600}, {})
        ]
        ann, bob, table = tables[2]
        ann.act(table, 3, "move", "4")
        bob.act(table, 4, "resign")
        ann.act(table, 5, "offer", "rematch")
        bob.act(table, 6, "accept", "rematch")
        hub.clock.set(hub.clock.now() + 301)
        assert code_of(ann.post("/api/tables", {"game": "bit-flip"})) == (503, "busy")
        assert {ann.table(table)["status"] for _, _, table in tables} == {"running"}


def test_a_table_where_nobody_came_can_be_closed(server: TestClient) -> None:
    ann = Person(server)
    made = ann.make()
    assert ann.act(made["table"]["id"], 2, "close").json()["event"]["text"] == "nobody joined"
    assert code_of(Person(server).join(made)) == (409, "closed")


# Time.


@pytest.mark.parametrize("days", [None, 90.0])
def test_idle_tables_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: float | None) -> None:
    now = [0.0]
    with client(tmp_path, keep_days=days) as server:
        hub = hub_of(server)
        real = hub.clock.now
        monkeypatch.setattr(hub.clock, "now", lambda: real() + now[0])
        ann = Person(server)
        made = ann.make()
        waiting = made["table"]["id"]
        _, _, running = two(server)
        bob, _, over = two(server)
        bob.act(over, 3, "resign")
        expire = server.portal.call  # type: ignore[union-attr]
        now[0] = 0.9 * 86_400
        expire(hub.maintenance.expire)
        assert ann.get(f"/api/tables/{waiting}").status_code == 200
        now[0] = 1.1 * 86_400
        with ann.socket(waiting, "?after=1") as socket:  # whoever still waits is told
            expire(hub.maintenance.expire)
            assert next_of(socket, "event")["event"]["text"] == "nobody joined"
        assert code_of(Person(server).join(made)) == (409, "closed")
        now[0] = 2.2 * 86_400
        expire(hub.maintenance.expire)
        assert ann.get(f"/api/tables/{waiting}").status_code == 404
        now[0] = 14.1 * 86_400
        expire(hub.maintenance.expire)
        assert ann.table(running)["closed"] == "nobody moved for a long time"
        assert ann.get(f"/api/tables/{over}").status_code == 200
        now[0] = 90.1 * 86_400
        expire(hub.maintenance.expire)
        # By default, a link to a finished game stays valid.
        assert ann.get(f"/api/tables/{over}").status_code == (200 if days is None else 404)
        assert ann.get(f"/api/tables/{running}").status_code == 200
        now[0] = 105 * 86_400
        expire(hub.maintenance.expire)
        assert ann.get(f"/api/tables/{running}").status_code == (200 if days is None else 404)


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(tmp_path) as server:
        hub = hub_of(server)
        ann, bob, table = two(server, "bit-flip")
        for jump in (400 * 86_400, -400 * 86_400):
            for module in (actions, automatic):
                monkeypatch.setattr(module, "time", lambda jump=jump: time() + jump)
            server.portal.call(hub.maintenance.expire)  # type: ignore[union-attr]
            assert ann.table(table)["status"] == "running"
            person, number = (ann, 3) if jump > 0 else (bob, 4)
            assert code_of(person.act(table, number, "claim")) == (409, "present")
            text = person.table(table)["position"]["legal"][0]
            assert person.act(table, number, "move", text).status_code == 200
        events = ann.get(f"/api/tables/{table}/events").json()
        assert [event["number"] for event in events] == [1, 2, 3, 4]
