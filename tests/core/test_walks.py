"""Ways through a game."""

from perfectplay.core.walks import move_texts
from tests.core.table_games import PICK


def test_each_move_is_called_as_it_is_in_its_position() -> None:
    assert move_texts(PICK, (1, 0)) == ("down", "jump")
