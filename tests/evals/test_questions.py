"""Single questions: balanced, one of each class of symmetry, and counted like moves of a game."""

from collections import Counter

import pytest

import perfectplay as pp
from perfectplay.core.errors import BadParameterError
from perfectplay.evals.measures import measure
from perfectplay.evals.questions import (
    QuestionKind,
    SingleQuestion,
    count_answer,
    draw_decisions,
    draw_rules_questions,
    list_choices,
    load_family,
    solve_question,
    write_question,
)
from perfectplay.evals.samples import question_sample
from perfectplay.evals.setup import DisguiseName, Setup


def test_decisions_are_spread_over_the_games_of_a_family() -> None:
    items = draw_decisions(load_family("bit-flip"), 44, seed=3)
    games = Counter(item.game for item in items).values()
    assert (len(games), max(games)) == (11, 5)
    assert len({item.cluster for item in items}) == 44
    assert 18 <= Counter(item.seat for item in items)[0] <= 26
    assert (
        items
        == draw_decisions(load_family("bit-flip"), 44, seed=3)
        != draw_decisions(load_family("bit-flip"), 44, seed=4)
    )


def test_values_are_balanced_where_decisions_have_several() -> None:
    items = draw_decisions(load_family("dual-direction"), 24)
    kinds = Counter(
        pp.solve(game := pp.load(item.game)).value(game.parse_state(item.position)).kind for item in items
    )
    assert set(kinds) == {"win", "endless"}
    assert min(kinds.values()) >= 8


@pytest.mark.parametrize("name", pp.names())
def test_questions_on_the_rules_have_every_answer_equally_often(name: str) -> None:
    items = draw_rules_questions([pp.load(name)], 60)
    for kind in ("legal", "end", "winner"):
        answers = Counter(solve_question(item) for item in items if item.kind == kind)
        assert len(answers) > 1
        assert max(answers.values()) - min(answers.values()) <= 1
    assert len(set(items)) == len(items)


@pytest.mark.parametrize("count", [1, 5, 60])
@pytest.mark.parametrize("name", pp.names())
def test_no_answer_without_looking_scores_above_guessing(name: str, count: int) -> None:
    setup = Setup(name)
    items = draw_rules_questions([pp.load(name)], count)
    for kind in ("legal", "end", "winner"):
        asked_of = [item for item in items if item.kind == kind]
        answers = {each for item in asked_of for each in list_choices(item, pp.load(name).side_names)}
        rows = [
            [question_sample(item, setup, f"Answer: {answer}", "blind") for item in asked_of]
            for answer in answers
        ]
        scores = [found.value for each in rows if (found := measure(each).corrected) is not None]
        if len({solve_question(item) for item in asked_of}) > 1:
            assert len(scores) == len(rows)
            assert max(scores) == pytest.approx(0)
        for item in asked_of:
            assert 0 < count_answer(item, setup, "").guess < 1


@pytest.mark.parametrize("disguise", ["none", "words", "arrows"])
def test_right_and_wrong_answers_are_told_apart_in_every_disguise(disguise: DisguiseName) -> None:
    setup = Setup("inversion-race", disguise=disguise)
    names = ("X", "Y") if disguise == "arrows" else ("Player A", "Player B")
    for item in draw_rules_questions([pp.load("inversion-race")], 30):
        right = list_choices(item, names)[
            list_choices(item, ("Player A", "Player B")).index(solve_question(item))
        ]
        assert f"Answer: <{', '.join(list_choices(item, names)[:-1])} or" in write_question(item, setup)
        for choice in list_choices(item, names):
            counts = count_answer(item, setup, f"Hm.\n**Answer: {choice.upper()}**")
            assert (counts.kept, counts.answers["legal"]) == (choice == right, 1)
            assert counts.guess == item.guess
    assert count_answer(item, setup, "maybe").answers["silent"] == 1
    assert count_answer(item, setup, "Answer: maybe").answers["unreadable"] == 1


def test_a_choice_is_counted_like_a_move() -> None:
    item = SingleQuestion("choose", "bit-flip", "0000000000 1", "bit-flip 0000000000 1")
    setup = Setup("bit-flip", moves="listed")
    assert "Legal moves: 0, 1, 2" in write_question(item, setup)
    best = count_answer(item, setup, "Move: 2")
    assert (best.decisions, best.kept, best.guess, best.drops) == (1, 1, 0.4, {})
    worse = count_answer(item, setup, "Move: 4")
    assert (worse.kept, worse.drops) == (0, {"win to loss": 1})
    for text, outcome in (("4", "silent"), ("Move: x", "unreadable")):
        counts = count_answer(item, setup, text)
        assert (counts.decisions, counts.kept, counts.answers[outcome], counts.errors) == (1, 0, 1, 0)
    taken = SingleQuestion("choose", "bit-flip", "1000000000 2", "c")
    assert count_answer(taken, setup, "Move: 1").illegal == {"adjacent": 1}


@pytest.mark.parametrize("kind", ["choose", "legal", "end", "winner"])
def test_an_answer_that_never_came_is_an_error_and_not_silence(kind: QuestionKind) -> None:
    item = SingleQuestion(kind, "bit-flip", "0000000000 1", "c", "0" if kind == "legal" else None)
    counts = count_answer(item, Setup("bit-flip"), None)
    assert (counts.errors, counts.decisions, counts.kept) == (1, 1, 0)
    assert sum(counts.answers.values()) == 0


def test_a_count_that_makes_no_sense_is_refused() -> None:
    for count in (0, -1, True, "9"):
        with pytest.raises(BadParameterError, match="count"):
            draw_decisions([pp.load("bit-flip")], count)  # type: ignore[arg-type]


def test_an_invalid_choice_drops_what_the_lost_turn_is_worth() -> None:
    setup = Setup("mirror-match")
    for spec in ("mirror-match", "mirror-match:disqualify_after=1"):
        lost = count_answer(SingleQuestion("choose", spec, "- 1", "c"), setup, "Move: 77 B")
        assert (lost.answers["invalid"], lost.kept, lost.drops) == (1, 0, {"win to loss": 1})
    passing = SingleQuestion("choose", "mirror-match:forfeit=move,disqualify_after=1", "1 2", "c")
    assert count_answer(passing, setup, "Move: 77 B").drops == {"endless to loss": 1}


@pytest.mark.parametrize("guess", [None, 0.0, 1.0, -3.0, "x"])
def test_a_guess_that_cannot_be_is_not_believed(guess: object) -> None:
    item = SingleQuestion.from_data(["winner", "bit-flip", "0000000000 1", "c", None, guess])
    assert count_answer(item, Setup("bit-flip"), "").guess == pytest.approx(1 / 3)
