"""Boards as shapes: where cells, pieces, flags and links are, and what they look like."""

from itertools import pairwise
from math import hypot
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.core.view import Role
from perfectplay.render.colors import (
    CARD,
    EDGE,
    GLOW,
    GLOW_SOFT,
    INK,
    MATCHED,
    OPEN,
    RAIL,
    SHADE,
    SIDES,
    SOFT,
    WELL,
)
from perfectplay.render.folding import MOST_BANDS, BoardLayout, Box, Room, lay_out
from perfectplay.render.shapes import Arc, Disc, Label, Line, Polygon, Rounded, Shape, board, piece
from perfectplay.render.svg import svg
from tests.core.matches import played

BOX = (100.0, 300.0, 150.0, 350.0)
MIDDLE = (125.0, 325.0)


def row(cells: int, **fields: Any) -> pp.View:
    return pp.View((tuple(pp.Cell(str(number)) for number in range(cells)),), **fields)


def drawn(cell: pp.Cell, box: Box = BOX, **fields: Any) -> list[Shape]:
    """The shapes of a board with this cell alone, without a rail."""
    return list(board(pp.View(((cell,),), **fields), BoardLayout([box], [], 0)))


def linked(a: Box, b: Box, matched: bool) -> list[Arc]:
    shapes = board(row(2, links=(pp.Link(0, 1, matched),)), BoardLayout([a, b], [], 0))
    return [shape for shape in shapes if isinstance(shape, Arc)]


def extent(shape: Shape) -> Box:
    """The smallest box around a shape; a label counts as half as wide as high for each character."""
    match shape:
        case Rounded(box):
            return box
        case Disc(x, y, radius):
            return x - radius, y - radius, x + radius, y + radius
        case Polygon(points):
            return around(*((x, y, x, y) for x, y in points))
        case Line(start, end):
            return around((*start, *start), (*end, *end))
        case Arc((left, top, right, bottom)):
            return left, top, right, (top + bottom) / 2  # only upper halves are drawn
        case Label(x, y, text, size):
            return x - size * len(text) / 4, y - size / 2, x + size * len(text) / 4, y + size / 2


def around(*boxes: Box) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def is_within(inner: Box, outer: Box) -> bool:
    return around(inner, outer) == outer


# Layouts.


def test_a_row_is_in_the_middle_of_its_room_on_a_rail() -> None:
    layout = lay_out(row(4), Room(100, 40, 524, 340, 1000, 30))
    # 400 pixels, as the rail is 12 wider at either end; a gap of 8 between cells that are squares.
    assert [cell[0] for cell in layout.cells] == [116, 216, 316, 416]
    assert {(cell[2] - cell[0], round(cell[3] - cell[1], 6)) for cell in layout.cells} == {(92, 92)}
    (rail,) = layout.rails
    _, top, _, bottom = layout.cells[0]
    assert rail == (100, top - 10, 524, bottom + 10)
    # A tenth of a cell above the row, the rest below it for labels: as much room above all that as below.
    assert top - 10 - 40 == pytest.approx(340 - layout.bottom)
    assert layout.bottom - (top - 10) == pytest.approx(145)


def test_a_board_of_several_rows_is_in_the_middle_too() -> None:
    cells = row(2).rows[0]
    layout = lay_out(pp.View((cells, cells, cells)), Room(0, 40, 224, 1040, 100, 30))
    tops = sorted({cell[1] for cell in layout.cells})
    assert [round(b - a, 6) for a, b in pairwise(tops)] == [145, 145]
    assert tops[0] - 10 - 40 == pytest.approx(1040 - layout.bottom)
    assert len(layout.rails) == 3


@pytest.mark.parametrize(
    ("room", "pitch"),
    [
        (Room(0, 0, 224, None, 1000, 30), 50),  # as wide as the room
        (Room(0, 0, 224, None, 40, 30), 40),  # as wide as a cell may be
        (Room(0, 100, 224, 158, 1000, 30), 40),  # as high as the room
        (Room(0, 100, 224, 1000, 1000, 30), 50),
    ],
)
def test_cells_are_as_large_as_the_room_allows(room: Room, pitch: float) -> None:
    layout = lay_out(row(4), room)
    assert layout.cells[1][0] - layout.cells[0][0] == pytest.approx(pitch)
    assert (layout.cells[0][0] + layout.cells[3][2]) / 2 == pytest.approx(112)


@pytest.mark.parametrize(("cells", "bands"), [(10, 1), (11, 2), (20, 2), (21, 3), (130, 12)])
def test_a_row_is_folded_where_its_cells_would_be_too_small(cells: int, bands: int) -> None:
    layout = lay_out(row(cells), Room(0, 0, 424, None, 64, 40))
    assert len(layout.cells) == cells
    assert len({cell[1] for cell in layout.cells}) == len(layout.rails) == bands
    assert len({rail[0] for rail in layout.rails}) == 1  # a shorter last band starts where the others do
    for rail in layout.rails:
        inside = [cell for cell in layout.cells if is_within(cell, rail)]
        assert inside[0][0] - rail[0] == pytest.approx(rail[2] - inside[-1][2])


def test_a_row_that_never_fits_is_folded_so_that_its_cells_are_largest() -> None:
    high = lay_out(row(12), Room(0, 0, 424, None, 1000, 9999))
    assert len(high.rails) == MOST_BANDS
    flat = lay_out(row(12), Room(0, 0, 624, 58, 1000, 9999))
    assert len(flat.rails) == 1
    assert flat.cells[1][0] - flat.cells[0][0] == pytest.approx(40)


@pytest.mark.parametrize(
    ("view", "head"),
    [
        (row(2), 0.1),
        (row(2, links=(pp.Link(0, 1, True),)), 1.0),
        (pp.View(((pp.Cell("a", role="goal"), pp.Cell("b")),)), 0.55),
        (pp.View(((pp.Cell("a", role="later-goal"), pp.Cell("b")),)), 0.55),
        (pp.View(((pp.Cell("a", role="closed"), pp.Cell("b")),)), 0.1),
    ],
)
def test_there_is_room_for_flags_and_links_above_a_row(view: pp.View, head: float) -> None:
    layout = lay_out(view, Room(0, 20, 224, None, 100, 30))
    assert layout.cells[0][1] == pytest.approx(20 + 100 * head)
    assert layout.bottom == pytest.approx(20 + 100 * (head + 1.35))
    high = lay_out(view, Room(0, 20, 224, 20 + 50 * (head + 1.35), 100, 30))
    assert high.cells[0][1] == pytest.approx(20 + 50 * head)


def test_an_empty_board_is_a_rail_for_one_cell_in_the_middle() -> None:
    (rail,) = lay_out(pp.View(((),)), Room(0, 0, 224, None, 100, 30)).rails
    assert rail == (50, 0, 174, 112)


@pytest.mark.parametrize("bottom", [None, 400])
def test_a_view_without_a_board_has_only_its_captions(bottom: float | None) -> None:
    assert lay_out(pp.View(()), Room(0, 0, 224, bottom, 100, 30)).cells == []
    assert "Nothing yet" in svg(pp.View((), captions=("Nothing yet",)))


@pytest.mark.parametrize("plies", [0, 3])
@pytest.mark.parametrize("spec", [*pp.names(), "bit-flip:bits=30", "mirror-match:shortest=5"])
@pytest.mark.parametrize("bottom", [None, 400])
def test_every_shape_is_inside_the_picture_and_every_piece_inside_its_cell(
    spec: str, plies: int, bottom: float | None
) -> None:
    match = played(spec)
    for _ in range(plies):
        match.play(match.legal()[-1])
    view = match.game.view(match.state)
    layout = lay_out(view, Room(14, 14, 626, bottom, 64, 34))
    for shape in board(view, layout):
        assert is_within(extent(shape), (0, 0, 640, (bottom or layout.bottom) + 14))
    for cell, box in zip(view.cells, layout.cells, strict=True):
        _, *pieces = [each for each in drawn(cell, box) if isinstance(each, Disc | Rounded)]
        assert len(pieces) == len(cell.pieces)
        assert all(is_within(extent(each), box) for each in pieces)


# Cells.


def test_a_cell_has_its_label_below_it() -> None:
    well, label = drawn(pp.Cell("a"))
    assert well == Rounded(BOX, 10, WELL, None, 3)
    assert isinstance(label, Label)
    assert (label.x, label.text, label.color) == (125, "a", SOFT)
    assert label.size == 12
    # It does not touch the cell, and is no further from it than it is high.
    assert 350 < label.y - label.size / 2 < 350 + label.size
    assert label.y == pytest.approx(361.4)


@pytest.mark.parametrize(("size", "font"), [(25.9, None), (26, 11), (60, 14.4), (100, 24), (200, 24)])
def test_the_label_of_a_cell_can_be_read_or_is_left_out(size: float, font: float | None) -> None:
    labels = [each for each in drawn(pp.Cell("a"), (10, 20, 10 + size, 20 + size)) if isinstance(each, Label)]
    assert [label.size for label in labels] == pytest.approx([] if font is None else [font])


def test_a_cell_out_of_play_is_crossed_out() -> None:
    well, one, other, _ = drawn(pp.Cell("a", ("0",), role="closed"), hollow=("0",))
    assert well == Rounded(BOX, 10, SHADE, None, 3)
    reach = 8.5
    x, y = MIDDLE
    assert one == Line((x - reach, y - reach), (x + reach, y + reach), SOFT, 3)
    assert other == Line((x - reach, y + reach), (x + reach, y - reach), SOFT, 3)


@pytest.mark.parametrize(
    ("owner", "color", "pale"), [(None, GLOW, GLOW_SOFT), (0, *SIDES[0]), (1, *SIDES[1])]
)
@pytest.mark.parametrize("role", ["goal", "later-goal"])
def test_a_goal_has_the_color_of_its_owner_and_a_flag(
    role: Role, owner: pp.Side | None, color: str, pale: str
) -> None:
    cell, *pole, cloth, _ = drawn(pp.Cell("a", role=role, owner=owner))
    assert cell == Rounded(BOX, 10, pale if role == "goal" else WELL, color, 3)
    assert isinstance(cloth, Polygon)
    assert (cloth.fill, cloth.edge) == ((color, None) if role == "goal" else (None, color))
    assert [line.color for line in pole if isinstance(line, Line)] == [color] * len(pole)
    assert len(pole) == (1 if role == "goal" else 5)


@pytest.mark.parametrize("role", ["goal", "later-goal"])
@pytest.mark.parametrize(("size", "height"), [(50, 27.5), (200, 46)])
def test_a_flag_stands_on_its_cell_with_the_cloth_to_the_right(
    role: Role, size: float, height: float
) -> None:
    left, top = 100.0, 300.0
    shapes = drawn(pp.Cell("a", role=role), (left, top, left + size, top + size))
    pole = [shape for shape in shapes if isinstance(shape, Line)]
    (cloth,) = [shape for shape in shapes if isinstance(shape, Polygon)]
    upper, tip, lower = cloth.points
    x = pole[0].start[0]
    # The flag as a whole is above the middle of the cell: its pole to the left, its tip to the right.
    assert x < left + size / 2 < tip[0]
    assert left + size / 2 - x == pytest.approx(height * 0.2)
    assert tip[0] - x == pytest.approx(height * 0.56)
    assert {point[0] for line in pole for point in (line.start, line.end)} == {x} == {upper[0], lower[0]}
    # The cloth hangs from the top of the pole and ends above its middle; the tip is halfway down the cloth.
    assert pole[0].start[1] == top - 4
    assert upper[1] == pytest.approx(top - 4 - height)
    assert lower[1] == pytest.approx(top - 4 - height * 0.56)
    assert tip[1] == pytest.approx((upper[1] + lower[1]) / 2)
    if role == "goal":
        assert pole == [Line((x, top - 4), upper, GLOW, 4)]
    else:  # dashes as long as the gaps between them
        ends = [point[1] for line in pole for point in (line.start, line.end)]
        assert ends == pytest.approx([top - 4 - height * part / 10 for part in range(10)])
        assert {line.width for line in pole} == {3}


def test_cells_that_the_last_move_changed_have_an_edge() -> None:
    view, layout = row(3), lay_out(row(3), Room(0, 0, 224, None, 60, 30))
    edges = [each for each in board(view, layout, (), [1]) if isinstance(each, Rounded) and each.edge == EDGE]
    (edge,) = edges
    assert (edge.box, edge.fill, edge.width) == (layout.cells[1], None, 2)
    assert edge.radius == pytest.approx((edge.box[2] - edge.box[0]) / 5)


def test_a_rail_lies_under_a_single_row_without_links() -> None:
    room, cells = Room(0, 0, 224, None, 60, 30), row(3).rows[0]

    def rails(view: pp.View) -> list[Box]:
        layout = lay_out(view, room)
        found = [each for each in board(view, layout) if isinstance(each, Rounded) and each.fill == RAIL]
        assert [each.radius for each in found] == [18] * len(found)
        return [each.box for each in found]

    view = row(3)
    assert rails(view) == lay_out(view, room).rails
    assert next(board(view, lay_out(view, room))) == Rounded(lay_out(view, room).rails[0], 18, RAIL)
    assert rails(pp.View((cells, cells))) == []
    assert rails(row(3, links=(pp.Link(0, 1, True),))) == []


# Pieces.


@pytest.mark.parametrize("name", ["A", "10", "*", ""])
@pytest.mark.parametrize("side", [0, 1, None])
def test_a_piece_is_a_disc_or_a_square_in_the_color_of_its_side(name: str, side: pp.Side | None) -> None:
    x, y, r = 200.0, 50.0, 20.0
    shape, *mark = piece(name, side, x, y, r)
    if side == 1:
        assert isinstance(shape, Rounded)
        assert (shape.fill, shape.edge) == (SIDES[1][0], None)
        assert shape.box == (x - 18, y - 18, x + 18, y + 18)
        assert shape.radius == pytest.approx(6.8)  # still a square: less than half of its width is round
    else:
        assert shape == Disc(x, y, r, INK if side is None else SIDES[0][0])
    if not name:
        assert mark == []
    elif name == "*":
        assert [type(each) for each in mark] == [Polygon]
    else:
        assert mark == [Label(x, y, name, {"A": 21, "10": 17.5}[name], CARD)]


def test_a_star_has_five_points_inside_its_piece_and_one_of_them_on_top() -> None:
    x, y, r = 200.0, 50.0, 100.0
    _, star = piece("*", 0, x, y, r)
    assert isinstance(star, Polygon)
    assert (star.fill, star.edge) == (CARD, None)
    reaches = [hypot(a - x, b - y) for a, b in star.points]
    assert reaches == pytest.approx([62, 26] * 5)
    assert star.points[0] == pytest.approx((x, y - 62))
    # It is its own mirror image.
    mirrored = [(2 * x - a, b) for a, b in (star.points[0], *star.points[:0:-1])]
    assert [c for point in mirrored for c in point] == pytest.approx([c for p in star.points for c in p])
    # The points are as far from each other as they can be.
    gaps = [
        hypot(a[0] - b[0], a[1] - b[1])
        for a, b in zip(star.points[::2], star.points[2::2] + star.points[:1], strict=True)
    ]
    assert gaps == pytest.approx([gaps[0]] * 5)


def test_one_piece_is_in_the_middle_of_its_cell() -> None:
    disc = next(each for each in drawn(pp.Cell("a", ("A",))) if isinstance(each, Disc))
    assert disc == Disc(*MIDDLE, 18.5, INK)


@pytest.mark.parametrize("count", [2, 3])
def test_several_pieces_stand_side_by_side_and_fill_most_of_their_cell(count: int) -> None:
    names = ("A", "B", "C")[:count]
    shapes = drawn(pp.Cell("a", names))
    discs = [each for each in shapes if isinstance(each, Disc)]
    assert [each.text for each in shapes if isinstance(each, Label) and each.color == CARD] == [*names]
    assert {disc.y for disc in discs} == {325}
    for one, other in pairwise(discs):
        assert other.x - one.x == pytest.approx(one.radius + other.radius)
    # They take 86 percent of the width, and leave the same on both sides.
    left, _, right, _ = around(*map(extent, discs))
    assert (left, right) == pytest.approx((103.5, 146.5))


def test_a_hollow_piece_is_a_letter_without_a_disc() -> None:
    cell = pp.Cell("a", ("0", "A"))
    well, _, zero, disc, letter = drawn(cell, hollow=("0",))
    assert isinstance(well, Rounded)
    assert zero == Label(125 - 10.75, 325, "0", 10.75, SOFT)
    assert disc == Disc(125 + 10.75, 325, 10.75, INK)
    assert isinstance(letter, Label)


def test_pieces_belong_to_the_side_that_the_view_says_or_else_to_who_filled_the_cell() -> None:
    cells = (pp.Cell("a", ("A",)), pp.Cell("b", ("B",)), pp.Cell("c", ("C",)), pp.Cell("d", ("D",)))
    view = pp.View((cells,), sides=(("A",), ("B",)))
    layout = BoardLayout([(x, 0.0, x + 20, 20.0) for x in (0.0, 20.0, 40.0, 60.0)], [], 0)
    found = [
        each.fill
        for each in board(view, layout, [1, 0, 0])
        if isinstance(each, Disc) or (isinstance(each, Rounded) and each.fill != WELL)
    ]
    assert found == [SIDES[0][0], SIDES[1][0], SIDES[0][0], INK]


# Links.


def test_a_link_is_an_arc_above_the_middles_of_its_cells() -> None:
    near, far = (154.0, 300.0, 204.0, 350.0), (400.0, 300.0, 450.0, 350.0)
    (arc,) = linked(BOX, near, True)
    assert (arc.box[0], arc.box[2]) == (125, 179)
    assert (arc.start, arc.end, arc.color, arc.width) == (180, 360, MATCHED, 5)
    # It ends 6 above the cells. The farther it goes the higher it is, but it never leaves the room above a row.
    assert (arc.box[1] + arc.box[3]) / 2 == 294
    assert arc.box[1] == 294 - 43
    (wide,) = linked(BOX, far, True)
    assert (wide.box[0], wide.box[2]) == (125, 425)
    assert wide.box[1] == pytest.approx(294 - 55)


def test_a_link_between_cells_that_do_not_match_is_dashed() -> None:
    near = (154.0, 300.0, 204.0, 350.0)
    (whole,), dashes = linked(BOX, near, True), linked(BOX, near, False)
    assert [(dash.start, dash.end) for dash in dashes] == [(180 + 20 * n, 191 + 20 * n) for n in range(9)]
    assert {(dash.box, dash.color, dash.width) for dash in dashes} == {(whole.box, OPEN, 5)}


def test_a_link_around_a_bend_is_not_drawn() -> None:
    assert linked(BOX, (100, 400, 150, 450), True) == []


def test_a_linked_cell_with_a_piece_has_no_well() -> None:
    cells, layout = (pp.Cell("a", ("A",)), pp.Cell("b")), BoardLayout([BOX, (200, 300, 250, 350)], [], 0)
    shapes = [*board(pp.View((cells,), links=(pp.Link(0, 1, True),)), layout)]
    assert isinstance(shapes[0], Arc)  # behind everything else
    assert [each.box for each in shapes if isinstance(each, Rounded)] == [layout.cells[1]]
    assert [
        each.box for each in board(pp.View((cells,)), layout) if isinstance(each, Rounded)
    ] == layout.cells
