"""A web table by itself: what may happen at it, and that its events tell everything."""

import json
from random import Random
from typing import Any, get_args

import pytest

import perfectplay as pp
from perfectplay.tables import encoding, limits
from perfectplay.tables import table as tables
from perfectplay.tables.encoding import dumps
from perfectplay.tables.events import Event, EventKind, Offer, RefusedError, Seat
from perfectplay.tables.limits import most_plies
from perfectplay.tables.position_serializers import (
    result_of,
    serialize_moves,
    serialize_position,
    serialize_result,
    serialize_view,
)
from perfectplay.tables.serializers import event_news, table_position
from perfectplay.tables.table import Table
from perfectplay.tables.time_control import TimeControl
from perfectplay.workers.worker import study
from tests.core.listed_games import table_game


def seated(spec: str = "bit-flip:bits=3", **settings: Any) -> tuple[Table, list[Event]]:
    table = Table("t", pp.load(spec), **settings)
    return table, [did(table, 0, "sit", "Ann"), did(table, 1, "sit", "Bob")]


def did(table: Table, seat: Seat | None, kind: EventKind, text: str = "") -> Event:
    return table.add(Event(table.next, 0.0, seat, kind, text))


def refused(table: Table, seat: Seat | None, kind: EventKind, text: str = "") -> str:
    before = repr(table), None if table.match is None else str(table.match)
    with pytest.raises(RefusedError) as caught:
        did(table, seat, kind, text)
    after = repr(table), None if table.match is None else str(table.match)
    assert before == after
    return caught.value.code


@pytest.mark.parametrize("name", pp.names())
def test_the_message_about_an_event_has_the_position_of_the_table(name: str) -> None:
    random = Random(7)
    table, _ = seated(name)
    for _ in range(40):
        if table.match is None or table.status != "running" or table.turn is None:
            break
        event = did(table, table.turn, "move", random.choice(table.match.legal()))
        message = json.loads(event_news(table, event).text())
        assert message["position"] == json.loads(dumps(table_position(table)))
        assert (message["event"]["number"], message["table"]["next"]) == (event.number, table.next)
    did(table, 0, "resign") if table.status == "running" else did(table, 0, "offer", "rematch")
    ended = Event(table.next - 1, 0.0, 0, "resign", "", 1)
    assert json.loads(event_news(table, ended).text())["position"]["result"] is not None


def test_messages_are_the_same_without_orjson(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"name": "Zoë", "at": 1.5, "seat": None, "cells": ((1, "2"), Event(1, 0.5, 0, "sit"))}
    fast = dumps(data)
    monkeypatch.setattr(encoding, "orjson", None)
    assert dumps(data) == fast


def test_a_game_begins_when_both_seats_are_taken() -> None:
    table = Table("t", pp.load("bit-flip:bits=3"))
    assert (table.status, table.turn) == ("open", None)
    assert refused(table, 0, "move", "1") == "open"
    assert did(table, 1, "sit", "Bob").game == 0
    assert refused(table, 1, "sit", "Eve") == "taken"
    assert did(table, 0, "sit", "Ann").game == 1
    assert (table.status, table.turn, table.names) == ("running", 0, ["Ann", "Bob"])
    assert refused(table, 0, "sit", "Eve") == "taken"


def test_only_the_next_number_happens() -> None:
    table, _ = seated()
    for number in (0, 1, 2, 4):
        with pytest.raises(RefusedError, match="the next one is 3"):
            table.add(Event(number, 0.0, 0, "move", "1"))
    assert table.next == 3


def test_an_invalid_event_is_refused() -> None:
    table, _ = seated()
    unknown: Any = "dance"
    with pytest.raises(RefusedError, match=r"^unknown kind of event: dance$") as caught:
        did(table, 0, unknown)
    assert (caught.value.code, table.next) == ("kind", 3)


def test_what_is_refused_says_why() -> None:
    table = Table("t", pp.load("bit-flip:bits=3"))

    def said(*what: Any) -> str:
        with pytest.raises(RefusedError) as caught:
            did(table, *what)
        return str(caught.value)

    did(table, 0, "sit", "Ann")
    assert said(0, "sit", "Eve") == "this seat is taken"
    assert said(0, "move", "1") == "the game has not begun"
    did(table, 1, "sit", "Bob")
    assert said(None, "move", "1") == "only seated players can do that"
    assert said(1, "move", "1") == "it is not your turn"
    assert said(0, "move", "3") == '"3" is not a move here. Allowed: 0, 1 or 2.'
    assert said(0, "forfeit") == "turns cannot be forfeited in Bit Flip"
    assert said(0, "offer", "money") == "unknown offer: money"
    assert said(0, "offer", "rematch") == "a rematch is possible once the game is over"
    assert said(0, "offer", "takeback") == "you have no move to take back"
    assert said(0, "accept", "abandon") == "the other player has not offered that: abandon"
    did(table, 0, "offer", "abandon")
    assert said(1, "offer", "abandon") == "this offer is already open: abandon"
    did(table, 0, "resign")
    assert said(0, "move", "1") == "the game is over"
    assert said(0, "close") == "there is nothing left to close"
    table = Table("t", pp.load("bit-flip:bits=3"))
    did(table, None, "close")
    assert (table.closed, said(0, "sit", "Ann")) == ("closed", "this table is closed")


def test_there_is_an_end_to_rematches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_GAMES", 2)
    table, _ = seated()
    did(table, 0, "resign")
    did(table, 0, "offer", "rematch")
    did(table, 1, "accept", "rematch")
    did(table, 0, "resign")
    assert table.games == 2
    assert refused(table, 0, "offer", "rematch") == "games"


def test_moves_are_checked() -> None:
    table, _ = seated("bit-flip:bits=4")
    assert refused(table, 1, "move", "1") == "turn"
    assert refused(table, None, "move", "1") == "seat"
    assert refused(table, 0, "move", "9") == "illegal"
    assert did(table, 0, "move", " 1 ").text == "1"
    assert refused(table, 1, "move", "0") == "illegal"
    assert refused(table, 1, "forfeit") == "illegal"
    did(table, 1, "move", "3")
    assert (table.status, table.score) == ("over", (0, 1))
    assert refused(table, 0, "move", "2") == "over"
    assert refused(table, 0, "resign") == "over"


def test_an_invalid_number_costs_the_turn_in_mirror_match() -> None:
    table, _ = seated("mirror-match")
    happened = did(table, 0, "move", "12 E")
    assert (happened.kind, happened.text) == ("forfeit", "12 E")
    assert table.turn == 1
    assert refused(table, 1, "move", "4") == "illegal"
    did(table, 1, "move", "4 e")
    assert table.match is not None
    assert [line.text for line in table.match.record().moves] == ["forfeit", "4 E"]


def test_seats_change_sides_where_the_rules_fix_who_starts() -> None:
    table, events = seated("race-to-the-center:positions=3")
    events.append(did(table, 0, "move", "1"))
    assert (table.score, table.status, table.turn) == ((0, 0), "running", 1)
    while table.status == "running":
        assert table.turn is not None
        events.append(did(table, table.turn, "move", "1"))
    first = table.score
    events.append(did(table, 1, "offer", "rematch"))
    assert refused(table, 1, "accept", "rematch") == "nothing"
    accepted = did(table, 0, "accept", "rematch")
    events.append(accepted)
    assert (accepted.game, table.games, table.turn, table.seat_of(0)) == (2, 2, 1, 1)
    assert table.record().place.swapped
    events.append(did(table, 1, "resign"))
    assert table.score == (first[0] + 1, first[1])
    again = Table("t", table.game).replay(events)
    assert repr(again.record()) == repr(table.record())


@pytest.mark.parametrize("spec", ["bit-flip:bits=3", "race-to-the-center:positions=3"])
def test_a_rematch_is_the_next_game_of_a_series(spec: str) -> None:
    table, _ = seated(spec, seed=7, players=(None, "random"))
    series: pp.Series[Any] = pp.Series(table.game, 3, players=("human", "random"), seed=7)
    for number in (1, 2, 3):
        expected = series.match(number)
        assert table.match is not None
        assert (table.match.game, table.match.players) == (expected.game, expected.players)
        assert (table.games, table.match.seed) == (number, series.game_seed(number))
        assert table.match.max_plies == most_plies(table.game)
        assert [table.seat_of(side) for side in (0, 1)] == [
            series.contestant(side, number) for side in (0, 1)
        ]
        assert [table.side_of(table.seat_of(side)) for side in (0, 1)] == [0, 1]
        assert table.record().players == ("human", "random")
        did(table, 0, "resign")
        did(table, 0, "offer", "rematch")
        did(table, 1, "accept", "rematch")
    assert series.game_seed(1) == 7
    assert len({series.game_seed(number) for number in (1, 2, 3)}) == 3


def test_sides_stay_where_either_may_start() -> None:
    table, _ = seated("bit-flip:bits=3")
    did(table, 0, "move", "1")
    did(table, 0, "offer", "rematch")
    did(table, 1, "accept", "rematch")
    assert (table.turn, table.seat_of(1)) == (1, 1)
    assert table.match is not None
    assert table.match.game.spec == "bit-flip:bits=3,first=2"
    assert table.match.seed != 0


def test_a_takeback_needs_a_move_and_the_others_consent() -> None:
    table, _ = seated("bit-flip")
    assert refused(table, 0, "offer", "takeback") == "nothing"
    did(table, 0, "move", "4")
    assert refused(table, 1, "offer", "takeback") == "nothing"
    did(table, 0, "offer", "takeback")
    assert refused(table, 0, "offer", "takeback") == "offered"
    assert refused(table, 0, "accept", "takeback") == "nothing"
    did(table, 1, "decline", "takeback")
    assert table.offers == {}
    did(table, 0, "offer", "takeback")
    did(table, 1, "accept", "takeback")
    assert table.match is not None
    assert (table.match.plies, table.turn, table.offers) == (0, 0, {})


def test_a_takeback_takes_the_increments_of_its_moves_too() -> None:
    table = Table("t", pp.load("inversion-race"), control=TimeControl("game", 60, 2))
    happened: list[tuple[Seat, EventKind, str, int, list[int]]] = [
        (0, "sit", "Ann", 0, [0, 0]),
        (1, "sit", "Bob", 0, [60_000, 60_000]),
        (0, "move", "left", 1_000, [61_000, 60_000]),
        (1, "move", "right", 1_000, [61_000, 61_000]),
        (0, "offer", "takeback", 5_000, [56_000, 61_000]),
        (1, "accept", "takeback", 1_000, [53_000, 59_000]),  # both moves are gone
        (0, "move", "left", 52_500, [2_500, 59_000]),
        (0, "offer", "takeback", 0, [2_500, 59_000]),
        (1, "accept", "takeback", 4_000, [2_000, 55_000]),  # one increment is left to play on with
    ]
    for seat, kind, text, ms, left in happened:
        table.add(Event(table.next, 0, seat, kind, text, ms=ms))
        assert table.left == left


@pytest.mark.parametrize(("seat", "whose"), [(0, "your"), (1, "the other player's")])
def test_nothing_happens_after_the_time_has_run_out(seat: Seat, whose: str) -> None:
    table, _ = seated("bit-flip", control=TimeControl("move", 30))
    with pytest.raises(RefusedError, match=f"^{whose} time has run out$") as caught:
        table.add(Event(3, 0.0, seat, "resign", ms=30_000))
    assert caught.value.code == "time"
    assert table.status == "running"


def test_a_forced_pass_cannot_be_taken_back() -> None:
    table, _ = seated("inversion-race:cells=5,start=4")
    assert not table.must_pass
    did(table, 0, "move", "left")
    assert table.must_pass  # B stands in the corner, A beside it
    did(table, 1, "move", "pass")
    assert not table.must_pass
    assert refused(table, 1, "offer", "takeback") == "nothing"
    did(table, 0, "offer", "takeback")
    did(table, 1, "accept", "takeback")
    assert table.match is not None
    assert table.match.plies == 0


def test_a_move_answers_every_offer() -> None:
    table, _ = seated("bit-flip")
    did(table, 0, "move", "4")
    did(table, 0, "offer", "takeback")
    did(table, 0, "offer", "abandon")
    did(table, 1, "move", "0")
    assert table.offers == {}
    assert refused(table, 1, "accept", "takeback") == "nothing"


def test_a_game_is_abandoned_by_agreement_only() -> None:
    table, _ = seated()
    assert refused(table, 0, "offer", "rematch") == "running"
    assert refused(table, 0, "offer", "money") == "kind"
    did(table, 0, "offer", "abandon")
    did(table, 1, "accept", "abandon")
    assert (table.status, table.unfinished, table.score) == ("over", "abandoned by agreement", (0, 0))
    assert refused(table, 0, "move", "1") == "over"
    assert refused(table, 0, "close") == "over"
    assert table.record().result is None
    did(table, 0, "offer", "rematch")
    did(table, 1, "accept", "rematch")
    assert (table.status, table.unfinished, table.games) == ("running", None, 2)


@pytest.mark.parametrize("ending", ["resign", "claim", "close", "move", "forfeit"])
def test_nothing_is_on_offer_after_a_turn_or_the_end(ending: EventKind) -> None:
    table, _ = seated("mirror-match")
    did(table, 0, "move", "1 B")
    did(table, 0, "offer", "abandon")
    did(table, 1, ending, "2 E" if ending == "move" else "")
    assert table.offers == {}
    assert refused(table, 1, "accept", "abandon") == "nothing"


def test_a_closed_table_takes_nobody() -> None:
    table = Table("t", pp.load("bit-flip"))
    did(table, 0, "sit", "Ann")
    did(table, None, "close", "nobody joined")
    assert refused(table, 1, "sit", "Bob") == "closed"


def test_there_is_an_end_to_events_and_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    assert most_plies(pp.load("mirror-match")) == 200
    assert most_plies(pp.load("bit-flip")) == 1000
    assert most_plies(table_game({}, ends={"start": 0}, movers={})) == 1000
    monkeypatch.setattr(limits, "MOST_PLIES", 4)
    monkeypatch.setattr(tables, "MOST_EVENTS", 8)
    table, _ = seated("dual-direction")
    for text in ("left", "right", "left", "right"):
        assert table.turn is not None
        did(table, table.turn, "move", text)
    assert table.match is not None
    assert table.match.result is not None
    assert (table.status, table.match.result.reason, table.score) == ("over", "ply limit", (0, 0))
    did(table, 0, "offer", "rematch")
    did(table, 1, "accept", "rematch")
    with pytest.raises(RefusedError, match=r"^a table can have at most 8 events$"):
        did(table, 1, "move", "left")
    assert refused(table, 1, "move", "left") == "full"
    did(table, 1, "resign")


@pytest.mark.parametrize("spec", pp.names())
@pytest.mark.parametrize("seed", range(6))
def test_the_events_tell_everything(spec: str, seed: int) -> None:
    """Whatever two people try, what was accepted gives the same table again, and nothing else counts."""
    rng = Random(f"{spec} {seed}")
    control = (None, TimeControl("move", 20), TimeControl("game", 60, 3))[seed % 3]
    table, events = seated(spec, seed=seed, control=control)
    kinds = [kind for kind in get_args(EventKind) if kind != "sit"]
    state = (
        "next",
        "names",
        "offers",
        "closed",
        "abandoned",
        "games",
        "status",
        "turn",
        "score",
        "left",
        "waited",
    )

    def stands(each: Table) -> str:
        return repr([getattr(each, name) for name in state] + [each.record()])

    for step in range(300):
        seat: Seat = 0 if rng.random() < 0.5 else 1
        kind: EventKind = rng.choices(kinds, [20 if kind == "move" else 1 for kind in kinds])[0]
        text = rng.choice(get_args(Offer))
        if kind == "move":
            legal = table.match.legal() if table.match else ()
            text = rng.choice([*legal, "x", ""])
            seat = table.turn if table.turn is not None and rng.random() < 0.8 else seat
        if kind == "close" and step < 250:
            continue  # not at once
        before = stands(table)
        try:
            wanted = Event(table.next, 0.0, seat, kind, text, ms=rng.choice((0, 900, 4_000, 25_000)))
            events.append(table.add(wanted))
        except RefusedError:
            assert stands(table) == before
    assert [event.number for event in events] == list(range(1, table.next))
    assert all(left >= 0 for left in table.left)
    again = Table("t", table.game, seed=seed, control=control).replay(events)
    assert stands(again) == stands(table)
    record = table.record()
    (read,) = pp.read_records(str(record))
    assert pp.Match.replay(read, pp.load(record.spec)).record().moves == tuple(record.moves)


def test_numbers_are_shown_below_the_captions() -> None:
    game: pp.Game[Any] = pp.load("dual-direction")
    view = pp.View((), captions=("late",), numbers=(("left", 3),))
    assert serialize_view(game, game.initial(), view, playable=True)["captions"] == ("late", "left: 3")


def test_a_view_sent_has_roles_owners_links_and_aims() -> None:
    game: pp.Game[Any] = pp.load("dual-direction:positions=3")
    data = serialize_view(game, game.initial(), game.view(game.initial()), playable=True)
    assert [(cell.get("role"), cell.get("owner", "nobody")) for cell in data["rows"][0]] == [
        ("goal", 0),
        (None, "nobody"),
        ("goal", 1),
    ]
    assert data["aims"] == ("Bring the marker to position 1.", "Bring the marker to position 3.")
    assert data["note"].startswith("The marker wins for the owner")
    assert data["on_board"] == data["captions"]
    game = pp.load("mirror-match:digits=1")
    state = game.parse_state("1-1 1")
    data = serialize_view(game, state, game.view(state), playable=True)
    assert data["links"] == [{"a": 0, "b": 1, "matched": True}]
    assert [(control["group"], control["adds"]) for control in data["controls"]] == [
        ("Beginning", 0),
        ("End", 2),
    ]


def test_moves_say_what_they_put_on_the_board() -> None:
    def placed(spec: str, *moves: str) -> list[object]:
        match: pp.Match[Any] = pp.Match(pp.load(spec))
        for move in moves:
            match.play(move)
        last = serialize_position(match, match.plies, number=1)["last"]
        found: list[object] = [move["placed"] for move in serialize_moves(match, swapped=False)]
        assert last is not None
        assert last["placed"] == found[-1]
        return found

    assert placed("bit-flip", "3", "6") == [{"cell": 3, "adds": False}, {"cell": 6, "adds": False}]
    assert placed("mirror-match", "3 E", "4 E", "5 B") == [
        {"cell": 0, "adds": True, "words": "3"},
        {"cell": 1, "adds": True, "words": "4 at the end"},
        {"cell": 0, "adds": True, "words": "5 at the beginning"},
    ]
    assert placed("dual-direction", "left") == [None]  # a piece that moves belongs to nobody
    assert (
        placed("mirror-match:digits=2,shortest=1000", *("1 B",) * 3)[1:]
        == [{"cell": 0, "adds": True, "words": "1 at the beginning"}] * 2
    )


@pytest.mark.parametrize("name", pp.names())
def test_every_end_has_a_sentence_for_people(name: str) -> None:
    game: pp.Game[Any] = pp.load(name)
    assert set(game.texts().endings) == set(game.outcome_reasons)
    for text in game.texts().endings.values():
        filled = text.format(winner="Ann", loser="Bob")
        assert filled.endswith(".")
        assert filled != text  # it names somebody


def test_a_result_says_why() -> None:
    match: pp.Match[Any] = pp.Match(pp.load("bit-flip:bits=1"))
    match.play("0")
    result = serialize_result(match.game, result_of(match, None), False)
    assert result is not None
    assert result["why"] == "{winner} made the last flip, and no bit was left for {loser}."
    match = pp.Match(pp.load("bit-flip"))
    match.resign()
    result = serialize_result(match.game, result_of(match, None), False)
    assert result is not None
    assert result["why"] == "{loser} resigned."
    fresh = pp.Match(pp.load("bit-flip"))
    result = serialize_result(fresh.game, result_of(fresh, "the opponent left"), False)
    assert result is not None
    assert result["why"] == "The opponent left."


def test_the_web_study_copes_with_every_entry() -> None:
    match: pp.Match[Any] = pp.Match(pp.load("bit-flip"))
    match.play("4")
    match.assist(1)
    match.play("1")
    match.time_out()
    answer = study(match, match.record(), 2, number=1)
    assert [(move["ply"], move["kind"]) for move in answer["played"]] == [
        *((1, "move"), (None, "assisted")),
        *((2, "move"), (None, "time")),
    ]
    last = answer["position"]["last"]
    assert last is not None
    assert (last["side"], last["text"]) == (1, "1")
    assert answer["moves"]  # the game can be played on
    earlier = study(match, match.record(), 1, number=1)["position"]["last"]
    assert earlier is not None
    assert earlier["text"] == "4"
