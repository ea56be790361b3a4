"""The report: by hand on a written-out example, from files of every kind, as text, data and page."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from perfectplay.core.errors import ParseError
from perfectplay.evals.arena import Arena
from perfectplay.evals.counts import SampleCounts
from perfectplay.evals.files import Samples, read_samples, save
from perfectplay.evals.measures import ExactScores, adjust_for_seats, measure, measure_groups
from perfectplay.evals.page import report_page
from perfectplay.evals.play import replay_answers
from perfectplay.evals.questions import SingleQuestion, draw_decisions, load_family
from perfectplay.evals.report import report, report_table, report_text
from perfectplay.evals.samples import Sample, Usage, game_sample, question_sample
from perfectplay.evals.setup import Setup
from perfectplay.evals.standings import results
from perfectplay.strength.statistics import Estimate, wilson
from tests.conftest import Run
from tests.evals.agents import AGENTS, change, played


def row(cluster: str, **counts: Any) -> Sample:
    read = {"decisions_read": counts.get("decisions", 0), "guess_read": counts.get("guess", 0.0)}
    return Sample(
        task="play",
        agent="a",
        setup=Setup("bit-flip", "perfect"),
        seat=2,
        side="Player 2",
        cluster=cluster,
        number=0,
        counts=SampleCounts(**{**read, **counts}),
        texts=(),
        usage=Usage(tokens=7, cost=0.5),
    )


def groups(samples: list[Sample]) -> list[dict[str, Any]]:
    return [group.as_dict() for group in measure_groups(samples)]


LEGAL = {"silent": 0, "unreadable": 0, "illegal": 0, "invalid": 0, "legal": 1}

WRITTEN_OUT = [
    row("1", decisions=3, kept=2, guess=1.5, result="win", luck=0.25, wasted=2, drops={"win to loss": 1}),
    row("1", decisions=1, kept=1, guess=0.5, result="loss", luck=-0.25),
    row("2", decisions=2, kept=1, guess=1.0, result="unfinished", luck=0.0, stopped_at="endless"),
    row("3", decisions=0, kept=0, guess=0.0, result="forfeit", luck=0.1, illegal={"adjacent": 2}),
    row("3", decisions=0, kept=0, guess=0.0, result="error", luck=None, errors=1),
]


def test_every_measure_by_hand() -> None:
    found = measure(WRITTEN_OUT).as_dict()
    assert (found["decisions"], found["kept"], found["guess"]) == (6, 4, 0.5)
    assert found["corrected"] == pytest.approx((4 - 3) / (6 - 3))
    # Two of the three clusters have decisions, which is too few for a standard error: 2/3 of 2 trials.
    assert found["corrected_error"] is None
    assert found["corrected_interval"] == pytest.approx([2 * bound - 1 for bound in wilson(4 / 3, 2)])
    assert (found["games"], found["decided"], found["errors"]) == (5, 2, 1)
    assert found["points"] == pytest.approx(1.5 / 5)
    assert found["points_decided"] == pytest.approx(1 / 2)
    assert found["luck_free"] == pytest.approx((1 - 0.25 + 0.25 + 0.5 - 0.1) / 4)
    assert found["results"] == {"win": 1, "loss": 1, "unfinished": 1, "forfeit": 1, "error": 1}
    assert found["stopped_at"] == {"endless": 1}
    assert (found["wasted"], found["drops"], found["illegal"]) == (2, {"win to loss": 1}, {"adjacent": 2})
    assert (found["tokens"], found["cost"]) == (35, 2.5)
    assert found["points_interval"] == pytest.approx(wilson(0.9, 3))


def test_nothing_counted_is_nothing_measured() -> None:
    found = measure([row("1", result=None)]).as_dict()
    assert [found[name] for name in ("guess", "corrected", "points", "luck_free", "points_interval")] == [
        None
    ] * 5


def test_seats_without_information_are_named_and_left_out() -> None:
    [group] = groups(WRITTEN_OUT)
    assert (group["random"], group["best"], group["informative"]) == (0, 0, False)
    [silent] = measure_groups(WRITTEN_OUT)
    assert adjust_for_seats([silent]) == (None, ["bit-flip against perfect, seat 2"])
    arena = Arena("bit-flip", ("random", "level:5"), ("level:3",))
    scores = results(arena, [], best_response=True)["scores"]
    five = [
        replace(
            silent,
            measures=replace(silent.measures, points=Estimate(each["points"])),
            exact=ExactScores(random=random["points"], best=each["best"]),
        )
        for random, each in zip(scores[:2], scores[2:], strict=True)
    ]
    assert adjust_for_seats(five).value == pytest.approx(0.533, abs=1e-3)
    assert adjust_for_seats([*five, silent]).value == adjust_for_seats(five).value


def test_an_agent_plays_like_the_level_that_it_is() -> None:
    rows = [
        game_sample(played(AGENTS["level:7"], Setup("bit-flip", "level:3"), 0, n), n, "x") for n in range(100)
    ]
    [group] = groups(rows)
    level, low, high = group["plays_like"]
    assert low <= 7 <= high
    assert low <= level <= high
    assert high - low <= 4
    [other] = groups([change(each, start="balanced") for each in rows])
    assert other["plays_like"] is None


def test_the_interval_of_levels_is_the_wilson_interval_seen_through_their_exact_scores() -> None:
    won = [
        row(str(n), decisions=1, kept=1, guess=0.5, result="win", luck=0.0, answers=LEGAL) for n in range(6)
    ]
    [group] = groups([change(each, opponent="level:3", seat=1) for each in won])
    # Wilson for 6 of 6: .6097 to 1, corrected (.6097 - .5)/.5 = .219; levels score .116 (1), .214 (2), ...
    low, high = group["corrected_interval"]
    assert (low, high) == (pytest.approx(0.219, abs=1e-3), 1)
    assert (group["corrected"], group["corrected_error"]) == (1, None)
    assert group["levels"][:2] == pytest.approx([0.116, 0.214], abs=1e-3)
    assert group["plays_like"] == (10, 2, 10)


def test_samples_that_ended_in_errors_have_a_column_and_a_bar() -> None:
    item = SingleQuestion("choose", "bit-flip", "0000000000 1", "c")
    rows = [
        question_sample(item, Setup("bit-flip"), None, "gone"),
        *(game_sample(replay_answers(Setup("bit-flip"), 0, n, []), n, "gone") for n in range(2)),
    ]
    found = report(Samples(rows))
    data = json.loads(json.dumps(found.as_dict()))
    assert [(each["task"], each["errors"], each["samples"]) for each in data["rows"]] == [
        ("choose", 1, 1),
        ("play", 2, 2),
    ]
    assert [sum(each["answers"].values()) for each in data["rows"]] == [0, 0]
    head, cells = report_table(found.groups)
    assert [each[head.index("errors")] for each in cells] == ["1 of 1", "2 of 2"]
    assert [each[head.index("failed")] for each in cells] == ["-", "-"]
    text = report_text(found)
    assert "gone, choose: answered 0.000, corrected -0.667 (-0.667 to 0.656) over 1 decision, - over" in text
    assert "Ended in an error or at a limit, and counted as failures: 2 of 2 samples." in text
    page = report_page(found)
    assert "<td>2 of 2</td>" in page
    assert 'width="560.0" height="14.0" fill="currentColor" fill-opacity="1"><title>2 error</title>' in page


def test_questions_are_added_up_over_sizes_and_seats_and_rows_are_sorted() -> None:
    rows = []
    for agent in ("b", "a"):
        for item in draw_decisions(load_family("bit-flip"), 22):
            rows.append(question_sample(item, Setup("bit-flip"), "Move: 0", agent))
    one = SingleQuestion("end", "bit-flip:bits=9", "000000000 1", "c")
    rows.append(question_sample(one, Setup("bit-flip"), "Answer: no", "a"))
    found = report(Samples(rows))
    data = json.loads(json.dumps(found.as_dict()))
    assert [(each["agent"], each["task"], each["game"], each["seat"]) for each in data["rows"]] == [
        ("a", "choose", "bit-flip", "both"),
        ("a", "end", "bit-flip:bits=9", "both"),
        ("b", "choose", "bit-flip", "both"),
    ]
    assert [(each["samples"], each["sizes"]) for each in data["rows"]] == [(22, 11), (1, 1), (22, 11)]
    assert "| bit-flip, 11 sizes |" in report_text(found)
    sizes = [each["game"] for each in data["sizes"] if (each["agent"], each["task"]) == ("a", "choose")]
    assert sizes == [
        f"bit-flip:bits={n}" if n != 10 else "bit-flip" for n in (10, *range(6, 10), *range(11, 17))
    ]
    assert report_page(found).count("a: choose, bit-flip:bits=16: ") == 1
    assert "<details>" not in report_page(found)
    others = [replace(each, agent=name) for each in rows for name in ("c", "d", "e", "f")]
    assert "<details><summary>Kept decisions" in report_page(report(Samples(others)))  # 46 rows


@pytest.fixture(scope="module")
def samples() -> Samples:
    rows = []
    for name in ("level:3", "silent half the time"):
        for number in range(3):
            for seat, spec in ((0, "bit-flip"), (1, "bit-flip"), (0, "dual-direction")):
                play = played(AGENTS[name], Setup(spec, "level:3"), seat, number)  # type: ignore[arg-type]
                rows.append(game_sample(play, number, name))
    item = SingleQuestion("choose", "bit-flip", "0000000000 1", "c")
    words = question_sample(item, Setup("bit-flip", disguise="words"), "Move: 4", "<b>")
    rows.append(replace(words, usage=Usage(tokens=9)))
    return Samples(rows, missing=2)


def test_rows_go_to_parquet_and_back_and_the_same_rows_are_the_same_bytes(
    samples: Samples, tmp_path: Path
) -> None:
    for name in ("one.parquet", "two.parquet"):
        save(samples.samples, tmp_path / name)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    back = read_samples([tmp_path / "one.parquet"]).samples
    assert back == samples.samples
    assert len(read_samples([tmp_path]).samples) == 2 * len(samples.samples)


def test_the_report_as_text_and_data(samples: Samples) -> None:
    found = report(samples)
    data = json.loads(json.dumps(found.as_dict()))
    assert data["missing"] == 2
    needed = {"game", "opponent", "seat", "answers", "decisions", "kept", "guess", "corrected", "points"}
    assert all(needed <= set(each) for each in data["rows"])
    assert len(data["rows"]) == 7
    assert sum(each["samples"] for each in data["rows"]) == len(samples.samples) == 19
    text = report_text(found)
    assert "2 samples were never finished" in text
    assert re.search(r" in 9 games \([^)]* forfeit[^)]*\), .* in the \d decided by the rules\.\n", text)
    assert "Answers that name the disguised game: 0" in text
    [silent] = [each for each in data["summary"] if each["agent"] == "silent half the time"]
    assert silent["results"]["forfeit"] == 9 - silent["decided"] - silent["results"].get("unfinished", 0)


def test_a_report_says_why_a_game_file_has_no_exact_scores() -> None:
    builtin, file = row("1", decisions=1, kept=1, guess=0.5, result="win"), "games/my_game.py:size=3"
    why = f"A report never runs a game file, so {file} cannot be compared with exact scores here"
    assert why in report_text(report(Samples([builtin, change(builtin, game=file)])))
    assert "game file" not in report_text(report(Samples([builtin])))


def test_the_page_has_four_pictures_and_escapes_what_it_shows(samples: Samples) -> None:
    page = report_page(report(samples))
    assert page.count("<svg") == 4
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    for svg in page.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + svg.partition("</svg>")[0] + "</svg>")
    assert "plays like level" in page
    for word in ("http://", "https://", "<script"):
        assert word not in page


def test_the_command_prints_and_writes(samples: Samples, tmp_path: Path, run: Run) -> None:
    save(samples.samples, tmp_path / "a.parquet")
    done = run("report", "a.parquet", "--json", "--html", "page.html", "--parquet", "b.parquet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["rows"]) == 7
    said = "The report is in page.html\nThe samples are in b.parquet\n"
    assert done.stderr == said
    assert (
        run("report", "a.parquet", "--html", "page.html", "--force", cwd=tmp_path).stdout
        == said.splitlines(True)[0]
    )
    assert run("report", "a.parquet", "--html", "-", cwd=tmp_path).stdout.endswith("</html>\n")
    assert "<svg" in (tmp_path / "page.html").read_text()
    assert (tmp_path / "b.parquet").read_bytes() == (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "empty").mkdir()
    done = run("report", "empty", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "perfectplay: empty holds no logs of Inspect and no files of an arena\n"
    save([], tmp_path / "none.parquet")
    done = run("report", "none.parquet", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "perfectplay: there are no samples in none.parquet\n"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("x.parquet", b"no", "is damaged: it is not a Parquet file"),
        ("x.parquet", b"PAR1 and no more", "is damaged: it is not a whole Parquet file"),
        ("x.eval", b"no", "is damaged: it is not a log of Inspect"),
        ("x.json", b"no", "is damaged: it is not a log of Inspect"),
    ],
)
def test_a_damaged_file_is_called_damaged_whatever_is_installed(
    name: str, content: bytes, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(content)
    if b"PAR1" not in content:
        for library in ("inspect_ai", "inspect_ai.log", "pyarrow"):
            monkeypatch.setitem(sys.modules, library, None)  # as if it were not installed
    with pytest.raises(ParseError, match=says):
        read_samples([tmp_path / name])
    with pytest.raises(ParseError, match="there is no file or folder"):
        read_samples([tmp_path / "none"])


def cells(rows: list[Sample]) -> list[dict[str, str]]:
    """The table of some samples: for each row, what stands under each head."""
    head, body = report_table(report(Samples(rows)).groups)
    return [dict(zip(head, each, strict=True)) for each in body]


def test_only_levels_are_called_levels() -> None:
    setup = Setup("bit-flip", "level:3")
    dead = [game_sample(replay_answers(setup, 0, n, []), n, "dead") for n in range(12)]
    illegal = [game_sample(played(AGENTS["always illegal"], setup, 1, n), n, "illegal") for n in range(40)]
    one, two = cells([*dead, *illegal])
    assert (one["answered"], one["plays like"]) == ("0.000", "no answers")
    assert (two["answered"], two["plays like"]) == ("1.000", "below random")
    assert 'aria-label="Corrected scores beside' in report_page(report(Samples([*dead, *illegal])))
    assert (
        cells([question_sample(SingleQuestion("choose", "bit-flip", "0000000000 1", "c"), setup, None, "x")])[
            0
        ]["plays like"]
        == "no answers"
    )


def test_readable_answers_are_scored_apart_and_the_lower_end_is_explained() -> None:
    unread = {**LEGAL, "silent": 1}
    counts = {"decisions": 4, "kept": 2, "guess": 2.0, "decisions_read": 2, "guess_read": 1.0}
    rows = [row(str(n), **counts, result="forfeit", answers=unread) for n in range(10)]
    [found] = groups(rows)
    assert (found["answered"], found["corrected"], found["readable"]) == (0.5, 0, 1)
    [shown] = cells(rows)
    assert (shown["answered"], shown["readable"]) == ("0.500", "1.000 (0.445 to 1.000)")
    text = report_text(report(Samples(rows)))
    assert "An agent that keeps nothing gets -guess/(1 - guess), which differs from row to row" in text
    assert "under the limit of plies that the games had" in text


def test_a_decision_is_readable_if_its_answer_names_a_move() -> None:
    item = SingleQuestion("choose", "bit-flip", "0000100000 2", "c")
    for answer, read in (("Move: 0", 1), ("Move: 4", 1), ("Move: a good one", 0), ("I resign", 0)):
        single = question_sample(item, Setup("bit-flip"), answer, "x")
        assert (single.counts.decisions, single.counts.decisions_read) == (1, read), answer
        whole = replay_answers(Setup("bit-flip", "perfect"), 0, 0, [answer.replace("4", "5")]).counts
        assert (whole.decisions_read, whole.guess_read > 0) == (read, read == 1), answer
    question = SingleQuestion("end", "bit-flip", "0000100000 2", "c")
    for answer, read in (("Answer: no", 1), ("Answer: maybe", 0)):
        assert question_sample(question, Setup("bit-flip"), answer, "x").counts.decisions_read == read


def test_games_with_other_limits_or_settings_are_not_added_up() -> None:
    one = row("1", decisions=1, kept=1, guess=0.5, result="win")
    rows = [one, change(one, plies_limit=7), change(one, temperature=0.5), change(one, max_tokens=9)]
    assert sorted(each["task"] for each in cells(rows)) == [
        "play", "play, max_tokens=9", "play, plies=7", "play, temperature=0.5"
    ]  # fmt: skip
    assert len(report(Samples(rows)).summaries) == 4
    question = change(one, task="choose", result=None)  # single questions have no plies
    assert len(groups([question, change(question, plies_limit=7)])) == 1


def test_the_random_score_of_a_row_has_the_limit_of_its_games() -> None:
    rows = [
        change(row("1", result="win"), game="inversion-race", opponent="level:3", seat=1, plies_limit=n)
        for n in (4, 100, 100_000)
    ]
    assert [each["random"] for each in groups(rows)] == pytest.approx([0.5, 0.797, 0.969], abs=6e-4)


def test_no_limit_that_a_log_names_takes_forever() -> None:
    setup = Setup("dual-direction", "level:3", plies_limit=10**17)
    one = row("1", decisions=1, kept=1, guess=0.5, answers=LEGAL)
    [found] = groups([replace(one, setup=setup, seat=1)])
    assert found["random"] is not None
    assert found["plays_like"] is not None


def test_what_is_missing_stays_missing_in_a_file_of_samples(tmp_path: Path, run: Run) -> None:
    one = game_sample(replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"]), 0, "me")
    save([one], tmp_path / "part.parquet", wanted=5)
    assert run("report", "part.parquet", "--parquet", "again.parquet", cwd=tmp_path).returncode == 0
    assert read_samples([tmp_path / "again.parquet"]).missing == 4


def test_a_file_that_is_named_twice_counts_once(samples: Samples, tmp_path: Path) -> None:
    (tmp_path / "ar").mkdir()
    save(samples.samples, tmp_path / "ar" / "one.parquet")
    (tmp_path / "link").symlink_to(tmp_path / "ar")
    paths = [tmp_path / "ar", tmp_path / "ar", tmp_path / "ar" / "one.parquet", tmp_path / "link"]
    assert len(read_samples(paths).samples) == len(samples.samples)


def test_no_label_of_the_page_is_clipped() -> None:
    name = "program:seconds=20,python3 " + "a-very-long-path/" * 12 + "bot.py & <more>"
    page = report_page(report(Samples([change(each, agent=name) for each in WRITTEN_OUT])))
    drawings = [ElementTree.fromstring(f"<svg{each}</svg>") for each in re.findall("<svg(.*?)</svg>", page)]
    assert len(drawings) == 2
    for drawing in drawings:
        texts = [(float(each.attrib["x"]), each.text or "") for each in drawing.iter("text")]
        assert any(name in text for _, text in texts)
        # Letters of the page's font are less than 7 pixels wide on average.
        assert float(drawing.attrib["width"]) >= max(x + 7 * len(text) for x, text in texts)
        assert drawing.attrib["viewBox"].split()[2] == drawing.attrib["width"]
