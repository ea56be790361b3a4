"""Boards as SVG: the numbers in the text put every shape where the drawing has it."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

import perfectplay as pp
from perfectplay.render.colors import CARD, EDGE, INK, LINE, MATCHED, OPEN, SIDES, SOFT, WELL
from perfectplay.render.svg import FONT, MARGIN, WIDTH, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
ROUNDED = 0.1
"""Numbers have one digit after the point."""


def picture(*cells: pp.Cell, **fields: Any) -> ElementTree.Element:
    return ElementTree.fromstring(svg(pp.View((cells,), **fields)))


def all_of(parent: ElementTree.Element, tag: str) -> list[dict[str, str]]:
    return [each.attrib for each in parent.iter(f"{NAMESPACE}{tag}")]


def numbers(*texts: str) -> list[float]:
    return [float(number) for text in texts for number in re.split("[ ,]", text)]


def middle(rect: dict[str, str]) -> float:
    return float(rect["x"]) + float(rect["width"]) / 2


def test_a_small_board_as_svg() -> None:
    drawn = svg(pp.View(((pp.Cell("a", ("A",)),),), captions=("x's < y",)), title="a & 'b'", changed=[0])
    style = 'style="max-width: 100%; height: auto" font-family="system-ui, sans-serif"'
    at = 'text-anchor="middle" dominant-baseline="central"'
    assert drawn == "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 640 142" width="640" height="142" {style}>',
            "<title>a &amp; 'b'</title><desc>A\nx's &lt; y</desc>",
            f'<rect x="1" y="1" width="638" height="140" rx="14" fill="{CARD}" stroke="{LINE}" stroke-width="2" stroke-linecap="round"/>',
            '<rect x="276" y="10.4" width="88" height="78.9" rx="18" fill="#e8dcc6"/>',
            f'<rect x="290.6" y="20.4" width="58.9" height="58.9" rx="11.8" fill="{WELL}"/>',
            f'<text x="320" y="92.7" font-size="14.1" {at} fill="{SOFT}">a</text>',
            f'<rect x="290.6" y="20.4" width="58.9" height="58.9" rx="11.8" fill="none" stroke="{EDGE}" stroke-width="2" stroke-linecap="round"/>',
            f'<circle cx="320" cy="49.8" r="21.8" fill="{INK}"/>',
            f'<text x="320" y="49.8" font-size="22.9" {at} fill="{CARD}">A</text>',
            f'<text x="320" y="119.4" font-size="14" {at} fill="{SOFT}">x\'s &lt; y</text>',
            "</svg>",
        ]
    )


def test_beside_its_title_and_its_words_a_picture_has_no_text() -> None:
    found = picture(pp.Cell("a", ("A",)), pp.Cell("b"), captions=("late",))
    assert found.findtext(f"{NAMESPACE}title") == "A board"
    assert len(found) > 6
    assert [each.tail for each in found] == [None] * len(found)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_lines_below_a_board_are_inside_the_picture(count: int) -> None:
    lines = ("one", "two", "three")[:count]
    found = picture(pp.Cell("a"), captions=("shown", *lines), on_board=("shown",))
    size = (float(found.attrib["width"]), float(found.attrib["height"]))
    assert numbers(found.attrib["viewBox"]) == [0, 0, *size]
    card, *_, cell = all_of(found, "rect")
    # The edge of the card is 2 wide, half of it to either side of where it is drawn.
    assert (numbers(card["x"], card["y"]), numbers(card["width"], card["height"])) == (
        [1, 1],
        [WIDTH - 2, size[1] - 2],
    )
    label, *texts = found.iter(f"{NAMESPACE}text")
    assert [each.text for each in texts] == [*lines]
    assert {each.attrib["x"] for each in texts} <= {str(WIDTH // 2)}
    assert {each.attrib["font-size"] for each in texts} <= {str(FONT)}
    heights = [float(each.attrib["y"]) for each in texts]
    assert [high - heights[0] for high in heights] == pytest.approx([1.5 * FONT * n for n in range(count)])
    lowest = max(
        float(cell["y"]) + float(cell["height"]),
        *(float(each.attrib["y"]) + float(each.attrib["font-size"]) / 2 for each in (label, *texts)),
    )
    assert MARGIN <= size[1] - lowest < 2 * MARGIN
    assert all(float(label.attrib["y"]) + FONT < high for high in heights)


@pytest.mark.parametrize("matched", [True, False])
def test_a_link_is_part_of_an_ellipse_from_the_middle_of_a_cell_to_that_of_another(matched: bool) -> None:
    found = picture(pp.Cell("a"), pp.Cell("b"), pp.Cell("c"), links=(pp.Link(0, 2, matched),))
    _, first, _, last = all_of(found, "rect")
    left, right, base = middle(first), middle(last), float(first["y"]) - 6
    paths = all_of(found, "path")
    shapes = [re.fullmatch(r"M(.+)A(.+) 0 0 1 (.+)", path["d"]) for path in paths]
    parts = [numbers(*shape.groups()) for shape in shapes if shape]
    assert len(parts) == len(paths) == (1 if matched else 9)
    assert parts[0][:2] == pytest.approx([left, base], abs=ROUNDED)
    for x1, y1, across, up, x2, y2 in parts:
        assert across == pytest.approx((right - left) / 2, abs=ROUNDED)
        for x, y in ((x1, y1), (x2, y2)):
            away = ((x - (left + right) / 2) / across) ** 2 + ((y - base) / up) ** 2
            assert away == pytest.approx(1, abs=0.01)
            assert y <= base
        assert x1 < x2  # clockwise, over the top
    if matched:
        assert parts[0][4:] == pytest.approx([right, base], abs=ROUNDED)
    color = MATCHED if matched else OPEN
    assert {(path["fill"], path["stroke"], path["stroke-width"]) for path in paths} == {("none", color, "5")}


def test_a_flag_is_a_pole_and_a_cloth_and_a_cross_is_two_lines() -> None:
    found = picture(pp.Cell("a", role="goal", owner=0), pp.Cell("b", role="closed"))
    _, _, goal, closed = all_of(found, "rect")
    pole, *cross = all_of(found, "polyline")
    (cloth,) = all_of(found, "polygon")
    x, foot, top_x, top = numbers(pole["points"])
    assert (x, numbers(cloth["points"])[:2]) == (top_x, [x, top])
    assert top < foot < float(goal["y"])
    assert (cloth["fill"], cloth.get("stroke")) == (SIDES[0][0], None)
    assert (pole["fill"], pole["stroke"], pole["stroke-width"]) == ("none", SIDES[0][0], "4")
    ends = [numbers(line["points"]) for line in cross]
    assert [(x1 + x2) / 2 for x1, _, x2, _ in ends] == pytest.approx([middle(closed)] * 2, abs=ROUNDED)
    assert (goal["stroke"], goal["stroke-width"], closed.get("stroke")) == (SIDES[0][0], "3", None)
    later = picture(pp.Cell("a", role="later-goal", owner=1))
    (outline,) = all_of(later, "polygon")
    assert (outline["fill"], outline["stroke"], outline["stroke-width"]) == ("none", SIDES[1][0], "2")
    assert len(all_of(later, "polyline")) == 5
