"""Inspect AI carries the texts and counts the same, whatever fails on the way."""

import gc
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
import pytest
from click import ClickException
from inspect_ai import eval as inspect_eval
from inspect_ai import score
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, write_eval_log
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from tenacity import wait_exponential_jitter

from perfectplay.evals import inspect_tasks
from perfectplay.evals.files import read_samples, verify_samples
from perfectplay.evals.inspect_logs import read_score
from perfectplay.evals.measures import measure
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample, Usage, replay_sample
from perfectplay.evals.setup import load_opponent
from tests.conftest import ROOT
from tests.evals.agents import by_text, reference
from tests.evals.servers import Handler, chat_server

# What Inspect and its libraries warn about is not ours to change.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

INSPECT = """from importlib.metadata import entry_points
[script] = entry_points(group="console_scripts", name="inspect")
def inspect(*words):
    sys.argv = ["inspect", *words]
    try:
        script.load()()
    except SystemExit as ended:
        if ended.code:
            raise"""
"""Inspect's own command, as a function."""


def mock(answer: Callable[[str], str] = by_text) -> Model:
    """Inspect's mock model with an agent behind it."""

    def outputs(messages: list[Any], *_: object) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", answer(messages[-1].text))
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output

    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def run(task: Any, model: Model, folder: Path, **options: Any) -> EvalLog:
    [log] = inspect_eval(task, model=model, log_dir=str(folder), display="none", **options)
    assert log.status == "success", log.error
    gc.collect()  # Inspect leaves streams open: the warnings about them belong to this test
    return log


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples is not None  # in the order in which they ended
    return sorted(log.samples, key=lambda sample: (sample.metadata.get("number", 0), str(sample.id)))


def rows(log: EvalLog) -> list[Sample]:
    found = []
    for sample in samples(log):
        assert sample.scores is not None
        [each] = sample.scores.values()
        found.append(read_score(each.metadata or {}))
    return found


def results(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: each.value for name, each in log.results.scores[0].metrics.items()}


def listed(games: int = 10, **options: Any) -> Any:
    return inspect_tasks.play(
        "bit-flip", "level:3", games=games, attempts=2, moves="listed", seed=7, **options
    )


def test_the_mock_model_gives_the_same_counts_game_by_game(tmp_path: Path) -> None:
    log = run(listed(), mock(), tmp_path)
    found = rows(log)
    assert len(found) == 20
    assert [row.counts for row in found] == [play.counts for play in reference()]
    assert {row.counts.result for row in found} >= {"win", "loss"}
    assert sum(row.counts.answers["silent"] + row.counts.answers["unreadable"] for row in found) > 0
    summed = measure(found).as_dict()
    assert results(log)["corrected"] == pytest.approx(summed["corrected"])
    assert results(log)["points"] == pytest.approx(summed["points"])
    again = score(log, inspect_tasks.exact(), action="overwrite", display="none")
    assert results(again) == results(log)
    assert rows(again) == found
    read = read_samples([Path(log.location)])
    assert read.missing == 0
    stored = sorted(read.samples, key=lambda row: (row.number, row.seat))
    assert [replace(row, texts=(), replies=None, usage=Usage()) for row in stored] == found
    assert [row.texts for row in stored] == [tuple(play.texts) for play in reference()]
    assert [replay_sample(row) for row in stored] == stored
    half = log.model_copy(update={"samples": samples(log)[:7]})  # as an interrupted run leaves it
    half.eval = log.eval.model_copy(update={"created": "2000-01-01T00:00:00+00:00"})
    write_eval_log(half, str(tmp_path / "interrupted.eval"))
    assert read_samples([tmp_path / "interrupted.eval"])[1] == 13
    retried = read_samples([tmp_path])  # both logs are in the folder
    assert retried.missing == 0
    assert sorted(retried.samples, key=lambda row: (row.number, row.seat)) == stored
    for run_id in ("one", "two"):  # old logs have no id of a task: these are two runs, which share nothing
        log.eval = log.eval.model_copy(update={"task_id": "", "eval_id": run_id})
        write_eval_log(log, str(tmp_path / f"{run_id}.eval"))
    assert len(read_samples([tmp_path / "one.eval", tmp_path / "two.eval"]).samples) == 40
    turns = [len(play.texts) for play in reference()]
    assert [row.usage.tokens for row in stored] == [15 * number for number in turns]


def test_a_chat_completions_server_that_fails_now_and_then_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wait_exponential_jitter, "__call__", lambda *_: 0)
    with chat_server("twice") as address:
        model = get_model("openai-api/local/any", base_url=address, api_key="none", memoize=False)
        log = run(listed(), model, tmp_path)
        asked = Handler.requests
    assert [row.counts.answers for row in rows(log)] == [play.counts.answers for play in reference()]
    assert [row.counts.points for row in rows(log)] == [play.counts.points for play in reference()]
    assert asked == sum(len(play.texts) for play in reference()) + 2  # the two that failed


def test_errors_and_limits_stay_in_the_denominator(tmp_path: Path) -> None:
    def fails(text: str) -> str:
        if "[1]" in text.partition("Bits:")[2]:  # not on the first move of the first player
            raise RuntimeError("the provider is gone")
        return by_text(text)

    log = run(listed(games=3), mock(fails), tmp_path)
    failed = [row for sample, row in zip(samples(log), rows(log), strict=True) if sample.error is not None]
    assert len(failed) > 2
    assert any(row.counts.answers["legal"] for row in failed)  # what came before the error is counted
    assert len(rows(log)) == 6
    assert results(log)["games"] == 6
    for sample, row in zip(samples(log), rows(log), strict=True):
        if sample.error is not None:
            assert (row.counts.result, row.counts.points) == ("error", 0)
    cut = run(listed(games=3), mock(), tmp_path, token_limit=20)
    assert any(sample.limit is not None for sample in samples(cut))
    assert results(cut)["games"] == 6
    assert results(cut)["decided"] < 6

    async def never(*_: object) -> ModelOutput:
        await anyio.sleep_forever()
        raise AssertionError

    silent = mock()
    silent.api.generate = never
    late = run(listed(games=1), silent, tmp_path, time_limit=1)
    assert [row.counts.result for row in rows(late)] == ["error", "error"]
    again = score(late, inspect_tasks.exact(), action="overwrite", display="none")
    assert results(again) == results(late)


def test_a_game_against_a_program_is_scored_without_it(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text((ROOT / "examples" / "bot.py").read_text())
    program = f"program:seconds=20,{sys.executable} {bot}"
    first = lambda text: f"Move: {text.split('Legal moves: ')[1].split(',')[0].split()[0]}"  # noqa: E731
    log = run(inspect_tasks.play("bit-flip:bits=6", program, games=2, moves="listed"), mock(first), tmp_path)
    load_opponent(program).close()
    bot.unlink()
    assert {row.counts.result for row in rows(log)} <= {"win", "loss"}
    assert rows(score(log, inspect_tasks.exact(), action="overwrite", display="none")) == rows(log)
    read = verify_samples(read_samples([Path(log.location)]))
    assert read.verification == ([], {})


def test_forged_scores_of_a_log_are_found_out(tmp_path: Path) -> None:
    log = run(listed(games=2), mock(lambda _: "Move: 4"), tmp_path)
    for sample in log.samples or []:
        for each in (sample.scores or {}).values():
            assert each.metadata is not None
            each.metadata |= {"kept": each.metadata["decisions"], "result": "win", "texts": ["forged"]}
    write_eval_log(log, str(tmp_path / "forged.eval"))
    read = read_samples([tmp_path / "forged.eval"])
    assert report(read).as_dict()["summary"][0]["corrected"] == 1
    assert {text for sample in read.samples for text in sample.texts} == {"Move: 4"}
    again = verify_samples(read)
    assert again.verification is not None
    assert len(again.verification.differences) == 4
    assert report(again).as_dict()["summary"][0]["corrected"] < 1


def test_an_error_of_our_own_stays_in_the_denominator_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a position")

    monkeypatch.setattr("perfectplay.evals.play.draw", fail)
    log = run(listed(games=2), mock(lambda _: "Move: 0"), tmp_path)
    assert (results(log)["games"], results(log)["errors"]) == (4, 4)
    assert {row.problem for row in rows(log)} == {"KeyError: 'a position'"}
    for sample in log.samples or []:  # as if it had never been scored
        sample.scores = None
    write_eval_log(log, str(tmp_path / "unscored.eval"))
    read = read_samples([tmp_path / "unscored.eval"])
    assert measure(read.samples).counts.errors == 4
    assert "4 samples could not be counted: KeyError: 'a position'" in report_text(report(read))


def test_the_example_runs_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(*_: object, **__: object) -> None:
        raise AssertionError("a download was tried")

    monkeypatch.setattr("tiktoken.get_encoding", offline)
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    import_module("examples.mock_model").main(str(tmp_path / "logs"))
    gc.collect()
    found = measure(read_samples([tmp_path / "logs"]).samples)
    assert (found.games, found.counts.errors, found.decided) == (20, 0, 20)


def test_a_second_model_plays_the_opponent(tmp_path: Path) -> None:
    task = inspect_tasks.play("bit-flip:bits=6", games=2, moves="listed")
    first = lambda text: f"Move: {text.split('Legal moves: ')[1].split(',')[0].split()[0]}"  # noqa: E731
    log = run(task, mock(first), tmp_path, model_roles={"opponent": mock(first)}, temperature=0.5)
    read = sorted(read_samples([tmp_path]).samples, key=lambda row: (row.number, row.seat))
    assert [row.usage.tokens for row in read] == [30, 15] * 2  # two flips and one: the opponent's are its own
    assert {(row.usage.temperature, row.usage.max_tokens) for row in read} == {(0.5, None)}
    assert {row.setup.opponent for row in rows(log)} == {"model:mockllm/model"}
    assert [row.counts.result for row in rows(log)] == [
        "win",
        "loss",
    ] * 2  # 0, 2, 4: the first player flips last
    assert rows(score(log, inspect_tasks.exact(), action="overwrite", display="none")) == rows(log)


def test_single_questions_are_asked_once_and_counted(tmp_path: Path) -> None:
    log = run(inspect_tasks.choose("bit-flip", count=12, moves="listed"), mock(), tmp_path)
    assert (results(log)["decisions"], len(rows(log))) == (12, 12)
    assert {row.task for row in rows(log)} == {"choose"}
    log = run(inspect_tasks.rules("mirror-match", count=9), mock(lambda _: "Answer: yes"), tmp_path)
    found = rows(log)
    assert [row.counts.kept for row in found if row.task == "end"].count(1) == 2
    assert [row.counts.answers["unreadable"] for row in found if row.task == "winner"] == [1, 1, 1]


def test_a_spec_with_commas_arrives_whole_and_a_bad_one_is_refused() -> None:
    task = inspect_tasks.play(["mirror-match:digits=3", "shortest=4"], "level:3", games=1)
    assert task.dataset[0].metadata["setup"]["game"] == "mirror-match:digits=3,shortest=4"
    bad: list[tuple[dict[str, Any], str]] = [
        ({}, "name a game, as in -T game=bit-flip"),
        ({"game": "nope"}, 'unknown game "nope"'),
        ({"game": "bit-flip:bits=999"}, "bits=999 is too large to play here: the limit is 100"),
        ({"game": "bit-flip", "opponent": "human"}, "human is not a computer player"),
        ({"game": "bit-flip", "opponent": "model"}, 'unknown player "model"'),
        ({"game": "bit-flip", "opponent": "program:no-such-program"}, "cannot be started"),
        ({"game": "bit-flip", "games": 0}, "games=0: must be a whole number, at least 1"),
        ({"game": "bit-flip", "plies": 0}, "plies=0: must be a whole number, at least 1"),
        ({"game": "bit-flip", "attempts": "x"}, "attempts=x: must be a whole number, at least 1"),
        ({"game": "bit-flip", "disguise": "foo"}, "disguise=foo: must be none, words or arrows"),
        ({"game": "mirror-match", "disguise": "arrows"}, "too many to draw as arrows"),
        ({"game": "[x]"}, 'unknown game "[x]"'),
    ]
    for options, says in bad:
        with pytest.raises(ClickException) as caught:
            inspect_tasks.play(**options)
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(ClickException, match=r"^perfectplay: unknown game"):
        inspect_eval("perfectplay/play", model=mock(), task_args={"game": "nope"}, display="none")
    wrong = r"^perfectplay: cout=200: no such parameter; choose takes family, .*\(did you mean count\?\)$"
    options = {"family": "bit-flip", "cout": 200}
    with pytest.raises(ClickException, match=wrong):
        inspect_eval("perfectplay/choose", model=mock(), task_args=options, display="none")
    for task_of in (inspect_tasks.play, inspect_tasks.rules):
        with pytest.raises(ClickException, match=r"^perfectplay: gam=bit-flip: no such parameter; "):
            task_of(gam="bit-flip")
    with pytest.raises(ClickException, match="count=x: must be a whole number"):
        inspect_tasks.choose("bit-flip", count="x")
    with pytest.raises(ClickException, match="unknown game"):
        inspect_tasks.rules("nope")


def test_the_commands_in_the_docs_make_tasks() -> None:
    page = (ROOT / "docs" / "evaluate-a-model.md").read_text()
    commands = [shlex.split(line) for line in page.splitlines() if line.startswith("$ inspect eval ")]
    commands = [words for words in commands if words[3] != "perfectplay/gg_bench_sound"]  # it needs a copy
    assert len(commands) == 5
    for words in commands:
        name = words[3].removeprefix("perfectplay/")
        given = [words[place + 1].split("=", 1) for place, word in enumerate(words) if word == "-T"]
        # As Inspect reads them: numbers are numbers, and commas make a list.
        options: dict[str, Any] = {
            key: int(text) if text.isdecimal() else text.split(",") if "," in text else text
            for key, text in given
        }
        assert len(getattr(inspect_tasks, name)(**options).dataset) >= 13


def test_the_tasks_are_found_by_their_entry_point(tmp_path: Path) -> None:
    """Run as a user runs it, with a package that is installed."""
    entry = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["inspect_ai"]
    info = tmp_path / "perfectplay-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: perfectplay\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[inspect_ai]\nperfectplay = {entry['perfectplay']}\n")
    (info / "direct_url.json").write_text(f'{{"url": "{ROOT.as_uri()}", "dir_info": {{"editable": true}}}}')
    path = os.pathsep.join([str(tmp_path), *sys.path])
    check = (
        "import shutil, sys; from pathlib import Path\n"
        f"{INSPECT}\n"
        "inspect(*sys.argv[1:])\n"
        "[log] = Path('logs').glob('*play*')\n"
        "shutil.copy(log, 'scored.eval')\n"
        "inspect('score', 'scored.eval', '--action', 'overwrite', '--overwrite')\n"
    )
    env = {**os.environ, "PYTHONPATH": path, "LOCAL_API_KEY": "none", "INSPECT_DISPLAY": "plain"}
    options = ["-T", "game=bit-flip:bits=6,first=2", "-T", "games=2", "-T", "moves=listed", "--limit", "2"]
    model = ["--model", "openai-api/local/any", "--log-dir", "logs"]
    with chat_server() as address:
        done = subprocess.run(
            [sys.executable, "-c", check, "eval", "perfectplay/play", *options, *model],
            env=env | {"LOCAL_BASE_URL": address},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr + done.stdout
    assert "corrected" in done.stdout
    [log] = (tmp_path / "logs").glob("*play*")
    stored, again = read_eval_log(str(log)), read_eval_log(str(tmp_path / "scored.eval"))
    assert len(rows(stored)) == 2
    assert results(again) == results(stored)
    assert rows(again) == rows(stored)


def test_a_log_of_version_1_is_read_and_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Path(__file__).with_name("version_1") / "log.eval"
    found = read_samples([log])
    kept = read_samples([log.with_name("samples.parquet")]).samples[:2]
    assert found.missing == 1
    assert [replace(each, usage=Usage()) for each in found.samples] == [
        replace(each, usage=Usage()) for each in kept
    ]
    assert verify_samples(found).verification == ([], {})
    monkeypatch.setattr("perfectplay.evals.inspect_logs.VERSION", 2)  # its counts are not believed any more
    assert read_samples([log]).samples == found.samples


def test_a_mistake_in_the_options_is_one_line_of_the_command(tmp_path: Path) -> None:
    """Inspect shows an error of click in one line: a version that does not is found here."""
    words = ["-T", "game=nope", "--model", "mockllm/model"]
    code = f"import sys; import perfectplay.evals.inspect_tasks\n{INSPECT}\ninspect(*sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, "eval", "perfectplay/play", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "INSPECT_DISPLAY": "plain"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith('Error: perfectplay: unknown game "nope"')
    assert done.stderr.count("\n") == 1
