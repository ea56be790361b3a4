"""Who put what on a board. A position does not know it; the moves of a game do."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from perfectplay.core.outcome import Side
from perfectplay.core.view import Placed, owners_of_cells

if TYPE_CHECKING:  # only a type: worker processes need not load pydantic
    from perfectplay.tables.position_schemas import MoveSchema


def owners_of(moves: "Iterable[MoveSchema]", ply: int) -> list[Side | None]:
    """The side that filled each cell of the board after `ply` moves; cells after the last one are empty.

    >>> from perfectplay import Match, load
    >>> from perfectplay.tables.position_serializers import serialize_moves
    >>> match = Match(load("bit-flip"))
    >>> for text in ("1", "4", "6"):
    ...     match.play(text)
    >>> owners_of(serialize_moves(match, swapped=False), 2)
    [None, 0, None, None, 1]
    """
    return owners_of_cells(
        (move["side"], placed and Placed(placed["cell"], placed["adds"]))
        for move in moves
        if move["ply"] is not None and move["ply"] <= ply
        for placed in [move["placed"]]
    )
