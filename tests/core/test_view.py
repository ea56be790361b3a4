"""Views drawn as text, and the cells that a move changes."""

from typing import Any

import pytest

import perfectplay as pp
from perfectplay.core.view import Placed, compare_cells, describe_placing, find_placed_cell


def test_a_view_is_drawn_in_columns() -> None:
    view = pp.View(((pp.Cell("a", ("X", "Y")), pp.Cell("b")), (pp.Cell("c"), pp.Cell("d"))))
    assert view.as_text() == ("XY b", "c  d")
    assert pp.View(()).as_text() == ()
    assert pp.View((), captions=("late",), numbers=(("left", 3), ("bid", -1))).as_text() == (
        "late",
        "left: 3",
        "bid: -1",
    )


@pytest.mark.parametrize(
    ("spec", "moves", "changed"),
    [
        ("bit-flip", ("4",), (4,)),
        ("dual-direction", ("left",), (4, 5)),
        ("inversion-race", ("left",), (4, 5)),
        ("race-to-the-center", ("2", "1"), (9, 10)),
        ("mirror-match", ("3 E",), (0,)),
        ("mirror-match", ("3 E", "3 B"), (0,)),  # the board looks the same after 3 E
        ("mirror-match", ("3 E", "3 E"), (1,)),
        ("mirror-match", ("3 E", "4 B"), (0,)),
        ("mirror-match", ("3 E", "12"), ()),  # costs the turn
        ("mirror-match:forfeit=move", ("3 E", "pass"), ()),
    ],
)
def test_the_cells_that_a_move_changes(spec: str, moves: tuple[str, ...], changed: tuple[int, ...]) -> None:
    match: pp.Match[Any] = pp.Match(pp.load(spec))
    for move in moves:
        match.play(move)
    before, after = (match.game.view(state) for state in match.positions[-2:])
    assert compare_cells(before, after, match.last.action) == changed


def test_a_board_that_does_not_say_what_is_new_has_no_changed_cell() -> None:
    one, two = pp.Cell("1", ("X",)), pp.Cell("2", ("X",))
    small, large = pp.View(((one,),), (pp.Control("X", 0),)), pp.View(((one, two),))
    assert compare_cells(small, large, 0) == ()
    assert compare_cells(large, small) == ()
    adding = small._replace(controls=(pp.Control("X", 0, adds=0), pp.Control("X", 1, adds=1)))
    assert compare_cells(adding, large, 1) == (1,)
    assert compare_cells(adding, large) == ()


def test_a_piece_is_placed_unless_it_moved() -> None:
    a, b, empty = pp.Cell("1", ("A",)), pp.Cell("2", ("B",)), pp.Cell("3")
    assert find_placed_cell(pp.View(((empty, b),)), pp.View(((a, b),)), [0]) == Placed(0, adds=False)
    assert find_placed_cell(pp.View(((a, empty),)), pp.View(((empty, a),)), [0, 1]) is None


def test_a_move_that_adds_a_cell_is_put_into_words() -> None:
    game = pp.load("mirror-match")
    view = game.view(game.initial())
    assert describe_placing(view, game.parse_action(game.initial(), "7 E")) == "7 at the end"
    assert describe_placing(pp.load("bit-flip").view(pp.load("bit-flip").initial()), 3) is None
