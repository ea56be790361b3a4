"""Tables that the browser keeps: the same answers as the server's, and nothing lost on the way."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from perfectplay.core.match import Match
from perfectplay.core.record import read_records
from perfectplay.games.registry import load, names
from perfectplay.tables.position_schemas import PositionSchema
from perfectplay.tables.schemas import PlayedSchema, StudySchema, TableSchema
from perfectplay.workers.worker import choose
from perfectplay_server import schemas
from perfectplay_server.http.models import EventMessage
from perfectplay_server.schemas import OwnGameSchema
from tests.tab.test_bridge import ask
from tests.web.whole_games import LINES


def made(game: str = "bit-flip", opponent: str | None = "level:4", **more: Any) -> Any:
    return ask("tables.make", table_id="t1", seed=7, game=game, opponent=opponent, **{"seat": 0, **more})


def act(kept: Any, kind: str, text: str = "") -> Any:
    return ask("tables.act", table=kept, number=len(kept["events"]) + 1, kind=kind, text=text)


def has_shape(kind: Any, found: Any) -> bool:
    """Whether something is what the server says it sends, with nothing more."""
    assert json.loads(TypeAdapter(kind).dump_json(TypeAdapter(kind).validate_python(found))) == found
    return True


def test_what_a_page_gets_has_the_shapes_of_the_server() -> None:
    reply = made(name="Ann")
    assert has_shape(TableSchema, reply["table"])
    assert has_shape(OwnGameSchema, {**reply["own"], "at": 0.5})
    reply = act(reply["stored"], "move", "4")
    assert [has_shape(EventMessage, each) for each in reply["messages"]] == [True]
    assert reply["table"] == ask("tables.show", table=reply["stored"])
    assert has_shape(PositionSchema, ask("tables.position", table=reply["stored"], number=1, ply=1))
    over = act(reply["stored"], "resign")["stored"]
    assert has_shape(PlayedSchema, ask("tables.game", table=over, number=1))
    assert has_shape(StudySchema, ask("study.played", table=over, number=1, ply=1))
    assert has_shape(StudySchema, ask("study.board", game="bit-flip", moves=["4"]))


@pytest.mark.parametrize(
    "opponent", ["learned", "level:4", "perfect", "random", "search:depth=2", "mcts:simulations=20"]
)
def test_every_opponent_answers(opponent: str) -> None:
    kept = act(made(opponent=opponent)["stored"], "move", "4")["stored"]
    reply = ask("tables.think", table=kept)
    [message] = reply["messages"]
    assert message["event"]["seat"] == 1
    assert ask("tables.think", table=reply["stored"]) is None
    if opponent in ("learned", "level:4", "perfect", "random"):
        assert message["event"]["text"] == choose(read_records(record(kept))[0], opponent)


def record(kept: Any, number: int = 1) -> str:
    text = ask("tables.record", table=kept, number=number)
    assert isinstance(text, str)
    return text


@pytest.mark.parametrize(("spec", "moves"), LINES.items())
def test_two_at_one_screen_play_a_whole_game_and_its_record_comes_back(
    spec: str, moves: tuple[str, ...]
) -> None:
    reply = made(spec, None)
    for text in moves:
        assert reply["table"]["seat"] == reply["own"]["turn"]
        reply = act(reply["stored"], "move", text)
    assert reply["table"]["status"] == "over"
    assert reply["table"]["seat"] is None
    text = record(reply["stored"])
    match = Match.replay(read_records(text)[0], load(spec))
    assert f"{match.record()}\n" == text
    [back] = ask("tables.take_records", text=text)
    assert record(back["stored"]) == text
    assert back["table"]["position"] == reply["table"]["position"]
    assert ask("study.played", table=back["stored"], number=1, ply=2)["marks"] is not None


def test_two_at_one_screen_take_back_the_last_move_and_play_again() -> None:
    reply = act(made(opponent=None)["stored"], "move", "4")
    reply = act(reply["stored"], "offer", "takeback")
    assert [each["event"]["kind"] for each in reply["messages"]] == ["offer", "accept"]
    assert reply["table"]["plies"] == 0
    assert reply["messages"][-1]["table"]["seat"] == 0
    reply = act(act(reply["stored"], "resign")["stored"], "offer", "rematch")
    assert (reply["table"]["status"], reply["table"]["games"]) == ("running", 2)
    assert "resign" in record(reply["stored"], 1)
    assert record(reply["stored"], 2).endswith("result: in progress\n")
    assert ask("tables.record", table=reply["stored"], number=3)["error"] == "missing"


def test_what_is_sent_twice_or_too_late_changes_nothing() -> None:
    kept = made()["stored"]
    later = act(kept, "move", "4")["stored"]
    problem = ask("tables.act", table=later, number=3, kind="move", text="4")
    assert problem["error"] == "number"
    assert act(kept, "move", "77")["error"] == "illegal"
    assert made(moves=["77"])["error"] == "illegal"  # so the page keeps nothing


def test_a_first_move_is_part_of_the_new_game() -> None:
    assert [move["text"] for move in made(moves=["4"])["table"]["moves"]] == ["4"]
    lost = made("mirror-match", None, moves=["77", "1 B"])["table"]["moves"]
    assert [(move["kind"], move["text"]) for move in lost] == [("forfeit", "forfeit"), ("move", "1 B")]


def test_the_study_of_a_game_says_who_you_are() -> None:
    def names(kept: Any) -> Any:
        return ask("tables.game", table=act(kept, "resign")["stored"], number=1)["names"]

    assert names(made()["stored"]) == ["Player 1 (you)", "Computer (level 4)"]
    assert names(made(seat=1)["stored"]) == ["Computer (level 4)", "Player 2 (you)"]
    assert names(made(opponent="level")["stored"])[1] == "Computer (level 5)"
    assert names(made(name="Ann")["stored"]) == ["Ann", "Computer (level 4)"]
    assert names(made(opponent=None)["stored"]) == ["", ""]
    [back] = ask("tables.take_records", text=record(made()["stored"]))
    assert ask("tables.game", table=back["stored"], number=1)["names"] == [None, "Computer (level 4)"]


def test_the_journal_has_ones_own_mistakes_and_none_of_a_record() -> None:
    kept = made("bit-flip:bits=3", opponent=None)["stored"]
    for move in ("0", "2"):
        kept = act(kept, "move", move)["stored"]
    found = ask("study.journal", table=kept, number=1, day="2026-01-05")
    assert has_shape(schemas.JournalSchema, found)
    assert (found["games"], [each["played"] for each in found["exercises"]]) == ([], ["0"])  # two people
    [back] = ask("tables.take_records", text=ask("tables.record", table=kept, number=1))
    nothing: dict[str, list[Any]] = {"games": [], "exercises": []}
    assert ask("study.journal", table=back["stored"], number=1, day="2026-01-05") == nothing
    kept = made("bit-flip:bits=3", opponent="perfect")["stored"]
    kept = ask("tables.think", table=act(kept, "move", "0")["stored"])["stored"]
    found = ask("study.journal", table=kept, number=1, day="2026-01-05")
    assert [(each["opponent"], each["result"], each["kept"]) for each in found["games"]] == [
        ("perfect", "lost", 0)
    ]
    assert has_shape(schemas.JournalSchema, found)


def test_a_hint_is_noted_in_the_record() -> None:
    kept = made()["stored"]
    first, *_ = ask("study.hint", table=kept)
    assert first == "A good move: 0. You win in 5 moves with best play."
    reply = act(kept, "assisted")
    assert record(reply["stored"]).count("Player 1: assisted\n") == 1
    over = act(reply["stored"], "resign")["stored"]
    assert ask("study.hint", table=over)["error"] == "over"
    assert ask("study.played", table=kept, number=1, ply=0)["error"] == "running"


def test_playing_on_from_a_position_takes_the_side_to_move() -> None:
    over = act(act(made(name="Ann")["stored"], "move", "4")["stored"], "resign")["stored"]
    reply = ask("tables.play_on", table=over, number=1, ply=1, level="perfect", table_id="t2", seed=1)
    assert (reply["table"]["plies"], reply["table"]["seat"]) == (1, 1)
    assert reply["table"]["players"] == ["perfect", None]


def test_an_unfinished_record_can_be_looked_at_but_not_continued() -> None:
    text = record(act(made()["stored"], "move", "4")["stored"])
    [back, again] = ask("tables.take_records", text=text + text)
    assert back["stored"] == again["stored"]
    assert back["table"]["closed"] == "the record ends here"
    assert act(back["stored"], "move", "1")["error"] == "closed"


def test_a_record_that_begins_in_the_middle_can_be_looked_at_but_not_played_on() -> None:
    game = load("race-to-the-center")
    match = Match(game, start=game.parse_state("1 9 1"))
    match.play("1")
    [reply] = ask("tables.take_records", text=str(match.record()))
    position = ask("tables.position", table=reply["stored"], number=1, ply=1)
    assert [each["label"] for each in position["view"]["rows"][0] if each["pieces"]] == ["2", "9"]
    asked = {"table": reply["stored"], "number": 1, "ply": 1, "level": "perfect", "table_id": "t2", "seed": 1}
    refused = ask("tables.play_on", **asked)
    assert (refused["error"], "begins in the middle" in refused["text"]) == ("start", True)


def test_a_bad_record_is_refused_with_the_game_and_the_line() -> None:
    text = record(act(made()["stored"], "move", "4")["stored"])
    ending = text.splitlines()[-1]
    for bad, said in (
        (
            "no record",
            "this is not the record of a game, such as “Download the record” gives: its first line",
        ),
        (
            text + text.replace("bit-flip", "chess"),
            "game 2 of this record cannot be opened. Line 11: unknown game",
        ),
        (text + text.replace(": 4 ->", ": 77 ->"), "game 2 of this record cannot be opened. Line 17: "),
        (text.replace(ending, ""), "game 1 of this record cannot be opened. Line 11: the record is cut off"),
    ):
        problem = ask("tables.take_records", text=bad)
        assert problem["error"] == "invalid"
        assert problem["text"].startswith(said), problem["text"]


@pytest.mark.parametrize("opponent", ["program:cat", "human", "nobody", "learned:policy.json"])
def test_only_computer_players_without_a_process_sit_down(opponent: str) -> None:
    assert "text" in made(opponent=opponent)


def test_a_learned_player_sits_down_only_where_there_is_a_policy() -> None:
    assert "no trained policy comes with" in made("bit-flip:bits=5", opponent="learned")["text"]


@pytest.mark.parametrize("game", names())
def test_a_game_that_starts_in_the_middle_is_studied_from_there(game: str) -> None:
    opening = Match(load(game))
    opening.play(opening.legal()[0])
    match = Match(load(game), start=opening.state)
    moves = [match.legal()[-1]]
    match.play(moves[0])
    [back] = ask("tables.take_records", text=f"{match.record()}\n")
    played = ask("tables.game", table=back["stored"], number=1)
    assert played["start"] == load(game).state_text(opening.state)
    board = ask("study.board", game=game, moves=moves, ply=0, start=played["start"])
    assert board["value"] == ask("study.played", table=back["stored"], number=1, ply=0)["value"]
    assert (
        board["position"]["view"]["rows"]
        == ask("tables.position", table=back["stored"], number=1, ply=0)["view"]["rows"]
    )


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("start", ["", "x", "0", "-1 -1", "9" * 5000, "[", "é"])
def test_a_start_that_is_none_is_refused(game: str, start: str) -> None:
    assert ask("study.board", game=game, start=start)["error"] == "invalid"
