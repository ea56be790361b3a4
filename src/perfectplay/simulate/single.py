"""One game at a time, at the speed of a lookup. A batch of one would be slow."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, repeat
from math import inf
from operator import attrgetter
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import BadParameterError, MatchStateError
from perfectplay.core.game import PASS, Action, Game, Outcome, whole_number
from perfectplay.simulate.arguments import game_of, illegal_action
from perfectplay.simulate.observation import observer_for
from perfectplay.simulate.positions import checked_horizon, kernel_module
from perfectplay.simulate.row import Row, StoredRow, changed
from perfectplay.simulate.table import PositionTable, table_for

S = TypeVar("S", bound=Hashable)

BLOCK = 64
"""How many fresh arrays are made at a time."""
FEW = 1000
"""Games with more positions make arrays one at a time, because every position would keep a block."""
DISQUALIFIED = "disqualification"
"""The reason of an outcome that the position itself does not explain."""
REWARDS = {None: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}
"""The rewards of the two sides, by winner."""


_Legal = tuple[dict[Action, int], NDArray[np.bool_], Callable[[], NDArray[np.int8]]]


class Snapshot(NamedTuple):
    """How far a game has come."""

    row: Row
    plies: int
    invalid: tuple[int, int]
    """The number of invalid turns in a row, for each side."""


class SingleGame(ABC, Generic[S]):
    """A game played move by move. `single_game` makes one.

    Every step returns a `Row`, which lists the shapes and types of its arrays.

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
            raise self.refused(None)
        return self._lost(self.row, self.row.side)

    def __deepcopy__(self, memo: object) -> Self:
        # A game replaces what it changes; everything else is shared between games.
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        # Rows refer to other rows, and so to all of them: only the position is kept.
        row = self.row
        return _resumed, (self.game, self.horizon, row.state, self._plies, self._invalid, self._loser(row))

    def snapshot(self) -> Snapshot:
        """Return the progress of the game, for `restore`."""
        return Snapshot(self.row, self._plies, self._invalid)

    def restore(self, snapshot: Snapshot) -> Row:
        """Go back to where `snapshot` was taken.

        >>> game = single_game("bit-flip")
        >>> before = game.snapshot()
        >>> row = game.step(3)
        >>> game.restore(before).state
        State(flipped=0, side=0)
        """
        row, plies, invalid = snapshot
        return self._resume(row.state, plies, invalid, self._loser(row))

    def _resume(self, state: S, plies: int, invalid: tuple[int, int], loser: int | None) -> Row:
        row = self._go_to(state, plies, invalid)
        return row if loser is None else self._lost(row, loser)

    def _loser(self, row: Row) -> int | None:
        """The side that has lost for a reason outside the position, if any."""
        outcome = row.outcome
        if outcome is None or outcome == self.game.outcome(row.state):
            return None
        # Not the side to move: the turn has already passed to the other side.
        return 1 if outcome.winner == 0 else 0

    @abstractmethod
    def _go_to(self, state: S, plies: int, invalid: tuple[int, int]) -> Row:
        """Move to a position, with its number of plies and of invalid turns in a row."""

    @property
    def truncated(self) -> bool:
        """Whether the horizon has cut the game short."""
        return self._plies >= self.limit and not self.row.terminated

    def _lost(self, row: Row, side: int) -> Row:
        """Move to a position in which a side has lost for a reason outside the position."""
        legal = np.zeros_like(row.legal)
        self.moves = {}
        self.row = changed(
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
            raise self.refused(action)
        return number

    def refused(self, action: object) -> Exception:
        """The error that says what is wrong with an action."""
        if self.row.terminated or self.truncated:
            why = "over" if self.row.terminated else f"cut short at its horizon of {self.horizon} plies"
            return MatchStateError(f"the game is {why}: reset it before the next step")
        game, state = self.game, self.row.state
        allowed = f"a whole number from 0 to {game.num_actions - 1}"
        number = whole_number(action)
        if number is None:
            return BadParameterError("action", repr(action), allowed)
        if not 0 <= number < game.num_actions:
            return BadParameterError("action", number, allowed)
        return illegal_action(f"action {number}", game, state, number)


class TableGame(SingleGame[S]):
    """A game with all positions laid out, each with its moves to the next."""

    def __init__(self, game: Game[S], horizon: int | None) -> None:
        self._rows = _rows(game)
        self._start = self._rows[game.initial()]
        super().__init__(game, horizon)

    def reset(self) -> Row:
        self._plies = 0
        self.row = row = self._start
        self.moves = row.moves
        return row

    def step(self, action: Action) -> Row:
        # A dict lookup would also accept values that merely equal an integer, such as True or 1.0.
        row: Any = self.moves.get(action) if action.__class__ is int else self._led_to(action)
        if row is None:
            raise self.refused(action)
        self.row = row
        self.moves = row.moves
        return self.row

    def forfeit(self) -> Row:
        raise MatchStateError(f"turns cannot be forfeited in {self.game.title}")

    def _go_to(self, state: S, plies: int, invalid: tuple[int, int]) -> Row:
        self._plies = plies
        self.row = row = self._rows[state]
        self.moves = row.moves
        return row

    def _led_to(self, action: Action) -> Any:
        return self.moves.get(action if action.__class__ in WHOLE else self._whole(action))


class LimitedTableGame(TableGame[S]):
    """A table game that is truncated at a horizon."""

    def step(self, action: Action) -> Row:
        # Repeated instead of calling super(), which would take as long as all the rest.
        row: Any = self.moves.get(action) if action.__class__ is int else self._led_to(action)
        if row is None:
            raise self.refused(action)
        self._plies = plies = self._plies + 1
        self.moves = row.moves
        if plies == self.limit:
            self.moves, row = {}, replace(row, choice=False)
        self.row = row
        return self.row

    def _go_to(self, state: S, plies: int, invalid: tuple[int, int]) -> Row:
        super()._go_to(state, plies, invalid)
        if plies == self.limit:
            self.moves, self.row = {}, changed(self.row, choice=False)
        return self.row


class RulesGame(SingleGame[S]):
    """A game with too many positions to lay out, played by calling the rules."""

    _legal: dict[tuple[Action, ...], _Legal]

    def reset(self) -> Row:
        self._legal = {}
        return self._go_to(self.game.initial(), 0, (0, 0))

    def step(self, action: Action) -> Row:
        if action.__class__ is not int:  # the rules calculate with it, and NumPy integers overflow
            action = self._whole(action)
        if action not in self.moves:
            raise self.refused(action)
        game, state, side, invalid = self.game, self.row.state, self.row.side, self._invalid
        if invalid[side] and PASS not in game.events(state, action):
            invalid = self._counted(side, 0)
        return self._go_to(game.apply(state, action), self._plies + 1, invalid)

    def forfeit(self) -> Row:
        game, side = self.game, self.row.side
        if self.row.terminated or self.truncated:
            raise self.refused(None)
        after = game.after_forfeit(self.row.state)
        if after is None:
            raise MatchStateError(f"turns cannot be forfeited in {game.title}")
        invalid = self._counted(side, self._invalid[side] + 1)
        row = self._go_to(after, self._plies + 1, invalid)
        if game.forfeit_limit is not None and invalid[side] >= game.forfeit_limit:
            return self._lost(row, side)
        return row

    def _counted(self, side: int, count: int) -> tuple[int, int]:
        """The invalid turns in a row of both sides, with a new count for one of them."""
        return (self._invalid[0], count) if side else (count, self._invalid[1])

    def _go_to(self, state: S, plies: int, invalid: tuple[int, int]) -> Row:
        game, goes_on = self.game, plies < self.limit
        actions = game.legal_actions(state)
        known = self._legal.get(actions)
        if known is None:
            legal = np.zeros(game.num_actions, np.bool_)
            legal[list(actions)] = True
            legal.setflags(write=False)
            known = self._legal[actions] = (dict.fromkeys(actions, 0), legal, legal.view(np.int8).copy)
        moves, legal, fresh_mask = known
        outcome = None if actions else game.outcome(state)
        rewards = _NO_REWARDS if outcome is None else REWARDS[outcome.winner]
        observation = self.observer.observe(state)
        row = StoredRow(
            state,
            moves,
            observation,
            legal,
            game.side_to_move(state),
            not actions,
            rewards,
            outcome,
            goes_on and (len(actions) > 1 or (len(actions) == 1 and not game.is_forced_pass(state))),
            observation.view(np.int8).copy,
            fresh_mask,
        )
        # Last, once nothing can fail any more.
        self._plies, self._invalid = plies, invalid
        self.moves = moves if goes_on else {}
        self.row = row
        return row


_NO_REWARDS = REWARDS[None]
WHOLE = frozenset({int, *(np.dtype(code).type for code in np.typecodes["AllInteger"])})
"""The usual integer types; values of other types are checked more closely."""


def _resumed(
    game: Game[S], horizon: int | None, state: S, plies: int, invalid: tuple[int, int], loser: int | None
) -> SingleGame[S]:
    """Restore a pickled game at the position it had reached."""
    play = single_game(game, horizon)
    play._resume(state, plies, invalid, loser)
    return play


def fresh(array: NDArray[np.int8]) -> Callable[[], NDArray[np.int8]]:
    """Return a function that returns a new copy of an int8 array on each call, with its shape and type.

    Copies are cut from a block of many, which is faster than copying one at a time.

    >>> new = fresh(np.array([0, 1], np.int8))
    >>> one, two = new(), new()
    >>> one[0] = 5
    >>> one.tolist(), two.tolist(), new().tolist()
    ([5, 1], [0, 1], [0, 1])
    """
    blocks = map(partial(np.repeat, repeats=BLOCK, axis=0), repeat(array[None]))
    return chain.from_iterable(blocks).__next__


def single_game(game: Game[S] | str, horizon: int | None = None) -> SingleGame[S]:
    """Return one game to play move by move, from its table if it has one.

    A game that need not end is truncated after `horizon` plies; see `horizon_for` for the default. Each
    step returns a `Row`: `observation` is bool of shape `observer.shape`, `legal` is bool of shape
    `(num_actions,)`.

    >>> row = single_game("bit-flip").reset()
    >>> row.observation.shape, row.legal.shape
    ((10, 2), (10,))
    """
    rules: Game[S] = game_of(game)
    limit, module = checked_horizon(rules, horizon), kernel_module(rules)
    if module is not None:
        return module.single(rules, limit)
    # A forfeited turn may lead to positions that no move reaches and no table has.
    forfeits = rules.after_forfeit(rules.initial()) is not None
    kind = RulesGame if forfeits else TableGame if limit is None else LimitedTableGame
    return kind(rules, limit)


@lru_cache(maxsize=8)
def _rows(game: Game[Any]) -> dict[Any, StoredRow]:
    """The row of each position, with its moves linked to other rows."""
    table = table_for(game)
    rows = [_row(table, number) for number in range(len(table.states))]
    for row, after in zip(rows, table.next, strict=True):
        row.moves.update(
            {action: rows[number] for action, number in enumerate(after.tolist()) if number >= 0}
        )
    return dict(zip(table.states, rows, strict=True))


def _row(table: PositionTable[Any], number: int) -> StoredRow:
    """A row whose moves are not linked yet."""
    state, observation, legal = table.states[number], table.observation[number], table.legal[number]
    first, second = table.reward[number].tolist()
    count = int(legal.sum())
    maker = fresh if len(table.states) <= FEW else attrgetter("copy")
    return StoredRow(
        state,
        {},
        observation,
        legal,
        int(table.side[number]),
        bool(table.terminated[number]),
        (first, second),
        table.game.outcome(state),
        count > 1 or (count == 1 and not table.game.is_forced_pass(state)),
        maker(observation.view(np.int8)),
        maker(legal.view(np.int8)),
    )
