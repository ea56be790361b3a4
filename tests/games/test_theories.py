"""The theories of games, compared with their graphs and with a search."""

from typing import Any

import pytest

import perfectplay as pp
from perfectplay.games.bit_flip.theory import PERIOD, REGULAR_FROM, BitFlipTheory, grundy, split_values
from perfectplay.solver.graph import explore
from perfectplay.solver.retrograde import retrograde


def test_theory_and_graph_agree_on_every_bit_flip_position() -> None:
    for bits in range(1, 19):
        game = pp.load(f"bit-flip:bits={bits}")
        theory = game.theory()
        solution = retrograde(explore(game))
        assert theory is not None
        for number, state in enumerate(solution.graph.states):
            assert theory.value(state).kind == solution.value(number).kind
            kinds = [(action, value.kind) for action, value in solution.moves(number)]
            assert [(action, value.kind) for action, value in theory.moves(state)] == kinds
            best = [action for action, kind in kinds if kind == solution.value(number).kind]
            assert list(theory.best(state)) == best
            assert theory.count_best(state) == len(best)


def test_the_period_of_the_grundy_values_is_proved() -> None:
    """By the theorem of Guy and Smith: a period seen long enough in an octal game lasts forever.

    A flip takes 1 to 3 bits away and splits the rest at most in two, so that three octal digits
    describe the game. If G(n + p) = G(n) for all n from n0 to 2 n0 + p + 3, it holds for all n >= n0.
    """
    most = 2 * REGULAR_FROM + 2 * PERIOD + 3
    values: list[int] = []
    for n in range(most + 1):
        options = {values[max(i - 1, 0)] ^ values[max(n - i - 2, 0)] for i in range(n)}
        values.append(next(value for value in range(n + 1) if value not in options))
    for n in range(REGULAR_FROM, 2 * REGULAR_FROM + PERIOD + 4):
        assert values[n + PERIOD] == values[n]
    assert values[REGULAR_FROM - 1 + PERIOD] != values[REGULAR_FROM - 1]
    assert [grundy(n) for n in range(most + 1)] == values
    for length in (1, 2, 5, 90, 400):
        lengths = [(max(i - 1, 0), max(length - i - 2, 0)) for i in range(length)]
        assert split_values(length) == [grundy(a) ^ grundy(b) for a, b in lengths]


def test_a_row_of_a_million_bits() -> None:
    game = pp.load("bit-flip:bits=1000000")
    oracle = pp.solve(game)
    state = game.initial()
    assert oracle.value(state) == pp.Value("win")
    best = oracle.best(state)
    theory = oracle.theory
    assert isinstance(theory, BitFlipTheory)
    # The winning flips are symmetric, and a sample of the others loses.
    assert [999_999 - action for action in reversed(best)] == list(best)
    for action in (*best[:3], best[-1]):
        assert theory.nim_sum(game.apply(state, action)) == 0
    for action in sorted(set(range(30)) - set(best)):
        assert theory.nim_sum(game.apply(state, action)) != 0


def mirror_values(game: pp.Game[Any], longest: int) -> dict[Any, pp.Value]:
    """Every position up to a length, by working back; from there on nobody is taken to win."""
    layers: list[set[Any]] = [{game.initial(), game.after_forfeit(game.initial())}]
    for _ in range(longest):
        grown = {game.apply(s, a) for s in layers[-1] for a in game.legal_actions(s)} - layers[-1]
        layers.append(grown | {game.after_forfeit(s) for s in grown if not game.outcome(s)})
    states = [state for layer in layers for state in layer]
    known = {state: pp.Value("loss", 0) for state in states if game.outcome(state)}
    for plies in range(1, longest + 2):
        found = {}
        for state in states:
            if state in known or len(state.sequence) == longest:
                continue
            after = [known.get(game.apply(state, a)) for a in game.legal_actions(state)]
            if any(value is not None and value.kind == "loss" for value in after):
                found[state] = pp.Value("win", plies)
            elif all(value is not None and value.kind == "win" for value in after):
                found[state] = pp.Value("loss", plies)
        known.update(found)
    return {s: known.get(s, pp.Value("endless")) for s in states if len(s.sequence) < longest}


@pytest.mark.parametrize("forfeit", ["penalty", "move"])
@pytest.mark.parametrize(
    ("digits", "shortest"),
    [*((1, m) for m in range(1, 7)), *((2, m) for m in range(1, 8)), (3, 3), (3, 4), (4, 3)],
)
def test_theory_and_search_agree_on_every_mirror_match_position(
    digits: int, shortest: int, forfeit: str
) -> None:
    game = pp.load(f"mirror-match:digits={digits},shortest={shortest},forfeit={forfeit}")
    theory = game.theory()
    assert theory is not None
    for state, value in mirror_values(game, shortest + 3).items():
        assert theory.value(state) == value, state
