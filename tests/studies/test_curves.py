"""Curves are a whole SVG file, with every line, band and name."""

from xml.etree import ElementTree

import pytest

from tools.curves import draw_curves, find_ticks

SVG = "{http://www.w3.org/2000/svg}"


def test_every_line_has_its_band_and_its_name() -> None:
    lines = {
        "one < two": [(0, 0.0, -0.5, 0.5), (10, 1.0, 0.9, 1.5)],
        "other": [(0, 0.2, 0.2, 0.2), (10, 0.4, 0.3, 0.5)],
    }
    root = ElementTree.fromstring(draw_curves("A & B", lines, across="updates", up="kept", least=0, most=1))
    assert root.get("aria-label") == "A & B"
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert {"one < two", "other", "updates", "kept", "0", "1", "10"} <= set(texts)
    paths = [each.get("d") for each in root.iter(f"{SVG}path")]
    assert "M52.0 270.0L612.0 30.0" in paths  # the first line, from corner to corner
    assert "M52.0 150.0L612.0 30.0L612.0 54.0L52.0 270.0Z" in paths  # its band, cut off where the axis ends


def test_powers_of_ten_are_named_and_points_marked() -> None:
    long = "a name too long for the rest of the line" * 2
    lines = {
        "alone": [(9, 1, 1, 1)],
        "first": [(6, -1, -1, -1), (9, 3, 3, 3)],
        long: [(7, 0, 0, 0), (6, 3, 3, 3)],
    }
    picture = draw_curves("A", lines, across="positions", up="seconds", powers=True, loose=[long])
    root = ElementTree.fromstring(picture)
    texts = {str(each.text): (each.get("x"), each.get("y")) for each in root.iter(f"{SVG}text")}
    assert {"10⁻¹", "10³", "10⁶", "10⁹"} <= set(texts)
    marks = [(each.get("cx"), each.get("cy"), each.get("fill")) for each in root.iter(f"{SVG}circle")]
    ring = "#fff"
    assert marks[:3] == [("612.0", "150.0", None), ("52.0", "270.0", None), ("612.0", "30.0", None)]
    assert marks[3:] == [("238.7", "210.0", ring), ("52.0", "30.0", ring), ("66.0", "316", ring)]
    assert (texts["first"], texts[long]) == (("86.0", "302.0"), ("86.0", "320.0"))  # on a line of its own
    assert texts["alone"] == ("604.0", "154.0")


@pytest.mark.parametrize(("low", "high", "expected"), [(-1, 1, 5), (0, 0.07, 8), (3, 3, 1), (0, 4000, 5)])
def test_ticks_are_few_and_within(low: float, high: float, expected: int) -> None:
    found = find_ticks(low, high)
    assert len(found) == expected
    assert all(low <= each <= high for each in found)
