"""Clocks: what a move costs, what a takeback gives back, and how controls are written."""

import pytest

import perfectplay as pp
from perfectplay.tables.time_control import TimeControl, clock_text, read_control

GAME, MOVE = TimeControl("game", 300, 5), TimeControl("move", 30)


def test_an_increment_is_added_and_a_time_for_each_move_is_full_again() -> None:
    assert GAME.charge(10_000, 4_000, moved=True) == 11_000
    assert MOVE.charge(30_000, 4_000, moved=True) == 30_000
    assert GAME.charge(10_000, 11_000, moved=False) == 0


def test_a_takeback_takes_increments_but_loses_no_game() -> None:
    assert [GAME.refund(left, 1) for left in (60_000, 7_000, 2_000)] == [55_000, 5_000, 2_000]
    assert MOVE.refund(4_000, 1) == 30_000


@pytest.mark.parametrize("control", [GAME, MOVE, None])
def test_a_control_is_read_as_it_was_written(control: TimeControl | None) -> None:
    assert read_control(None if control is None else str(control)) == control


def test_other_texts_are_no_control() -> None:
    with pytest.raises(pp.BadParameterError, match=r"clock=30: must be SECONDS\+INCREMENT or SECONDS/move"):
        read_control("30")


def test_what_a_clock_shows() -> None:
    shown = [clock_text(seconds) for seconds in (9.2, 300, 7384, 100_000, 172_800)]
    assert shown == ["0:10", "5:00", "2:03:04", "1 day 3:46:40", "2 days 0:00:00"]
