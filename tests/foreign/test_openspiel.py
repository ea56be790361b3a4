"""Games of OpenSpiel as foreign environments."""

import pytest

from perfectplay_foreign.adapter import UnavailableError
from perfectplay_foreign.examine import Examination
from perfectplay_foreign.load import environment
from perfectplay_foreign.sandbox.client import ForkServer
from tests.conftest import Run
from tests.foreign.test_conduct import keeps_its_promise
from tests.foreign.test_environment_game import check_tic_tac_toe, table_of


@pytest.mark.parametrize("game", ["tic_tac_toe", "chess"])
def test_openspiel_is_held_to_what_it_promises(game: str, server: ForkServer) -> None:
    keeps_its_promise(f"openspiel:{game}", server)


def test_tic_tac_toe_of_openspiel_is_ours() -> None:
    check_tic_tac_toe(table_of(environment("openspiel:tic_tac_toe")))


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("openspiel:backgammon", "only games for two without chance or secrets can be audited"),
        ("openspiel:tic_tac_to", r'OpenSpiel has no game "tic_tac_to" \(did you mean tic_tac_toe\?\)'),
        ("openspiel:hex(size=3)", r'"hex\(size=3\)": .*size'),
    ],
)
def test_what_cannot_be_audited_is_not_a_fault_of_the_game(what: str, said: str) -> None:
    with pytest.raises(UnavailableError, match=said) as raised:
        Examination(environment(what))
    assert not raised.value.missing


def test_a_game_that_is_over_at_the_start_is_found() -> None:
    [found] = Examination(environment("openspiel:checkers(rows=6,columns=6)")).findings
    assert found.code == "over-at-start"


def test_a_game_is_made_with_arguments(run: Run) -> None:
    done = run("audit-env", "openspiel:hex", "--kwargs", '{"board_size": 2}', "--moves", "500")
    assert "win in 3" in done.stdout
