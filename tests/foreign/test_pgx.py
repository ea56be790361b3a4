"""Environments of pgx as foreign environments."""

from perfectplay.foreign.load import environment
from tests.foreign.test_table_game import check_tic_tac_toe, table_of


def test_tic_tac_toe_of_pgx_is_ours() -> None:
    check_tic_tac_toe(table_of(environment("pgx:tic_tac_toe")))
