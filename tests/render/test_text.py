"""Boards drawn as text."""

import pytest

from perfectplay.render.text import draw_track


def test_a_track_is_folded_where_the_next_cell_does_not_fit() -> None:
    heads, labels, pieces = ("Cells: ", "At: "), ["0", "1", "2", "10"], ["", "A", "", "B"]
    wide = ("Cells: 0 1 2 10", "At:      A   B")
    assert draw_track(heads, labels, pieces) == wide
    assert draw_track(heads, labels, pieces, 15) == wide
    assert draw_track(heads, labels, pieces, 14) == ("Cells: 0 1 2", "At:      A", "Cells: 10", "At:    B")
    assert draw_track(heads, labels, pieces, 10) == (
        *("Cells: 0 1", "At:      A"),
        *("Cells: 2", "At:"),
        *("Cells: 10", "At:    B"),
    )
    assert len(draw_track(heads, labels, pieces, 1)) == 8
    assert draw_track(heads, labels, ["A", "", "", ""]) == ("Cells: 0 1 2 10", "At:    A")
    assert draw_track(("", ""), ["0", "1"], ["", "AB"], 3) == ("0", "", "1", "AB")
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        draw_track(heads, labels, pieces[:2])
