"""Charts: as high and as wide as their numbers, with every number in words too."""

from xml.etree import ElementTree

import pytest

from perfectplay.core.value import ChartPoint
from perfectplay.render.charts import (
    HEIGHT,
    MARGIN,
    WIDTH,
    Column,
    Interval,
    Part,
    draw_columns,
    draw_intervals,
    draw_shares,
    draw_strips,
    draw_tally,
    explain_strip,
)

EVIL = "<b>&"


def read(chart: str) -> ElementTree.Element:
    found = ElementTree.fromstring(chart).find("svg")
    assert found is not None
    return found


def bars(chart: str) -> list[tuple[str, float, float]]:
    """The words about each bar that has some, its width and its height."""
    rects = ((each, each.find("title")) for each in read(chart).iter("rect"))
    return [
        (title.text or "", float(each.get("width", "")), float(each.get("height", "")))
        for each, title in rects
        if title is not None
    ]


def texts(chart: str) -> list[str]:
    return [each.text or "" for each in read(chart).iter("text")]


def test_columns_are_stacked_from_the_bottom_by_their_shares() -> None:
    parts = [Part(0.5, "dots", "half"), Part(0.25, "", "quarter")]
    chart = draw_columns(
        EVIL, [Column("7", parts)], highest="40", across="x", hatches={"dots": "<g/>"}, legend={"dots": EVIL}
    )
    assert [(title, height) for title, _, height in bars(chart)] == [("half", HEIGHT / 2), ("quarter", 37.5)]
    below, above = (each for each in read(chart).iter("rect") if each.find("title") is not None)
    assert float(above.get("y", "")) + 37.5 == float(below.get("y", ""))
    assert (below.get("fill"), above.get("fill")) == ("url(#dots)", "currentColor")
    assert [each.get("id") for each in read(chart).iter("pattern")] == ["dots"]
    assert read(chart).get("aria-label") == EVIL
    assert texts(chart) == ["40", "0", "x", "7", EVIL]


def test_a_tally_has_a_heading_for_each_group_and_bars_out_of_the_total() -> None:
    chart = draw_tally("found", [("one", 4, "problems"), ("two", 1, "problems"), (EVIL, 2, "notes")], 8)
    assert texts(chart) == ["problems", "one", "4", "two", "1", "notes", EVIL, "2"]
    assert [float(each.get("width", "")) for each in read(chart).iter("rect")] == [210, 52.5, 105]


@pytest.mark.parametrize(("low", "least"), [(0.2, "0 (guessing)"), (-0.3, "-0.5")])
def test_intervals_begin_at_zero_or_below_the_lowest(low: float, least: str) -> None:
    chart = draw_intervals("scores", [Interval(EVIL, 0.5, low, 1.0, levels=(0.1, 0.11, 1.0))])
    first, *others = texts(chart)
    assert first == least
    # The second level is too near to the first for a number of its own.
    assert others[-3:] == [EVIL, "1", "3"]
    dot = read(chart).find("circle")
    assert dot is not None
    start = 0.0 if low > 0 else -0.5
    assert float(dot.get("cx", "")) == pytest.approx(MARGIN + WIDTH * (0.5 - start) / (1 - start), abs=0.1)


def test_shares_divide_a_bar_and_leave_out_what_did_not_happen() -> None:
    chart = draw_shares(
        "answers", [(EVIL, {"good": 3, "bad": 1, "none": 0})], {"good": ".1", "bad": ".5", "none": "1"}
    )
    *divided, good, bad, none = bars(chart)
    assert divided == [("3 good", WIDTH * 3 / 4, 14), ("1 bad", WIDTH / 4, 14)]
    assert [good[0], bad[0], none[0]] == ["good", "bad", "none"]  # the legend


def test_a_strip_has_a_column_for_each_number_and_a_darker_part_for_its_share() -> None:
    chart = draw_strips("lost", [(EVIL, {1: (0, 5), 0: (2, 8)})], "ply", "lost")
    assert [(title, height) for title, _, height in bars(chart)] == [
        ("ply 1: 2 of 8 lost", 32),
        ("ply 1: 2 of 8 lost", 8),
        ("ply 2: 0 of 5 lost", 32),
    ]
    assert texts(chart) == [EVIL, "ply 1", "ply 2"]


def test_a_chart_is_as_wide_as_its_longest_label() -> None:
    short, long = (draw_shares("x", [(label, {"a": 1})], {"a": "1"}) for label in ("a", "a" * 200))
    assert float(read(short).get("width", "")) == WIDTH + 2 * MARGIN < float(read(long).get("width", "")) / 2


def test_a_strip_is_explained() -> None:
    endless = ChartPoint(1, "endless", None, True, 0.0)
    assert explain_strip([endless]) == "~ endless, ? mistake."
    assert explain_strip([ChartPoint(1, "win", 2, False, 0.5)]) == ""
