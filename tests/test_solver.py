"""Exact values: against the rulings, against a solver of another design, and where theory reaches."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perfectplay as pp
from perfectplay.games.bit_flip.theory import PERIOD, REGULAR_FROM, BitFlipTheory, grundy, split_values
from perfectplay.solver.graph import TooLargeError, explore
from perfectplay.solver.oracle import OracleCache, Scored, mark_of
from perfectplay.solver.retrograde import retrograde
from tests.conftest import ROOT, Run
from tests.rulings import FINITE, RULINGS
from tests.tables import TableGame, table_game

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
    assert "144 positions, 420 moves, without loops; known by theory too.\n" in said
    assert "Player 1 is to move; Player 1 wins in 5 plies.\n" in said
    assert "Best line: 0, " in said
    assert "\nFirst moves:\n  0  win in 5\n  2  win in 5\n" in said
    assert "nobody can force an end" in run("solve", "dual-direction").stdout
    assert "perfect play ends in a tie in 9 plies" in run("solve", str(TIC_TAC_TOE)).stdout


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
    assert "stopped at 100 states, limit 100; a player such as search:depth=6 still plays it" in done.stderr
    with pytest.raises(pp.TooLargeError):
        pp.solve(pp.load("bit-flip:bits=30"), exact_distance=True, limit=1000)


def test_tic_tac_toe_is_a_tie_of_5478_positions() -> None:
    game = pp.load(str(TIC_TAC_TOE))
    oracle = pp.solve(game)
    assert oracle.graph is not None
    assert len(oracle.graph.states) == 5478
    assert oracle.value(game.initial()) == pp.Value("tie", 9)
    assert len(explore(game, symmetry=True).states) == 5478  # it declares no symmetry


def test_symmetry_is_used_where_asked_and_keeps_the_value() -> None:
    game = pp.load("bit-flip")
    reduced = explore(game, symmetry=True)
    assert len(reduced.states) < 144
    assert retrograde(reduced).value(0) == pp.Value("win", 5)


# Another solver: minimax to a horizon, where what is not decided yet counts as endless.


def by_minimax(game: pp.Game[Any], states: list[Any]) -> list[pp.Value]:
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
    return [value(state, horizon) for state in states]


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


@st.composite
def games(draw: st.DrawFn) -> TableGame:
    """Random little games with loops, ties, dead ends, passes and double moves."""
    count = draw(st.integers(2, 7))
    names = [f"s{i}" for i in range(count)]
    ends: dict[str, pp.Side | None] = {}
    table: dict[str, dict[str, str]] = {}
    for name in names:
        if name != "s0" and draw(st.booleans()):
            ends[name] = draw(st.sampled_from([0, 1, None]))
        else:
            targets = draw(st.lists(st.sampled_from(names), min_size=0, max_size=3))
            table[name] = {f"m{i}": target for i, target in enumerate(targets)}
    movers: dict[str, pp.Side] = {name: draw(st.sampled_from([0, 1])) for name in names}
    return table_game(table, ends, movers, start="s0")


@settings(deadline=None, derandomize=True, max_examples=400)
@given(games())
def test_a_solver_of_another_design_agrees_on_random_games(game: TableGame) -> None:
    solution = retrograde(explore(game))
    states = solution.graph.states
    assert [solution.value(i) for i in range(len(states))] == by_minimax(game, states)
    assert solution.cyclic == _has_a_loop(game, states)
    values = dict(zip(states, by_minimax(game, states), strict=True))
    for number, state in enumerate(states):
        side = game.side_to_move(state)
        after = [game.apply(state, action) for action in game.legal_actions(state)]
        expected = [values[s].before(game.side_to_move(s) == side) for s in after]
        assert [value for _, value in solution.moves(number)] == expected


def _has_a_loop(game: TableGame, states: list[str]) -> bool:
    reach = {s: {game.apply(s, a) for a in game.legal_actions(s)} for s in states}
    for _ in states:
        reach = {s: found.union(*(reach[t] for t in found)) for s, found in reach.items()}
    return any(s in found for s, found in reach.items())


# Theory


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
    """By the theorem of Guy and Smith: a period seen long enough in an octal game lasts for ever.

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


# The oracle


def test_a_position_not_reached_from_the_start_is_answered_too() -> None:
    game = pp.load("inversion-race")
    oracle = pp.solve(game)
    state = game.parse_state("1 9 1 A")
    assert oracle.graph is not None
    assert state not in oracle.graph.index
    assert oracle.value(state).kind == "loss"
    assert oracle.best(state)


def test_marks_of_moves() -> None:
    win, late, tie, endless, loss = (
        pp.Value("win", 1),
        pp.Value("win", 3),
        pp.Value("tie", 2),
        pp.Value("endless"),
        pp.Value("loss", 2),
    )
    late_loss = pp.Value("loss", 4)

    def mark(played: pp.Value, *others: pp.Value) -> str:
        moves = tuple(Scored(i, str(i), value) for i, value in enumerate((played, *others)))
        return mark_of(max((played, *others), key=lambda value: value.rank), played, moves)

    assert mark(win, win) == "best"
    assert mark(win) == "best"
    assert mark(win, loss) == "only move"
    assert mark(win, late) == "best"
    assert mark(late, win) == "slower win"
    assert mark(loss, late_loss) == "quicker loss"
    assert mark(pp.Value("tie", 4), tie) == "slower tie"
    for worse in (tie, endless, loss):
        assert mark(worse, win) == "threw away the win"
    assert mark(loss, tie) == mark(endless, tie) == "gave up the tie"
    assert mark(loss, endless) == "gave up endless play"
    assert mark(endless, endless) == "best"


def played(spec: str, *moves: str) -> pp.Match[Any]:
    match = pp.Match(pp.load(spec))
    for move in moves:
        match.play(move)
    return match


def test_a_record_is_judged_by_the_api() -> None:
    lefts = ("left",) * 4
    match = played("dual-direction", "left", "right", *lefts[:2], "left", "left", "left")
    regret = pp.solve(match.game).regret(match.record())
    assert [each.mark for each in regret.plies] == [*["best"] * 5, "gave up endless play", "only move"]
    assert regret.accuracy == (1.0, 0.0)
    # A forfeit is judged by what it leaves, and resigning is no ply.
    match = played("mirror-match", "4 E", "0", "3 E")
    match.resign()
    regret = pp.solve(match.game).regret(match.record())
    assert [each.mark for each in regret.plies] == ["best", "forfeit", "best"]


def test_a_record_is_judged_by_the_command(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"{played('bit-flip', '4', '1', '7', '9').record()}\n")
    said = run("analyze", "bit-flip", "--record", str(file)).stdout
    assert said.splitlines() == [
        "Bit Flip: bit-flip",
        "  1. Player 1: 4  threw away the win (win in 5 before, loss in 4 after)",
        "  2. Player 2: 1  only move",
        "  3. Player 1: 7  best",
        "  4. Player 2: 9  best",
        "",
        "Accuracy of Player 1: 0%",
        "Accuracy of Player 2: 100%",
        "",
        "Accuracy is the share of moves that kept the value,",
        "of those where some legal move loses it.",
    ]
    [facts] = json.loads(run("analyze", "bit-flip", "--record", str(file), "--json").stdout)
    assert facts["accuracy"] == {"Player 1": 0.0, "Player 2": 1.0}
    assert [each["mark"] for each in facts["plies"]][:2] == ["threw away the win", "only move"]
    # Who starts may differ, as it does in a series; the game may not.
    assert run("analyze", "bit-flip:first=2", "--record", str(file)).returncode == 0
    other = run("analyze", "bit-flip:bits=9", "--record", str(file))
    assert other.returncode == 2
    assert 'line 2: this is a game of "bit-flip", not of "bit-flip:bits=9"' in other.stderr


def test_a_position_is_analysed_by_the_command(run: Run) -> None:
    said = run("analyze", "bit-flip", "--position", "0000100000 2").stdout
    assert "Player 2 is to move; Player 2 wins in 3 plies.\n  1  win in 3\n  0  loss in 4\n" in said
    facts = json.loads(run("analyze", "bit-flip", "--position", "0000100000 2", "--json").stdout)
    assert (facts["winner"], facts["plies"], facts["moves_total"]) == ("Player 2", 3, 7)
    over = run("analyze", "dual-direction", "--position", "1 2").stdout
    assert "The game is over here." in over
    for bad in (["--position", "11"], ["--position", "0000100000 2", "--record", "x"]):
        done = run("analyze", "bit-flip", *bad)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_the_least_recently_used_oracles_go_first_and_standard_games_never() -> None:
    cache = OracleCache(most=15_000)
    standard = [pp.load(name) for name in pp.names()]
    oracles = [cache(game) for game in standard]
    custom = [pp.load(f"inversion-race:cells={cells},start=20") for cells in range(61, 55, -1)]
    sizes = [len(explore(game).states) for game in custom]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes[:2]) <= 15_000 < sum(sizes[3:])  # two of them fit, three do not
    used = cache(custom[0])
    for index, game in enumerate(custom):
        cache(game)
        assert cache(custom[0]) is used  # all the time, so that it stays
        assert [each in cache for each in custom[: index + 1]] == [
            each in (0, index) for each in range(index + 1)
        ]
    assert all(cache(game) is oracle for game, oracle in zip(standard, oracles, strict=True))
    cache.clear()
    assert [game in cache for game in (*standard, *custom)] == [True] * 5 + [False] * 6


def test_an_oracle_that_is_larger_than_the_cache_is_kept_until_the_next() -> None:
    cache = OracleCache(most=10)
    large, other = pp.load("inversion-race:cells=20"), pp.load("inversion-race:cells=21")
    assert cache(large) is cache(large)
    cache(other)
    assert large not in cache


def test_the_cache_solves_up_to_the_limit_it_is_told() -> None:
    with pytest.raises(TooLargeError):
        OracleCache()(pp.load("inversion-race:cells=20"), limit=100)
