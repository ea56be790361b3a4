"""A game with dead ends: what nobody wins is undecided, and every part of the package says so."""

from pathlib import Path

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.audit.page import page
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.coach.coach import Coach
from perfectplay.evals.arena import Arena
from perfectplay.evals.play import Play
from perfectplay.evals.setup import Setup
from perfectplay.players.registry import load_computer
from perfectplay.simulate import KINDS, tabulate
from perfectplay.simulate.dataset import examples
from perfectplay.solver.graph import explore
from perfectplay.strength.crosstable import cross_table, cross_tables, tables_data, tables_text
from perfectplay.strength.head_to_head import HeadToHead, Rates
from perfectplay.terminal.fullscreen.widgets.drawing import legend, short
from perfectplay.workers.worker import study
from tests.conftest import ROOT, Run
from tests.core.listed_games import table_game

STUCK = table_game(
    {
        "start": {"risk": "edge", "draw": "tied", "blunder": "gone", "circle": "ring"},
        "edge": {"fall": "void"},
        "ring": {"on": "around"},
        "around": {"back": "ring"},
    },
    ends={"tied": None, "gone": 1},
    movers={"edge": 1, "ring": 1},
    view=lambda _, state: pp.View(((pp.Cell("", (state,)),),)),
)
"""After "fall" there is no move and no result. Nothing else hangs on that but the start."""
VALUES = {"risk": "undecided", "draw": "tie in 1", "blunder": "loss in 1", "circle": "endless"}


@pytest.fixture
def stuck_file(tmp_path: Path) -> str:
    """Tic-tac-toe without a result for a full board."""
    rules = (ROOT / "examples" / "tic_tac_toe.py").read_text()
    end = 'return None if "." in squares else Outcome(None, "board full")'
    assert end in rules
    file = tmp_path / "stuck.py"
    file.write_text(rules.replace(end, "return None"))
    return str(file)


def played(*moves: str) -> pp.Match[str]:
    match = pp.Match(STUCK)
    for move in moves:
        match.play(move)
    return match


def test_the_oracle_tells_what_hangs_on_a_dead_end_from_what_does_not() -> None:
    oracle = pp.solve(STUCK)
    assert {move.text: str(move.value) for move in oracle.moves("start")} == VALUES
    values = {state: str(oracle.value(state)) for state in ("start", "edge", "void", "ring", "tied")}
    assert values == {
        "start": "undecided",
        "edge": "undecided",
        "void": "undecided",
        "ring": "endless",
        "tied": "tie in 0",
    }
    assert oracle.line("start") == ()
    # A tie for certain is the computer's choice; it does not walk into a dead end.
    assert [STUCK.action_text("start", action) for action in oracle.best("start")] == ["draw"]
    shown = oracle._repr_html_()
    assert shown.count(">undecided<") == 2
    assert shown.count(">endless<") == 1  # what circles elsewhere is still endless


def test_the_coach_says_that_it_is_undecided() -> None:
    coach = Coach(pp.solve(STUCK))
    undecided = "Who wins is undecided: play can get stuck where there is no legal move and no result."
    assert coach.hint("start") == f"A good move: draw. {undecided}"
    assert coach.why_move("start", 0) == (
        f"risk leaves the game undecided. {undecided}",
        f"After risk, a best reply for Player 2 is fall. Then {undecided[0].lower()}{undecided[1:]}",
    )
    assert (
        coach.why_move("start", 1)[0]
        == "draw may or may not be best. With best play the game is a tie in 1 move."
    )
    assert coach.why_move("start", 2) == (
        "blunder loses a game that was undecided. You lose in 1 move against best play.",
        "3 of 4 moves can keep it: draw, risk and circle.",
        "blunder loses at once: end.",
    )
    assert coach.hint("void") == "Play is stuck: there is no legal move and no result."
    assert coach.why("void") == ()
    assert coach.why_move("edge", 0)[-1] == "After fall, play is stuck: there is no legal move and no result."
    assert coach.review(played("blunder").record())[-1] == (
        "Move 1, Player 1: blunder lost an undecided game; 3 of 4 moves would have kept it: draw, risk and circle."
    )


def test_a_study_board_says_that_it_is_undecided_even_in_the_dead_end() -> None:
    match = played("risk", "fall")
    shown = [study(match, match.record(), ply, number=1) for ply in range(3)]
    assert [each["value"]["kind"] for each in shown] == ["undecided"] * 3
    assert {move["text"]: move["kind"] for move in shown[0]["moves"]} == {
        each: value.split()[0] for each, value in VALUES.items()
    }
    assert [each["mark"] for each in shown[2]["marks"] or ()] == ["undecided"] * 2
    assert shown[2]["why"] == ["Play is stuck: there is no legal move and no result."]


def test_a_full_screen_board_says_that_it_is_undecided() -> None:
    assert short(pp.Value("undecided")) == "U"
    assert legend({0: pp.Value("undecided")}) == "U is undecided, with best play."


def test_a_played_game_is_judged_without_the_word_endless(run: Run, tmp_path: Path, stuck_file: str) -> None:
    record = tmp_path / "game.txt"
    match = pp.Match(pp.load(stuck_file, allow_paths=True))
    for move in "123547698":
        match.play(move)
    record.write_text(str(match.record()))
    said = run("analyze", stuck_file, "--record", str(record)).stdout
    assert "Dead ends: 16 positions have no legal move and no result." in said
    assert (
        "  1. X: 1  undecided; undecided\n"
        "  2. O: 2  lost an undecided game (undecided before, loss in 6 after); X wins in 5 moves\n" in said
    )
    assert "endless" not in said


def test_arrays_and_datasets_have_the_value_undecided() -> None:
    table = tabulate(STUCK)
    rows = {state: number for number, state in enumerate(table.states)}
    kinds = {state: KINDS[table.value[number]] for state, number in rows.items()}
    assert kinds == {
        "start": "undecided",
        "edge": "undecided",
        "void": "undecided",
        "tied": "tie",
        "gone": "loss",
        "ring": "endless",
        "around": "endless",
    }
    assert table.distance[rows["start"]] == -1
    assert table.outcome[rows["void"]] == 0  # no result, so play counts as going on
    assert np.flatnonzero(table.best[rows["start"]]).tolist() == [1]
    by_state = {row.state: row for row in examples(STUCK)}
    assert {state: row.value for state, row in by_state.items()} == kinds
    assert by_state["start"].move_values == ["undecided", "tie", "loss", "endless"]
    assert by_state["start"].plies is None


def test_scores_are_refused_and_not_called_exact(stuck_file: str) -> None:
    undecided = "is undecided: play can get stuck where there is no legal move and no result"
    with pytest.raises(pp.ParseError, match=undecided):
        Arena(stuck_file, ("random", "perfect"))
    with pytest.raises(pp.ParseError, match=undecided):
        Play(Setup(stuck_file, "random"), seat=0)


def test_the_auditor_counts_what_is_undecided_and_what_gets_stuck(stuck_file: str) -> None:
    found = audit(STUCK)
    assert found.measures is not None
    assert [depth.kinds for depth in found.measures.value_by_ply] == [
        {"undecided": 1},
        {"undecided": 1, "endless": 1},
        {"undecided": 1, "endless": 1},
    ]
    assert [depth.over for depth in found.measures.value_by_ply] == [0, 2, 0]
    assert found.measures.random_lengths.shares == {1: 0.5}
    assert as_dict(found)["measures"]["value_by_ply"][0]["undecided"] == 1
    shown = page(found)
    assert '<th scope="col">undecided</th>' in shown
    assert "ply 0: 1 undecided" in shown
    random = HeadToHead(STUCK, explore(STUCK)).rates(*2 * (load_computer("random"),))
    assert random == Rates((0.0, 0.25), 0.25, 0.25, stuck=0.25)
    assert "gets stuck in a dead end, without a result" in text(found)
    table = cross_table(HeadToHead(STUCK, explore(STUCK)), ["random"])
    assert table.score(0) is None
    tables = cross_tables(["random"], [stuck_file])
    [data] = tables_data(tables)
    assert data["scores"] == [None]
    assert data["rates"][0][0]["stuck"] == pytest.approx(0.127, abs=1e-3)
    assert "| undecided |" in tables_text(tables)
