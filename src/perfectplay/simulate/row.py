"""What a step of a single game returns."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.game import Action, Outcome


def row_text(row: Any) -> str:
    """The `repr` of a row, without its moves: they lead to other rows, and so to all of them."""
    names = ("state", "side", "terminated", "rewards", "outcome")
    return f"Row({', '.join(f'{name}={getattr(row, name)!r}' for name in names)})"


# Slots instead of a tuple: environments read several fields after every step.
@dataclass(slots=True, eq=False)
class Row:
    """A position and everything known about it. Games share rows: copy an array before changing it.

    A kernel may have rows of its own, with the same attributes.

    >>> from perfectplay.simulate import single_game
    >>> row = single_game("dual-direction").step(0)
    >>> row.state, row.side, row.legal.tolist(), row.terminated
    (State(position=5, side=1), 1, [True, True], False)
    """

    state: Any
    """The position as a state of the game."""
    moves: dict[Action, Any]
    """The legal actions, each with the row it leads to if all rows are laid out in advance."""
    observation: NDArray[np.bool_]
    """The observation of the position: bool, of shape `observer.shape`."""
    legal: NDArray[np.bool_]
    """A mask of the legal actions: bool, of shape `(num_actions,)`."""
    side: int
    """The side to move, 0 or 1."""
    terminated: bool
    """Whether the game is over."""
    rewards: tuple[float, float]
    """For each side: 1 if it has won, -1 if it has lost, else 0."""
    outcome: Outcome | None
    """How the game ended, by its rules or by a disqualification; None while it goes on."""
    choice: bool
    """Whether the game goes on and the side to move can do more than pass."""
    fresh_bits: Callable[[], NDArray[np.int8]]
    """Returns the observation as a new int8 array of shape `observer.shape`, for environments."""
    fresh_mask: Callable[[], NDArray[np.int8]]
    """Returns the legal actions as a new int8 array of shape `(num_actions,)`, for environments."""

    __repr__ = row_text

    def change(self, **changes: Any) -> "Row":
        """Return a copy with some fields changed. Kernels use it for rows of their own, too."""
        return replace(Row(*(getattr(self, each.name) for each in fields(Row))), **changes)
