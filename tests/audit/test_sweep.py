"""Sweeps over the values of a parameter."""

import json

import pytest

import perfectplay as pp
from perfectplay.audit.case import prepare
from perfectplay.audit.page import SHORT, sweep_chart
from perfectplay.audit.sweep import LEGEND, Setting, sweep, sweep_dict, sweep_text
from perfectplay.render.charts import HEIGHT
from perfectplay.strength.head_to_head import Rates
from tests.audit.pages import Page
from tests.conftest import Run


def test_a_sweep_over_the_length_of_bit_flip() -> None:
    settings = sweep(pp.load("bit-flip"), "bits=1..22")
    assert [each.value for each in settings if each.result == "Player 2 wins"] == [4, 8, 14, 20]
    assert [each.value for each in settings if each.trivial] == [1, 2, 3, 4]
    assert [each.positions for each in settings[:4]] == [2, 3, 5, 8]
    assert settings[9].plies == 5
    assert settings[9].fair is False
    assert settings[21].fair is None
    written = sweep_text(settings)
    assert "trivial: decided within 2 plies" in written
    assert "neither wins more than 55%" in written
    data = json.loads(json.dumps(sweep_dict(settings)))
    assert data[9]["equals"] == pytest.approx([0.59821, 0.40179], abs=1e-12)  # not rounded
    # A game of 3 bits is decided by its first move; of 4, by none.
    assert [data[bits - 1]["decisions"] for bits in (3, 4, 22)] == [1, 0, None]


SETTINGS = (
    Setting(4, "bit-flip:bits=4", 1234, "Player 2 wins", 2, "short", Rates((0.0, 1.0), 0, 0)),
    Setting(5, "bit-flip:bits=5", 13, "tie", None, None, Rates((0.5, 0.5), 0, 0), 1.25),
    Setting(6, "bit-flip:bits=6", None, "breaks a law", None, None, None),
)


def test_a_sweep_is_written_as_a_table() -> None:
    table = """
| value | positions | perfect play  | plies | trivial | fair | level:5 against itself | decisions |
|-------|-----------|---------------|-------|---------|------|------------------------|-----------|
| 4     | 1,234     | Player 2 wins | 2     | short   | no   | 0.0% : 100.0%          | -         |
| 5     | 13        | tie           | -     | no      | fair | 50.0% : 50.0%          | 1.2       |
| 6     | -         | breaks a law  | -     | -       | -    | -                      | -         |
""".removeprefix("\n")
    assert sweep_text(SETTINGS) == f"{table}\n{LEGEND}\n"


def test_a_sweep_is_drawn_as_bars() -> None:
    drawn = Page(sweep_chart(SETTINGS))
    assert drawn.open == []
    assert drawn.words == [
        "2",
        "0",
        "value of the parameter; a bar is as high as best play is long, in plies",
        *("4: Player 2 wins, 2 plies", "4"),
        *("5: tie, length not known, or no end", "5"),
        *("6: breaks a law, length not known, or no end", "6"),
        *("Player 2 wins", "breaks a law", "tie"),
    ]
    heights = [float(value or "") for name, value in drawn.attributes if name == "height"]
    # The last six are the three bars and the three squares of the legend.
    assert heights[-6:] == [HEIGHT, SHORT * HEIGHT, SHORT * HEIGHT, 14, 14, 14]


@pytest.mark.parametrize(
    ("wins", "fair"),
    [((0.55, 0.45), True), ((0.45, 0.55), True), ((0.551, 0.449), False), ((0.449, 0.551), False)],
)
def test_a_game_is_fair_up_to_55_percent_for_either_side(wins: tuple[float, float], fair: bool) -> None:
    setting = Setting(4, "bit-flip:bits=4", 8, "Player 2 wins", 2, None, Rates(wins, 0, 0))
    assert setting.fair is fair
    assert sweep_dict((setting,))[0]["fair"] is fair


@pytest.mark.parametrize(
    ("wins", "rates", "fair"),
    [
        (
            (0.5625, 0.4375),
            "56.2% : 43.8%",
            False,
        ),  # they add up to 100
        ((1 / 3, 1 / 3), "33.3% : 33.4%, neither 33.3%", True),
        ((0.7, 0.1 + 0.2), "70.0% : 30.0%", False),  # their sum is a little more than 1
        ((0.4, 0.35), "40.0% : 35.0%, neither 25.0%", True),
        ((0.5504, 0.4496), "55.04% : 44.96%", False),
        ((0.4496, 0.5504), "44.96% : 55.04%", False),
        ((0.54996, 0.45004), "55.0% : 45.0%", True),
        ((0.55 + 1e-12, 0.45), "55.0% : 45.0%", True),  # computed, and as good as 55
    ],
)
def test_chances_are_written_so_that_one_sees_whether_they_are_fair(
    wins: tuple[float, float], rates: str, fair: bool
) -> None:
    setting = Setting(4, "bit-flip:bits=4", 8, "Player 2 wins", 2, None, Rates(wins, 0, 0))
    assert (setting.rates, setting.fair) == (rates, fair)


def test_the_last_mover_of_a_random_game_is_the_side_that_made_its_last_move() -> None:
    case = prepare(pp.load("bit-flip:bits=40"))
    assert not any(case.game.outcome(state) for state in case.graph.states)
    # The player who flips last wins, so nobody wins by a move of the other.
    assert set(case.wins) == {(0, 0), (1, 1)}
    for (winner, mover), (_, path) in case.wins.items():
        match = pp.Match(case.game)
        for action in path:
            match.play(action)
        assert match.result is not None
        assert (match.result.winner, match.last.side) == (winner, mover)


def test_a_sweep_moves_what_depends_on_the_parameter_and_skips_what_is_not_allowed() -> None:
    tracks = sweep(pp.load("race-to-the-center"), "positions=3..8")
    assert [each.value for each in tracks] == [3, 5, 7]
    races = sweep(pp.load("inversion-race:passing=letter"), "cells=5..7")
    assert races[0].spec == "inversion-race:cells=5,passing=letter"
    starters = sweep(pp.load("bit-flip:bits=3"), "first=1..3")
    assert [each.spec for each in starters] == ["bit-flip:bits=3", "bit-flip:bits=3,first=2"]
    fixed = sweep(pp.load("inversion-race:start=3"), "cells=9..9")
    assert fixed[0].spec == "inversion-race:cells=9,start=3"


@pytest.mark.parametrize(
    ("range_text", "problem"),
    [
        ("bits", "must read like bits=4..40"),
        ("bits=4..3", '^bad sweep "bits=4..3": it must have 1 to 1000 values$'),
        ("bits=1..1001", "1 to 1000 values"),
        ("bits=1..9999999999", "must read like bits=4..40"),
        ("first=10000000..10000001", "^bad sweep .*: no value may be above 10,000,000$"),
        ("first=9999999..10000000", "^bit-flip allows no value of"),
        ("bit=1..3", r"^bit=1..3: no such parameter; bit-flip takes bits, first \(did you mean bits\?\)$"),
        ("bits=0..0", '^bit-flip allows no value of "bits=0..0"$'),
    ],
)
def test_bad_sweeps(range_text: str, problem: str) -> None:
    with pytest.raises(pp.PerfectplayError, match=problem):
        sweep(pp.load("bit-flip"), range_text)


def test_a_sweep_may_have_a_thousand_values() -> None:
    # All but the first are beyond the track, and left out.
    [only] = sweep(pp.load("inversion-race:cells=5"), "start=4..1003")
    assert (only.value, only.spec) == (4, "inversion-race:cells=5,start=4")


@pytest.mark.parametrize("values", ["title=1..2", "bitz=4..12", "bits=", "bits=9..4"])
def test_a_bad_sweep_gets_one_line(values: str, run: Run) -> None:
    done = run("audit", "bit-flip", "--sweep", values)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "source" not in done.stderr
