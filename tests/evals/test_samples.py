"""Whatever happens in a game, it is counted, kept with its raw answers, and played again from them."""

import sys
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from perfectplay.core.errors import ParseError
from perfectplay.evals.arena import Arena, play
from perfectplay.evals.files import Samples, read_samples, save
from perfectplay.evals.inspect_logs import count_logged
from perfectplay.evals.play import Play, replay_answers
from perfectplay.evals.questions import draw_rules_questions
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample, game_sample, question_sample, replay_sample
from perfectplay.evals.setup import Setup
from perfectplay.games.registry import load
from perfectplay.strength.points import points_everywhere
from perfectplay_mcp.tools import GameTools
from tests.conftest import ROOT
from tests.evals.agents import AGENTS, known_player, played

EXPLORED_WHOLE = [
    "mirror-match:digits=1",
    "mirror-match:digits=2,shortest=1",
    "mirror-match:digits=1,forfeit=move",
]


@pytest.mark.parametrize("spec", EXPLORED_WHOLE)
def test_an_invalid_answer_loses_the_turn_where_every_position_is_explored(spec: str) -> None:
    kept: list[list[Sample]] = []
    tables = GameTools(kept.append)
    for seat in (1, 2):
        shown = tables.new_game(spec, "level:3", seat=seat)
        for _ in range(3):
            if shown["question"] is not None:
                shown = tables.move(str(shown["table"]), "Move: 9")
                assert shown["answer"] == "invalid"
    for each in kept[-1]:
        assert (each.problem, each.counts.answers["legal"]) == (None, 0)
        assert each.counts.result != "win"
    game = load(spec)
    values = points_everywhere(game, known_player("level:3"), 0)
    assert values is not None
    for state in list(values):
        if game.outcome(state) is None:
            assert game.after_forfeit(state) in values


def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of our own, at the first move of the opponent."""

    def fail(*_: object) -> None:
        raise KeyError("State((), 0)")

    monkeypatch.setattr("perfectplay.evals.play.draw", fail)


def test_an_error_of_our_own_ends_the_game_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[list[Sample]] = []
    tables = GameTools(kept.append)
    table = str(tables.new_game("bit-flip", seat=1)["table"])
    broken(monkeypatch)
    with pytest.raises(ValueError, match="ended in an error of the server: KeyError"):
        tables.move(table, "Move: 4")
    with pytest.raises(ValueError, match="ended in an error of the server: KeyError"):
        tables.move(table, "Move: 4")
    [row] = kept[-1]
    assert (row.counts.result, row.counts.points, row.counts.errors, row.counts.decisions) == (
        "error",
        0,
        1,
        1,
    )
    assert row.problem == "KeyError: 'State((), 0)'"
    # Begun by the opponent, it cannot even be set up.
    setup = {"game": "bit-flip", "opponent": "level:3"}
    one, two = (
        count_logged({"seat": seat, "number": 0, "setup": setup}, {"perfectplay:answers": ["Move: 4"]}, "me")
        for seat in (0, 1)
    )
    assert [each.counts.result for each in (one, two)] == ["error", "error"]
    assert [each.problem for each in (one, two)] == ["KeyError: 'State((), 0)'"] * 2
    data = report(read_back([one, two]))
    assert [(each["samples"], each["errors"]) for each in data.as_dict()["rows"]] == [(1, 1), (1, 1)]
    assert "2 samples could not be counted: KeyError: 'State((), 0)'" in report_text(data)


def read_back(rows: list[Sample]) -> Samples:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        save(rows, Path(folder) / "rows.parquet")
        return read_samples([Path(folder)])


@pytest.mark.parametrize("garbage", [None, 3, [], {"game": 7}, {"game": "bit-flip", "attempts": "x"}])
def test_garbage_in_a_sample_is_an_error_that_stays(garbage: object) -> None:
    row = count_logged({"seat": 0, "number": 0, "setup": garbage}, {}, "me")
    assert (row.counts.result, row.counts.errors) == ("error", 1)
    assert row.problem
    report_text(report(read_back([row])))


@pytest.mark.parametrize(
    "forged",
    [
        {"kept": "all"},
        {"guess": 1.0, "decisions": 1},
        {"kept": 9, "decisions": 1},
        {"answers": {}},
        {"drops": {"win to loss": "x"}},
        {"result": "glory"},
        {"seat": 3},
        {"luck": "good"},
        {"luck": float("nan")},
        {"tokens": 10**400},
        {"errors": -1},
        {"plies": 10**19},
        {"answers": {"legal": -1, "silent": 0, "unreadable": 0, "illegal": 0, "invalid": 0}},
        {"decisions_at": {"first": 1}},
        {"decisions_at": {"0": 0}, "drops_at": {"0": 1}},
    ],
)
def test_counts_that_cannot_be_are_not_read(forged: dict[str, object]) -> None:
    row = game_sample(replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]), 0, "me")
    assert Sample.from_columns(row.columns()) == row
    with pytest.raises(ParseError, match="of a sample"):
        Sample.from_columns({**row.columns(), **forged})


def test_whatever_a_log_holds_is_an_error_that_can_be_kept() -> None:
    for store in (
        {"perfectplay:answers": 7},
        {"perfectplay:answers": [1, "Move: 1"], "perfectplay:replies": 3},
    ):
        for item in ({"a": 1}, ["choose"], ["choose", "bit-flip", "?", "c"], None):
            found = count_logged({"setup": {"game": "bit-flip"}, "item": item}, store, "me")
            assert found.counts.errors == 1
            assert read_back([found]).samples == [found]


@pytest.mark.parametrize("missing", ["result", "stopped_at", "problem", "luck", "answers", "kept"])
def test_a_row_has_all_its_columns(missing: str) -> None:
    row = game_sample(replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]), 0, "me")
    with pytest.raises(ParseError, match=f"^a sample needs {missing}$"):
        Sample.from_columns({name: value for name, value in row.columns().items() if name != missing})


@pytest.mark.parametrize(
    "garbage",
    [
        {"seat": 2},
        {"number": [1]},
        {"number": 10**30},
        {"setup": {"game": "bit-flip", "seed": -1}},
        {"setup": {"game": "bit-flip", "seed": 10**30}},
        {"item": ["end", "bit-flip", "0000100000 2", ["c"], None, None]},
        {"item": [5, "bit-flip", "0000100000 2", "c", None, None]},
    ],
)
def test_a_sample_of_garbage_can_still_be_written_and_read(garbage: dict[str, Any]) -> None:
    row = count_logged({"seat": 0, "number": 0, "setup": {"game": "bit-flip"}, **garbage}, {}, "me")
    assert row.counts.errors == 1
    report_text(report(read_back([row])))


def test_a_file_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    row = game_sample(replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]), 0, "me")
    path = tmp_path / "rows.parquet"
    save([row], path)
    table = parquet.read_table(path)
    place = table.schema.get_field_index("item")
    parquet.write_table(table.set_column(place, "item", [["[" * 100_000]]), path)
    with pytest.raises(ParseError, match="does not hold samples"):
        read_samples([path])


def test_rows_keep_their_answers_and_are_played_again_from_them(tmp_path: Path) -> None:
    rows = []
    for name in ("level:3", "silent half the time", "cheater"):
        agent = AGENTS[name]
        for seat in (0, 1):
            for spec in ("bit-flip", "mirror-match"):
                play = played(agent, Setup(spec, "level:3", attempts=2), seat, 3)
                rows.append(game_sample(play, 3, name))
                assert rows[-1].texts == tuple(play.texts)
    rows.append(
        game_sample(
            replay_answers(Setup("bit-flip", "model"), 0, 0, ["Move: 0", "Move: 2"]), 0, "me", "model:you"
        )
    )
    rows.append(
        game_sample(replay_answers(Setup("bit-flip", "level:3"), 0, 0, ["Move: 0"], resigned=True), 0, "me")
    )
    for item in draw_rules_questions([load("bit-flip")], 6):
        rows += [question_sample(item, Setup("bit-flip"), text, "me") for text in ("Answer: yes", None)]
    save(rows, tmp_path / "rows.parquet")
    back = read_samples([tmp_path]).samples
    assert [replay_sample(row) for row in rows] == rows
    assert [replay_sample(row) for row in back] == rows


def test_an_arena_keeps_the_answers_and_what_a_program_replied(tmp_path: Path) -> None:
    """A program that plays at random is not asked again: it would not play the same."""
    bot = tmp_path / "bot.py"
    bot.write_text((ROOT / "examples" / "bot.py").read_text())
    program = f"program:seconds=20,{sys.executable} {bot}"
    list(play(Arena("bit-flip:bits=6", ("mcts:simulations=2", program), games=2), tmp_path / "arena"))
    bot.unlink()  # nothing can start it any more
    rows = read_samples([tmp_path / "arena"]).samples
    assert len(rows) == 4
    assert all(row.texts for row in rows)
    against = [row for row in rows if row.setup.opponent == program]
    assert len(against) == 4
    assert all(row.replies for row in against)
    assert [replay_sample(row) for row in rows] == rows


@pytest.mark.parametrize("limit", [1, 2])
def test_a_disqualification_is_a_drop_to_a_loss(limit: int) -> None:
    setup = Setup(f"mirror-match:disqualify_after={limit},forfeit=move", "perfect", attempts=5)
    play = Play(setup, seat=0)
    for _ in range(limit):
        assert play.counts.drops == {}
        play.answer("Move: 99")
    assert (play.counts.result, play.counts.drops) == ("loss", {"endless to loss": 1})


def test_a_disqualification_in_a_lost_position_wastes_plies() -> None:
    setup = Setup("mirror-match:digits=2,disqualify_after=1", "perfect")
    play = Play(setup, seat=1)
    moves = play.oracle.moves(play.match.state)
    best = max((move.value for move in moves), key=lambda value: value.rank)
    assert best.kind == "loss"
    play.answer("Move: 99")
    assert (play.counts.result, play.counts.drops) == ("loss", {})
    assert play.counts.wasted == (best.plies or 0) - 1 > 0
