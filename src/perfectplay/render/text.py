"""Boards as text: a row of labeled cells above its pieces."""

from collections.abc import Sequence

from perfectplay.core.view import View


def draw_view(heads: tuple[str, str], view: View, width: int | None, narrowest: int = 0) -> tuple[str, ...]:
    """Draw the only row of a view as a track, and its captions below it; `narrowest` pads short labels."""
    labels = [cell.label.ljust(narrowest) for cell in view.cells]
    pieces = ["".join(cell.pieces) for cell in view.cells]
    return (*draw_track(heads, labels, pieces, width), *view.captions)


def draw_track(
    heads: tuple[str, str], labels: Sequence[str], pieces: Sequence[str], width: int | None = None
) -> tuple[str, ...]:
    """Draw a row of labeled cells above their pieces, folded into bands to fit `width`.

    A piece starts under the first character of its cell's label and may extend into the gap after it.
    """
    indent = max(map(len, heads))
    above, below = (head.ljust(indent) for head in heads)
    lines: list[str] = []
    top, bottom = above, below
    for label, piece in zip(labels, pieces, strict=True):
        if width is not None and len(top) > indent and len(top) + max(len(label), len(piece)) > width:
            lines += [top.rstrip(), bottom.rstrip()]
            top, bottom = above, below
        bottom = bottom.ljust(len(top)) + piece
        top += label + " "
    return (*lines, top.rstrip(), bottom.rstrip())
