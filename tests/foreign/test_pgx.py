"""Environments of pgx as foreign environments."""

import pytest

from perfectplay_foreign.adapter import UnavailableError
from perfectplay_foreign.examine import Examination
from perfectplay_foreign.load import environment
from tests.foreign.test_environment_game import check_tic_tac_toe, table_of


def test_tic_tac_toe_of_pgx_is_ours() -> None:
    check_tic_tac_toe(table_of(environment("pgx:tic_tac_toe")))


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("pgx:tic_tac_to", r'pgx has no environment "tic_tac_to" \(did you mean tic_tac_toe\?\)'),
        ("pgx:minatar-breakout", "only games for two can be audited"),
    ],
)
def test_what_cannot_be_audited_is_not_a_fault_of_the_environment(what: str, said: str) -> None:
    with pytest.raises(UnavailableError, match=said):
        Examination(environment(what))
