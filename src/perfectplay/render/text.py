"""Boards as text: a row of labeled cells above its pieces."""

from collections.abc import Sequence


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
