"""Exact values: against the rulings, against a solver of another design, and where theory reaches."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import perfectplay as pp
from perfectplay.solver.graph import explore
from perfectplay.solver.retrograde import retrograde
from tests.conftest import ROOT, Run
from tests.core.listed_games import ListedGame, random_table_games
from tests.extras import tries
from tests.games.rulings import FINITE, RULINGS

TIC_TAC_TOE = ROOT / "examples" / "tic_tac_toe.py"


@pytest.mark.parametrize("spec", RULINGS)
def test_the_rulings_by_the_command(spec: str, run: Run) -> None:
    states, side, plies = RULINGS[spec]
    winner = None if side is None else pp.load(spec).side_names[side]
    facts = json.loads(run("solve", spec, "--json").stdout)
    assert (facts["states"], facts["winner"], facts["plies"]) == (states, winner, plies)
    assert facts["game"] == spec
    mover = pp.load(spec).side_names[pp.Match(pp.load(spec)).side]
    kind = "endless" if winner is None else "win" if winner == mover else "loss"
    assert facts["value"] == kind
    assert len(facts["line"]) == (plies or 0)
    match = pp.Match(pp.load(spec))
    for move in facts["line"]:
        match.play(move)
    assert plies is None or match.record().result == f"{winner} wins: {match.result and match.result.reason}"
    assert facts["moves_total"] == len(facts["moves"]) == len(pp.Match(pp.load(spec)).legal())


def test_solve_says_it_in_words(run: Run) -> None:
    said = run("solve", "bit-flip").stdout
    assert "144 positions, 420 moves, without loops; also known from theory.\n" in said
    assert "Player 1 is to move; Player 1 wins in 5 plies.\n" in said
    assert "Best line: 0, " in said
    assert "\nFirst moves:\n  0  win in 5\n  2  win in 5\n" in said
    assert "nobody can force an end" in run("solve", "dual-direction").stdout
    assert "perfect play ends in a tie in 9 plies" in run("solve", str(TIC_TAC_TOE)).stdout


def test_what_hangs_on_a_dead_end_is_undecided_and_not_called_endless_or_a_tie(
    run: Run, tmp_path: Path
) -> None:
    text = TIC_TAC_TOE.read_text()
    end = 'return None if "." in squares else Outcome(None, "board full")'
    assert end in text
    stuck = tmp_path / "stuck.py"
    stuck.write_text(text.replace(end, "return None"))
    said = run("solve", str(stuck)).stdout
    assert "Dead ends: 16 positions have no legal move and no result." in said
    assert "check-game" in said
    assert "X is to move; who wins is undecided.\n" in said
    assert "\nFirst moves:\n  1  undecided\n" in said
    assert "endless" not in said
    facts = json.loads(run("solve", str(stuck), "--json").stdout)
    assert (facts["dead_ends"], facts["value"], facts["line"]) == (16, "undecided", [])
    assert {each["value"] for each in facts["moves"]} == {"undecided"}
    # A win that is forced stands, whatever a dead end is worth.
    won = run("analyze", str(stuck), "--position", "XX.OO.... X").stdout
    assert "X is to move; X wins in 1 ply.\n  3  win in 1\n" in won
    assert "Dead ends" in won
    one_end = tmp_path / "one_end.py"  # a tie by rule in some endings, and in others nothing
    one_end.write_text(text.replace(end, end.replace('"."', 'squares[0] == "X" or "."')))
    assert json.loads(run("solve", str(one_end), "--json").stdout)["value"] == "undecided"


def test_theory_alone_answers_without_counts(run: Run) -> None:
    facts = json.loads(run("solve", "bit-flip:bits=3000", "--json").stdout)
    assert facts["source"] == "theory"
    assert (facts["states"], facts["edges"], facts["cyclic"], facts["plies"]) == (None,) * 4
    assert facts["line"] == []
    assert (len(facts["moves"]), facts["moves_total"]) == (1000, 3000)
    facts = json.loads(run("solve", "bit-flip:bits=20", "--exact-distance", "--json").stdout)
    assert (facts["states"], facts["plies"]) == (17711, 10)


def test_a_game_that_is_too_large_says_so_with_numbers(run: Run) -> None:
    done = run("solve", "inversion-race", "--limit", "100")
    assert done.returncode == 2
    assert (
        "it has more than 100 positions (it came to the moves of position 91); a player such as"
        in done.stderr
    )
    assert done.stderr.endswith("; --limit and --memory change the limits\n")
    with pytest.raises(pp.TooLargeError):
        pp.solve(pp.load("bit-flip:bits=30"), exact_distance=True, limit=1000)


def test_tic_tac_toe_is_a_tie_of_5478_positions() -> None:
    game = pp.load(str(TIC_TAC_TOE))
    oracle = pp.solve(game)
    assert oracle.graph is not None
    assert len(oracle.graph.states) == 5478
    assert oracle.value(game.initial()) == pp.Value("tie", 9)


def test_positions_that_are_the_same_by_symmetry_have_the_same_value() -> None:
    game = pp.load("bit-flip")
    oracle = pp.solve(game)
    states = explore(game).states
    assert len({game.canonical(state) for state in states}) < len(states) == 144
    for state in states:
        assert oracle.value(game.canonical(state)) == oracle.value(state)


# Another solver: minimax to a horizon, where what is not decided yet counts as endless.


def by_minimax(game: pp.Game[Any], states: Sequence[Any]) -> list[pp.Value]:
    horizon = len(states) + 1

    @cache
    def value(state: Any, left: int) -> pp.Value:
        side = game.side_to_move(state)
        outcome = game.outcome(state)
        if outcome is not None:
            kind: Any = "tie" if outcome.winner is None else "win" if outcome.winner == side else "loss"
            return pp.Value(kind, 0)
        actions = game.legal_actions(state)
        if not left or not actions:
            return pp.Value("endless")
        after = [game.apply(state, action) for action in actions]
        values = [value(s, left - 1).before(game.side_to_move(s) == side) for s in after]
        return max(values, key=lambda each: each.rank)

    for left in range(horizon):  # shallow first, so that the recursion stays shallow
        for state in states:
            value(state, left)
    values = {state: value(state, horizon) for state in states}
    # What nobody wins is undecided if play can get stuck, unless someone wins on the way there.
    after = {state: [game.apply(state, action) for action in game.legal_actions(state)] for state in states}
    stuck = {state for state in states if not after[state] and game.outcome(state) is None}
    for _ in states:
        stuck |= {s for s in states if values[s].kind in ("tie", "endless") and stuck.intersection(after[s])}
    return [pp.Value("undecided") if state in stuck else values[state] for state in states]


@pytest.mark.parametrize(
    "spec",
    [
        *FINITE,
        *(f"bit-flip:bits={n}" for n in range(1, 9)),
        "dual-direction:positions=6,start=2",
        "inversion-race:cells=3",
        "inversion-race:cells=5,start=4,passing=leapfrog",
        "race-to-the-center:positions=3",
        "race-to-the-center:positions=7,steps=1-4,arrival=full-turn",
    ],
)
def test_a_solver_of_another_design_agrees_on_every_position(spec: str) -> None:
    solution = retrograde(explore(pp.load(spec)))
    states = solution.graph.states
    assert [solution.value(i) for i in range(len(states))] == by_minimax(solution.graph.game, states)


@settings(max_examples=tries(400))
@given(random_table_games())
def test_a_solver_of_another_design_agrees_on_random_games(game: ListedGame) -> None:
    solution = retrograde(explore(game))
    states = solution.graph.states
    values = dict(zip(states, by_minimax(game, states), strict=True))
    assert [solution.value(i) for i in range(len(states))] == [*values.values()]
    assert solution.cyclic == _has_a_loop(game, states)
    for number, state in enumerate(states):
        side = game.side_to_move(state)
        after = [game.apply(state, action) for action in game.legal_actions(state)]
        expected = [values[s].before(game.side_to_move(s) == side) for s in after]
        assert [value for _, value in solution.moves(number)] == expected


def _has_a_loop(game: ListedGame, states: Sequence[str]) -> bool:
    reach = {s: {game.apply(s, a) for a in game.legal_actions(s)} for s in states}
    for _ in states:
        reach = {s: found.union(*(reach[t] for t in found)) for s, found in reach.items()}
    return any(s in found for s, found in reach.items())
