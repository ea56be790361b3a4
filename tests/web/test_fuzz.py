"""The web server under anything that can be sent to it: nothing breaks, and no seat is taken over."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS, load_all_checks

from perfectplay.tables.events import Event
from perfectplay.tables.table import Table
from perfectplay.tables.validation import load_small_game
from tests.web.servers import Person, Server, TestClient, client, two

load_all_checks()
TESTED = [
    CHECKS.get_one(name)
    for name in (
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "unsupported_method",
        "allow_header_conformance",
    )
]


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The API of a server with a finished, a running and an open table, which the requests are about."""
    folder = tmp_path_factory.mktemp("fuzzed")
    limits = (
        "--tables-per-minute",
        "1000000",
        "--requests-per-second",
        "1000000",
        "--events-per-second",
        "1000000",
        "--tables-per-day",
        "1000000",
    )
    with Server("--data", str(folder), *limits, "--most-tables", "1000000") as server:
        ann, bob = server.person(), server.person()
        tables = [ann.make(game) for game in ("bit-flip:bits=5", "mirror-match", "race-to-the-center")]
        ids = [made["table"]["id"] for made in tables]
        for made in tables[:2]:
            assert bob.join(made).status_code == 200
        ann.act(ids[0], 3, "move", "0")
        bob.act(ids[0], 4, "move", "3")
        schema = schemathesis.openapi.from_url(f"{server.address}/api/openapi.json")

        @schema.hook
        def map_path_parameters(context: Any, path_parameters: Any) -> Any:
            if path_parameters and "table_id" in path_parameters:
                # One that does not exist, now and then, whatever it looks like.
                text = str(path_parameters["table_id"])
                if len(text) % 5:
                    path_parameters["table_id"] = ids[len(text) % 3]
            return path_parameters

        @schema.hook
        def map_headers(context: Any, headers: Any) -> Any:
            return {**(headers or {}), "Authorization": f"Bearer {ann.token}"}

        yield schema


api = schemathesis.pytest.from_fixture("fuzzed")


@api.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_request_gets_an_answer_that_is_described(case: Any) -> None:
    checks = list(TESTED)
    if not case.path_parameters:
        # Elsewhere the table was put in afterwards, and may have mended what was meant to be bad.
        checks.append(CHECKS.get_one("negative_data_rejection"))
    case.call_and_validate(checks=checks)


KINDS = (
    "move",
    "resign",
    "offer",
    "accept",
    "decline",
    "claim",
    "close",
    "sit",
    "forfeit",
    "time",
    "x",
    3,
    None,
)
TEXTS = ("left", "right", "1", "takeback", "abandon", "rematch", "", "\x00", "x" * 200, 7, None, {"a": 1})


def message(rng: Random, table: dict[str, Any]) -> str:
    """Something that a client may send: mostly what makes sense now, often what does not."""
    if rng.random() < 0.1:
        return rng.choice(["", "{", "[1]", "null", '"x"', '{"do":7}', '{"do":"ping"}', "\u2028", "9" * 400])
    number = table["next"] + rng.choice([0, 0, 0, 0, -1, 1, -5, 10**9])
    data: dict[str, Any] = {"do": "event", "number": number, "kind": rng.choice(KINDS)}
    data["text"] = rng.choice([*table["position"]["legal"] * 3, *TEXTS])
    if rng.random() < 0.6:
        data["kind"] = rng.choice(["move", "move", "offer", "accept"])
    if rng.random() < 0.1:
        data[rng.choice(list(data))] = rng.choice([True, -1, 1.5, [], {}, None])
    return json.dumps(data)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_sent_only_what_is_allowed_happens(tmp_path: Path, seed: int) -> None:
    """Four sockets send what they like: two players, someone without a seat, a player of another table.

    Every event is by the seat that sent it and legal in its turn, and the numbers have no gap.
    """
    rng = Random(seed)
    with client(tmp_path) as server:
        ann, bob, table = two(server, rng.choice(["dual-direction", "mirror-match", "inversion-race"]))
        eve, (stranger, _, _) = Person(server), two(server)
        senders = [(ann, 0), (bob, 1), (eve, None), (stranger, None)]
        accepted: dict[int, int | None] = {}
        for _ in range(12):
            person, seat = rng.choice(senders)
            with person.socket(table) as socket:
                data = socket.receive_json()["table"]
                assert data["seat"] == seat
                for _ in range(8):
                    text = message(rng, data)
                    socket.send_text(text)
                    answer = answered(socket)
                    if answer["type"] == "pong":
                        continue
                    assert answer["error"] if not answer["ok"] else True
                    if answer["ok"]:
                        assert seat is not None
                        assert answer["event"]["seat"] == seat
                        accepted[answer["event"]["number"]] = seat
                    data = ann.table(table)
        check(server, table, accepted)


def answered(socket: Any) -> dict[str, Any]:
    while True:
        told: dict[str, Any] = socket.receive_json()
        if told["type"] in ("answer", "pong"):
            return told


def check(server: TestClient, table: str, accepted: dict[int, int | None]) -> None:
    data = Person(server).table(table)
    events = [Event(**event) for event in Person(server).get(f"/api/tables/{table}/events").json()]
    assert [event.number for event in events] == list(range(1, data["next"]))
    by_number = {event.number: event.seat for event in events}
    assert accepted.items() <= by_number.items()
    # Only passes that are forced happen without being sent.
    assert all(event.number in accepted or event.text == "pass" for event in events[2:])
    again = Table(table, load_small_game(data["game"])).replay(events)
    assert (again.status, again.next, list(again.score)) == (data["status"], data["next"], data["score"])
    assert data["names"] == ["Ann", "Bob"]
