"""Exact values: against the rulings, against a solver of another design, and where theory reaches."""

import json
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perfectplay as pp
from perfectplay.games.bit_flip.theory import PERIOD, REGULAR_FROM, BitFlipTheory, grundy, split_values
from perfectplay.solver.graph import LIMIT, Graph, TooLargeError, explore
from perfectplay.solver.judgement import Scored, mark_of
from perfectplay.solver.oracle import OracleCache, oracle_for
from perfectplay.solver.retrograde import retrograde
from perfectplay.terminal.console import Console
from perfectplay.terminal.solve import show_analysis, show_position
from tests.conftest import ROOT, Run
from tests.core.matches import played
from tests.core.table_games import TableGame, table_game
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
    assert "it has more than 100 states; a player such as search:depth=6 can still play it" in done.stderr
    assert done.stderr.endswith("; --limit changes the limit\n")
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


@settings(max_examples=400)
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


def test_a_record_is_judged_by_the_api() -> None:
    lefts = ("left",) * 4
    match = played("dual-direction", "left", "right", *lefts[:2], "left", "left", "left")
    regret = pp.solve(match.game).regret(match.record())
    assert [each.mark for each in regret.plies] == [*["best"] * 5, "gave up endless play", "only move"]
    assert regret.accuracy == (1.0, 0.0)
    # A forfeit is judged by what it leaves, and resigning is not a ply.
    match = played("mirror-match", "4 E", "0", "3 E")
    match.resign()
    regret = pp.solve(match.game).regret(match.record())
    assert [each.mark for each in regret.plies] == ["best", "forfeit", "best"]


@pytest.mark.parametrize(
    ("spec", "moves", "best", "after"),
    [
        # The starter is lost, and would win if an invalid turn only handed the turn over.
        ("mirror-match:disqualify_after=1,shortest=4", ["99 E"], "loss in 4", "loss in 1"),
        ("mirror-match:disqualify_after=1", ["99 E"], "win in 3", "loss in 1"),
        ("mirror-match:disqualify_after=2,forfeit=move", ["0", "1 E", "0"], "endless", "loss in 1"),
        # A chosen pass is a move: it neither counts nor starts the count again.
        ("mirror-match:disqualify_after=2,forfeit=move", ["0", "1 E", "pass"], "endless", "endless"),
        (
            "mirror-match:disqualify_after=2,forfeit=move",
            ["0", "1 E", "pass", "2 E", "0"],
            "win in 1",
            "loss in 1",
        ),
        ("mirror-match:disqualify_after=2", ["0", "1 E", "2 E", "3 E", "0"], "endless", "endless"),
    ],
)
def test_a_turn_that_disqualifies_is_judged_as_the_loss_it_is(
    spec: str, moves: list[str], best: str, after: str
) -> None:
    match = played(spec, *moves)
    oracle = pp.solve(match.game)
    assert (match.disqualified == 0) == (after == "loss in 1") == (match.result is not None)
    last = oracle.regret(match.record()).plies[-1]
    assert (str(last.best), str(last.played)) == (best, after)
    assert last.kept == (best.split()[0] == after.split()[0])
    assert last.could_err or last.kept
    value = oracle.value_at(match, match.plies)
    assert value == (pp.Value("win", 0) if match.result else oracle.value(match.state))
    assert oracle.value_at(match, 0) == oracle.value(match.game.initial())


def test_a_forfeited_win_counts_against_the_accuracy() -> None:
    # Every number wins, so that only the forfeit could give the win away.
    match = played("mirror-match", "0")
    assert pp.solve(match.game).regret(match.record()).accuracy == (0.0, None)
    # A forfeit in a lost position gives nothing away, so it is not counted as a choice.
    match = played("mirror-match:shortest=4", "0")
    assert pp.solve(match.game).regret(match.record()).accuracy == (None, None)


def test_a_slower_win_is_no_error_and_no_choice_that_could_be_one() -> None:
    table = {
        "start": {"now": "won", "later": "on", "never": "lost"},
        "on": {"go": "back"},
        "back": {"now": "won", "later": "on2"},
        "on2": {"go": "last"},
        "last": {"now": "won"},
    }
    game = table_game(table, {"won": 0, "lost": 1}, {"on": 1, "on2": 1})
    match = pp.Match(game)
    for move in ("later", "go", "later", "go", "now"):
        match.play(move)
    plies = pp.solve(game).regret(match.record()).plies
    assert [each.mark for each in plies] == ["slower win", "best", "slower win", "best", "best"]
    assert all(each.kept for each in plies)
    # At "back" the two moves differ in plies alone.
    assert [each.could_err for each in plies] == [True, False, False, False, False]
    assert pp.solve(game).regret(match.record()).accuracy == (1.0, None)


def test_a_tie_is_as_far_away_as_the_shortest_way_to_it() -> None:
    table = {"start": {"far": "on", "near": "tied"}, "on": {"go": "tied"}}
    assert pp.solve(table_game(table, {"tied": None}, {"on": 1})).value("start") == pp.Value("tie", 1)
    # The same with a loop, which is solved another way.
    table["on"]["back"] = "start"
    oracle = pp.solve(table_game(table, {"tied": None}, {"on": 1}))
    assert (oracle.value("start"), oracle.value("on")) == (pp.Value("tie", 1), pp.Value("tie", 1))


def test_a_move_that_leads_to_another_of_ones_own_tempts_nobody() -> None:
    # Both first moves win in 3. After "again" it is one's own turn to go wrong, after "over" the opponent's.
    table = {
        "start": {"again": "mine", "over": "theirs"},
        "mine": {"good": "forced", "bad": "lost", "worse": "lost"},
        "forced": {"go": "won"},
        "theirs": {"long": "mine2", "short": "won"},
        "mine2": {"win": "won"},
    }
    game = table_game(table, {"won": 0, "lost": 1}, {"forced": 1, "theirs": 1})
    oracle = pp.solve(game)
    assert [move.value for move in oracle.moves("start")] == [pp.Value("win", 3)] * 2
    assert oracle.best("start") == (0, 1)
    assert oracle.tempting("start") == (1,)


def test_a_graph_beside_a_theory_keeps_to_the_limit() -> None:
    game = pp.load("bit-flip")
    assert pp.solve(game, limit=143).graph is None
    graph = pp.solve(game, limit=144).graph
    assert graph
    assert len(graph.states) == 144
    # 17,711 positions are more than are visited for distances, and fewer than the default limit.
    assert pp.solve(pp.load("bit-flip:bits=20")).graph is None
    assert pp.solve(pp.load("bit-flip:bits=20"), limit=20_000).graph is None


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
        "Accuracy is the share of moves that kept the value, among those where some legal move",
        "loses it. A forfeit that lost it counts too.",
    ]
    [facts] = json.loads(run("analyze", "bit-flip", "--record", str(file), "--json").stdout)
    assert facts["accuracy"] == {"Player 1": 0.0, "Player 2": 1.0}
    assert [each["mark"] for each in facts["plies"]][:2] == ["threw away the win", "only move"]
    # The starter may differ, as it does in a series; the game may not.
    assert run("analyze", "bit-flip:first=2", "--record", str(file)).returncode == 0
    other = run("analyze", "bit-flip:bits=9", "--record", str(file))
    assert other.returncode == 2
    assert 'line 2: this is a game of "bit-flip", not of "bit-flip:bits=9"' in other.stderr


def test_analyze_takes_a_limit_and_names_it(run: Run, tmp_path: Path) -> None:
    done = run("analyze", "inversion-race", "--limit", "206")
    assert (done.returncode, done.stderr.endswith("; --limit changes the limit\n")) == (2, True)
    file = tmp_path / "game.txt"
    file.write_text(f"{played('inversion-race', 'left').record()}\n")
    console = Console(None, StringIO())
    show_position(console, "inversion-race", "4 5 0 B", limit=207, as_json=False)
    show_analysis(console, "inversion-race", file, limit=207, as_json=False)
    with pytest.raises(pp.PerfectplayError, match="; --limit changes the limit"):
        show_position(console, "inversion-race", "4 5 0 B", limit=206, as_json=False)
    with pytest.raises(pp.PerfectplayError, match="; --limit changes the limit"):
        show_analysis(console, "inversion-race", file, limit=206, as_json=False)


UNREACHED = "No play from the start leads to this position."
UNKNOWN = "Whether play from the start leads to this position is not known"


@pytest.mark.parametrize(
    ("spec", "position", "reachable"),
    [
        ("inversion-race", None, True),
        ("inversion-race", "4 5 0 B", True),
        ("inversion-race", "9 1 0 A", False),
        ("bit-flip", "0000100000 1", False),
        ("bit-flip:bits=30", f"{'0' * 30} 2", None),
        ("bit-flip:bits=20000", None, True),
        pytest.param("bit-flip:bits=20000", f"1{'0' * 19999} 2", None, id="more moves than are tried"),
        # The empty sequence and the second player: after a forfeit.
        ("mirror-match", "- 2", True),
        ("mirror-match", "1-2-3-4-5-6 1", None),
        ("mirror-match:digits=1", "1-1 2", True),
        ("mirror-match:digits=1", "1-1-1-1 1", False),
    ],
)
def test_a_position_that_no_play_reaches_is_said_to_be_one(
    spec: str, position: str | None, reachable: bool | None
) -> None:
    def said(*, as_json: bool) -> str:
        out = StringIO()
        show_position(Console(None, out), spec, position, limit=LIMIT, as_json=as_json)
        return out.getvalue()

    assert json.loads(said(as_json=True))["reachable"] is reachable
    words = said(as_json=False)
    assert (UNREACHED in words, UNKNOWN in words) == (reachable is False, reachable is None)


def test_a_position_after_a_forfeit_is_reached_by_play() -> None:
    table = {"start": {"go": "theirs"}, "theirs": {"end": "won"}, "lost turn": {"end": "won"}}
    movers: dict[str, pp.Side] = {"theirs": 1, "lost turn": 1}
    turns = {"start": "lost turn", "lost turn": "start", "theirs": "start"}
    game = table_game(table, {"won": 0}, movers, after_forfeit=lambda _, state: turns[state])
    oracle = pp.solve(game)
    assert oracle.graph
    assert "lost turn" not in oracle.graph.index
    assert oracle.reachable("lost turn") is True
    assert oracle.reachable("elsewhere") is False


def test_that_a_game_is_too_large_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = table_game({"start": {"a": "b"}, "b": {"a": "c"}}, {"c": 0}, {})
    tried: list[int] = []

    def counting(game: TableGame, *, limit: int, progress: None) -> Graph[str]:
        tried.append(limit)
        return explore(game, limit=limit)

    monkeypatch.setattr("perfectplay.solver.oracle.explore", counting)
    for _ in range(3):
        with pytest.raises(pp.TooLargeError, match="more than 2 states"):
            oracle_for(game, 2)
    assert tried == [2]
    # Another limit is another question, and an answer is kept too.
    assert oracle_for(game, 3) is oracle_for(game, 3)
    assert tried == [2, 3]


def test_a_disqualification_is_judged_by_the_command(run: Run, tmp_path: Path) -> None:
    spec = "mirror-match:shortest=4,disqualify_after=1"
    file = tmp_path / "game.txt"
    file.write_text(f"{played(spec, '99 E').record()}\n")
    said = run("analyze", spec, "--record", str(file)).stdout
    assert "  1. Player 1: forfeit (loss in 4 before, loss in 1 after)\n" in said
    [facts] = json.loads(run("analyze", spec, "--record", str(file), "--json").stdout)
    assert facts["plies"][0]["played"] == {"value": "loss", "plies": 1}


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


@pytest.mark.parametrize("spec", ["bit-flip", "race-to-the-center", "mirror-match:shortest=4"])
def test_a_line_of_perfect_play_is_as_long_as_it_should_be(spec: str) -> None:
    game: pp.Game[Any] = pp.load(spec)
    oracle, state = pp.solve(game), game.initial()
    value, line = oracle.value(state), oracle.line(state)
    assert len(line) == value.plies != 0
    for action in line:
        assert action in oracle.best(state)
        state = game.apply(state, action)
    assert game.outcome(state) is not None
    assert oracle.line(state) == ()


def test_the_best_moves_are_best_by_distance_where_it_is_known() -> None:
    oracle = pp.solve(pp.load("bit-flip:bits=12"))
    assert oracle.graph is not None
    as_good_but_worse = 0
    for state in oracle.graph.states:
        ranks = {move.action: move.value.rank for move in oracle.moves(state)}
        best = max(ranks.values(), default=None)
        assert oracle.best(state) == tuple(action for action, rank in ranks.items() if rank == best)
        as_good_but_worse += len({rank for rank in ranks.values() if best and rank[0] == best[0]}) > 1
    assert as_good_but_worse  # theory alone would not tell these apart


def test_a_theory_that_knows_distances_needs_no_graph() -> None:
    game = pp.load("mirror-match")
    oracle = pp.solve(game, exact_distance=True)
    assert oracle.graph is None
    assert oracle.value(game.initial()) == pp.solve(game).value(game.initial())
