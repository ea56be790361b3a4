"""Exercises are the moves that gave something away, and come back when the schedule says so."""

import json
from collections.abc import Iterable
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.coach.exercises import (
    INTERVALS,
    MOST_EXERCISES,
    MOST_KEPT_ATTEMPTS,
    Exercise,
    Trial,
    due_exercises,
    due_on,
    find_exercises,
    merge,
    read_exercises,
)

DAY = date(2026, 1, 5)


def played(spec: str, moves: Iterable[str]) -> pp.Match[Any]:
    match = pp.Match(pp.load(spec))
    for move in moves:
        match.play(move)
    return match


def random_match(spec: str, seed: int) -> pp.Match[Any]:
    match, rng = pp.Match(pp.load(spec), max_plies=30), Random(seed)
    while match.result is None:
        match.play(rng.choice(match.legal()))
    return match


@pytest.mark.parametrize(
    "spec",
    ["bit-flip", "mirror-match", "race-to-the-center", "inversion-race:passing=leapfrog", "dual-direction"],
)
def test_every_move_that_gave_something_away_is_an_exercise(spec: str) -> None:
    total = 0
    for seed in range(12):
        match = random_match(spec, seed)
        oracle = pp.solve(match.game)
        for side in (0, 1):
            found = find_exercises(match, oracle, [side], DAY)
            given = [
                each for each in oracle.regret(match.record()).plies if each.side == side and not each.kept
            ]
            states = {match.game.canonical(match.positions[each.ply - 1]) for each in given}
            assert {each.key for each in found} == {match.game.state_text(state) for state in states}
            for each in found:
                total += 1
                assert each.played not in each.solutions(oracle)
                assert not each.answer(each.played, oracle).solved
                for move in each.describe(oracle)["moves"]:
                    answer = each.answer(move["text"], oracle)
                    assert (move["solves"], tuple(move["words"])) == answer
                    assert move["solves"] == (move["text"] in each.solutions(oracle))
    assert total > 2


def test_positions_equal_by_symmetry_count_once() -> None:
    left, right = played("bit-flip", ["1"]), played("bit-flip", ["1", "8"])
    oracle = pp.solve(left.game)
    one = played("bit-flip", ["4", "0", "2"])
    mirrored = played("bit-flip", ["5", "9", "7"])
    first = find_exercises(one, oracle, [0, 1], DAY)
    second = find_exercises(mirrored, oracle, [0, 1], DAY + timedelta(1))
    assert first
    assert len(first) == len(second)
    joined = merge(first, second)
    assert [each.key for each in joined] == [each.key for each in first]
    assert [each.position for each in joined] == [each.position for each in second]
    assert all(len(each.attempts) == 2 for each in joined)
    assert find_exercises(left, oracle, [1], DAY) == find_exercises(right, oracle, [], DAY) == ()


def test_a_lost_turn_is_an_exercise_where_a_move_could_have_failed_too() -> None:
    match = pp.Match(pp.load("mirror-match"))
    match.play("1 B")
    match.play("99")
    oracle = pp.solve(match.game)
    judged = oracle.regret(match.record()).plies[-1]
    assert judged.mark == "forfeit"
    for each in find_exercises(match, oracle, [1], DAY):
        assert each.played == "forfeit"
        assert each.recount(oracle) == ("In the game you forfeited the turn here.",)


def attempts(*results: tuple[int, bool]) -> list[Trial]:
    return [Trial(DAY + timedelta(days), solved) for days, solved in results]


def test_a_failed_exercise_is_due_at_once_and_a_solved_one_later_and_later() -> None:
    assert due_on(attempts((0, False))) == DAY
    known = attempts((0, False))
    for days in INTERVALS:
        today = due_on(known)
        known.append(Trial(today, True))
        assert due_on(known) == today + timedelta(days)
    known.append(Trial(due_on(known), True))  # more often than there are intervals
    assert due_on(known) == known[-1].day + timedelta(INTERVALS[-1])
    known.append(Trial(known[-1].day, False))
    assert due_on(known) == known[-1].day
    known.append(Trial(known[-1].day, True))
    assert due_on(known) == known[-1].day + timedelta(INTERVALS[0])


def test_solving_twice_on_a_day_counts_once() -> None:
    assert due_on(attempts((0, False), (0, True), (0, True))) == DAY + timedelta(INTERVALS[0])


def exercise(key: str, *results: tuple[int, bool]) -> Exercise:
    return Exercise("bit-flip", key, key, "4", tuple(attempts(*results)))


def test_the_one_due_longest_comes_first() -> None:
    known = [exercise("a", (3, False)), exercise("b", (0, False)), exercise("c", (3, True))]
    assert [each.key for each in due_exercises(known, DAY + timedelta(3))] == ["b", "a"]
    assert [each.key for each in due_exercises(known, DAY + timedelta(4))] == ["b", "a", "c"]
    assert due_exercises(known, DAY - timedelta(1)) == ()


def test_of_too_many_the_best_known_are_dropped() -> None:
    many = [exercise(str(number), (0, True)) for number in range(MOST_EXERCISES)]
    kept = merge(many, [exercise("new", (0, False))])
    assert len(kept) == MOST_EXERCISES
    assert "new" in {each.key for each in kept}
    long = exercise("a", *[(number, True) for number in range(MOST_KEPT_ATTEMPTS)])
    assert long.add_trial(DAY, solved=False).attempts[-1] == Trial(DAY, False)
    assert len(long.add_trial(DAY, solved=False).attempts) == MOST_KEPT_ATTEMPTS


def test_exercises_survive_json() -> None:
    match = played("bit-flip", ["4", "0", "2"])
    known = find_exercises(match, pp.solve(match.game), [0, 1], DAY)
    assert known
    assert read_exercises(json.loads(json.dumps([each.as_dict() for each in known]))) == known


GOOD = exercise("0000000000 1", (0, False)).as_dict()


@pytest.mark.parametrize(
    "bad",
    [
        {},
        "exercise",
        [1],
        [{**GOOD, "game": 3}],
        [{**GOOD, "position": "a\nb"}],
        [{**GOOD, "key": "0" * 9001}],
        [{**GOOD, "attempts": []}],
        [{**GOOD, "attempts": [["yesterday", True]]}],
        [{**GOOD, "attempts": [["2026-01-05", 1]]}],
        [{**GOOD, "attempts": 3}],
        [{**GOOD, "more": 1}],
        [{name: value for name, value in GOOD.items() if name != "played"}],
    ],
)
def test_damaged_data_is_refused(bad: object) -> None:
    with pytest.raises(pp.ParseError, match="exercise"):
        read_exercises(bad)


@pytest.mark.parametrize("position", ["rubbish", "1111111111 1", "1000000001 2 3"])
def test_an_exercise_with_a_wrong_position_is_refused(position: str) -> None:
    oracle = pp.solve(pp.load("bit-flip"))
    with pytest.raises(pp.ParseError):
        exercise(position, (0, False)).question(oracle)
