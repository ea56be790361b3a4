"""Players who leave, and tables that expire."""

from pathlib import Path
from time import time

import pytest

from perfectplay.web import actions, live_table
from perfectplay.web import hub as hubs
from tests.web.servers import Person, TestClient, client, code_of, next_of, two

# Leaving.


def test_who_stayed_may_close_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    for module in (hubs, actions):
        monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(live_table, "monotonic", lambda: now[0])
    with client(tmp_path) as server:
        ann, bob, table = two(server, "bit-flip")
        with bob.socket(table) as socket:
            now[0] += 100
            assert code_of(ann.act(table, 3, "close")) == (409, "present")
            assert next_of(socket, "present")
        now[0] += 59
        assert code_of(ann.act(table, 3, "close")) == (409, "present")
        assert ann.table(table)["away"][1] == 59
        now[0] += 1
        closed = ann.act(table, 3, "close").json()["event"]
        assert closed["text"] == "the other player is gone"
        assert ann.act(table, 3, "close").json()["event"] == closed
        shape = bob.table(table)
        assert (shape["status"], shape["position"]["result"]["finished"]) == ("closed", False)


def test_who_asks_without_a_socket_is_there_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    for module in (hubs, actions):
        monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(live_table, "monotonic", lambda: now[0])
    with client(tmp_path) as server:
        ann, bob, table = two(server, "bit-flip")
        now[0] += 59
        bob.get(f"/api/tables/{table}/events?after=2")
        now[0] += 59
        assert code_of(ann.act(table, 3, "close")) == (409, "present")


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
        hub = server.app.state.hub  # type: ignore[attr-defined]
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
        expire(hub.upkeep.expire)
        assert ann.get(f"/api/tables/{waiting}").status_code == 200
        now[0] = 1.1 * 86_400
        with ann.socket(waiting, "?after=1") as socket:  # whoever still waits is told
            expire(hub.upkeep.expire)
            assert next_of(socket, "event")["event"]["text"] == "nobody joined"
        assert code_of(Person(server).join(made)) == (409, "closed")
        now[0] = 2.2 * 86_400
        expire(hub.upkeep.expire)
        assert ann.get(f"/api/tables/{waiting}").status_code == 404
        now[0] = 14.1 * 86_400
        expire(hub.upkeep.expire)
        assert ann.table(running)["closed"] == "nobody moved for a long time"
        assert ann.get(f"/api/tables/{over}").status_code == 200
        now[0] = 90.1 * 86_400
        expire(hub.upkeep.expire)
        # By default, a link to a finished game stays valid.
        assert ann.get(f"/api/tables/{over}").status_code == (200 if days is None else 404)
        assert ann.get(f"/api/tables/{running}").status_code == 200
        now[0] = 105 * 86_400
        expire(hub.upkeep.expire)
        assert ann.get(f"/api/tables/{running}").status_code == (200 if days is None else 404)


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(tmp_path) as server:
        hub = server.app.state.hub  # type: ignore[attr-defined]
        ann, bob, table = two(server, "bit-flip")
        for jump in (400 * 86_400, -400 * 86_400):
            for module in (hubs, actions):
                monkeypatch.setattr(module, "time", lambda jump=jump: time() + jump)
            server.portal.call(hub.upkeep.expire)  # type: ignore[union-attr]
            assert ann.table(table)["status"] == "running"
            person, number = (ann, 3) if jump > 0 else (bob, 4)
            assert code_of(person.act(table, number, "close")) == (409, "present")
            text = person.table(table)["position"]["legal"][0]
            assert person.act(table, number, "move", text).status_code == 200
        events = ann.get(f"/api/tables/{table}/events").json()
        assert [event["number"] for event in events] == [1, 2, 3, 4]
