"""Forged counts are found out by playing the raw answers again."""

from pathlib import Path

import pytest

from perfectplay.evals.arena import Arena, play
from perfectplay.evals.files import Samples, read_samples, save, verify_samples
from perfectplay.evals.play import replay_answers
from perfectplay.evals.questions import draw_rules_questions
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample, game_sample, question_sample
from perfectplay.evals.setup import Setup
from perfectplay.games.registry import load
from tests.conftest import Run
from tests.evals.agents import AGENTS, change, played
from tests.evals.test_seats import RED_AND_BLUE


def forged(row: Sample) -> Sample:
    """The same sample as if everything had gone well."""
    won = {"result": "win"} if row.counts.result else {}
    kept = {"kept": row.counts.decisions, "decisions_read": row.counts.decisions}
    return change(row, **kept, guess_read=row.counts.guess, drops={}, drops_at={}, **won)


@pytest.fixture
def rows() -> list[Sample]:
    games = [
        game_sample(played(AGENTS["silent half the time"], Setup("bit-flip", "level:3"), seat, n), n, "me")
        for n in range(4)
        for seat in (0, 1)
    ]
    return games + [
        question_sample(item, Setup("bit-flip"), "Answer: yes", "me")
        for item in draw_rules_questions([load("bit-flip")], 9)
    ]


def test_what_is_as_it_was_played_is_verified(rows: list[Sample]) -> None:
    found = verify_samples(Samples(rows, missing=3))
    assert found == Samples(rows, 3, found.verification)
    assert found.verification == ([], {})
    text = report_text(report(found))
    assert "Verified: 17 samples were played again with the same counts." in text
    assert "not verified" not in text


def test_forged_counts_are_named_and_the_raw_answers_counted(
    rows: list[Sample], tmp_path: Path, run: Run
) -> None:
    save(map(forged, rows), tmp_path / "forged.parquet")
    believed = run("report", "forged.parquet", cwd=tmp_path)
    assert believed.returncode == 0
    assert "corrected 1.000" in believed.stdout
    assert "These counts are as stored, and not verified: --verify plays every raw answer again." in (
        believed.stdout
    )
    done = run("report", "forged.parquet", "--verify", cwd=tmp_path)
    assert done.returncode == 1
    assert "corrected 1.000" not in done.stdout
    real = verify_samples(read_samples([tmp_path / "forged.parquet"]))
    assert real.verification is not None
    changed = [row for row in rows if forged(row) != row]
    assert len(real.verification.differences) == len(changed) > 5
    assert f"{len(changed)} samples differ from the raw answers, which are counted here:" in done.stdout
    assert "me, bit-flip, seat 1, game 0: kept is stored as" in done.stdout
    assert real.samples == rows


def test_what_cannot_be_played_again_is_said(rows: list[Sample]) -> None:
    found = verify_samples(Samples([change(forged(rows[0]), opponent="program:cat"), rows[1]]))
    assert found.verification is not None
    assert found.verification.unknown == {
        '"program:cat" is not allowed here: it would run a program': 1,
    }
    text = report_text(report(found))
    assert "Verified: 1 sample was played again" in text
    assert "1 sample could not be verified: " in text


def test_forged_moves_of_an_opponent_that_plays_again_are_not_believed() -> None:
    setup = Setup("bit-flip:bits=3", "perfect")  # it wins with its first move, 1
    lie = game_sample(replay_answers(setup, 1, 0, ["Move: 2"], ["0"]), 0, "me")
    assert lie.counts.result == "win"
    found = verify_samples(Samples([lie]))
    assert found.verification is not None
    assert len(found.verification.differences) == 1
    assert found.samples[0].counts.result == "loss"


def test_games_of_a_bot_with_a_name_are_played_again(tmp_path: Path) -> None:
    players = ("one=mcts:simulations=2", "two=mcts:simulations=3")
    list(play(Arena("bit-flip:bits=6", players, games=2), tmp_path))
    found = verify_samples(read_samples([tmp_path]))
    assert len(found.samples) == 4
    assert found.verification == ([], {})


def test_a_game_file_is_played_again_only_if_you_name_it(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "red_and_blue.py"
    file.write_text(RED_AND_BLUE)
    play = played(AGENTS["perfect"], Setup(str(file), "perfect"), 0, 0)
    save([game_sample(play, 0, "me")], tmp_path / "rows.parquet")
    file.write_text(f"print('I was run')\n{RED_AND_BLUE}")
    unnamed = run("report", "rows.parquet", "--verify", cwd=tmp_path)
    assert unnamed.returncode == 0
    assert "1 sample could not be verified: a game file is not allowed here" in unnamed.stdout
    assert "I was run" not in unnamed.stdout
    named = run("report", "rows.parquet", "--verify", "--game", "red_and_blue.py", cwd=tmp_path)
    assert "Verified: 1 sample was played again with the same counts." in named.stdout
    assert "I was run" in named.stdout
