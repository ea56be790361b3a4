"""All that a step of a single game shows of a position."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.game import Action, Outcome


class Row(Protocol):
    """A position and all about it. Rows are shared between games: copy an array before changing it.

    `observation` has the shape of the game's observer, `legal` one entry for each action; both are bool.
    """

    @property
    def state(self) -> Any:
        """The position as the plain rules have it."""

    @property
    def moves(self) -> dict[Action, Any]:
        """The legal actions, each with the row that it leads to where all rows are laid out."""

    @property
    def observation(self) -> NDArray[np.bool_]:
        """What the game's observer makes of the position."""

    @property
    def legal(self) -> NDArray[np.bool_]:
        """A mask of the legal actions."""

    @property
    def side(self) -> int:
        """Whose turn it is."""

    @property
    def terminated(self) -> bool:
        """Whether the game is over."""

    @property
    def rewards(self) -> tuple[float, float]:
        """For each side: 1 if it has won, -1 if it has lost, else 0."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended: by its rules, or by a disqualification."""

    @property
    def choice(self) -> bool:
        """Whether the game goes on and the side to move can do more than pass."""

    @property
    def fresh_bits(self) -> Callable[[], NDArray[np.int8]]:
        """Gives the observation as environments hand it out: a new array of small numbers."""

    @property
    def fresh_mask(self) -> Callable[[], NDArray[np.int8]]:
        """Gives the legal actions as environments hand them out."""


# Slots and not a tuple: environments read several fields after every step.
@dataclass(slots=True, eq=False)
class StoredRow:
    """A row that holds everything, so that reading a field computes nothing."""

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


def changed(row: Row, **changes: Any) -> StoredRow:
    """A copy of a row in which some fields differ."""
    if not isinstance(row, StoredRow):
        row = StoredRow(*(getattr(row, each.name) for each in fields(StoredRow)))
    return replace(row, **changes)
