"""Tables of positions, compared with the rules and the oracle position by position."""

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.games.dual_direction import DualDirection
from perfectplay.simulate import (
    OUTCOMES,
    BatchedGame,
    TableSizeError,
    dataset,
    observer_for,
    positions,
    single_game,
    tabulate,
)
from perfectplay.simulate.table import bytes_per_state
from perfectplay.solver import graph
from tests.games.rulings import FINITE
from tests.simulate.plain_rules import TIC_TAC_TOE, reward_of


@pytest.mark.parametrize("spec", [*FINITE, TIC_TAC_TOE, "inversion-race:cells=3", "bit-flip:bits=1"])
def test_a_table_says_what_the_rules_and_the_oracle_say(spec: str) -> None:
    game: pp.Game[Any] = pp.load(spec)
    table, oracle = tabulate(game), pp.solve(game)
    assert table.states[0] == game.initial()
    numbers = {state: number for number, state in enumerate(table.states)}
    for number, state in enumerate(table.states):
        legal = game.legal_actions(state)
        after = [numbers[game.apply(state, a)] if a in legal else -1 for a in range(game.num_actions)]
        assert table.next[number].tolist() == after
        assert tuple(table.legal[number].nonzero()[0]) == legal
        assert table.side[number] == game.side_to_move(state)
        outcome = game.outcome(state)
        ended = "going on" if outcome is None else "tie" if outcome.winner is None else None
        assert OUTCOMES[table.outcome[number]] == (ended or f"side {outcome and outcome.winner} wins")
        assert table.terminated[number] == (outcome is not None)
        assert tuple(table.reward[number]) == reward_of(outcome)
        assert table.value_of(number) == oracle.value(state)
        assert tuple(table.best[number].nonzero()[0]) == oracle.best(state)
        assert (table.observation[number] == table.observer.observe(state)).all()


@pytest.mark.parametrize("spec", [*FINITE, TIC_TAC_TOE])
def test_different_positions_look_different(spec: str) -> None:
    table = tabulate(pp.load(spec))
    assert len({row.tobytes() for row in table.observation}) == len(table.states)


def test_a_table_is_not_written_to() -> None:
    table = tabulate(pp.load("bit-flip"))
    with pytest.raises(ValueError, match="read-only"):
        table.next[0, 0] = 5


def test_the_memory_of_a_table_is_known_beforehand() -> None:
    game = pp.load("bit-flip")
    table = tabulate(game)
    assert table.nbytes == 144 * bytes_per_state(game, table.observer)
    assert tabulate(game, memory=table.nbytes).nbytes == table.nbytes
    with pytest.raises(
        TableSizeError, match=r"^bit-flip needs a table of 13,824 bytes; memory=13,823 is the limit$"
    ):
        tabulate(game, memory=table.nbytes - 1)


def test_a_table_prints_without_its_positions() -> None:
    small, large = (repr(tabulate(f"bit-flip:bits={bits}")) for bits in (10, 16))
    assert "State(" not in large
    assert len(large) < len(small) + 500


@pytest.mark.parametrize("memory", [0, -1, "x", 1.5])
def test_memory_is_a_number_of_bytes(memory: Any) -> None:
    with pytest.raises(pp.BadParameterError, match=r"^memory=.*: must be a whole number, at least 1$"):
        tabulate("bit-flip", memory=memory)


@pytest.mark.parametrize("use", [single_game, observer_for])
def test_a_game_that_is_too_wide_to_show_is_refused(use: Callable[[str], object]) -> None:
    text = r"^bit-flip:bits=1000000000 would be shown as 2,000,000,000 bits; at most 65,536 are allowed$"
    with pytest.raises(TableSizeError, match=text):
        use("bit-flip:bits=1000000000")


def test_a_horizon_that_is_too_wide_to_show_is_refused_before_a_board_is_laid_out() -> None:
    text = r"^mirror-match would be shown as 10,000,000,000,000 bits; at most 65,536 are allowed$"
    with pytest.raises(TableSizeError, match=text):
        single_game("mirror-match", 10**12)


def test_a_game_that_no_table_holds_is_refused() -> None:
    with pytest.raises(
        TableSizeError, match=r"^mirror-match has infinitely many positions; no table can hold them$"
    ):
        tabulate(pp.load("mirror-match"))


WIDE = r"would be shown as (more than 65,536|[0-9,]+) bits"


@pytest.mark.parametrize(
    ("use", "spec", "says"),
    [
        (tabulate, "bit-flip:bits=200", "has more than 2,000,000 positions"),
        (tabulate, "bit-flip:bits=2000000", "has more than 2,000,000 positions"),
        (single_game, "bit-flip:bits=2000000", WIDE),
        (tabulate, "mirror-match:digits=20000000", "has infinitely many positions"),
        *((use, f"mirror-match:digits={2 * 10**7}", WIDE) for use in (single_game, observer_for)),
        *((use, f"mirror-match:digits={10**15}", WIDE) for use in (single_game, observer_for)),
        *((use, "inversion-race:cells=1000000", WIDE) for use in (tabulate, single_game, observer_for)),
        *((use, "race-to-the-center:positions=1000001", WIDE) for use in (tabulate, single_game)),
        (lambda spec: BatchedGame(spec, 2), "dual-direction:positions=1000001", WIDE),
        (lambda spec: BatchedGame(spec, 2), "mirror-match:digits=20000000", WIDE),
    ],
)
def test_what_the_parameters_tell_is_decided_without_a_look_at_any_position(
    use: Callable[[str], object], spec: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("legal_actions", "view", "apply"):
        monkeypatch.setattr(type(pp.load(spec)), name, forbidden)
    tracemalloc.start()
    try:
        with pytest.raises(TableSizeError, match=says):
            use(spec)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def forbidden(*_: object) -> None:
    pytest.fail("a position was looked at")


@dataclass(frozen=True)
class Prized(DualDirection):
    """A game of another package, with a number that is no length of its board."""

    name = "prized"

    prize: int = pp.parameter(100_000, "what the winner gets")


def test_a_large_number_of_a_game_from_elsewhere_says_nothing_about_its_board() -> None:
    assert len(tabulate(Prized()).states) == len(tabulate("dual-direction").states)


def test_a_search_ends_when_no_table_could_hold_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pp.load("inversion-race:cells=100")
    found = len(positions.solution_of(game).graph.states)
    seen: list[int] = []

    def explore(*args: Any, limit: int) -> Any:
        seen.append(limit)
        return graph.explore(*args, limit=limit)

    monkeypatch.setattr(positions, "explore", explore)
    text = r"^inversion-race:cells=100 needs a table of more than 200,000 bytes, which is the limit$"
    with pytest.raises(TableSizeError, match=text):
        tabulate(game, memory=200_000)
    assert seen[0] < found / 10


@pytest.mark.parametrize(
    "use",
    [
        tabulate,
        single_game,
        observer_for,
        lambda game: BatchedGame(game, 2),
        lambda game: next(dataset.examples(game)),
    ],
)
def test_a_game_with_too_many_positions_is_refused(
    use: Callable[[pp.Game[Any]], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.simulate.positions.MOST_SOLVED", 100)
    text = r"^inversion-race:cells=12 has more than 100 positions, too many for a table$"
    with pytest.raises(TableSizeError, match=text):
        use(pp.load("inversion-race:cells=12"))
