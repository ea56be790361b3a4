"""Rows that are folded into bands."""

from perfectplay.core.view import Cell
from perfectplay.render.folding import fold


def test_a_row_is_folded_and_an_empty_one_stays() -> None:
    bands = fold([tuple(map(Cell, "abc")), ()], 2)
    assert [[cell.label for cell in band] for band in bands] == [["a", "b"], ["c"], []]
