"""An audit as text, as data, as a page, and by the command."""

import json
import re
import subprocess
import sys

import pytest

import perfectplay as pp
from perfectplay.audit.case import prepare
from perfectplay.audit.findings import FINDERS
from perfectplay.audit.measures import Depth, Lengths, Measures
from perfectplay.audit.page import length_chart, measures_html, page
from perfectplay.audit.report import Audit, as_dict, audit, text
from perfectplay.strength.crosstable import CrossTable, Difference
from perfectplay.strength.head_to_head import Rates
from perfectplay.strength.statistics import wilson
from tests.audit.pages import Page
from tests.audit.tiny_games import tiny
from tests.conftest import ROOT, Run
from tools.audits import pages

FILES = ROOT / "docs" / "audits"


@pytest.fixture(
    scope="module", params=["dual-direction", "race-to-the-center:arrival=full-turn", "bit-flip:bits=3"]
)
def done(request: pytest.FixtureRequest) -> Audit:
    return audit(pp.load(request.param))


def test_the_data_have_their_form(done: Audit) -> None:
    data = json.loads(json.dumps(as_dict(done)))
    assert list(data) == ["game", "findings", "readings", "errata", "measures"]
    assert data["game"] == done.case.game.spec
    for finding in data["findings"]:
        assert list(finding) == ["code", "severity", "text", "witness"]
        assert finding["code"] in FINDERS
        assert finding["severity"] in ("problem", "warning", "note")
        assert finding["text"].endswith(".")
        assert all(isinstance(move, str) for move in finding["witness"])
    measures = data["measures"]
    players = measures["cross_table"]["players"]
    for row in measures["cross_table"]["rates"]:
        assert len(row) == len(players)
        for rates in row:
            assert sum(rates["wins"]) + rates["tie"] + rates["endless"] == pytest.approx(1, abs=1e-12)
    lengths = measures["random_lengths"]
    assert sum(lengths["shares"].values()) + lengths["longer"] == pytest.approx(1, abs=1e-12)
    assert done.measures is not None
    assert done.measures.cross_table is not None
    assert [[rates["wins"] for rates in row] for row in measures["cross_table"]["rates"]] == [
        [list(rates.wins) for rates in row] for row in done.measures.cross_table.rates
    ]
    counted = sum(
        depth["over"] + sum(depth[k] for k in ("win", "tie", "endless", "loss"))
        for depth in measures["value_by_ply"]
    )
    assert counted == measures["positions"]


def test_every_number_is_in_the_data() -> None:
    exact, sampled = Rates((0.125, 0.5), 0.25, 0.125), Rates((0.5, 0.25), 0.25, 0.0, games=100)
    made = Measures(
        positions=9,
        moves=8,
        whole=True,
        positions_with_moves=7,
        decisions=6,
        only_moves=5,
        cross_table=CrossTable(("random", "perfect"), ((exact, sampled), (sampled, exact))),
        level_differences=(Difference(2, 0.75, 0.25, 400),),
        equal_levels=exact,
        value_by_ply=(Depth(0, {"win": 1}, 0), Depth(1, {"tie": 2, "endless": 3, "loss": 4}, 5)),
        random_lengths=Lengths({3: 0.25, 12: 0.75}, 0.0625, 200),
        left_out=("The rest.",),
    )
    rates = {
        "wins": [0.125, 0.5],
        "tie": 0.25,
        "endless": 0.125,
        "stuck": 0.0,
        "games": None,
        "intervals": [None, None],
    }
    guess = {
        "wins": [0.5, 0.25],
        "tie": 0.25,
        "endless": 0.0,
        "stuck": 0.0,
        "games": 100,
        "intervals": [list(wilson(50, 100)), list(wilson(25, 100))],
    }
    case = prepare(pp.load("bit-flip:bits=3"))
    assert as_dict(Audit(case, ()))["measures"] is None
    assert as_dict(Audit(case, (), (), made))["measures"] == {
        "positions": 9,
        "moves": 8,
        "whole": True,
        "positions_with_moves": 7,
        "decisions": 6,
        "only_moves": 5,
        "equal_levels": rates,
        "level_differences": [{"levels": 2, "stronger": 0.75, "weaker": 0.25, "games": 400}],
        "cross_table": {"players": ["random", "perfect"], "rates": [[rates, guess], [guess, rates]]},
        "value_by_ply": [
            {"ply": 0, "win": 1, "tie": 0, "endless": 0, "loss": 0, "over": 0},
            {"ply": 1, "win": 0, "tie": 2, "endless": 3, "loss": 4, "over": 5},
        ],
        "random_lengths": {"shares": {"3": 0.25, "12": 0.75}, "longer": 0.0625, "games": 200},
        "left_out": ["The rest."],
    }
    assert "<h2>Left out</h2><ul><li>The rest.</li></ul>" in "".join(measures_html(case.game, made))
    less = made._replace(cross_table=None, equal_levels=None)
    assert {
        as_dict(Audit(case, (), (), less))["measures"][key] for key in ("equal_levels", "cross_table")
    } == {None}


def test_the_text_has_every_finding_and_reading(done: Audit) -> None:
    written = text(done)
    assert all(finding.text in written for finding in done.findings)
    assert all(row.outlook in written for row in done.readings)
    assert all(erratum.right in written for erratum in done.case.errata)


def test_the_page_is_whole_and_needs_nothing_from_outside(done: Audit) -> None:
    written = page(done)
    read = Page(written)
    assert read.open == []
    assert ("lang", "en") in read.attributes
    assert read.seen["title"] >= 1
    assert read.seen["table"] == read.seen["caption"]
    assert read.seen["svg"] == 2
    assert not {"script", "link", "img", "iframe"} & set(read.seen)
    assert "http" not in written
    assert "url(" not in re.sub(r"url\(#[a-z]+\)", "", written)
    words = "".join(read.words)
    assert all(finding.text in words for finding in done.findings)


def test_the_page_keeps_the_spaces_that_an_erratum_is_about() -> None:
    written = page(audit(pp.load("inversion-race")))
    assert "Right: Markers:           AB." in written
    assert re.search(r"^li \{[^}]*white-space: pre-wrap", written, re.MULTILINE)


def test_an_example_that_does_not_end_says_so() -> None:
    written = page(audit(pp.load("race-to-the-center")))
    assert "None" not in written
    assert "the game goes on, where the rulebook says Player 1 wins: first arrival" in written


def test_games_that_never_end_are_all_longer_than_the_plot() -> None:
    drawn = Page(length_chart(Lengths({}, longer=1.0, games=200)))
    assert "".join(drawn.words) == "100%0plies played0 plies: 0.0%0more plies: 100.0%more"


def test_text_from_a_game_is_escaped() -> None:
    game = tiny({"0": {"<b>": "1w0", "|": "1l1"}}, title="A & <B>")
    made = audit(game)
    assert Page(page(made)).open == []
    assert "<b>" not in page(made)


@pytest.mark.parametrize("name", pp.names())
def test_the_audits_in_the_docs_are_up_to_date(name: str) -> None:
    for file, content in pages(name).items():
        assert len(content) < 200_000
        assert (FILES / file).read_text("utf-8") == content, "python -m tools.audits docs/audits"


@pytest.mark.parametrize(
    "spec",
    ["dual-direction", "inversion-race", "race-to-the-center:arrival=full-turn", "bit-flip", "mirror-match"],
)
def test_replay_accepts_every_witness(spec: str, run: Run) -> None:
    found = as_dict(audit(pp.load(spec)))["findings"]
    witnesses = {", ".join(finding["witness"]) for finding in found if finding["witness"]}
    assert witnesses
    for witness in witnesses:
        done = run("replay", spec, "--moves", witness, "--verify")
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("every move is legal.\n")
    refused = run("replay", spec, "--moves", "nonsense")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1


def test_replay_shows_a_witness(run: Run) -> None:
    said = run("replay", "dual-direction", "--moves", "left, right").stdout
    assert "2. Player 2: right\nNumber Line:" in said
    assert "Result: in progress" in said


def test_a_page_that_cannot_be_written_is_named(run: Run) -> None:
    done = run("audit", "dual-direction", "--html", "/no/where.html")
    assert done.returncode == 2
    assert done.stderr == "perfectplay: /no/where.html: No such file or directory\n"


COMPENSATED = """
import builtins, math
plain = builtins.sum
def compensated(items, start=0):  # as Python 3.12 and later add floats
    items = list(items)
    return math.fsum([start, *items]) if any(type(each) is float for each in items) else plain(items, start)
builtins.sum = compensated
"""


@pytest.mark.parametrize(
    "words",
    [["audit", "bit-flip"], ["audit", "dual-direction"], ["arena", "--game", "bit-flip", "--best-response"]],
)
def test_figures_do_not_depend_on_how_python_adds(words: list[str]) -> None:
    start = f"sys.argv = ['perfectplay', *{words!r}, '--json']"
    run = f"import sys; from perfectplay.cli import main; {start}; main()"
    said = [
        subprocess.run([sys.executable, "-c", code + run], capture_output=True, text=True, check=True).stdout
        for code in ("", COMPENSATED)
    ]
    assert said[0] == said[1]
