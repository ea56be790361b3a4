"""Studying positions, playing on from them, and reading earlier games."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.coach.coach import Coach, reply
from perfectplay.core.value import ChartPoint
from perfectplay.players.base import KnownPlayer
from perfectplay.players.registry import load_player
from perfectplay.strength.journal import Journal
from perfectplay.terminal.fullscreen.worker import TASKS
from perfectplay.workers import mistakes
from tab.study import board as study_board
from tests.conftest import Run
from tests.web.servers import Person, TestClient, client, code_of, hub_of, next_of, two

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
        "Move 1, Player 1: 0 threw away the win; 1 of 5 moves would have kept it: 2."
    )
    assert Person(server).get(f"/api/tables/{table}/games/1/study/2").json()["moves"] == []
    assert code_of(Person(server).get(f"/api/tables/{table}/games/1/study/3")) == (404, "missing")
    assert code_of(Person(server).get(f"/api/tables/{table}/games/2/study/0")) == (404, "missing")


@pytest.mark.parametrize("resigned", [True, False])
def test_every_chart_of_a_game_is_that_of_analyze(
    server: TestClient, run: Run, tmp_path: Path, resigned: bool
) -> None:
    match = pp.Match(pp.load("dual-direction"))
    ann, bob, table = two(server, "dual-direction")
    moves = ("left", "right", "left", "left", "left", "left")
    for ply, move in enumerate(moves):
        (ann, bob)[ply % 2].act(table, 3 + ply, "move", move)
        match.play(move)
    if resigned:
        ann.act(table, 3 + len(moves), "resign")
        match.resign(0)
    else:
        ann.act(table, 3 + len(moves), "move", "left")
        match.play("left")
    record = tmp_path / "game.txt"
    record.write_text(str(match.record()))
    [facts] = json.loads(run("analyze", "dual-direction", "--record", str(record), "--json").stdout)
    chart = facts["chart"]
    assert [point["ply"] for point in chart if point["mistake"]] == [6, *[7] * resigned]
    assert Person(server).get(f"/api/tables/{table}/games/1/study/2").json()["chart"] == chart
    assert TASKS["review"](match, {})["chart"] == tuple(ChartPoint(**point) for point in chart)
    if not resigned:
        assert study_board("dual-direction", [*moves, "left"])["chart"] == chart


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


def test_who_plays_a_person_may_not_study_the_same_game(server: TestClient) -> None:
    ann, _, table = two(server, "bit-flip:bits=5")
    for answer in (
        ann.get(f"/api/tables/{table}/games/1/study/0"),
        ann.post("/api/study", {"game": "bit-flip"}),
        ann.post("/api/mistakes", {"game": "bit-flip", "player": "learned"}),
        ann.post(f"/api/tables/{table}/games/1/play-on", {"ply": 0}),
        ann.post("/api/tables", {"game": "bit-flip:bits=5", "opponent": "perfect", "moves": ["2"]}),
    ):
        assert code_of(answer) == (403, "seated")
        assert answer.json()["table"] == table
        assert answer.json()["text"].startswith("you are playing Bit Flip against someone; ")
    assert ann.post("/api/study", {"game": "dual-direction"}).status_code == 200
    eve = Person(server)
    assert code_of(eve.get(f"/api/tables/{table}/games/1/study/0")) == (409, "running")
    assert code_of(eve.post(f"/api/tables/{table}/games/1/play-on", {"ply": 0})) == (409, "running")
    ann.act(table, 3, "resign")
    assert ann.get(f"/api/tables/{table}/games/1/study/0").status_code == 200


def test_a_journal_is_for_whoever_played_a_game_that_is_over(server: TestClient) -> None:
    ann, bob, table = two(server, "bit-flip:bits=3")
    path = f"/api/tables/{table}/games/1/journal?day=2026-01-05"
    assert code_of(ann.get(path)) == (403, "seated")
    ann.act(table, 3, "move", "0")
    bob.act(table, 4, "move", "2")
    found = ann.get(path).json()
    match = pp.Match(pp.load("bit-flip:bits=3"))
    for move in ("0", "2"):
        match.play(move)
    journal = Journal.of_game(match, pp.solve(match.game), {0: "human"}, date(2026, 1, 5))
    assert found["games"] == [each.as_dict() for each in journal.games]
    [exercise] = found["exercises"]
    assert exercise.items() >= journal.exercises[0].as_dict().items()
    assert [move["text"] for move in exercise["moves"] if move["solves"]] == ["1"]
    assert exercise["board"]["ply"] == 0
    assert bob.get(path).json()["exercises"] == []
    assert code_of(Person(server).get(path)) == (403, "seat")
    assert code_of(ann.get(path.replace("2026", "2999"))) == (400, "bad")


def test_who_plays_the_computer_may_study(server: TestClient) -> None:
    ann = Person(server)
    table = ann.make("bit-flip:bits=5", opponent="random")["table"]["id"]
    assert ann.post("/api/study", {"game": "bit-flip:bits=5"}).status_code == 200
    assert ann.make("bit-flip:bits=5", opponent="random", moves=["2"])["table"]["status"] == "running"
    assert code_of(ann.get(f"/api/tables/{table}/games/1/study/0")) == (409, "running")


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


def test_where_a_computer_player_errs_is_shown(server: TestClient) -> None:
    ann = Person(server)
    asked = {"game": "bit-flip:bits=5", "moves": ["0", "4"], "ply": 0, "player": "level:3"}
    found = ann.post("/api/mistakes", asked).json()
    assert [(each["text"], each["kind"]) for each in found["wrong"]] == [
        (text, "loss") for text in ("0", "1", "3", "4")
    ]
    assert sum(each["chance"] for each in found["wrong"]) == pytest.approx(0.42)
    assert ann.post("/api/mistakes", {**asked, "ply": 2}).json()["wrong"] == []
    for worst in found["worst"]:  # each can be opened, and the player errs there as the list says
        here = ann.post("/api/mistakes", {**asked, "moves": worst["moves"], "ply": None}).json()["wrong"]
        assert sum(each["chance"] for each in here) == pytest.approx(worst["chance"])
        assert worst["likeliest"] in {each["text"] for each in here}
    assert ann.post("/api/mistakes", {**asked, "player": "perfect"}).json()["erring"] == 0
    for other in ({"player": "learned:policy.json"}, {"player": "learned"}, {"player": "mcts"}, {"ply": 3}):
        assert code_of(ann.post("/api/mistakes", asked | other)) == (400, "bad")


@pytest.mark.parametrize("player", ["learned", "level:4"])
def test_mistakes_are_those_of_the_measure(player: str) -> None:
    chooser = load_player(player)
    assert isinstance(chooser, KnownPlayer)
    game = pp.load("bit-flip")
    found = mistakes.mistakes(game, game.initial(), player)
    measured = pp.measure_policy("bit-flip", chooser)
    exact = [each for each in measured.mistakes if each.chance >= mistakes.NOTICED]
    assert found["decisions"] == measured.decisions
    assert 12 <= found["erring"] <= len(exact)
    lost = [each["lost"] for each in found["worst"]]
    assert lost == pytest.approx([each.lost for each in exact[:12]], abs=2e-3)
    states = {each.position: each for each in exact}
    for worst in found["worst"]:
        match = pp.Match(game)
        for move in worst["moves"]:
            match.play(move)
        assert states[game.state_text(match.state)].chance == pytest.approx(worst["chance"], abs=2e-3)


def test_a_learned_player_is_offered_where_there_is_a_policy(server: TestClient) -> None:
    ann = Person(server)
    [game] = [each for each in ann.get("/api/games").json() if each["name"] == "bit-flip"]
    assert game["learned"] == ["bit-flip", "bit-flip:bits=16"]
    made = ann.make("bit-flip", opponent="learned", seat=1)
    assert made["table"]["names"][0] == "Computer (learned)"
    refused = ann.post("/api/tables", {"game": "bit-flip:bits=5", "opponent": "learned"})
    assert code_of(refused) == (400, "bad")
    assert refused.json()["text"].startswith("no trained policy comes with")
    refused = ann.post("/api/tables", {"game": "bit-flip", "opponent": "learned:/etc/passwd"})
    assert code_of(refused) == (400, "bad")
    assert "would read a file" in refused.json()["text"]


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
    answered = ann.make("bit-flip", opponent="perfect", moves=["4"])["table"]["id"]
    with ann.socket(answered, "?after=3") as socket:
        assert next_of(socket, "event")["event"]["seat"] == 1
    passed = ann.make("inversion-race:cells=5,start=4", opponent="random", moves=["left"])["table"]
    assert [move["text"] for move in passed["moves"]] == ["left", "pass"]
    lost = ann.make("mirror-match", seat=1, opponent="random", moves=["0"])["table"]
    assert [move["kind"] for move in lost["moves"]] == ["forfeit"]
    long = ["left", "right"] * 499
    assert ann.make("dual-direction", opponent="random", moves=long)["table"]["position"]["ply"] == 998


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
        {"ply": 1, "side": 0, "seat": 0, "text": "1", "kind": "move", "events": [], "placed": None},
        {"ply": None, "side": 1, "seat": 1, "text": "resign", "kind": "resign", "events": [], "placed": None},
    ]
    assert (first["result"]["winner_seat"], first["result"]["text"]) == (0, "Player 1 wins: resignation")
    assert second["names"] == ["Bob", "Ann"]  # the rules fix which side starts
    assert second["moves"] == [
        {"ply": 1, "side": 0, "seat": 1, "text": "2", "kind": "move", "events": [], "placed": None}
    ]
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
        hub = hub_of(server)
        before = ann.table(table)
        hub.tables.forget(hub.settings.forget_seconds)
        assert hub.tables.get(table) is None
        after = ann.table(table)
    for data in (before, after):
        del data["away"], data["ran"]
    assert before == after
