"""The web server, asked in this process: who may do what, what is answered, who is told."""

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import perfectplay as pp
from perfectplay.games.rulebook import rulebook
from perfectplay.web import list_shapes, messages, middleware, pages, shapes
from perfectplay.web.admission import bounded_game
from perfectplay.web.settings import Settings
from perfectplay.web.study_shapes import StudyShape
from tests.web.servers import Person, TestClient, WebSocketDenialResponse, client, code_of, two
from tools import api_types

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
        "/api/tables", json={"game": "bit-flip"}, headers={b"Authorization": header.encode("latin-1")}
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


# The rest.


def framed(page: str) -> str:
    start, end = (pages.STATIC / "frame.html").read_text().split("<!-- page -->\n")
    return start + (pages.STATIC / f"{page}.html").read_text() + end


def test_settings_and_pages(server: TestClient) -> None:
    assert Settings.loads(Settings(most_tables=7).dumps()) == Settings(most_tables=7)
    assert server.get("/healthz").json()["ok"] is True
    assert server.post("/healthz").status_code == 405
    assert server.get("/nothing").json()["error"] == "missing"
    seen = server.get("/nothing", headers={"Accept": "text/html,*/*"})
    assert (seen.status_code, seen.text) == (404, framed("missing"))
    for path, page in {
        "/": "index",
        "/games": "games",
        "/move": "move",
        "/offline": "offline",
        "/t/x": "table",
        "/t/x/g/first": "study",
        "/t/x/g/1": "study",
        "/study": "study",
        "/join/x/y": "join",
    }.items():
        assert server.get(path).text == framed(page)
    assert server.get("/static/../api.py").status_code == 404
    assert server.get("/static/%2e%2e/api.py").status_code == 404


def test_everything_that_the_pages_load_is_served(server: TestClient) -> None:
    worker, manifest = "/service-worker.js", "/manifest.webmanifest"
    wanted = ["/", "/t/x", "/study", "/join/x/y", "/games", "/move", "/offline", worker, manifest]
    for path in wanted:  # it grows as they are read
        answer = server.get(path)
        assert answer.status_code == 200, path
        found = re.findall(r'(?:src|href)"?[=:] ?"(/static/[^"]+)"|from "\./([^"]+)"', answer.text)
        wanted += {page or f"/static/{module}" for page, module in found} - set(wanted)
    assert {"/static/style.css", "/static/icon.svg", "/static/board.js", "/static/rules.js"} <= set(wanted)
    assert server.get(manifest).headers["content-type"] == "application/manifest+json"
    assert server.get(worker).headers["content-type"].startswith("text/javascript")
    files = {f"/static/{file.name}" for file in pages.STATIC.iterdir() if file.suffix != ".html"}
    files -= {f"/static{worker}", f"/static{manifest}"}  # these are at the root
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
    TypeAdapter(StudyShape).validate_python(study)
    TypeAdapter(list_shapes.ListShape).validate_python(server.get("/api/tables").json())
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
