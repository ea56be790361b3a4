"""What sockets are told, and which messages they take."""

import pytest
from starlette.websockets import WebSocketDisconnect

from perfectplay_server.live import live_table
from tests.web.servers import Person, TestClient, WebSocketDenialResponse, next_of, two


def test_those_who_watch_are_told(server: TestClient) -> None:
    ann, bob, table = two(server, "bit-flip")
    with ann.socket(table) as at_seat, server.websocket_connect(f"/api/tables/{table}/socket") as watching:
        data = at_seat.receive_json()["table"]
        assert (data["seat"], data["present"]) == (0, [True, False])
        assert watching.receive_json()["table"]["seat"] is None
        presence = next_of(watching, "present")
        assert (presence["present"], presence["watching"], presence["away"][0]) == ([True, False], 1, None)
        assert presence["away"][1] >= 0
        at_seat.send_json({"do": "event", "number": 3, "kind": "move", "text": "4", "id": "x"})
        answer = next_of(at_seat, "answer")
        assert (answer["id"], answer["ok"], answer["event"]["number"]) == ("x", True, 3)
        told = next_of(watching, "event")
        assert (told["event"]["text"], told["table"]["next"], told["position"]["seat"]) == ("4", 4, 1)
        watching.send_json({"do": "event", "number": 4, "kind": "move", "text": "0", "id": 1})
        assert next_of(watching, "answer")["error"] == "seat"
        bob.act(table, 4, "move", "0")
        assert next_of(watching, "event")["event"]["seat"] == 1
        at_seat.send_json({"do": "ping"})
        assert next_of(at_seat, "pong") == {"type": "pong", "mark": 1}


def test_who_comes_back_is_told_what_was_missed(server: TestClient) -> None:
    ann, bob, table = two(server, "bit-flip")
    with bob.socket(table, "?after=2") as socket:
        assert socket.receive_json() == {"type": "ready", "seat": 1}
    ann.act(table, 3, "move", "4")
    bob.act(table, 4, "move", "0")
    ann.act(table, 5, "offer", "takeback")
    with bob.socket(table, "?after=2") as socket:
        missed = [socket.receive_json() for _ in range(4)]
    assert [message["type"] for message in missed] == ["event", "event", "event", "ready"]
    assert [message["event"]["number"] for message in missed[:3]] == [3, 4, 5]
    assert [message["position"]["ply"] for message in missed[:3]] == [1, 2, 2]
    assert [message["table"]["next"] for message in missed[:3]] == [4, 5, 6]
    with bob.socket(table, "?after=99") as socket:
        assert [socket.receive_json()["type"] for _ in range(2)] == ["table", "ready"]


def test_who_missed_very_much_is_sent_the_table(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "MOST_MISSED", 1)
    ann, bob, table = two(server, "bit-flip")
    ann.act(table, 3, "move", "4")
    bob.act(table, 4, "move", "0")
    with bob.socket(table, "?after=3") as socket:
        assert socket.receive_json()["event"]["number"] == 4
    with bob.socket(table, "?after=2") as socket:
        assert socket.receive_json()["table"]["next"] == 5


@pytest.mark.parametrize(
    "message",
    [
        "x",
        "[]",
        "1",
        "{}",
        '{"do":"event"}',
        '{"do":"event","number":"3","kind":"move","text":"4"}',
        '{"do":"event","number":true,"kind":"move","text":"4"}',
        '{"do":"event","number":3,"kind":"sit","text":"4"}',
        '{"do":"event","number":3,"kind":["move"],"text":"4"}',
        '{"do":"event","number":3,"kind":"move","text":4}',
        '{"do":"event","number":3,"kind":"move","text":"\\u0000"}',
        '{"do":"event","number":3,"kind":"move","text":"\\ud800"}',
        '{"do":"event","number":1e400,"kind":"move","text":"4"}',
        '{"do":"event","number":3,"kind":"forfeit","id":{"a":1}}',
    ],
)
def test_a_message_that_is_none_is_answered(server: TestClient, message: str) -> None:
    ann, _, table = two(server, "bit-flip")
    with ann.socket(table) as socket:
        socket.send_text(message)
        assert next_of(socket, "answer")["error"] == "bad"
        socket.send_json({"do": "event", "number": 3, "kind": "move", "text": "4"})
        assert next_of(socket, "answer")["ok"]


@pytest.mark.parametrize(
    ("mark", "back"),
    [
        ('"x"', "x"),
        ("7", 7),
        (str(-(2**63) + 1), -(2**63) + 1),
        (str(2**64), None),
        (str(-(2**64)), None),
        ("9" * 100, None),
        ("1.5", None),
        ("null", None),
        ("true", True),
        ('"\\ud800"', None),
        ("NaN", None),
        ("1e999", None),
        ("[1]", None),
        ('"' + "x" * 101 + '"', None),
    ],
)
def test_the_mark_of_a_message_comes_back_if_it_can(server: TestClient, mark: str, back: object) -> None:
    ann, _, table = two(server, "bit-flip")
    with ann.socket(table) as socket:
        socket.send_text(f'{{"do":"event","number":3,"kind":"move","text":"4","id":{mark}}}')
        answer = next_of(socket, "answer")
    assert (answer["ok"], answer["id"]) == (True, back)


def test_messages_that_are_too_long_or_not_text_end_the_connection(server: TestClient) -> None:
    ann, _, table = two(server, "bit-flip")
    with ann.socket(table) as socket:
        socket.send_text("x" * 4097)
        with pytest.raises(WebSocketDisconnect) as ended:
            next_of(socket, "never")
        assert ended.value.code == 1009
    with ann.socket(table) as socket:
        socket.send_bytes(b"x")
        with pytest.raises(WebSocketDisconnect) as ended:
            next_of(socket, "never")
        assert ended.value.code == 1003


def test_a_socket_to_nothing_is_refused(server: TestClient) -> None:
    with pytest.raises(WebSocketDenialResponse) as denied, Person(server).socket("none"):
        pass
    assert (denied.value.status_code, denied.value.json()["error"]) == (404, "missing")
    table = Person(server).make()["table"]["id"]
    with pytest.raises(WebSocketDenialResponse) as denied, Person(server).socket(table, "?after=x"):
        pass
    assert denied.value.status_code == 400
