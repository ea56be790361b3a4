"""A journal counts what was played, survives JSON, and says which level somebody plays like."""

import json
from datetime import date
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.coach.coach import Coach
from perfectplay.core.outcome import Side, other
from perfectplay.players.registry import load_computer
from perfectplay.strength.history import MOST_PERIODS, histories
from perfectplay.strength.journal import Journal, PlayedGame, summarize_game

DAY = date(2026, 1, 5)


def played(spec: str, players: tuple[str, str], seed: int) -> pp.Match[Any]:
    match = pp.Match(pp.load(spec), players=players, seed=seed, max_plies=60)
    seats = [load_computer(spec) for spec in players]
    while match.result is None:
        match.play(seats[match.side].move(match))
    return match


@pytest.mark.parametrize("spec", ["bit-flip", "race-to-the-center", "dual-direction", "mirror-match"])
def test_a_row_agrees_with_the_review(spec: str) -> None:
    for seed in range(4):
        match = played(spec, ("random", "level:5"), seed)
        oracle = pp.solve(match.game)
        review = "\n".join(Coach(oracle).review(match.record()))
        sides: tuple[Side, Side] = (0, 1)
        for side in sides:
            row = summarize_game(match, oracle, side, "level:5", DAY)
            name = match.game.side_names[side]
            said = f"{name}'s accuracy: {row.kept} of {row.decisions} critical move"
            assert (said in review) == bool(row.decisions)
            assert 0 <= row.guess <= row.decisions
            assert 0 <= row.slips <= row.decisions
        ends = [summarize_game(match, oracle, side, "", DAY).result for side in sides]
        assert ends in (["won", "lost"], ["lost", "won"], ["tied", "tied"], ["unfinished", "unfinished"])
        assert match.result is not None
        if match.result.winner is not None:
            assert ends[match.result.winner] == "won"


def test_resigning_a_won_game_is_a_lost_decision() -> None:
    match = pp.Match(pp.load("bit-flip"))
    match.assist(0)
    match.resign()
    row = summarize_game(match, pp.solve(match.game), 0, "perfect", DAY)
    assert (row.result, row.decisions, row.kept, row.assisted) == ("lost", 1, 0, True)
    assert not summarize_game(match, pp.solve(match.game), 1, "perfect", DAY).assisted


@pytest.mark.parametrize("level", [2, 5, 8])
@pytest.mark.parametrize("side", [0, 1])
def test_a_level_plays_like_itself(level: int, side: Side) -> None:
    players = [f"level:{level}", "level:4"]
    journal = Journal()
    for seed in range(120):
        seated = (players[side], players[other(side)])
        match = played("bit-flip:bits=12", seated, seed)
        journal = journal.join(Journal.of_game(match, pp.solve(match.game), {side: "level:4"}, DAY))
    [found] = histories(journal.games)
    assert found.plays_like is not None
    like, low, high = found.plays_like
    assert int(low) <= level <= int(high)
    assert abs(int(like) - level) <= 1
    assert int(high) - int(low) <= 5


def test_perfect_play_is_level_ten_and_few_games_say_little() -> None:
    match = played("bit-flip:bits=12", ("perfect", "random"), 0)
    [found] = histories(Journal.of_game(match, pp.solve(match.game), {0: "random"}, DAY).games)
    assert found.plays_like is not None
    assert found.plays_like[0] == found.plays_like[2] == 10
    assert int(found.plays_like[1]) < 6


def row(game: str = "bit-flip", opponent: str = "level:5", **more: Any) -> PlayedGame:
    given: dict[str, Any] = {
        "decisions": 4,
        "kept": 2,
        "guess": 1.5,
        "slips": 2.0,
        "result": "won",
        "assisted": False,
    }
    return PlayedGame(day=DAY, game=game, opponent=opponent, side=0, **given | more)


def test_games_are_counted_by_setting_and_opponent() -> None:
    games = [
        row(),
        row("dual-direction", result="unfinished"),
        row(opponent="level:10", result="lost", kept=0),
        row(opponent="level:9", kept=4, assisted=True),
        row(kept=4),
    ]
    bit_flip, dual = histories(games)
    assert (bit_flip.game, bit_flip.games, bit_flip.assisted) == ("bit-flip", 4, 1)
    assert list(bit_flip.results) == ["level:5", "level:9", "level:10"]
    assert bit_flip.results["level:5"] == {"won": 2, "lost": 0, "tied": 0, "unfinished": 0}
    assert bit_flip.results["level:10"]["lost"] == 1
    assert [each.kept for each in bit_flip.periods] == [2, 0, 4]  # not the one with hints
    assert bit_flip.total == (3, 12, 6)
    assert dual.results["level:5"]["unfinished"] == 1
    assert histories([]) == ()


def test_many_games_are_joined_and_without_decisions_there_is_no_accuracy() -> None:
    [found] = histories([row()] * (MOST_PERIODS * 2 + 1))
    assert len(found.periods) <= MOST_PERIODS
    assert sum(each.games for each in found.periods) == found.total.games == MOST_PERIODS * 2 + 1
    [found] = histories([row(decisions=0, kept=0, guess=0.0, slips=0.0)])
    assert found.total.accuracy is None
    assert found.plays_like is None


def test_two_people_at_one_keyboard_are_not_counted_but_get_exercises() -> None:
    match = played("bit-flip", ("random", "random"), 3)
    journal = Journal.of_game(match, pp.solve(match.game), {0: "human", 1: "human"}, DAY)
    assert journal.games == ()
    assert journal.exercises


def journal() -> Journal:
    match = played("bit-flip", ("random", "level:5"), 3)
    return Journal.of_game(match, pp.solve(match.game), {0: "level:5"}, DAY)


def test_a_journal_survives_json() -> None:
    found = journal()
    assert found.games
    assert found.exercises
    assert Journal.parse(str(found)) == found
    json.dumps([each.as_dict() for each in histories(found.games)])


def test_an_attempt_belongs_to_one_exercise() -> None:
    before = journal()
    exercise = before.exercises[0]
    after = before.add_trial(exercise, date(2026, 1, 6), solved=True)
    assert after.exercises[0].due == date(2026, 1, 7)
    assert after.exercises[1:] == before.exercises[1:]


GOOD = row().as_dict()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rubbish", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a journal"),
        ('{"version": 1}', "not a journal"),
        ('{"version": 2, "games": [], "exercises": []}', "only version 1"),
        ('{"version": 1, "games": []}', "exercises are not a list"),
        *(
            (json.dumps({"version": 1, "games": [GOOD, bad], "exercises": []}), "game 2 is damaged")
            for bad in (
                3,
                {},
                GOOD | {"more": 1},
                GOOD | {"day": "yesterday"},
                GOOD | {"day": 3},
                GOOD | {"game": "a\nb"},
                GOOD | {"opponent": "x" * 1001},
                GOOD | {"side": 2},
                GOOD | {"result": "great"},
                GOOD | {"kept": 5},
                GOOD | {"kept": -1},
                GOOD | {"decisions": 10**9, "kept": 0},
                GOOD | {"decisions": 4.5},
                GOOD | {"guess": float("nan")},
                GOOD | {"slips": 5.0},
                GOOD | {"slips": "2"},
                GOOD | {"assisted": 1},
            )
        ),
    ],
)
def test_a_damaged_journal_is_refused(text: str, problem: str) -> None:
    with pytest.raises(pp.ParseError, match=problem):
        Journal.parse(text)


def test_a_game_that_began_in_the_middle_is_not_counted() -> None:
    begun = played("bit-flip", ("random", "level:5"), 3)
    match = pp.Match(begun.game, start=begun.positions[1])
    match.resign()
    assert Journal.of_game(match, pp.solve(match.game), {1: "level:5"}, DAY).games == ()
