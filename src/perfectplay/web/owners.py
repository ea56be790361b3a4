"""Who put what on a board. A position does not know it; the moves of a game do."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from perfectplay.core.outcome import Side

if TYPE_CHECKING:  # only a type: worker processes need not load pydantic
    from perfectplay.web.shapes import MoveShape


def owners_of(moves: "Iterable[MoveShape]", ply: int) -> list[Side | None]:
    """The side that filled each cell of the board after `ply` moves; cells after the last one are empty.

    >>> from perfectplay import Match, load
    >>> from perfectplay.web.position_serializers import moves_shape
    >>> match = Match(load("bit-flip"))
    >>> for text in ("1", "4", "6"):
    ...     match.play(text)
    >>> owners_of(moves_shape(match, swapped=False), 2)
    [None, 0, None, None, 1]
    """
    owners: list[Side | None] = []
    for move in moves:
        placed = move["placed"]
        if move["ply"] is None or move["ply"] > ply or placed is None:
            continue
        cell = placed["cell"]
        if placed["adds"]:
            owners.insert(cell, move["side"])
        else:
            owners += [None] * (cell + 1 - len(owners))
            owners[cell] = move["side"]
    return owners
