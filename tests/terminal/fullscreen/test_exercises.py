"""Exercises and statistics on the full screen."""

from datetime import date, timedelta

import pytest

import perfectplay as pp
from perfectplay.coach.exercises import find_exercises
from perfectplay.core.errors import PerfectplayError
from perfectplay.strength.journal import Journal
from perfectplay.terminal import journal_file
from perfectplay.terminal.fullscreen.opening import exercise_screen
from perfectplay.terminal.fullscreen.screens.home import HomeScreen
from perfectplay.terminal.fullscreen.screens.solving import ExerciseScreen
from perfectplay.terminal.fullscreen.screens.stats import StatsScreen
from tests.terminal.fullscreen.screens import flowing, in_a_loop, playing
from tests.terminal.fullscreen.screens import seen as shown

TODAY = date.today()


def mistakes(day: date = TODAY) -> Journal:
    match = pp.Match(pp.load("bit-flip"))
    for move in ("4", "0", "8"):
        match.play(move)
    return Journal(exercises=find_exercises(match, pp.solve(match.game), [0, 1], day))


@in_a_loop
async def test_a_lost_game_is_tried_again_and_counted() -> None:
    async with playing("bit-flip:bits=5", ("human", "perfect")) as seen:
        await seen.until(lambda: seen.screen.asking.is_live)
        await seen.press("e")
        assert "Exercises come after the game" in seen.text("message")
        await seen.type("4")
        await seen.until(lambda: "e tries the moment again" in flowing(seen.text("message")))
        await seen.press("e")
        assert isinstance(seen.screen, ExerciseScreen)
        assert "Find a move that keeps the win." in seen.text("message")
        await seen.type("1")
        assert "Wrong" in seen.text("status")
        await seen.press("u")
        await seen.type("2")
        assert "Right" in seen.text("status")
        assert "In the game you played 4 here." in seen.text("message")
        [exercise] = journal_file.load().exercises
        assert [each.solved for each in exercise.attempts] == [False, False]  # in the game, and at first
        await seen.press("escape")
        assert not isinstance(seen.screen, ExerciseScreen)
    assert [row.result for row in journal_file.load().games] == ["lost"]


@in_a_loop
async def test_exercises_follow_one_another_and_come_back_the_next_day() -> None:
    journal = mistakes()
    assert len(journal.exercises) == 2
    journal_file.change(lambda kept: kept.join(journal))
    async with shown(lambda app: exercise_screen(journal.exercises, TODAY)) as seen:
        for number, exercise in enumerate(journal.exercises):
            assert seen.screen.number == number
            await seen.type(exercise.solutions(journal_file.oracle_of(exercise))[0])
            assert "Right" in seen.text("status")
            await seen.press("n")
        assert "last exercise" in flowing(seen.text("message"))
    kept = journal_file.load().exercises
    assert [each.due for each in kept] == [TODAY + timedelta(1)] * 2
    with pytest.raises(PerfectplayError, match="none is due before"):
        exercise_screen(kept, TODAY)
    assert exercise_screen(kept, TODAY + timedelta(1))


@in_a_loop
async def test_an_answer_that_is_shown_counts_as_failed() -> None:
    journal = mistakes()
    journal_file.change(lambda kept: kept.join(journal))
    async with shown(lambda app: exercise_screen(journal.exercises, TODAY)) as seen:
        await seen.press("b")
        assert "Solved by" in seen.text("message")
    assert not journal_file.load().exercises[0].attempts[-1].solved


@in_a_loop
async def test_home_says_how_many_are_due_and_opens_them() -> None:
    async with shown(lambda app: HomeScreen()) as seen:
        await seen.until(lambda: "Exercises from your games (e): none yet" in seen.shown)
        await seen.press("e")
        assert "There are no exercises yet" in flowing(seen.text("message"))
        await seen.press("d")
        assert isinstance(seen.screen, StatsScreen)
        assert "You have not finished a game yet." in seen.text("statistics")
        journal_file.change(lambda kept: kept.join(mistakes()))
        await seen.press("q")
        await seen.until(lambda: "2 exercises are due" in seen.shown)
        await seen.press("e")
        assert isinstance(seen.screen, ExerciseScreen)


@in_a_loop
async def test_statistics_are_deleted_after_one_question() -> None:
    journal_file.change(lambda kept: kept.join(mistakes()))
    async with shown(lambda app: StatsScreen()) as seen:
        await seen.press("x", "k", "x")
        assert journal_file.file().exists()
        await seen.press("x")
        assert not journal_file.file().exists()
        assert "are deleted" in seen.text("message")
        assert "none yet" in seen.text("statistics")
        await seen.press("x")
        assert seen.text("message") == "There is nothing to delete."
