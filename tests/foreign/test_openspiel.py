"""Games of OpenSpiel as foreign environments."""

from perfectplay.foreign.examine import Examination
from perfectplay.foreign.load import environment
from tests.foreign.test_table_game import check_tic_tac_toe, table_of


def test_tic_tac_toe_of_openspiel_is_ours() -> None:
    check_tic_tac_toe(table_of(environment("openspiel:tic_tac_toe")))


def test_a_game_with_chance_is_refused() -> None:
    [found] = Examination(environment("openspiel:backgammon")).findings
    assert found.code == "construct-fails"
    assert "only games for two without chance or secrets" in found.text


def test_a_game_that_is_over_at_the_start_is_found() -> None:
    [found] = Examination(environment("openspiel:checkers(rows=6,columns=6)")).findings
    assert found.code == "over-at-start"
