"""What every game can say of its moves without having said it itself."""

import perfectplay as pp
from perfectplay.core.game import whole_number
from tests.core.listed_games import PICK, table_game
from tests.core.matches import error_of, played


def test_the_moves_that_a_message_lists() -> None:
    game = pp.load("bit-flip:bits=20")
    assert game.list_allowed(game.initial()).endswith(", 17, 18 or 19.")
    assert PICK.list_allowed("start") == "Allowed: up, down or stay."
    assert PICK.list_allowed("high") == "The game is over."


def test_a_game_that_names_no_rule_refuses_all_the_same() -> None:
    assert PICK.refusal("low", 2) == pp.Refusal("illegal", "no2 is not legal here.")
    assert PICK.refusal("high", 0) == pp.Refusal("game-over", "The game is over.")
    assert PICK.theory() is None


def test_an_illegal_move_is_called_as_it_is_in_its_position() -> None:
    game = table_game(
        {"start": {"up": "low"}, "low": {"jump": "high", "fall": "high"}},
        ends={"high": 0},
        movers={},
        action_text=lambda self, state, action: f"{action} from {state}",
    )
    assert error_of(lambda: game.play("start", 1)) == (
        '"1 from start" at "start": 1 from start is not legal here. Allowed: 0 from start.'
    )


def test_an_illegal_move_shows_up_to_80_characters_of_the_position() -> None:
    def says(bits: int) -> str:
        return error_of(lambda: played(f"bit-flip:bits={bits}", "0").play("1"))

    assert says(78).startswith(f'"1" at "1{"0" * 77} 2": Bit 1 is')
    assert says(79).startswith(f'"1" at "1{"0" * 78} ..." (81 characters): Bit 1 is')


def test_numbers_of_any_type_are_actions_and_truths_are_not() -> None:
    assert [whole_number(each) for each in (3, True, 3.0, "3")] == [3, None, None, None]
