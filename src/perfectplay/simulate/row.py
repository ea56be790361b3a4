"""What a step of a single game returns."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.game import Action, Outcome


class Row(Protocol):
    """A position and everything known about it. Games share rows: copy an array before changing it.

    `observation` is bool of shape `observer.shape`; `legal` is bool of shape `(num_actions,)`.

    >>> from perfectplay.simulate import single_game
    >>> row = single_game("dual-direction").step(0)
    >>> row.state, row.side, row.legal.tolist(), row.terminated
    (State(position=5, side=1), 1, [True, True], False)
    """

    @property
    def state(self) -> Any:
        """The position as a state of the game."""

    @property
    def moves(self) -> dict[Action, Any]:
        """The legal actions, each with the row it leads to if all rows are laid out in advance."""

    @property
    def observation(self) -> NDArray[np.bool_]:
        """The observation of the position: bool, of shape `observer.shape`."""

    @property
    def legal(self) -> NDArray[np.bool_]:
        """A mask of the legal actions: bool, of shape `(num_actions,)`."""

    @property
    def side(self) -> int:
        """The side to move, 0 or 1."""

    @property
    def terminated(self) -> bool:
        """Whether the game is over."""

    @property
    def rewards(self) -> tuple[float, float]:
        """For each side: 1 if it has won, -1 if it has lost, else 0."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or by a disqualification; None while it goes on."""

    @property
    def choice(self) -> bool:
        """Whether the game goes on and the side to move can do more than pass."""

    @property
    def fresh_bits(self) -> Callable[[], NDArray[np.int8]]:
        """Returns the observation as a new int8 array of shape `observer.shape`, for environments."""

    @property
    def fresh_mask(self) -> Callable[[], NDArray[np.int8]]:
        """Returns the legal actions as a new int8 array of shape `(num_actions,)`, for environments."""


def row_text(row: Row) -> str:
    """The `repr` of a row, without its moves: they lead to other rows, and so to all of them.

    >>> from perfectplay.simulate import single_game
    >>> single_game("bit-flip:bits=3").step(0)
    Row(state=State(flipped=1, side=1), side=1, terminated=False, rewards=(0.0, 0.0), outcome=None)
    """
    names = ("state", "side", "terminated", "rewards", "outcome")
    return f"Row({', '.join(f'{name}={getattr(row, name)!r}' for name in names)})"


# Slots instead of a tuple: environments read several fields after every step.
@dataclass(slots=True, eq=False)
class StoredRow:
    """A row with all fields stored, so that reading one computes nothing."""

    state: Any
    moves: dict[Action, Any]
    observation: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    side: int
    terminated: bool
    rewards: tuple[float, float]
    outcome: Outcome | None
    choice: bool
    fresh_bits: Callable[[], NDArray[np.int8]]
    fresh_mask: Callable[[], NDArray[np.int8]]

    __repr__ = row_text


def changed(row: Row, **changes: Any) -> StoredRow:
    """Return a copy of a row with some fields changed."""
    if not isinstance(row, StoredRow):
        row = StoredRow(*(getattr(row, each.name) for each in fields(StoredRow)))
    return replace(row, **changes)
