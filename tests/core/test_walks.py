"""Ways through a game."""

from perfectplay.core.walks import texts
from tests.core.table_games import PICK


def test_each_move_is_called_as_it_is_in_its_position() -> None:
    assert texts(PICK, (1, 0)) == ("down", "jump")
