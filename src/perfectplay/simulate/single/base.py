"""What a step of a single game returns, and what every one can do: be copied, saved, restored and lost."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any, Generic, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import MatchStateError
from perfectplay.core.game import Action, Game, Outcome, S, whole_number
from perfectplay.simulate.arguments import illegal_error, range_error
from perfectplay.simulate.observation import observer_for
from perfectplay.simulate.rewards import REWARDS


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


DISQUALIFIED = "disqualification"
"""The reason of an outcome that the position itself does not explain."""


class Snapshot(NamedTuple):
    """How far a game has come."""

    row: Row
    plies: int
    invalid: tuple[int, int]
    """The number of invalid turns in a row, for each side."""


class SingleGame(ABC, Generic[S]):
    """A game played move by move. `single_game` makes one.

    Every step returns a `Row`, which lists the shapes and types of its arrays.

    >>> from perfectplay.simulate import single_game
    >>> game = single_game("bit-flip:bits=3")
    >>> row = game.step(1)
    >>> row.terminated, row.rewards, game.truncated
    (True, (1.0, -1.0), False)
    """

    row: Row
    """The current position."""
    moves: dict[Action, Any]
    """The moves that can be played now; empty once the game is over or truncated."""
    _plies: int
    """The number of moves and forfeited turns so far; counted only in a game with a horizon."""
    _invalid = (0, 0)
    """The number of invalid turns in a row for each side, in games where that matters."""

    def __init__(self, game: Game[S], horizon: int | None) -> None:
        self.game = game
        self.horizon = horizon
        self.limit = inf if horizon is None else horizon
        self.observer = observer_for(game, horizon)
        self.reset()

    @abstractmethod
    def reset(self) -> Row:
        """Start again."""

    @abstractmethod
    def step(self, action: Action) -> Row:
        """Play a legal action; anything else raises an error and changes nothing."""

    @abstractmethod
    def forfeit(self) -> Row:
        """The side to move loses its turn over an invalid move, in a game with such a rule."""

    def disqualify(self) -> Row:
        """The side to move loses the game, whatever the position says."""
        if self.row.terminated or self.truncated:
            raise self.error_for(None)
        return self._lose(self.row, self.row.side)

    def __deepcopy__(self, memo: object) -> Self:
        # A game replaces what it changes; everything else is shared between games.
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        # Rows refer to other rows, and so to all of them: only the position is kept.
        row, loser = self.row, None
        if row.outcome is not None and row.outcome != self.game.outcome(row.state):
            # Not the side to move: the turn has already passed to the other side.
            loser = 1 if row.outcome.winner == 0 else 0
        progress = row.state, self._plies, self._invalid
        return _resume, (type(self), self.game, self.horizon, progress, loser)

    def snapshot(self) -> Snapshot:
        """Return the progress of the game, for `restore`."""
        return Snapshot(self.row, self._plies, self._invalid)

    def restore(self, snapshot: Snapshot) -> Row:
        """Go back to where `snapshot` was taken.

        >>> from perfectplay.simulate import single_game
        >>> game = single_game("bit-flip")
        >>> before = game.snapshot()
        >>> row = game.step(3)
        >>> game.restore(before).state
        State(flipped=0, side=0)
        """
        self.row, self._plies, self._invalid = snapshot
        self.moves = {} if self.truncated else self.row.moves
        return self.row

    @abstractmethod
    def _go_to(self, state: S, plies: int, invalid: tuple[int, int]) -> Row:
        """Move to a position, with its number of plies and of invalid turns in a row."""

    @property
    def truncated(self) -> bool:
        """Whether the horizon has cut the game short."""
        return self._plies >= self.limit and not self.row.terminated

    def _lose(self, row: Row, side: int) -> Row:
        """Move to a position in which a side has lost for a reason outside the position."""
        legal = np.zeros_like(row.legal)
        self.moves = {}
        self.row = Row.change(
            row,
            moves={},
            legal=legal,
            terminated=True,
            rewards=REWARDS[1 - side],
            outcome=Outcome(0 if side else 1, DISQUALIFIED),
            choice=False,
            fresh_mask=legal.view(np.int8).copy,
        )
        return self.row

    def _whole(self, action: object) -> Action:
        number = whole_number(action)
        if number is None:
            raise self.error_for(action)
        return number

    def error_for(self, action: object) -> Exception:
        """The error that says what is wrong with an action."""
        if self.row.terminated or self.truncated:
            why = "over" if self.row.terminated else f"cut short at its horizon of {self.horizon} plies"
            return MatchStateError(f"the game is {why}: reset it before the next step")
        game, state = self.game, self.row.state
        number = whole_number(action)
        if number is None or not 0 <= number < game.num_actions:
            return range_error("action", repr(action) if number is None else number, game.num_actions)
        return illegal_error(f"action {number}", game, state, number)


def _resume(
    kind: type[SingleGame[S]],
    game: Game[S],
    horizon: int | None,
    progress: tuple[S, int, tuple[int, int]],
    loser: int | None,
) -> SingleGame[S]:
    """Restore a pickled game at the position it had reached; `loser` has lost whatever the position says."""
    play = kind(game, horizon)
    row = play._go_to(*progress)
    if loser is not None:
        play._lose(row, loser)
    return play
