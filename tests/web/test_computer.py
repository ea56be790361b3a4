"""Tables where the computer plays, asked in this process."""

from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.players.registry import load_computer
from perfectplay_server.live.turns import ComputerPlayers
from tests.web.servers import Person, TestClient, client, hub_of, next_of, two


@pytest.mark.parametrize("spec", pp.names())
def test_the_computer_plays_to_the_end(server: TestClient, spec: str) -> None:
    ann = Person(server)
    made = ann.make(spec, opponent="perfect", seat=1, name="Ann")
    table = made["table"]["id"]
    with ann.socket(table) as socket:
        data = socket.receive_json()["table"]
        position, status, number, plies = data["position"], data["status"], data["next"], 0
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
    assert status == "over"


@pytest.mark.parametrize("player", ["level:3", "learned"])
def test_the_computer_chooses_by_the_seed_alone(server: TestClient, player: str) -> None:
    ann = Person(server)
    made = ann.make("bit-flip", opponent=player, seat=1)
    table = made["table"]["id"]
    with ann.socket(table, "?after=2") as socket:
        move = next_of(socket, "event")["event"]
    seed = int(ann.get(f"/api/tables/{table}/games/1/record").text.split("seed: ")[1].split("\n")[0])
    match = pp.Match(pp.load("bit-flip"), seed=seed)
    action = load_computer(player).choose(match.game, match.state, match.generator())
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
    assert left["position"]["result"]["text"] == "unfinished: abandoned"
    # The table is not closed with it: another game can be played.
    ann.act(table, 13, "offer", "rematch")
    assert (ann.table(table)["status"], ann.table(table)["games"]) == ("running", 3)


def test_the_computer_is_asked_under_the_address_of_who_plays(server: TestClient) -> None:
    ann = Person(server)
    table = ann.make("dual-direction", opponent="random")["table"]["id"]
    live = hub_of(server).tables.get(table)
    assert live is not None
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
        thinker = hub_of(server).workers.standard
        thinker.program = "perfectplay_server.nothing"
        ann = Person(server)
        table = ann.make("bit-flip", opponent="random", seat=1)["table"]["id"]
        with ann.socket(table, "?after=2") as socket:
            closed = next_of(socket, "event")
        assert (closed["event"]["kind"], closed["event"]["seat"]) == ("close", None)
        assert closed["position"]["result"]["text"] == "unfinished: the computer found no move"


def test_passes_that_are_forced_happen_by_themselves(server: TestClient) -> None:
    ann, bob, table = two(server, "inversion-race:cells=5,start=4")
    with bob.socket(table, "?after=2") as socket:
        assert socket.receive_json() == {"type": "ready", "seat": 1}
        ann.act(table, 3, "move", "left")
        moved, passed = next_of(socket, "event"), next_of(socket, "event")
    assert (moved["event"]["seat"], moved["position"]["seat"], moved["table"]["next"]) == (0, 1, 4)
    assert (passed["event"]["seat"], passed["event"]["text"], passed["position"]["seat"]) == (1, "pass", 0)
    assert bob.table(table)["moves"][1]["events"] == ["pass"]
    assert (moved["position"]["last"]["events"], passed["position"]["last"]["events"]) == ([], ["pass"])
    before = bob.get(f"/api/tables/{table}/games/1/positions/1").json()
    assert (before["last"]["text"], before["last"]["events"]) == ("left", [])
