"""The web server, asked in this process: who may do what, what is answered, who is told."""

import hashlib
import json
import logging
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import time
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter
from starlette.datastructures import Headers
from starlette.websockets import WebSocketDisconnect

import perfectplay as pp
from perfectplay.coach.coach import Coach, reply
from perfectplay.games.rulebook import rulebook
from perfectplay.web import actions, limits, live_table, lobby, messages, middleware, pages, shapes
from perfectplay.web import hub as hubs
from perfectplay.web.admission import bounded_game
from perfectplay.web.computer import ComputerPlayers
from perfectplay.web.limits import Bucket, Limit, Limits, Seldom, TooFastError
from perfectplay.web.settings import Settings
from tests.web.servers import Person, TestClient, WebSocketDenialResponse, client, next_of, two
from tools import api_types


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as found:
        yield found


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


# Tables and seats.


def test_the_games_are_told(server: TestClient) -> None:
    games = server.get("/api/games").json()
    assert [game["name"] for game in games] == list(pp.names())
    bits, first = games[0]["parameters"]
    assert (bits["kind"], bits["default"], bits["choices"]) == ("whole", "10", None)
    assert (first["kind"], first["choices"]) == ("choice", ["1", "2"])
    assert games[0]["levels"] == list(range(1, 11))
    assert [game["side_names"] for game in games] == [list(pp.load(name).side_names) for name in pp.names()]
    assert games[2]["side_names"] == ["Player A", "Player B"]
    assert games[0]["view"]["rows"][0][4] == {
        "label": "4",
        "pieces": ["0"],
        "action": 4,
        "text": "4",
        "why": None,
    }


def test_the_rules_are_told_in_words(server: TestClient) -> None:
    for name in pp.names():
        answer = server.get(f"/api/games/{name}/rules")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
        assert answer.text == rulebook(type(pp.load(name)))
    assert code_of(server.get("/api/games/chess/rules")) == (404, "missing")


def test_two_people_play_a_game(server: TestClient) -> None:
    ann, bob = Person(server), Person(server)
    made = ann.make(name="Ann")
    table = made["table"]["id"]
    assert made["table"]["status"] == "open"
    assert made["table"]["join"] == made["join"]
    assert ann.act(table, 2, "move", "1").json()["error"] == "open"
    assert "join" not in bob.table(table)
    joined = bob.join(made).json()["table"]
    assert (joined["status"], joined["seat"], joined["names"]) == ("running", 1, ["Ann", "Bob"])
    assert "join" not in ann.table(table)
    assert code_of(bob.act(table, 3, "move", "1")) == (409, "turn")
    assert code_of(ann.act(table, 3, "move", "7")) == (409, "illegal")
    assert code_of(ann.act(table, 4, "move", "1")) == (409, "number")
    assert code_of(Person(server).act(table, 3, "move", "1")) == (403, "seat")
    assert code_of(Person(server).act("none", 3, "move", "1")) == (404, "missing")
    event = ann.act(table, 3, "move", "1").json()["event"]
    assert (event["number"], event["seat"], event["kind"], event["text"], event["game"]) == (
        3,
        0,
        "move",
        "1",
        1,
    )
    over = bob.table(table)
    assert (over["status"], over["score"], over["next"]) == ("over", [1, 0], 4)
    result = over["position"]["result"]
    assert (result["winner_seat"], result["text"]) == (0, "Player 1 wins: last flip")
    assert over["position"]["legal"] == []
    assert all(cell["action"] is None for cell in over["position"]["view"]["rows"][0])


def test_a_repeated_or_late_request_changes_nothing(server: TestClient) -> None:
    ann, bob, table = two(server, "dual-direction")
    first = ann.act(table, 3, "move", "left")
    for again in ("left", "L", " left "):
        repeated = ann.act(table, 3, "move", again)
        assert (repeated.status_code, repeated.json()) == (200, first.json())
    assert code_of(ann.act(table, 3, "move", "right")) == (409, "number")
    assert code_of(ann.act(table, 3, "resign")) == (409, "number")
    assert code_of(bob.act(table, 3, "move", "left")) == (409, "number")
    assert code_of(bob.act(table, 0, "move", "left")) == (409, "number")
    assert ann.table(table)["next"] == 4


def test_a_forfeit_is_repeated_as_one(server: TestClient) -> None:
    ann, _, table = two(server, "mirror-match")
    first = ann.act(table, 3, "move", "0").json()
    assert first["event"]["kind"] == "forfeit"
    assert ann.act(table, 3, "move", "0").json() == first
    assert code_of(ann.act(table, 3, "move", "4 E")) == (409, "number")


def test_a_seat_that_is_taken_is_taken(server: TestClient) -> None:
    ann, bob, eve = Person(server), Person(server), Person(server)
    made = ann.make()
    path = f"/api/tables/{made['table']['id']}/join"
    assert code_of(eve.post(path, {"code": "wrong", "name": "Eve"})) == (403, "code")
    assert code_of(ann.join(made)) == (409, "own")
    assert bob.join(made).status_code == 200
    assert bob.join(made).json()["table"]["seat"] == 1
    assert code_of(eve.join(made, "Eve")) == (409, "taken")
    assert ann.table(made["table"]["id"])["names"] == ["Guest", "Bob"]


def test_the_seat_asked_for_is_given(server: TestClient) -> None:
    seats = {Person(server).make(seat=None)["table"]["seat"] for _ in range(40)}
    assert seats == {0, 1}
    assert Person(server).make(seat=1)["table"]["names"] == [None, "Guest"]


def test_tables_are_listed_unless_they_are_private(server: TestClient) -> None:
    ann = Person(server)
    ann.make()
    made = ann.make(name="Ann", public=True)
    waiting = made["table"]["id"]
    _, _, running = two(server, public=True)
    two(server)
    listed = server.get("/api/tables").json()
    assert [brief["id"] for brief in listed["open"]] == [waiting]
    assert listed["open"][0]["names"] == ["Ann", None]
    assert [(brief["id"], brief["plies"]) for brief in listed["running"]] == [(running, 0)]
    # Whoever sees a free seat can take it; once it is taken, nobody is told the code.
    found = {"table": listed["open"][0], "join": listed["open"][0]["join"]}
    assert found["join"] == made["join"]
    assert Person(server).join(found).status_code == 200
    listed = server.get("/api/tables").json()
    assert (listed["open"], len(listed["running"])) == ([], 2)
    assert not any("join" in brief for brief in listed["running"])


def test_ones_own_tables_are_listed(server: TestClient) -> None:
    ann, bob, running = two(server)
    waiting = ann.make(seat=1)["table"]["id"]
    over = ann.make(opponent="random")["table"]["id"]
    ann.act(over, 3, "resign")
    own = ann.get("/api/seats").json()
    TypeAdapter(shapes.OwnListShape).validate_python(own)
    shown = [(each["id"], each["status"], each["seat"], each["turn"]) for each in own["tables"]]
    assert shown == [(waiting, "open", 1, None), (running, "running", 0, 0), (over, "over", 0, None)]
    assert [each["id"] for each in bob.get("/api/seats").json()["tables"]] == [running]
    assert server.get("/api/seats").json() == {"tables": []}


def test_a_game_in_which_nobody_moves_is_listed_no_more(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    two(server, public=True)
    assert len(server.get("/api/tables").json()["running"]) == 1
    monkeypatch.setattr(lobby, "RECENT", -1.0)
    assert server.get("/api/tables").json()["running"] == []


TAKEN = "name: is reserved for computer players"
UNSEEN = "name: must contain a visible character"
ONESELF = "name: is reserved; pages call you that"
MIXED = "name: must not mix Latin, Greek and Cyrillic letters in a word"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Computer, perfect", TAKEN),
        ("computer", TAKEN),
        ("C o m p u t e r: level 4", TAKEN),
        ("Comp\u200duter, perfect", TAKEN),
        ("Co\u034fmputer", TAKEN),
        ("\uff23\uff4f\uff4d\uff50\uff55\uff54\uff45\uff52\uff0c perfect", TAKEN),  # full width
        ("Co\u0308mputer", TAKEN),
        ("\u2800Computer", TAKEN),
        ("\u0421omputer, level 4", MIXED),  # its first letter is Cyrillic
        ("\uff23\u043emputer", MIXED),  # a wide letter, and a Cyrillic one
        ("You", ONESELF),
        ("y\u200cou", ONESELF),
        ("\U0001d418\U0001d560\U0001d566", ONESELF),  # mathematical letters
        ("Y o u !", ONESELF),
        ("Ann (you)", ONESELF),
        ("\u200d", UNSEEN),
        ("\u200c\u200d", UNSEEN),
        ("\u3164", UNSEEN),
        ("\uffa0\u115f", UNSEEN),
        ("\u2800 \u2800", UNSEEN),
        ("\ufe0f", UNSEEN),
        ("\u0301", UNSEEN),
        ("\U0001d159", UNSEEN),
        ("a\u202eb", "name: must be printable characters in one line"),
        ("a\u00a0b", "name: must be printable characters in one line"),
    ],
)
def test_a_name_that_misleads_is_refused(server: TestClient, name: str, text: str) -> None:
    ann, bob = Person(server), Person(server)
    answer = ann.post("/api/tables", {"game": "bit-flip", "name": name})
    assert (code_of(answer), answer.json()["text"]) == ((400, "bad"), text)
    answer = bob.join(ann.make(), name)
    assert (code_of(answer), answer.json()["text"]) == ((400, "bad"), text)


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u0645\u06cc\u200c\u0646\u0627",
        "Ann",
        "Bot (level:3)",
        "Young",
        "Compute",
        "\u041b\u0435\u043d\u0430 B",  # two scripts, a word each
        "\u5c71\u7530\u30a2\u30adA",
        "\u0928\u0940\u0930\u091c\u093e",
        "\u2764\ufe0f",
        "7",
        "?!",
    ],
)
def test_names_are_written_as_people_write_them(server: TestClient, name: str) -> None:
    assert Person(server).make(name=name)["table"]["names"][0] == name


def test_cells_say_which_rule_forbids_them(server: TestClient) -> None:
    ann, _, table = two(server, "bit-flip:bits=4")
    ann.act(table, 3, "move", "1")
    row = ann.table(table)["position"]["view"]["rows"][0]
    assert [cell["why"] for cell in row] == [
        "Bit 0 is next to bit 1, already 1.",
        "Bit 1 is already 1.",
        "Bit 2 is next to bit 1, already 1.",
        None,
    ]
    ann, _, table = two(server, "inversion-race")
    ann.act(table, 3, "move", "left")
    row = ann.table(table)["position"]["view"]["rows"][0]
    assert {cell["label"]: cell["why"] for cell in row if cell["why"]} == {"4": "Cell 4 is occupied."}


def test_a_token_is_handed_out_once_and_never_stored(server: TestClient, tmp_path: Path) -> None:
    answer = server.post("/api/tables", json={"game": "bit-flip"})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie
    assert "token" not in answer.json()
    token = server.cookies["perfectplay"]
    table = answer.json()["table"]["id"]
    assert server.get(f"/api/tables/{table}").json()["seat"] in (0, 1)
    assert "set-cookie" not in server.post("/api/tables", json={"game": "bit-flip"}).headers
    server.cookies.clear()
    assert server.get(f"/api/tables/{table}").json()["seat"] is None
    told = server.post("/api/tables", json={"game": "bit-flip"}, headers={"X-Client": "1"}).json()["token"]
    assert len(told) >= 32
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert token.encode() not in kept
    assert told.encode() not in kept


@pytest.mark.parametrize(
    "header", ["Basic abc", "Bearer short", "Bearer " + "x" * 200, "Bearer " + "é" * 40, ""]
)
def test_a_token_that_is_none_is_refused(server: TestClient, header: str) -> None:
    answer = server.post(
        "/api/tables", json={"game": "bit-flip"}, headers={"Authorization": header.encode("latin-1")}
    )
    assert code_of(answer) == (400, "token")


def forged(token: str) -> list[str]:
    """Tokens that a client has made up, with what it knows of one that was issued."""
    last = "A" if token[-2] != "A" else "B"
    return ["x" * 43, "x" * 86, token[:43], f"{token[:-2]}{last}{token[-1]}", f"{token}A"]


def test_only_a_token_that_was_issued_is_taken(server: TestClient) -> None:
    issued = server.post("/api/tokens")
    assert issued.status_code == 201
    assert "set-cookie" not in issued.headers
    token = issued.json()["token"]
    ann = Person(server, token)
    table = ann.make()["table"]["id"]
    assert ann.table(table)["seat"] == 0
    for made_up in forged(token):
        answer = Person(server, made_up).post("/api/tables", {"game": "bit-flip"})
        assert code_of(answer) == (400, "token")
        with pytest.raises(WebSocketDenialResponse) as denied, Person(server, made_up).socket(table):
            pass
        assert (denied.value.status_code, denied.value.json()["error"]) == (400, "token")


def test_a_cookie_that_was_not_issued_is_replaced(server: TestClient) -> None:
    token = server.post("/api/tokens").json()["token"]
    for made_up in ("x", "a b", *forged(token)):
        cookie = {"Cookie": f"perfectplay={made_up}"}
        answer = server.post("/api/tables", json={"game": "bit-flip", "seat": 0}, headers=cookie)
        assert answer.status_code == 201
        table = answer.json()["table"]["id"]
        server.cookies.clear()
        assert server.get(f"/api/tables/{table}", headers=cookie).json()["seat"] is None
        given = {"Cookie": answer.headers["set-cookie"].split(";")[0]}
        assert given != cookie
        assert server.get(f"/api/tables/{table}", headers=given).json()["seat"] == 0
        # The one that was issued is kept.
        assert (
            "set-cookie" not in server.post("/api/tables", json={"game": "bit-flip"}, headers=given).headers
        )


def test_a_token_outlasts_the_server_but_is_for_no_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    with client(tmp_path / "a") as server:
        token = Person(server).token
    with client(tmp_path / "a") as server:
        assert Person(server, token).get("/api/seats").json() == {"tables": []}
    with client(tmp_path / "b") as server:
        assert code_of(Person(server, token).get("/api/seats")) == (400, "token")


def test_a_seat_that_was_taken_with_a_chosen_token_stays_good(tmp_path: Path) -> None:
    """Earlier releases let clients choose their tokens."""
    with client(tmp_path) as server:
        table = Person(server).make()["table"]["id"]
    chosen = "x" * 43
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        database.execute("UPDATE events SET holder = ?", (hashlib.sha256(chosen.encode()).hexdigest(),))
    with client(tmp_path) as server:
        ann = Person(server, chosen)
        assert ann.table(table)["seat"] == 0
        assert ann.make()["table"]["seat"] == 0
        found = server.get(f"/api/tables/{table}", headers={"Cookie": f"perfectplay={chosen}"})
        assert found.json()["seat"] == 0
        assert code_of(Person(server, "y" * 43).get("/api/seats")) == (400, "token")


# What comes in is bounded.


@pytest.mark.parametrize(
    "wish",
    [
        {"game": "chess"},
        {"game": "./game.py"},
        {"game": "examples/tic_tac_toe.py:size=3"},
        {"game": "bit-flip:bits=201"},
        {"game": "bit-flip:bits=99999999999999"},
        {"game": "bit-flip:bits=0"},
        {"game": "mirror-match:digits=101"},
        {"game": "race-to-the-center:steps=1-900000000"},
        {"game": "bit-flip:" + "x" * 60},
        {"game": "bit-flip\x00"},
        {"game": ""},
        {"game": 4},
        {},
        {"game": "bit-flip", "opponent": "program:rm -rf /"},
        {"game": "bit-flip", "opponent": "mcts:simulations=1000000"},
        {"game": "bit-flip", "opponent": "human"},
        {"game": "bit-flip", "opponent": "level:11"},
        {"game": "bit-flip", "seat": 2},
        {"game": "bit-flip", "seat": "0"},
        {"game": "bit-flip", "name": "x" * 41},
        {"game": "bit-flip", "name": "a\nb"},
        {"game": "bit-flip", "name": "a\u202eb"},
        {"game": "bit-flip", "public": 1},
        {"game": "bit-flip", "more": 1},
        {"game": "bit-flip", "opponent": "perfect", "moves": "4"},
        {"game": "bit-flip", "opponent": "perfect", "moves": [4]},
        {"game": "bit-flip", "opponent": "perfect", "moves": ["4" * 101]},
        {"game": "bit-flip", "opponent": "perfect", "moves": ["4\n"]},
        {"game": "dual-direction", "opponent": "perfect", "moves": ["left", "right"] * 501},
        {"game": "chess", "opponent": "perfect", "moves": ["e4"]},
    ],
)
def test_a_table_that_cannot_be_is_refused(server: TestClient, wish: dict[str, Any]) -> None:
    answer = Person(server).post("/api/tables", wish)
    assert code_of(answer) == (400, "bad")
    assert "\n" not in answer.json()["text"]


def test_boards_of_200_cells_are_drawn(server: TestClient) -> None:
    made = Person(server).make("bit-flip:bits=200")
    assert len(made["table"]["position"]["view"]["rows"][0]) == 200


def test_requests_are_bounded(server: TestClient) -> None:
    ann, _, table = two(server)
    assert code_of(ann.act(table, 3, "move", "x" * 101)) == (400, "bad")
    assert code_of(ann.act(table, 3, "move", "1\x00")) == (400, "bad")
    assert code_of(ann.act(table, -1, "move", "1")) == (400, "bad")
    assert code_of(ann.act(table, 3, "sit", "1")) == (400, "bad")
    assert code_of(ann.act(table, 3, "move", "x" * 5000)) == (413, "large")

    def pieces() -> Iterator[bytes]:
        for _ in range(10):
            yield b" " * 1000

    answer = server.post(f"/api/tables/{table}/events", content=pieces(), headers=ann.headers)
    assert code_of(answer) == (413, "large")
    broken = server.post("/api/tables", content=b"{", headers={"Content-Type": "application/json"})
    assert (code_of(broken), broken.json()["text"]) == ((400, "bad"), "the request must be JSON")


def test_pages_of_other_servers_may_not_act(server: TestClient) -> None:
    ann = Person(server)
    for origin in (
        "http://evil.test",
        "https://testserver",
        "http://testserver:81",
        "null",
        "http://testserver.evil.test",
    ):
        assert code_of(ann.post("/api/tables", {"game": "bit-flip"}, Origin=origin)) == (403, "origin")
    assert ann.post("/api/tables", {"game": "bit-flip"}, Origin="http://testserver").status_code == 201
    table = ann.make()["table"]["id"]
    for origin in ("http://evil.test", "null"):
        with (
            pytest.raises(WebSocketDenialResponse) as denied,
            server.websocket_connect(f"/api/tables/{table}/socket", headers={"Origin": origin}),
        ):
            pass
        assert denied.value.status_code == 403
    with server.websocket_connect(
        f"/api/tables/{table}/socket", headers={"Origin": "http://testserver"}
    ) as socket:
        assert socket.receive_json()["type"] == "table"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:80",
        "games.localhost",
        "127.0.0.1:8000",
        "192.0.2.7",
        "[::1]:8000",
        "games.example",
    ],
)
def test_a_server_goes_by_its_own_names(tmp_path: Path, host: str) -> None:
    for proxy in (False, True):
        (tmp_path / str(proxy)).mkdir()
        changes = {"allowed_hosts": ("games.example",), "behind_proxy": proxy}
        with client(tmp_path / str(proxy), **changes) as server:
            said = {"Host": host, "Origin": f"http://{host}"}
            assert server.get("/healthz", headers=said).status_code == 200
            answer = server.post("/api/tables", json={"game": "bit-flip"}, headers=said)
            assert answer.status_code == 201
            table = answer.json()["table"]["id"]
            with server.websocket_connect(f"/api/tables/{table}/socket", headers=said) as socket:
                assert socket.receive_json()["type"] == "table"


@pytest.mark.parametrize(
    ("host", "status", "text"),
    [
        ("evil.test", 403, "unknown host evil.test; allow it with --allowed-host evil.test"),
        ("games.example.evil.test", 403, None),
        ("127.0.0.1.evil.test:80", 403, None),
        ("localhost.evil.test", 403, None),
        ("evil.test@127.0.0.1", 400, "Host: must be a name or an address, with an optional port"),
        ("a b", 400, None),
        ("", 400, None),
    ],
)
def test_a_server_goes_by_no_other_name(tmp_path: Path, host: str, status: int, text: str | None) -> None:
    for proxy in (False, True):
        (tmp_path / str(proxy)).mkdir()
        changes = {"allowed_hosts": ("games.example",), "behind_proxy": proxy}
        with client(tmp_path / str(proxy), **changes) as server:
            said = {"Host": host, "Origin": f"http://{host}", "X-Forwarded-Host": "games.example"}
            for answer in (
                server.get("/", headers=said),
                server.get("/static/style.css", headers=said),
                server.post("/api/tables", json={"game": "bit-flip"}, headers=said),
            ):
                assert code_of(answer) == (status, "host")
                assert text in (None, answer.json()["text"])
                assert answer.headers["content-security-policy"] == middleware.POLICY
            with (
                pytest.raises(WebSocketDenialResponse) as denied,
                server.websocket_connect("/api/tables/none/socket", headers=said),
            ):
                pass
            assert (denied.value.status_code, denied.value.json()["error"]) == (status, "host")


def test_a_proxy_is_believed_only_when_there_is_one(tmp_path: Path) -> None:
    said = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "6.6.6.6, 10.1.1.1",
        "Origin": "https://testserver",
    }
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with client(tmp_path / "a") as server:
        answer = server.post("/api/tables", json={"game": "bit-flip"}, headers=said)
        assert code_of(answer) == (403, "origin")
    with client(tmp_path / "b", behind_proxy=True, tables_per_minute=1) as server:
        answer = server.post("/api/tables", json={"game": "bit-flip"}, headers=said)
        assert answer.status_code == 201
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers["set-cookie"].startswith("__Host-perfectplay=")
        own = server.get("/api/seats", headers={**said, "Cookie": answer.headers["set-cookie"].split(";")[0]})
        assert len(own.json()["tables"]) == 1
        # What stands first came from the client itself and may be anything.
        said["X-Forwarded-For"] = "7.7.7.7, 10.1.1.1"
        assert code_of(server.post("/api/tables", json={"game": "bit-flip"}, headers=said)) == (429, "slow")
        said["X-Forwarded-For"] = "6.6.6.6, 10.1.1.2"
        assert server.post("/api/tables", json={"game": "bit-flip"}, headers=said).status_code == 201


def test_every_answer_carries_the_policy(server: TestClient) -> None:
    for path in ("/api/games", "/healthz", "/nothing", "/api/tables/none", "/static/nothing.js"):
        headers = server.get(path).headers
        assert headers["content-security-policy"] == middleware.POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("path", "said", "status"),
    [
        ("/api/tables/none/socket", {}, 404),
        ("/api/tables/none/socket", {"Origin": "http://evil.test"}, 403),
        ("/api/tables/none/socket", {"Authorization": "Bearer x"}, 400),
        ("/api/tables/none/socket?after=x", {}, 400),
        ("/nowhere", {}, 404),
        ("/static/style.css", {}, 404),
    ],
)
def test_a_denied_socket_carries_the_policy(
    server: TestClient, path: str, said: dict[str, str], status: int
) -> None:
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        server.websocket_connect(path, headers=said),
    ):
        pass
    assert denied.value.status_code == status
    assert denied.value.json()["text"]
    for name, value in middleware.SAFETY.items():
        assert denied.value.headers[name] == value


# Limits.


def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time passes for the limits of a server that is made after this."""
    monkeypatch.setattr(limits, "Limit", partial(Limit, clock=lambda: 5.0))


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
    monkeypatch.setattr(limits, "MOST_KNOWN", 2)
    address_limits = Limits(Settings(custom_games_per_minute=2))
    one, two = (bounded_game(f"bit-flip:bits={bits}") for bits in (3, 4))
    for address, game in (("a", one), ("a", two), ("a", one), ("b", one)):
        address_limits.game(address, game)
    address_limits.game("a", one)  # of which the least recent was forgotten:
    with pytest.raises(TooFastError, match="too many requests"):
        address_limits.game("a", two)


def test_one_address_does_not_fill_the_queue_of_studies() -> None:
    address_limits = Limits(Settings())
    with ExitStack() as stack:
        for _ in range(limits.MOST_ASKING):
            stack.enter_context(address_limits.study("a"))
        with pytest.raises(TooFastError, match="still waiting for an answer"), address_limits.study("a"):
            pass
        with address_limits.study("b"):
            pass
    with address_limits.study("a"):
        pass


def test_an_address_is_that_of_a_network_and_comes_from_the_proxy_itself() -> None:
    def address(*lines: str) -> str:
        raw = [(b"x-forwarded-for", line.encode()) for line in lines]
        scope = {"type": "http", "client": ("127.0.0.1", 7), "headers": raw}
        return middleware.address_of(middleware.forwarded(scope, Headers(raw=raw)))

    assert address("6.6.6.6, 10.1.1.1") == "10.1.1.1"
    assert address("6.6.6.6", "10.1.1.1") == "10.1.1.1"  # a proxy that adds a line of its own
    assert address("10.1.1.1:8080") == "10.1.1.1"
    assert address("[2001:db8::1]:8080") == address("2001:db8::2") == "2001:db8::/64"
    assert address("2001:db8:0:1::1") != address("2001:db8::1")
    assert address("::ffff:10.1.1.1") == "10.1.1.1"
    assert address("nonsense") == address("") == address() == "127.0.0.1"


def test_events_are_limited_by_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "monotonic", lambda: 5.0)  # no time passes
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
        paths = ("/api/games", "/static/style.css", "/static/style.css")
        assert [server.get(path).status_code for path in paths] == [200, 200, 429]
        with pytest.raises(WebSocketDenialResponse) as denied, Person(server).socket("none"):
            pass
        assert (denied.value.status_code, denied.value.json()["error"]) == (429, "slow")


def test_connections_are_limited_by_address_but_not_those_of_a_proxy() -> None:
    address_limits = Limits(Settings(connections_per_address=2))
    with ExitStack() as stack:
        allowed = [stack.enter_context(address_limits.connection(address)) for address in "aaab"]
        assert allowed == [True, True, False, True]
    with address_limits.connection("a") as again:
        assert again
    proxied = Limits(Settings(connections_per_address=2, behind_proxy=True))
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
        for _ in range(hubs.SOCKETS_PER_SEAT):
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
    monkeypatch.setattr(Limit, "MOST", 100)
    limit = Limit(1, 1, clock=lambda: 0.0)
    for number in range(1000):
        limit.wait(number)
    assert len(limit._buckets) <= 100
    assert limit.wait(999) == 1


# The computer.


@pytest.mark.parametrize("spec", pp.names())
def test_the_computer_plays_to_the_end(server: TestClient, spec: str) -> None:
    ann = Person(server)
    made = ann.make(spec, opponent="perfect", seat=1, name="Ann")
    table = made["table"]["id"]
    with ann.socket(table) as socket:
        shape = socket.receive_json()["table"]
        position, status, number, plies = shape["position"], shape["status"], shape["next"], 0
        while status == "running" and plies < 20:
            if position["seat"] == 1:
                socket.send_json(
                    {"do": "event", "number": number, "kind": "move", "text": position["legal"][0]}
                )
            message = next_of(socket, "event")
            position, status, number = (
                message["position"],
                message["table"]["status"],
                message["table"]["next"],
            )
            plies = message["table"]["plies"]
    assert status == "over" or spec == "dual-direction"


def test_the_computer_chooses_by_the_seed_alone(server: TestClient) -> None:
    ann = Person(server)
    made = ann.make("bit-flip", opponent="level:3", seat=1)
    table = made["table"]["id"]
    with ann.socket(table, "?after=2") as socket:
        move = next_of(socket, "event")["event"]
    seed = int(ann.get(f"/api/tables/{table}/games/1/record").text.split("seed: ")[1].split("\n")[0])
    match = pp.Match(pp.load("bit-flip"), seed=seed)
    from perfectplay.players.level import LevelPlayer

    action = LevelPlayer(strength=3).choose(match.game, match.state, match.generator())
    assert move["text"] == match.game.action_text(match.state, action)


def test_the_computer_goes_on_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, client(tmp_path) as server:
        patch.setattr(ComputerPlayers, "think", lambda self, live: None)
        ann = Person(server)
        table = ann.make("bit-flip", opponent="perfect", seat=1)["table"]["id"]
        assert ann.table(table)["next"] == 3
    with client(tmp_path) as server, Person(server, ann.token).socket(table, "?after=2") as socket:
        assert next_of(socket, "event")["event"]["number"] == 3


def test_the_computer_agrees_to_everything(server: TestClient) -> None:
    ann = Person(server)
    table = ann.make("bit-flip", opponent="random")["table"]["id"]
    with ann.socket(table) as socket:
        ann.act(table, 3, "move", "4")
        assert next_of(socket, "event")["event"]["seat"] == 0
        assert next_of(socket, "event")["event"]["seat"] == 1
        ann.act(table, 5, "offer", "takeback")
        assert next_of(socket, "event")["table"]["offers"] == {"takeback": 0}
        back = next_of(socket, "event")
    assert (back["event"]["kind"], back["event"]["seat"], back["table"]["plies"]) == ("accept", 1, 0)
    ann.act(table, 7, "resign")
    ann.act(table, 8, "offer", "rematch")
    with ann.socket(table, "?after=9") as socket:
        assert next_of(socket, "event")["event"]["seat"] == 1  # the computer begins this game
        ann.act(table, 11, "offer", "abandon")
        assert next_of(socket, "event")["event"]["kind"] == "offer"
        left = next_of(socket, "event")
    assert (left["event"]["kind"], left["table"]["status"], left["table"]["games"]) == ("accept", "over", 2)
    assert left["position"]["result"]["text"] == "unfinished: abandoned by agreement"
    # The table is not closed with it: another game can be played.
    ann.act(table, 13, "offer", "rematch")
    assert (ann.table(table)["status"], ann.table(table)["games"]) == ("running", 3)


def test_the_computer_is_asked_under_the_address_of_who_plays(server: TestClient) -> None:
    ann = Person(server)
    table = ann.make("dual-direction", opponent="random")["table"]["id"]
    live = server.app.state.hub.tables.get(table)  # type: ignore[attr-defined]
    with ann.socket(table, "?after=2") as socket:
        for number in (3, 5):
            live.address = ""
            if number == 3:
                socket.send_json({"do": "event", "number": number, "kind": "move", "text": "left"})
            else:
                ann.act(table, number, "move", "left")
            assert next_of(socket, "event")["event"]["seat"] == 0
            assert next_of(socket, "event")["event"]["seat"] == 1
            assert live.address == "testclient"


def test_a_computer_that_finds_no_move_closes_the_table(tmp_path: Path) -> None:
    with client(tmp_path) as server:
        thinker = server.app.state.hub.workers.standard  # type: ignore[attr-defined]
        thinker.program = "perfectplay.web.nothing"
        ann = Person(server)
        table = ann.make("bit-flip", opponent="random", seat=1)["table"]["id"]
        with ann.socket(table, "?after=2") as socket:
            closed = next_of(socket, "event")
        assert (closed["event"]["kind"], closed["event"]["seat"]) == ("close", None)
        assert closed["position"]["result"]["text"] == "unfinished: the computer found no move"


def test_passes_that_are_forced_happen_by_themselves(server: TestClient) -> None:
    ann, bob, table = two(server, "inversion-race:cells=5,start=4")
    with bob.socket(table, "?after=2") as socket:
        assert socket.receive_json() == {"type": "ready"}
        ann.act(table, 3, "move", "left")
        moved, passed = next_of(socket, "event"), next_of(socket, "event")
    assert (moved["event"]["seat"], moved["position"]["seat"], moved["table"]["next"]) == (0, 1, 4)
    assert (passed["event"]["seat"], passed["event"]["text"], passed["position"]["seat"]) == (1, "pass", 0)
    assert bob.table(table)["moves"][1]["events"] == ["pass"]
    assert (moved["position"]["last"]["events"], passed["position"]["last"]["events"]) == ([], ["pass"])
    before = bob.get(f"/api/tables/{table}/games/1/positions/1").json()
    assert (before["last"]["text"], before["last"]["events"]) == ("left", [])


# Studying.


def test_study_tells_what_every_move_is_worth(server: TestClient) -> None:
    ann, bob, table = two(server, "bit-flip:bits=5")
    ann.act(table, 3, "move", "0")
    bob.act(table, 4, "move", "3")
    path = f"/api/tables/{table}/games/1/study/0"
    study = Person(server).get(path).json()
    assert study["value"]["kind"] == "win"
    assert [move["text"] for move in study["moves"] if move["best"]] == ["2"]
    assert study["marks"][0] == {"ply": 1, "text": "0", "mark": "threw away the win", "kept": False}
    assert study["accuracy"][0] == 0.0
    assert study["position"]["ply"] == 0
    coach = Coach(pp.solve(pp.load("bit-flip:bits=5")))
    start = coach.game.initial()
    assert study["why"] == [coach.hint(start), *coach.why(start)]
    assert [move["words"] for move in study["moves"]] == [
        reply(coach.oracle, start, action) for action in coach.game.legal_actions(start)
    ]
    assert study["review"][-1] == (
        "Ply 1, Player 1: 0 threw away the win; 1 of 5 moves would have kept it: 2."
    )
    assert Person(server).get(f"/api/tables/{table}/games/1/study/2").json()["moves"] == []
    assert code_of(Person(server).get(f"/api/tables/{table}/games/1/study/3")) == (404, "missing")
    assert code_of(Person(server).get(f"/api/tables/{table}/games/2/study/0")) == (404, "missing")


def test_a_study_counts_invalid_turns(server: TestClient) -> None:
    solo = {"game": "mirror-match:disqualify_after=2,forfeit=move", "moves": ["0", "1 E", "0"]}
    study = Person(server).post("/api/study", solo).json()
    assert study["position"]["result"]["reason"] == "disqualification"
    assert (study["value"]["kind"], study["value"]["plies"], study["moves"], study["why"]) == (
        "win",
        0,
        [],
        [],
    )
    assert study["marks"][-1] == {"ply": 3, "text": "forfeit", "mark": "forfeit", "kept": False}
    assert study["accuracy"] == [0.0, None]
    assert "lost endless play by disqualification" in study["review"][-1]
    before = Person(server).post("/api/study", {**solo, "ply": 2}).json()
    assert (before["value"]["kind"], len(before["moves"])) == ("endless", 19)


def test_who_plays_may_not_study(server: TestClient) -> None:
    ann, _, table = two(server, "bit-flip:bits=5")
    for answer in (
        ann.get(f"/api/tables/{table}/games/1/study/0"),
        ann.post("/api/study", {"game": "bit-flip"}),
        ann.post(f"/api/tables/{table}/games/1/play-on", {"ply": 0}),
        ann.post("/api/tables", {"game": "bit-flip:bits=5", "opponent": "perfect", "moves": ["2"]}),
    ):
        assert code_of(answer) == (403, "seated")
        assert answer.json()["table"] == table
    eve = Person(server)
    assert code_of(eve.get(f"/api/tables/{table}/games/1/study/0")) == (409, "running")
    assert code_of(eve.post(f"/api/tables/{table}/games/1/play-on", {"ply": 0})) == (409, "running")
    ann.act(table, 3, "resign")
    assert ann.get(f"/api/tables/{table}/games/1/study/0").status_code == 200


def test_any_position_can_be_studied_alone(server: TestClient) -> None:
    ann = Person(server)
    study = ann.post("/api/study", {"game": "dual-direction", "moves": ["left", "right"], "ply": 1}).json()
    assert (study["position"]["state"], study["value"]["kind"]) == ("5 2", "endless")
    assert ann.post("/api/study", {"game": "dual-direction", "moves": []}).json()["position"]["ply"] == 0
    assert code_of(ann.post("/api/study", {"game": "dual-direction", "moves": ["up"]})) == (400, "bad")
    assert code_of(ann.post("/api/study", {"game": "dual-direction", "moves": [], "ply": 1})) == (400, "bad")
    assert code_of(ann.post("/api/study", {"game": "chess", "moves": []})) == (400, "bad")
    many = {"game": "dual-direction", "moves": ["left", "right"] * 500}
    assert ann.post("/api/study", many).status_code == 200
    assert code_of(ann.post("/api/study", {"game": "dual-direction", "moves": ["left"] * 20_000})) == (
        413,
        "large",
    )


def test_a_study_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with client(tmp_path, study_seconds=0.01) as server:
        answer = Person(server).post("/api/study", {"game": "inversion-race:cells=150", "moves": []})
        assert code_of(answer) == (400, "bad")
        assert answer.json()["text"] == (
            "this takes longer than 0.01 seconds, the most that this server allows; try a smaller game"
        )
        assert server.get("/healthz").status_code == 200


def test_one_can_play_on_from_any_position(server: TestClient) -> None:
    ann, bob, table = two(server, "race-to-the-center")
    for number, (person, text) in enumerate(((ann, "2"), (bob, "1"), (ann, "2")), start=3):
        assert person.act(table, number, "move", text).status_code == 200
    bob.act(table, 6, "resign")
    answer = bob.post(f"/api/tables/{table}/games/1/play-on", {"ply": 1})
    assert answer.status_code == 201
    made = answer.json()["table"]
    assert made["players"] == ["perfect", None]
    assert (made["seat"], made["names"][1], made["status"]) == (1, "Bob", "running")
    assert [move["text"] for move in made["moves"]] == ["2"]
    path = f"/api/tables/{table}/games/1/play-on"
    assert code_of(ann.post(path, {"ply": 4})) == (404, "missing")
    assert code_of(ann.post(path, {"ply": 1, "level": "human"})) == (400, "bad")


def test_one_cannot_play_on_from_the_end(server: TestClient) -> None:
    ann, _, table = two(server)
    ann.act(table, 3, "move", "1")
    assert code_of(ann.post(f"/api/tables/{table}/games/1/play-on", {"ply": 1})) == (409, "over")


def test_a_table_can_begin_in_the_middle_of_a_game(server: TestClient) -> None:
    ann = Person(server)
    table = ann.make("race-to-the-center", seat=1, opponent="random", moves=["2", " 1 ", "2"])["table"]
    assert [(move["text"], move["seat"]) for move in table["moves"]] == [("2", 0), ("1", 1), ("2", 0)]
    assert (table["status"], table["next"], table["position"]["seat"]) == ("running", 6, 1)
    assert ann.act(table["id"], 6, "move", "1").status_code == 200
    # The computer moves first where it is its turn, and a pass that is forced is made.
    bob, cora, dora, eve = (Person(server) for _ in range(4))  # who plays may not begin so
    answered = bob.make("bit-flip", opponent="perfect", moves=["4"])["table"]["id"]
    with bob.socket(answered, "?after=3") as socket:
        assert next_of(socket, "event")["event"]["seat"] == 1
    passed = cora.make("inversion-race:cells=5,start=4", opponent="random", moves=["left"])["table"]
    assert [move["text"] for move in passed["moves"]] == ["left", "pass"]
    lost = dora.make("mirror-match", seat=1, opponent="random", moves=["0"])["table"]
    assert [move["kind"] for move in lost["moves"]] == ["forfeit"]
    long = ["left", "right"] * 499
    assert eve.make("dual-direction", opponent="random", moves=long)["table"]["position"]["ply"] == 998


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"moves": ["1", "0"]}, 'moves.1: "0" at "0100000000 2": Bit 0 is next to bit 1'),
        ({"moves": ["x"]}, "moves.0: "),
        ({"game": "bit-flip:bits=3", "moves": ["1"]}, "moves: the game is over after them"),
        ({"game": "bit-flip:bits=3", "moves": ["1", "0"]}, "moves.1: the match is over: "),
        ({"game": "dual-direction", "moves": ["left", "right"] * 500}, "moves: the game is over after them"),
        ({"moves": ["1"], "opponent": None}, "opponent=null: must be a computer player"),
    ],
)
def test_moves_that_lead_nowhere_are_refused(server: TestClient, wish: dict[str, Any], text: str) -> None:
    answer = Person(server).post("/api/tables", {"game": "bit-flip", "opponent": "perfect", **wish})
    assert code_of(answer) == (400, "bad")
    assert answer.json()["text"].startswith(text)


# Earlier games.


def test_every_game_of_a_table_stays_readable(server: TestClient) -> None:
    ann, bob, table = two(server, "race-to-the-center:positions=5")
    ann.act(table, 3, "move", "1")
    bob.act(table, 4, "resign")
    bob.act(table, 5, "offer", "rematch")
    ann.act(table, 6, "accept", "rematch")
    bob.act(table, 7, "move", "1")
    first = ann.get(f"/api/tables/{table}/games/1/positions/1").json()
    assert (first["game"], first["state"], first["seat"]) == (1, "1 4 2", 1)
    assert first["result"]["winner_seat"] == 0
    second = ann.get(f"/api/tables/{table}/games/2/positions/1").json()
    assert (second["game"], second["seat"], second["result"]) == (2, 0, None)
    assert code_of(ann.get(f"/api/tables/{table}/games/3/positions/0")) == (404, "missing")
    assert code_of(ann.get(f"/api/tables/{table}/games/1/positions/2")) == (404, "missing")
    assert code_of(ann.get(f"/api/tables/{table}/games/0/positions/0")) == (400, "bad")
    for number in (1, 2):
        answer = ann.get(f"/api/tables/{table}/games/{number}/record")
        assert answer.headers["content-disposition"].startswith("attachment")
        record = pp.read_records(answer.text)[0]
        match = pp.Match.replay(record, pp.load(record.spec))
        assert match.plies == 1
        assert pp.Series.from_records([record], pp.load).matches[0].plies == 1
    events = ann.get(f"/api/tables/{table}/events?after=5").json()
    assert [(event["number"], event["game"]) for event in events] == [(6, 2), (7, 2)]


def test_a_game_is_told_move_by_move(server: TestClient) -> None:
    ann, bob, table = two(server, "race-to-the-center")
    path = f"/api/tables/{table}/games"
    assert ann.get(f"{path}/1").json() == {
        "game": "race-to-the-center",
        "title": "Race to the Center",
        "side_names": ["Player 1", "Player 2"],
        "names": ["Ann", "Bob"],
        "moves": [],
        "result": None,
    }
    ann.act(table, 3, "move", "1")
    bob.act(table, 4, "resign")
    bob.act(table, 5, "offer", "rematch")
    ann.act(table, 6, "accept", "rematch")
    bob.act(table, 7, "move", "2")
    ann.act(table, 8, "offer", "abandon")
    bob.act(table, 9, "accept", "abandon")
    first, second = (bob.get(f"{path}/{number}").json() for number in (1, 2))
    assert first["moves"] == [
        {"ply": 1, "side": 0, "seat": 0, "text": "1", "kind": "move", "events": []},
        {"ply": None, "side": 1, "seat": 1, "text": "resign", "kind": "resign", "events": []},
    ]
    assert (first["result"]["winner_seat"], first["result"]["text"]) == (0, "Player 1 wins: resignation")
    assert second["names"] == ["Bob", "Ann"]  # the rules fix which side starts
    assert second["moves"] == [{"ply": 1, "side": 0, "seat": 1, "text": "2", "kind": "move", "events": []}]
    assert second["result"]["text"] == "unfinished: abandoned by agreement"
    assert code_of(ann.get(f"{path}/3")) == (404, "missing")
    assert code_of(ann.get(f"{path}/0")) == (400, "bad")


def test_a_position_says_which_cells_have_changed(server: TestClient) -> None:
    ann, bob, table = two(server, "mirror-match:shortest=9")
    assert ann.table(table)["position"]["changed"] == []
    with ann.socket(table, "?after=2") as socket:
        ann.act(table, 3, "move", "3 E")
        bob.act(table, 4, "move", "3 B")
        ann.act(table, 5, "move", "x")
        bob.act(table, 6, "resign")
        told = [next_of(socket, "event")["position"]["changed"] for _ in range(4)]
    assert told == [[0], [0], [], []]
    path = f"/api/tables/{table}/games/1/positions"
    assert [ann.get(f"{path}/{ply}").json()["changed"] for ply in range(4)] == [[], [0], [0], []]
    study = ann.get(f"/api/tables/{table}/games/1/study/2").json()
    assert study["position"]["changed"] == [0]


def test_a_view_says_what_its_pieces_are_and_what_can_be_typed(server: TestClient) -> None:
    views = {game["name"]: game["view"] for game in server.get("/api/games").json()}
    assert {name: (view["sides"], view["hollow"]) for name, view in views.items()} == {
        "bit-flip": ([[], []], ["0"]),
        "dual-direction": ([[], []], []),
        "inversion-race": ([["A"], ["B"]], []),
        "mirror-match": ([[], []], []),
        "race-to-the-center": ([["P1"], ["P2"]], []),
    }
    assert {name: view["text_field"] for name, view in views.items() if view["text_field"]} == {
        "mirror-match": {
            "wants": "a number from 1 to 9",
            "buttons": [{"label": "Beginning", "ending": " B"}, {"label": "End", "ending": " E"}],
        }
    }
    ann, bob, table = two(server, "mirror-match:shortest=1")
    ann.act(table, 3, "move", "3 E")
    assert bob.table(table)["position"]["view"]["text_field"] is None  # nothing is played any more


def test_a_study_has_the_whole_line(server: TestClient) -> None:
    asked = {"game": "inversion-race:cells=5,start=4", "moves": ["left", "pass"], "ply": 1}
    study = Person(server).post("/api/study", asked).json()
    assert study["side_names"] == ["Player A", "Player B"]
    assert [(each["ply"], each["side"], each["text"], each["events"]) for each in study["played"]] == [
        (1, 0, "left", []),
        (2, 1, "pass", ["pass"]),
    ]


def test_tables_that_are_not_in_memory_are_read_again(tmp_path: Path) -> None:
    with client(tmp_path, forget_seconds=0) as server:
        ann, _, table = two(server, "dual-direction")
        ann.act(table, 3, "move", "left")
        hub = server.app.state.hub  # type: ignore[attr-defined]
        before = ann.table(table)
        hub.upkeep.forget()
        assert hub.tables.get(table) is None
        after = ann.table(table)
    for shape in (before, after):
        del shape["away"]
    assert before == after


# Sockets.


def test_those_who_watch_are_told(server: TestClient) -> None:
    ann, bob, table = two(server, "bit-flip")
    with ann.socket(table) as at_seat, server.websocket_connect(f"/api/tables/{table}/socket") as watching:
        shape = at_seat.receive_json()["table"]
        assert (shape["seat"], shape["present"]) == (0, [True, False])
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
        assert next_of(at_seat, "pong") == {"type": "pong"}


def test_who_comes_back_is_told_what_was_missed(server: TestClient) -> None:
    ann, bob, table = two(server, "bit-flip")
    with bob.socket(table, "?after=2") as socket:
        assert socket.receive_json() == {"type": "ready"}
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
    monkeypatch.setattr(hubs, "MOST_MISSED", 1)
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


def test_messages_that_are_too_long_or_too_many_end_the_connection(server: TestClient) -> None:
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
    with ann.socket(table) as socket:
        for _ in range(1000):
            socket.send_text('{"do":"ping"}')
        with pytest.raises(WebSocketDisconnect) as ended:
            next_of(socket, "never")
        assert ended.value.code == 1008


def test_a_socket_to_nothing_is_refused(server: TestClient) -> None:
    with pytest.raises(WebSocketDenialResponse) as denied, Person(server).socket("none"):
        pass
    assert (denied.value.status_code, denied.value.json()["error"]) == (404, "missing")
    table = Person(server).make()["table"]["id"]
    with pytest.raises(WebSocketDenialResponse) as denied, Person(server).socket(table, "?after=x"):
        pass
    assert denied.value.status_code == 400


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
        # Unless told, a link to a finished game stays good.
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


# The rest.


def test_settings_and_pages(server: TestClient) -> None:
    assert Settings.loads(Settings(most_tables=7).dumps()) == Settings(most_tables=7)
    assert server.get("/healthz").json()["ok"] is True
    assert server.post("/healthz").status_code == 405
    assert server.get("/nothing").json()["error"] == "missing"
    seen = server.get("/nothing", headers={"Accept": "text/html,*/*"})
    assert (seen.status_code, seen.text) == (404, (pages.STATIC / "missing.html").read_text())
    for path, page in {
        "/": "index",
        "/t/x": "table",
        "/t/x/g/1": "study",
        "/study": "study",
        "/join/x/y": "join",
    }.items():
        assert server.get(path).text == (pages.STATIC / f"{page}.html").read_text()
    assert server.get("/static/../api.py").status_code == 404
    assert server.get("/static/%2e%2e/api.py").status_code == 404


def test_everything_that_the_pages_load_is_served(server: TestClient) -> None:
    wanted = ["/", "/t/x", "/study", "/join/x/y"]
    for path in wanted:  # it grows as they are read
        answer = server.get(path)
        assert answer.status_code == 200, path
        found = re.findall(r'(?:src|href)="(/static/[^"]+)"|from "\./([^"]+)"', answer.text)
        wanted += {page or f"/static/{module}" for page, module in found} - set(wanted)
    assert {"/static/style.css", "/static/icon.svg", "/static/board.js", "/static/rules.js"} <= set(wanted)
    files = {f"/static/{file.name}" for file in pages.STATIC.iterdir() if file.suffix != ".html"}
    assert files == {path for path in wanted if path.startswith("/static/")}


def test_the_pages_know_the_types_of_what_the_server_says() -> None:
    """If this fails, `make golden` writes them anew, and `make check-js` tells what no longer fits."""
    assert api_types.FILE.read_text() == api_types.declarations()


def test_every_answer_that_is_described_is_what_is_described(server: TestClient) -> None:
    """The models of the OpenAPI page, held against real answers."""
    ann, bob, table = two(server, "mirror-match")
    ann.act(table, 3, "move", "0")
    bob.act(table, 4, "move", "4 E")
    TypeAdapter(shapes.TableShape).validate_python(ann.table(table))
    ann.act(table, 5, "resign")
    TypeAdapter(shapes.TableShape).validate_python(ann.table(table))
    study = Person(server).get(f"/api/tables/{table}/games/1/study/1").json()
    TypeAdapter(shapes.StudyShape).validate_python(study)
    TypeAdapter(shapes.ListShape).validate_python(server.get("/api/tables").json())
    for game in server.get("/api/games").json():
        TypeAdapter(shapes.GameShape).validate_python(game)
    schema = json.loads(server.get("/api/openapi.json").text)
    assert "422" not in json.dumps(schema["paths"])


def test_the_messages_of_a_socket_are_described(server: TestClient) -> None:
    """Every kind of message, held against the models that the OpenAPI page names."""
    ann, bob, table = two(server, "bit-flip:bits=5")
    told = []
    with ann.socket(table, "?after=1") as socket:
        with bob.socket(table) as other:
            told.append(other.receive_json())
        for text in ("4", "4"):
            asked = {"do": "event", "number": 3, "kind": "move", "text": text, "id": text}
            messages.Asked.model_validate(asked)
            socket.send_json(asked)
        socket.send_json({"do": "event", "number": 9, "kind": "move", "text": "0"})
        socket.send_json({"do": "ping"})
        messages.Asked.model_validate({"do": "ping"})
        while told[-1]["type"] != "pong":
            told.append(socket.receive_json())
    for message in told:
        messages.Sent.model_validate(message, strict=True)
    kinds = {"table", "event", "present", "ready", "answer", "pong"}
    assert {message["type"] for message in told} == kinds
    schema = server.get("/api/openapi.json").json()
    named = schema["paths"]["/api/tables/{table_id}/socket"]["get"]["x-websocket"]
    for name, model in (("sends", "Sent"), ("takes", "Asked")):
        assert named[name] == {"$ref": f"#/components/schemas/{model}"}
        assert schema["components"]["schemas"][model]["anyOf"]
    upgrade = server.get(f"/api/tables/{table}/socket")
    assert (upgrade.status_code, upgrade.json()["error"]) == (426, "upgrade")


def test_the_same_game_is_one_object() -> None:
    assert bounded_game("bit-flip") is bounded_game("bit-flip")
