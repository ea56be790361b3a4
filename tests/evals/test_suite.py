"""The suite: fixed questions, one headline, and a table that only verified logs get into."""

import gc
import json
import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from math import fsum, sqrt
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from click import ClickException
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

from perfectplay.core.errors import ParseError
from perfectplay.core.spec import split_spec
from perfectplay.evals import inspect_tasks
from perfectplay.evals.files import Samples, SuiteRun, read_samples, save
from perfectplay.evals.inspect_logs import SUITE
from perfectplay.evals.questions import count_answer, draw_decisions
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample, question_sample
from perfectplay.evals.setup import Setup
from perfectplay.evals.suite.leaderboard import (
    Leaderboard,
    leaderboard,
    leaderboard_page,
    leaderboard_text,
    rank,
)
from perfectplay.evals.suite.questions import (
    CANARY,
    FAMILIES,
    PUBLIC_SEED,
    SIZE,
    SUITE_VERSION,
    SuiteQuestion,
    SuiteSeed,
    describe_suite,
    draw_suite,
    read_seed_file,
)
from perfectplay.evals.suite.score import SuiteScore, balance, score_run
from perfectplay.games.registry import load
from perfectplay.strength.statistics import Estimate
from tests.conftest import ROOT, Run
from tools.scripted_models import answer, script

# What Inspect and its libraries warn about is not ours to change.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SECRET = "a seed that nobody but the maintainer has seen"
LIMIT = 40


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """The first questions of the suite, answered by a scripted level 5."""
    folder = str(tmp_path_factory.mktemp("logs"))
    model = script("level:5")
    [found] = inspect_eval(
        "perfectplay/suite", model=model, log_dir=folder, display="none", limit=LIMIT, temperature=0.5
    )
    assert found.status == "success", found.error
    gc.collect()  # Inspect leaves streams open: the warnings about them belong to this test
    return read_eval_log(found.location)


def test_a_learned_player_keeps_more_the_more_it_has_seen() -> None:
    items, kept = draw_decisions([load("bit-flip:bits=12")], 200), []
    for updates in (0, 100, 1000):
        asked = [SuiteQuestion(item, Setup(item.game, ""), item.position) for item in items]
        said = [answer(each, f"learned-{updates}", Random(each.text)) for each in asked]
        kept.append(sum(count_answer(*each[:2], text).kept for each, text in zip(asked, said, strict=True)))
    assert kept[0] < kept[1] < kept[2] <= len(items)


@pytest.fixture
def seed(tmp_path: Path) -> SuiteSeed:
    (tmp_path / "seed.txt").write_text(f"{SECRET}\n")
    return read_seed_file(tmp_path / "seed.txt")


def test_the_questions_of_this_version_are_fixed() -> None:
    about = describe_suite(PUBLIC_SEED)
    # If these change, scores do not compare any more: raise SUITE_VERSION and write down the new ones.
    assert (SUITE_VERSION, str(about["rules"])[:16], str(about["questions"])[:16]) == (
        1,
        "977aa5fb3d522e86",
        "dcc8ab71302bbf21",
    )


def test_the_questions_are_balanced_from_the_first_on() -> None:
    asked = draw_suite()
    assert len(asked) == SIZE == 480
    names = [name.rsplit(" ", 1)[0] for name in asked]
    wanted = {
        f"{family} {shown} {kind}"
        for family in FAMILIES
        for shown in ("plain", "disguised")
        for kind in ("decision", "rules")
    }
    assert set(names[:20]) == wanted
    assert Counter(names) == {name: 30 if name.endswith("decision") else 18 for name in wanted}
    decisions = [each for each in asked.values() if each.item.kind == "choose"]
    for family in FAMILIES:
        own = [each for each in decisions if split_spec(each.item.game)[0] == family]
        assert min(Counter(each.item.seat for each in own).values()) >= 10
        plain, disguised = ({e.item for e in own if e.setup.disguise == how} for how in ("none", "words"))
        assert plain == disguised
    # Constant answers to the questions on the rules get one half, so guessing is not a skill.
    assert {each.item.guess for each in asked.values() if each.item.kind in ("legal", "end")} == {0.5}


def test_a_held_out_seed_asks_other_questions_and_is_not_told(seed: SuiteSeed) -> None:
    assert (seed.kind, PUBLIC_SEED.kind) == ("held-out", "development")
    public, held = draw_suite(), draw_suite(seed)
    assert list(public) == list(held)
    same = [name for name in public if public[name].text == held[name].text]
    assert len(same) < SIZE / 4
    about = json.dumps(describe_suite(seed))
    logged = json.dumps([(each.item, each.setup.seed, each.text) for each in held.values()])
    for told in (about, logged):
        assert SECRET not in told
        assert str(seed.draws) not in told
    assert seed.digest in about


def test_the_published_seed_asks_what_the_example_page_says(tmp_path: Path) -> None:
    [text] = re.findall(r"`([0-9a-f]{64})`", (ROOT / "docs" / "publish-a-score.md").read_text("utf-8"))
    (tmp_path / "seed.txt").write_text(text)
    about = describe_suite(read_seed_file(tmp_path / "seed.txt"))
    page = (ROOT / "docs" / "leaderboard.html").read_text("utf-8")
    for name in ("seed_digest", "questions", "rules"):
        assert f"<td>{about[name]}</td>" in page


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read as a file with a seed"),
        (b"short", "a seed is one line of 32 to 999 characters"),
        (b"x" * 10**6, "a seed is one line of 32 to 999 characters"),
        (b"two lines of a file\nthat is not a seed", "a seed is one line of 32 to 999 characters"),
        (b"\xff" * 40, "cannot be read as a file with a seed"),
    ],
)
def test_a_bad_seed_file_is_refused_in_one_line(content: bytes | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "seed.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ClickException) as caught:
        inspect_tasks.suite(seed_file=str(path))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_option_that_the_suite_does_not_have_is_refused_in_one_line() -> None:
    with pytest.raises(ClickException, match=r"^perfectplay: sed_file=x: no such parameter; suite takes"):
        inspect_tasks.suite(sed_file="x")


def test_the_budget_is_said_and_every_question_carries_the_canary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: SuiteSeed
) -> None:
    task = inspect_tasks.suite(seed_file=str(tmp_path / "seed.txt"))
    said = capsys.readouterr().err
    assert said.startswith("perfectplay suite 1, held-out seed: 480 questions, one answer each (5 families,")
    assert [each.metadata["canary"] for each in task.dataset] == [CANARY] * SIZE
    assert task.metadata == {SUITE: describe_suite(seed)}
    assert task.version == SUITE_VERSION


def answered(right: Callable[[int], bool]) -> list[Sample]:
    """All decisions of the suite; those whose number is right are answered perfectly, others not at all."""
    found = []
    for number, each in enumerate(draw_suite().values()):
        if each.item.kind == "choose":
            text = answer(each, "perfect", Random(0)) if right(number) else "I do not know."
            found.append(question_sample(each.item, each.setup, text, "me"))
    return found


def test_the_headline_is_the_mean_over_families_of_corrected_shares() -> None:
    samples = answered(lambda number: number % 7 < 4)
    values, squares = [], []
    for family in FAMILIES:
        own = [each for each in samples if split_spec(each.setup.game)[0] == family]
        kept, guess = sum(each.counts.kept for each in own), fsum(each.counts.guess for each in own)
        assert 0 < kept < len(own)
        values.append((kept - guess) / (len(own) - guess))
        clusters: dict[str, float] = {}
        for each in own:
            above, below = each.counts.kept - each.counts.guess, 1 - each.counts.guess
            clusters[each.cluster] = clusters.get(each.cluster, 0) + above - values[-1] * below
        number = len(clusters)
        assert number >= 25
        error = sqrt(number / (number - 1) * fsum(e**2 for e in clusters.values())) / (len(own) - guess)
        squares.append(error**2)
    found = balance(samples)
    assert found is not None
    assert found.interval is not None
    assert found.value == pytest.approx(fsum(values) / 5)
    low, high = found.interval
    # Near the middle the interval is that of the standard errors by clusters, but for Student's t and Wilson.
    assert (high - low) / 2 == pytest.approx(1.96 * sqrt(fsum(squares)) / 5, rel=0.1)
    one_family = [each for each in samples if each.setup.game.startswith("bit-flip")]
    assert balance(one_family) is None


def test_perfect_play_has_an_interval_and_silence_has_no_score() -> None:
    perfect = balance(answered(lambda _: True))
    assert perfect is not None
    assert perfect.interval is not None
    assert perfect.value == perfect.interval[1] == 1
    assert 0.8 < perfect.interval[0] < 0.95
    run = SuiteRun({"model": "m", "suite": {}}, {})
    assert score_run(run, answered(lambda _: False)).verdict == "did not answer"


def test_a_report_begins_with_the_headline_and_says_where_it_comes_from(log: EvalLog) -> None:
    found = report(read_samples([Path(log.location)]))
    [data] = json.loads(json.dumps(found.as_dict()))["suites"]
    [score] = found.suites
    assert score.headline is not None
    assert data["headline"]["value"] == score.headline.value
    told = data["provenance"]
    assert told["suite"] == describe_suite(PUBLIC_SEED)
    assert (told["model"], told["model_returned"]) == ("mockllm/level-5", ["scripted level:5"])
    assert (told["limits"]["limit"], told["generation"]) == (LIMIT, {"temperature": 0.5})
    assert (told["logs"], told["created"]) == ([log.eval.eval_id], log.eval.created)
    assert data["tokens"] > 0
    first, *rest = report_text(found).splitlines()
    assert first.startswith(f"mockllm/level-5: {score.headline.value:.3f} (")
    assert first.endswith(f"(suite 1, development seed, only {LIMIT} of 480 questions)")
    for name in (*FAMILIES, "plain", "disguised", "seat 1", "seat 2", "rules"):
        assert any(line.startswith(f"  {name}: ") for line in rest)


def forge(log: EvalLog, change: Callable[[EvalLog], object], folder: Path) -> Samples:
    forged = deepcopy(log)
    change(forged)
    write_eval_log(forged, str(folder / "forged.eval"))
    return read_samples([folder])


def first(log: EvalLog) -> Any:
    assert log.samples is not None
    return next(each for each in log.samples if each.id == "bit-flip plain decision 1")


def keep_everything(log: EvalLog) -> None:
    for sample in log.samples or []:
        for each in (sample.scores or {}).values():
            each.metadata["kept"] = each.metadata["decisions_read"] = each.metadata["decisions"]


def ask_another(log: EvalLog) -> None:
    """As if an easier question had been asked and answered."""
    item = first(log).metadata["item"]
    item[2:4] = "000000 1", "bit-flip:bits=6 000000 1"


FORGERIES: dict[str, tuple[Callable[[EvalLog], object], str]] = {
    "counts": (keep_everything, "1 sample differs from the raw answers: mockllm/level-5, "),
    "question": (ask_another, "the question bit-flip plain decision 1 is not that of the suite"),
    "prompt": (
        lambda log: setattr(first(log).messages[0], "content", "Say Move: 0"),
        "the question bit-flip plain decision 1 is not that of the suite",
    ),
    "hint": (
        lambda log: first(log).messages.insert(0, first(log).messages[0].model_copy()),
        "the question bit-flip plain decision 1 is not that of the suite",
    ),
    "unknown id": (
        lambda log: setattr(first(log), "id", "bit-flip plain decision 99"),
        "the question bit-flip plain decision 99 is not that of the suite",
    ),
    "seed": (
        lambda log: log.eval.metadata[SUITE].update(seed="held-out", seed_digest="beef"),
        "the seed with the digest beef is not known: --seed-file names it",
    ),
    "seed kind": (
        lambda log: log.eval.metadata[SUITE].update(seed="held-out"),
        "the seed with the digest public is not known: --seed-file names it",
    ),
    "version": (
        lambda log: log.eval.metadata[SUITE].update(version=99),
        "it is of suite 99, and this is suite 1",
    ),
    "solver": (
        lambda log: setattr(log.plan.steps[0], "solver", "mine"),
        "it was not asked by the suite's own solver",
    ),
    "about": (
        lambda log: log.eval.metadata.update({SUITE: "forged"}),
        "it is of suite None, and this is suite 1",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_log_that_does_not_hold_gets_no_row(name: str, log: EvalLog, tmp_path: Path) -> None:
    change, says = FORGERIES[name]
    with pytest.raises(ParseError, match=r"^no log can have a row: mockllm/level-5, log ") as caught:
        leaderboard(forge(log, change, tmp_path))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_log_made_from_the_file_of_the_tasks_gets_a_row(log: EvalLog, tmp_path: Path) -> None:
    read = forge(log, lambda log: setattr(log.plan.steps[0], "solver", "ask_once"), tmp_path)
    assert len(leaderboard(read).rows) == 1


def test_the_command_prints_the_table_and_names_what_has_no_row(
    log: EvalLog, tmp_path: Path, run: Run
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    write_eval_log(log, str(folder / "good.eval"))
    done = run("leaderboard", "logs", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"only {LIMIT} of 480" in done.stdout
    forged = deepcopy(log)
    keep_everything(forged)
    forged.eval.task_id = "other"
    write_eval_log(forged, str(folder / "forged.eval"))
    done = run("leaderboard", "logs", "--json", "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (len(found["rows"]), len(found["refused"]), found["canary"]) == (1, 1, CANARY)
    page = (tmp_path / "page.html").read_text()
    assert "Logs without a row" in page
    assert CANARY in page
    (tmp_path / "other").mkdir()
    save(answered(lambda _: True)[:1], tmp_path / "other" / "one.parquet")
    done = run("leaderboard", "other", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    said = "perfectplay: no log can have a row: none is of inspect eval perfectplay/suite\n"
    assert done.stderr == said
    done = run("leaderboard", "logs", "--seed-file", "page.html", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def score(
    model: str, value: float, low: float, high: float, *, seed: str = "held-out", **other: Any
) -> SuiteScore:
    about = {"model": model, "suite": {"seed": seed, "version": 1}, "logs": ["x"], "limits": {}}
    found = Estimate(value, (low, high))
    return SuiteScore(
        run=SuiteRun(about, {}),
        questions=SIZE,
        answered=1.0,
        headline=found,
        families=dict.fromkeys(FAMILIES, found),
        presentations=dict.fromkeys(("plain", "disguised"), found),
        seats={},
        rules=None,
        tokens=1000.0,
        cost=None,
    )._replace(**other)


def test_places_are_shared_where_intervals_overlap() -> None:
    rows = rank(
        [
            score("d", -0.3, -0.4, -0.2),
            score("public", 0.99, 0.98, 1.0, seed="development"),
            score("b", 0.6, 0.5, 0.7),
            score("a", 0.9, 0.8, 1.0),
            score("c", 0.5, 0.4, 0.55),
            score("part", 0.95, 0.9, 1.0, questions=100),
            score("mute", -0.6, -0.7, -0.5, answered=0.0),
        ]
    )
    assert [(row.score.model, row.place) for row in rows] == [
        ("a", "1"), ("b", "2="), ("c", "2="), ("d", "4"), ("part", ""), ("mute", ""), ("public", "1")
    ]  # fmt: skip
    text = leaderboard_text(Leaderboard(rows, ["x: forged"]))
    lines = {line.split(" | ")[1].strip(): line for line in text.splitlines() if line.startswith("| ")}
    assert "-0.300 (-0.400 to -0.200), below random" in lines["d"]
    assert "| did not answer " in lines["mute"]
    assert "-0.60" not in lines["mute"]
    assert "only 100 of 480" in lines["part"]
    assert "below random" not in lines["c"]
    assert text.index("that the maintainer keeps") < text.index("for development")
    assert text.endswith("No row: x: forged")


def test_the_page_has_its_charts_and_escapes_names() -> None:
    rows = rank([score("<b>a", 0.9, 0.8, 1.0), score("b", -0.5, -0.6, -0.4, tokens=20.0)])
    page = leaderboard_page(Leaderboard(rows, []))
    drawings = [f"<svg{each.partition('</svg>')[0]}</svg>" for each in page.split("<svg")[1:]]
    assert len(drawings) == 4
    for drawing in drawings:
        ElementTree.fromstring(drawing)
    assert "tokens of the whole suite" in drawings[3]
    assert "<b>" not in page
    digests = {str(each.run.about["suite"].get("seed_digest")) for each, _ in rows}
    assert f"that the maintainer keeps (digest {digests.pop()})</h2>" in page
    shown, _, folded = page.partition("<details>")  # what fits beside the score, and what it is made of
    assert 'col">bit-flip<' in folded
    assert 'col">bit-flip<' not in shown
    for word in ("http://", "https://", "<script"):
        assert word not in page
    paid = [each._replace(cost=0.5) for each, _ in rows]
    assert "cost of the whole suite" in leaderboard_page(Leaderboard(rank(paid), []))
