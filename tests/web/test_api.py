"""The web server, asked in this process: who may do what, what is answered, who is told."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

import perfectplay as pp
from perfectplay.players.registry import load_player
from perfectplay.tables.schemas import GameSchema, StudySchema, TableSchema
from perfectplay.tables.validation import load_small_game
from perfectplay.web.pages import STATIC
from perfectplay_server import schemas
from perfectplay_server.http import models
from perfectplay_server.settings import ServerSettings
from tests.web.servers import Person, TestClient, code_of, two
from tools import api_types

# Tables and seats.


def test_the_games_are_told(server: TestClient) -> None:
    games = server.get("/api/games").json()
    assert [game["name"] for game in games] == list(pp.names())
    bits, first = games[0]["parameters"]
    assert (bits["kind"], bits["default"], bits["choices"]) == ("whole", "10", None)
    assert (first["kind"], first["choices"]) == ("choice", ["1", "2"])
    assert games[0]["levels"] == list(range(1, 11))
    assert f"level:{games[0]['level']}" == load_player("level").spec
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
        assert answer.text == pp.load(name).texts().rulebook()
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
    TypeAdapter(schemas.OwnListSchema).validate_python(own)
    shown = [(each["id"], each["status"], each["seat"], each["turn"]) for each in own["tables"]]
    assert shown == [(waiting, "open", 1, None), (running, "running", 0, 0), (over, "over", 0, None)]
    assert [each["id"] for each in bob.get("/api/seats").json()["tables"]] == [running]
    assert server.get("/api/seats").json() == {"tables": []}


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
    many = Person(server).post("/api/study", {"game": "bit-flip", "moves": ["0"] * 1001})
    assert (code_of(many), many.json()["text"]) == ((400, "bad"), "moves: must have at most 1000 items")
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


# The rest.


def framed(page: str) -> str:
    start, end = (STATIC / "frame.html").read_text().split("<!-- page -->\n")
    text = (STATIC / f"{page}.html").read_text()
    path = {"index": "/"}.get(page, f"/{page}")
    menu = (STATIC / "menu.html").read_text().replace(f'href="{path}"', f'href="{path}" aria-current="page"')
    return start + text.replace("    <!-- menu -->\n", menu) + end


def test_settings_and_pages(server: TestClient) -> None:
    assert ServerSettings.loads(ServerSettings(most_tables=7).dumps()) == ServerSettings(most_tables=7)
    assert server.get("/healthz").json()["ok"] is True
    assert server.post("/healthz").status_code == 405
    assert server.get("/nothing").json()["error"] == "missing"
    seen = server.get("/nothing", headers={"Accept": "text/html,*/*"})
    assert (seen.status_code, seen.text) == (404, framed("missing"))
    for path, page in {
        "/": "index",
        "/games": "games",
        "/puzzles": "puzzles",
        "/exercises": "exercises",
        "/progress": "progress",
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
    wanted = [
        "/",
        "/t/x",
        "/study",
        "/join/x/y",
        "/games",
        "/puzzles",
        "/exercises",
        "/progress",
        "/move",
        "/offline",
    ]
    wanted += [worker, manifest]
    for path in wanted:  # it grows as they are read
        answer = server.get(path)
        assert answer.status_code == 200, path
        found = re.findall(r'(?:src|href)"?[=:] ?"(/static/[^"]+)"|from "\./([^"]+)"', answer.text)
        wanted += {page or f"/static/{module}" for page, module in found} - set(wanted)
    assert {"/static/style.css", "/static/icon.svg", "/static/board.js", "/static/rules.js"} <= set(wanted)
    assert server.get(manifest).headers["content-type"] == "application/manifest+json"
    assert server.get(worker).headers["content-type"].startswith("text/javascript")
    files = {f"/static/{file.name}" for file in STATIC.iterdir() if file.suffix != ".html"}
    files -= {f"/static{worker}", f"/static{manifest}"}  # these are at the root
    # The documentation of the site has the bold font too, and a font comes with its license.
    files -= {"/static/literata-700.woff2", "/static/literata-license.txt"}
    assert files == {path for path in wanted if path.startswith("/static/")}


def test_the_pages_know_the_types_of_what_the_server_says() -> None:
    """If this fails, `make golden` writes them anew, and `make check-js` tells what no longer fits."""
    assert api_types.FILE.read_text() == api_types.declarations()


def test_every_answer_that_is_described_is_what_is_described(server: TestClient) -> None:
    """The models of the OpenAPI page, held against real answers."""
    ann, bob, table = two(server, "mirror-match")
    ann.act(table, 3, "move", "0")
    bob.act(table, 4, "move", "4 E")
    TypeAdapter(TableSchema).validate_python(ann.table(table))
    ann.act(table, 5, "resign")
    TypeAdapter(TableSchema).validate_python(ann.table(table))
    study = Person(server).get(f"/api/tables/{table}/games/1/study/1").json()
    TypeAdapter(StudySchema).validate_python(study)
    TypeAdapter(schemas.ListSchema).validate_python(server.get("/api/tables").json())
    for game in server.get("/api/games").json():
        TypeAdapter(GameSchema).validate_python(game)
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
            models.Asked.model_validate(asked)
            socket.send_json(asked)
        socket.send_json({"do": "event", "number": 9, "kind": "move", "text": "0"})
        socket.send_json({"do": "ping"})
        models.Asked.model_validate({"do": "ping"})
        while told[-1]["type"] != "pong":
            told.append(socket.receive_json())
    for message in told:
        models.Sent.model_validate(message, strict=True)
    kinds = {"table", "event", "present", "ready", "answer", "pong"}
    assert {message["type"] for message in told} == kinds
    schema = server.get("/api/openapi.json").json()
    named = schema["paths"]["/api/tables/{table_id}/socket"]["get"]["x-websocket"]
    for name, model in (("sends", "Sent"), ("takes", "Asked")):
        assert named[name] == {"$ref": f"#/components/schemas/{model}"}
        assert schema["components"]["schemas"][model]["anyOf"]
    upgrade = server.get(f"/api/tables/{table}/socket")
    assert (upgrade.status_code, upgrade.json()["error"]) == (426, "upgrade")


def test_a_wrong_method_is_told_which_ones_are_allowed(server: TestClient) -> None:
    # Routes of several functions, of one, and of a page.
    for path, allowed in (
        ("/api/tables", "GET, HEAD, POST"),
        ("/api/study", "POST"),
        ("/healthz", "GET, HEAD"),
        ("/", "GET, HEAD"),
        ("/t/x", "GET, HEAD"),
        ("/static/style.css", "GET, HEAD"),
    ):
        answer = server.put(path)
        assert (code_of(answer), answer.headers["Allow"]) == ((405, "method"), allowed)


@pytest.mark.parametrize(
    "path", ["/", "/static/style.css", "/api/tables", "/healthz", "/nowhere", "/api/play"]
)
def test_a_head_is_that_of_the_page(server: TestClient, path: str) -> None:
    whole, head = server.get(path), server.head(path)
    assert (head.status_code, head.headers, head.content) == (whole.status_code, whole.headers, b"")
    assert int(head.headers["Content-Length"]) == len(whole.content) > 0


def test_the_same_game_is_one_object() -> None:
    assert load_small_game("bit-flip") is load_small_game("bit-flip")
