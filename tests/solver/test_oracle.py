"""What the oracle answers: values, best moves, judged games, and whether play leads to a position."""

import json
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import perfectplay as pp
from perfectplay.core.limits import MOST_SOLVED
from perfectplay.core.value import ChartPoint, Kind, chart_points
from perfectplay.render.charts import draw_strip
from perfectplay.solver import oracle as oracles
from perfectplay.solver.judgement import Scored, mark_of
from perfectplay.terminal.commands.solve import show_analysis, show_position
from perfectplay.terminal.console import Console
from tests.conftest import Run
from tests.core.laws.broken_games import Pile, TakeAway, Understood
from tests.core.listed_games import PICK, table_game
from tests.core.matches import played


def test_a_position_not_reached_from_the_start_is_answered_too() -> None:
    game = pp.load("inversion-race")
    oracle = pp.solve(game)
    state = game.parse_state("1 9 1 A")
    assert oracle.graph is not None
    assert oracle.graph.find(state) is None
    assert oracle.value(state).kind == "loss"
    assert oracle.best(state)


@dataclass(frozen=True)
class Opened(Understood):
    """The small game, begun in a position of another class."""

    def initial(self) -> Any:
        return Begun(self.pile)


class Begun(NamedTuple):
    """The position before the first move."""

    left: int
    side: pp.Side = 0
    fresh: bool = True


@pytest.mark.parametrize("known", [True, False], ids=["theory", "graph"])
def test_positions_of_several_classes_are_answered(known: bool) -> None:
    game = Opened() if known else TakeAway()
    oracle: Any = pp.solve(game)
    assert (oracle.graph is None) is known
    here: Any = Pile(7, 0) if known else Begun(7)  # of a class that the oracle has not seen
    assert oracle.value(here) == pp.Value("win", 5)
    assert oracle.best(here) == (0,)
    wrongs: list[object] = [7, (7, []), pp.Match(game)]
    for wrong in wrongs:
        with pytest.raises(pp.WrongTypeError):
            oracle.value(wrong)


def test_a_match_is_not_a_position_even_where_a_game_has_moves_in_anything() -> None:
    match = pp.Match(PICK)
    for wrong in (match, match.record()):
        with pytest.raises(pp.WrongTypeError):
            pp.solve(PICK).value(wrong)  # type: ignore[arg-type]


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
    assert mark(loss, endless) == "let the draw by repetition go"
    assert mark(endless, endless) == "best"


def test_a_mark_says_that_a_dead_end_leaves_open_which_move_was_best() -> None:
    undecided, tie, loss = pp.Value("undecided"), pp.Value("tie", 1), pp.Value("loss", 2)

    def mark(played: pp.Value, *others: pp.Value) -> str:
        moves = tuple(Scored(i, str(i), value) for i, value in enumerate((played, *others)))
        return mark_of(undecided, played, moves)

    assert mark(undecided, tie) == mark(tie, undecided) == mark(undecided) == "undecided"
    assert mark(undecided, loss) == "only move"
    assert mark(loss, undecided) == "lost an undecided game"


def test_a_record_is_judged_by_the_api() -> None:
    lefts = ("left",) * 4
    match = played("dual-direction", "left", "right", *lefts[:2], "left", "left", "left")
    regret = pp.solve(match.game).regret(match.record())
    assert [each.mark for each in regret.plies] == [
        *["best"] * 5,
        "let the draw by repetition go",
        "only move",
    ]
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


def test_analyze_counts_a_resignation_as_the_review_of_the_game_does(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    review = run("play", "dual-direction", "--save", str(file), typed="resign\n").stdout
    assert "Player 1's accuracy: 0 of 1 critical move." in review
    said = run("analyze", "dual-direction", "--record", str(file)).stdout
    assert "  Player 1: resigned a game that was not lost (endless before)\n" in said
    assert "Accuracy of Player 1: 0%\nAccuracy of Player 2: no critical moves\n" in said
    [facts] = json.loads(run("analyze", "dual-direction", "--record", str(file), "--json").stdout)
    assert (facts["resigned"], facts["accuracy"]["Player 1"]) == ("Player 1", 0.0)


def test_resigning_a_lost_game_does_not_count_as_a_choice() -> None:
    match = pp.Match(pp.load("bit-flip"))
    match.resign(1)
    regret = pp.solve(match.game).regret(match.record())
    assert (regret.accuracy, regret.resigned) == ((None, None), None)


def test_a_slower_win_is_neither_an_error_nor_a_critical_choice() -> None:
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
        "  Start: Player 1 wins in 5 moves",
        "  1. Player 1: 4  threw away the win (win in 5 before, loss in 4 after); Player 2 wins in 3 moves",
        "  2. Player 2: 1  only move; Player 2 wins in 2 moves",
        "  3. Player 1: 7  best; Player 2 wins in 1 move",
        "  4. Player 2: 9  best; Player 2 has won",
        "",
        "  Player 1 wins ▂",
        "  Player 2 wins  ▄▄▆█",
        "                 ?",
        "  ? mistake.",
        "",
        "Accuracy of Player 1: 0%",
        "Accuracy of Player 2: 100%",
        "",
        "Accuracy: the share of critical moves that kept the result. A move is critical if another",
        "legal move changes the result. A forfeit that loses it counts too, and so does resigning a",
        "game that was not lost.",
    ]
    [facts] = json.loads(run("analyze", "bit-flip", "--record", str(file), "--json").stdout)
    assert facts["accuracy"] == {"Player 1": 0.0, "Player 2": 1.0}
    assert [each["mark"] for each in facts["plies"]][:2] == ["threw away the win", "only move"]
    # The starter may differ, as it does in a series; the game may not.
    assert run("analyze", "bit-flip:first=2", "--record", str(file)).returncode == 0
    other = run("analyze", "bit-flip:bits=9", "--record", str(file))
    assert other.returncode == 2
    assert 'line 2: this is a game of "bit-flip", not of "bit-flip:bits=9"' in other.stderr


def test_the_chart_of_a_game_has_the_value_of_every_position_for_the_first_side() -> None:
    match = played("dual-direction", "left", "right", *["left"] * 5)
    oracle = pp.solve(match.game)
    chart = oracle.regret(match.record()).chart
    seen = {"win": "loss", "loss": "win"}
    for point, state in zip(chart, match.positions, strict=True):
        kind, plies = oracle.value(state)
        first = match.game.side_to_move(state) == 0
        assert (point.kind, point.plies) == (kind if first else seen.get(kind, kind), plies), point
    assert [point.ply for point in chart] == list(range(match.plies + 1))
    assert [point.ply for point in chart if point.mistake] == [6]
    assert [point.height for point in chart[-3:]] == [0.0, 0.25, 1.0]


def test_a_resignation_is_a_point_of_the_chart_only_if_the_game_was_not_lost() -> None:
    match = pp.Match(pp.load("bit-flip"))
    match.resign(0)
    chart = pp.solve(match.game).regret(match.record()).chart
    assert chart == (ChartPoint(0, "win", 5, False, 0.25), ChartPoint(1, "loss", 0, True, -1.0))
    match = pp.Match(pp.load("bit-flip"))
    match.resign(1)
    assert pp.solve(match.game).regret(match.record()).chart == ()


def test_a_chart_needs_no_distances() -> None:
    kinds: tuple[Kind, ...] = ("win", "loss", "tie", "endless", "undecided")
    chart = chart_points([(pp.Value(kind), False) for kind in kinds])
    assert [point.height for point in chart] == [0.25, -0.25, 0.0, 0.0, 0.0]
    assert draw_strip(chart, ("A", "Bob")) == ("A wins   ▂ =~·", "Bob wins  ▂=~·", "")
    assert [point.describe(("A", "B")) for point in chart] == [
        "A wins",
        "B wins",
        "a tie",
        "endless play",
        "undecided",
    ]


def test_blocks_are_printed_only_where_they_can_be(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"{played('bit-flip', '4', '1', '7', '9').record()}\n")
    said = run("analyze", "bit-flip", "--record", str(file), env={"PYTHONIOENCODING": "latin-1"})
    assert said.returncode == 0
    assert "; Player 2 has won\n\nAccuracy of Player 1" in said.stdout


def test_a_long_chart_is_printed_in_parts(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"{played('dual-direction', *['left', 'right'] * 50).record()}\n")
    lines = run("analyze", "dual-direction", "--record", str(file)).stdout.splitlines()
    for side in ("Player 1", "Player 2"):
        rows = [line for line in lines if line.startswith(f"  {side} wins ~")]
        assert [row.count("~") for row in rows] == [62, 39]
        assert len(rows[0]) <= 80


def test_a_record_in_place_of_a_game_is_told_its_place(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my game.txt").write_text(f"{played('bit-flip:bits=5', '2').record()}\n")
    done = run("analyze", "my game.txt", cwd=tmp_path)
    assert done.returncode == 2
    command = "perfectplay analyze bit-flip:bits=5 --record 'my game.txt'"
    assert done.stderr == f'perfectplay: "my game.txt" is a record; to judge its moves: {command}\n'
    (tmp_path / "notes.txt").write_text("nothing of the kind\n")
    assert 'unknown game "notes.txt"' in run("analyze", "notes.txt", cwd=tmp_path).stderr


def test_analyze_takes_a_limit_and_names_it(run: Run, tmp_path: Path) -> None:
    done = run("analyze", "inversion-race", "--limit", "206")
    assert (done.returncode, done.stderr.endswith("; --limit and --memory change the limits\n")) == (2, True)
    file = tmp_path / "game.txt"
    file.write_text(f"{played('inversion-race', 'left').record()}\n")
    console = Console(None, StringIO())
    show_position(console, "inversion-race", "4 5 0 B", limit=207, as_json=False)
    show_analysis(console, "inversion-race", file, limit=207, as_json=False)
    with pytest.raises(pp.PerfectplayError, match="; --limit and --memory change the limits"):
        show_position(console, "inversion-race", "4 5 0 B", limit=206, as_json=False)
    with pytest.raises(pp.PerfectplayError, match="; --limit and --memory change the limits"):
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
        ("mirror-match", "9-1-1-9 1", True),
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
        show_position(Console(None, out), spec, position, limit=MOST_SOLVED, as_json=as_json)
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
    assert oracle.graph.find("lost turn") is None
    assert oracle.reachable("lost turn") is True
    assert oracle.reachable("elsewhere") is False


def test_no_more_positions_are_searched_than_a_small_game_has(monkeypatch: pytest.MonkeyPatch) -> None:
    # Six positions, none of them the one that is looked for. Without a forfeit, the graph would answer at once.
    table = {str(number): {"go": str(number + 1)} for number in range(5)}
    movers: dict[str, pp.Side] = dict.fromkeys(table, 0)
    game = table_game(table, {"5": 0}, movers, start="0", after_forfeit=lambda _, state: state)
    oracle = pp.solve(game)
    monkeypatch.setattr(oracles, "MOST_EXPLORED", 6)
    assert oracle.reachable("elsewhere") is False
    monkeypatch.setattr(oracles, "MOST_EXPLORED", 5)
    assert oracle.reachable("elsewhere") is None


def test_answers_of_the_oracle_are_tables() -> None:
    game = pp.load("bit-flip:bits=5")
    oracle = pp.solve(game)
    moves = oracle.moves(game.initial())
    assert isinstance(moves, tuple)
    assert moves._repr_html_().count("<tr>") == 1 + len(moves)
    assert oracle._repr_html_().count("<tr>") == 2 + len(moves)
    match = pp.Match(game)
    match.play("0")
    table = oracle.regret(match.record())._repr_html_()
    assert "Accuracy: 0%, no choices" in table
    assert "<td>threw away the win</td>" in table
    assert "<title>Move 1: The second side wins in 1 move</title>" in table
    assert table.count(">?</text>") == 1


def test_a_disqualification_is_judged_by_the_command(run: Run, tmp_path: Path) -> None:
    spec = "mirror-match:shortest=4,disqualify_after=1"
    file = tmp_path / "game.txt"
    file.write_text(f"{played(spec, '99 E').record()}\n")
    said = run("analyze", spec, "--record", str(file)).stdout
    assert "  1. Player 1: forfeit (loss in 4 before, loss in 1 after); Player 2 has won\n" in said
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
