"""Positions drawn as pictures."""

import numpy as np

import perfectplay as pp
from perfectplay.adapters.settings import BACKGROUND, CELL, EMPTY, color, picture
from perfectplay.simulate import observer_for
from tests.adapters.plain_rules import SPECS


def test_every_piece_has_its_color_and_labels_have_none() -> None:
    rows = ((pp.Cell("a", ("A", "B")), pp.Cell("b")), (pp.Cell("c", ("B",)),))
    drawn = picture(pp.View(rows))
    assert drawn.dtype == np.uint8
    assert drawn.shape == (2 * CELL, 2 * CELL, 3)
    middle, left, right = CELL // 2, 3, CELL - 4
    assert tuple(drawn[middle, left].tolist()) == color("A")
    assert tuple(drawn[middle, right].tolist()) == color("B")
    assert set(drawn[middle, CELL + middle].tolist()) == {EMPTY}
    assert tuple(drawn[CELL + middle, middle].tolist()) == color("B")
    assert set(drawn[CELL + middle, CELL + middle].tolist()) == {BACKGROUND}
    assert set(drawn[0].ravel().tolist()) == {BACKGROUND}
    relabeled = tuple(tuple(cell._replace(label="x") for cell in row) for row in rows)
    assert np.array_equal(picture(pp.View(relabeled)), drawn)
    for spec in SPECS:
        pieces = observer_for(pp.load(spec)).pieces
        assert len({color(piece) for piece in pieces}) == len(pieces)
    assert picture(pp.View(((),))).shape == (CELL, CELL, 3)
