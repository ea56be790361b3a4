"""The sound part of gg-bench as a task of Inspect, with small environments of our own and its mock model."""

import json
import re
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click import ClickException
from inspect_ai import score
from inspect_ai.log import EvalLog

from perfectplay.core.outcome import Side
from perfectplay.evals import inspect_tasks as tasks
from perfectplay.evals.files import read_samples, verify_samples
from perfectplay.evals.play import replay_answers
from perfectplay.terminal.commands.arena import show_report
from perfectplay.terminal.console import Console
from perfectplay.validation import Trusted
from perfectplay_foreign.collections import gg_bench
from tests.conftest import ROOT
from tests.evals.test_inspect_tasks import mock, run
from tests.studies.small_copy import write_copy

# What Inspect and its libraries warn about is not ours to change.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
SOUND = (1, 2)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_copy(tmp_path_factory.mktemp("gg-bench"))


@pytest.fixture
def listed(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The copy, with two of its games in the list."""
    found = {number: gg_bench.load_game(copy, number) for number in SOUND}
    path = tmp_path / "sound.json"
    path.write_text(json.dumps({str(number): game.what.split("@")[1] for number, game in found.items()}))
    monkeypatch.setattr(gg_bench, "SOUND", path)
    return copy


def play(task: Any, folder: Path) -> EvalLog:
    """Answer with the first listed move."""
    return run(task, mock(lambda text: f"Move: {text.rpartition('Legal moves: ')[2][0]}"), folder)


def decide(left: int) -> tuple[bool, bool]:
    """Whether there is a choice with so many stones of which one to three are taken, and whether one is right."""
    return left % 4 != 0 and left > 1, left % 4 == 1


def test_each_sound_game_is_played_in_both_seats_with_exact_counts(listed: Path, tmp_path: Path) -> None:
    log = play(tasks.gg_bench_sound(str(listed), opponent="random", games=2, moves="listed"), tmp_path)
    path = Path(log.location)
    found = read_samples([path]).samples
    seats = sorted((row.setup.game.partition("@")[0], row.seat, row.number) for row in found)
    assert seats == [
        (f"env:gg-bench-{game}", seat, number) for game in SOUND for seat in (1, 2) for number in (0, 1)
    ]
    games = gg_bench.offer_sound(listed)
    for row in found:
        game = games[row.setup.game]
        seat: Side = 0 if row.seat == 1 else 1
        played = replay_answers(row.setup, seat, row.number, row.texts, game=game)
        mine = [state for state in played.match.positions if game.side_to_move(state) == seat]
        stones = [len(game.view(state).picture[0]) for state in mine if game.outcome(state) is None]
        decisions = [decide(left)[1] for left in stones if decide(left)[0]]
        assert (row.counts.decisions, row.counts.kept) == (len(decisions), sum(decisions))
        assert row.counts.result in ("win", "loss")
    assert "# Stones 1: Rule Book" in log.samples[0].messages[0].text
    again = score(log, tasks.exact(Trusted(games={**games})), action="overwrite", display="none")
    assert [each.metrics for each in again.results.scores] == [each.metrics for each in log.results.scores]
    [step], [scorer] = log.plan.steps, log.eval.scorers
    assert step.params == scorer.options == {"trusted": "Trusted"}  # a log does not hold the tables
    rescored = score(log, tasks.make_log_scorer(**scorer.options), action="overwrite", display="none")
    for each in rescored.samples:
        [counted] = each.scores.values()
        assert "an environment is not allowed here" in counted.metadata["problem"]


def test_a_log_runs_no_environment_and_names_the_table_that_it_needs(listed: Path, tmp_path: Path) -> None:
    log = play(tasks.gg_bench_sound(str(listed), numbers=1, games=1, moves="listed"), tmp_path)
    path = Path(log.location)
    read = read_samples([path])  # its counts are in the log
    assert [row.problem for row in read.samples] == [None, None]
    refused = verify_samples(read).verification
    assert refused is not None
    [why] = refused.unknown
    assert "an environment is not allowed here" in why
    said = StringIO()
    about: dict[str, Any] = {"as_json": True, "html": None, "parquet": None, "verify": True}
    assert show_report(Console(StringIO(), said), (path,), **about, files=(listed,)) == 0
    assert json.loads(said.getvalue())["verification"] == {"differences": [], "unknown": {}}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "name a copy of gg-bench"),
        ({"folder": "nowhere"}, "is not a copy of gg-bench"),
        ({"numbers": "1,x"}, "numbers=1,x: must be such as 66,71"),
        ({"numbers": 3}, "3: not in the sound part, which is 1, 2"),
        ({"games": 0, "numbers": 1}, "games=0: must be a whole number, at least 1"),
        ({"opponent": "nobody", "numbers": 1}, "nobody"),
        ({"gams": 3}, "gams"),
    ],
)
def test_a_mistake_is_one_line(listed: Path, options: dict[str, Any], said: str) -> None:
    folder = {"folder": str(listed)} if "numbers" in options else {}
    with pytest.raises(ClickException, match=re.escape(said)):
        tasks.gg_bench_sound(**{**folder, **options})


def test_a_game_that_is_not_the_one_audited_is_refused(listed: Path, tmp_path: Path) -> None:
    other = tmp_path / "copy"
    shutil.copytree(listed, other)
    path = other / "gg_bench" / "data" / "envs" / "env_1.py"
    path.write_text(path.read_text().replace("stones = 21", "stones = 22"))
    with pytest.raises(ClickException, match="game 1 in this folder is not the one that was audited"):
        tasks.gg_bench_sound(str(other))


def test_the_list_is_that_of_the_study() -> None:
    studied = (ROOT / "studies" / "gg_bench" / "data" / "sound.json").read_bytes()
    assert gg_bench.SOUND.read_bytes() == studied
