"""What a table may be: its game, its computer player, its clock and how long to wait."""

import perfectplay as pp
from perfectplay.tables.illustration import find_telling_match
from perfectplay.tables.validation import (
    computer_name,
    is_custom,
    load_small_game,
)


def test_names_of_computers() -> None:
    assert computer_name("level:4") == "Computer (level 4)"
    assert computer_name("perfect") == "Computer (perfect)"


def test_a_game_is_custom_where_a_parameter_is_not_the_default() -> None:
    assert not is_custom(load_small_game("bit-flip"))
    assert is_custom(load_small_game("bit-flip:bits=3"))


def test_an_illustration_begins_with_a_telling_move() -> None:
    assert find_telling_match(pp.load("bit-flip")).history[0].action == 2
