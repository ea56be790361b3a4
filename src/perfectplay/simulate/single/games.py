"""Single games: from a table, with all positions laid out and linked, or by the rules if none holds them."""

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import MatchStateError
from perfectplay.core.game import PASS, Action, Game, S
from perfectplay.simulate.rewards import REWARDS
from perfectplay.simulate.single.base import Row, SingleGame
from perfectplay.simulate.table import PositionTable, table_for

BLOCK = 64
"""How many fresh arrays are made at a time."""
FEW = 1000
"""Games with more positions make arrays one at a time, because every position would keep a block."""


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
        if action.__class__ is not int:
            action = self._whole(action)
        try:
            row: Row = self.moves[action]
        except KeyError:
            raise self.error_for(action) from None
        self.row = row
        self.moves = row.moves
        return row

    def forfeit(self) -> Row:
        raise MatchStateError(f"turns cannot be forfeited in {self.game.title}")

    def _go_to(self, state: S, plies: int, invalid: tuple[int, int]) -> Row:
        self._plies = plies
        self.row = row = self._rows[state]
        self.moves = row.moves
        return row


class LimitedTableGame(TableGame[S]):
    """A table game that is truncated at a horizon."""

    def step(self, action: Action) -> Row:
        # Repeated instead of calling super(), which would take as long as all the rest.
        if action.__class__ is not int:
            action = self._whole(action)
        try:
            row: Row = self.moves[action]
        except KeyError:
            raise self.error_for(action) from None
        self._plies = plies = self._plies + 1
        self.moves = row.moves
        if plies == self.limit:
            self.moves, row = {}, row.change(choice=False)
        self.row = row
        return row

    def _go_to(self, state: S, plies: int, invalid: tuple[int, int]) -> Row:
        super()._go_to(state, plies, invalid)
        if plies == self.limit:
            self.moves, self.row = {}, Row.change(self.row, choice=False)
        return self.row


def fresh(array: NDArray[np.int8]) -> Callable[[], NDArray[np.int8]]:
    """Return a function that returns a new copy of an int8 array on each call, with its shape and type.

    Copies are cut from a block of many, which is faster than copying one at a time.
    """
    blocks = map(partial(np.repeat, repeats=BLOCK, axis=0), repeat(array[None]))
    return chain.from_iterable(blocks).__next__


@lru_cache(maxsize=8)
def _rows(game: Game[Any]) -> dict[Any, Row]:
    """The row of each position, with its moves linked to other rows."""
    table = table_for(game)
    rows = [_row(table, number) for number in range(len(table.states))]
    for row, after in zip(rows, table.next, strict=True):
        row.moves.update(
            {action: rows[number] for action, number in enumerate(after.tolist()) if number >= 0}
        )
    return dict(zip(table.states, rows, strict=True))


def _row(table: PositionTable[Any], number: int) -> Row:
    """A row whose moves are not linked yet."""
    state, observation, legal = table.states[number], table.observation[number], table.legal[number]
    first, second = table.reward[number].tolist()
    count = int(legal.sum())
    maker = fresh if len(table.states) <= FEW else attrgetter("copy")
    return Row(
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


_Legal = tuple[dict[Action, None], NDArray[np.bool_], Callable[[], NDArray[np.int8]]]


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
            raise self.error_for(action)
        game, state, side, invalid = self.game, self.row.state, self.row.side, self._invalid
        if invalid[side] and PASS not in game.events(state, action):
            invalid = self._count(side, 0)
        return self._go_to(game.apply(state, action), self._plies + 1, invalid)

    def forfeit(self) -> Row:
        game, side = self.game, self.row.side
        if self.row.terminated or self.truncated:
            raise self.error_for(None)
        after = game.after_forfeit(self.row.state)
        if after is None:
            raise MatchStateError(f"turns cannot be forfeited in {game.title}")
        invalid = self._count(side, self._invalid[side] + 1)
        row = self._go_to(after, self._plies + 1, invalid)
        if game.forfeit_limit is not None and invalid[side] >= game.forfeit_limit:
            return self._lose(row, side)
        return row

    def _count(self, side: int, count: int) -> tuple[int, int]:
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
            known = self._legal[actions] = (dict.fromkeys(actions), legal, legal.view(np.int8).copy)
        moves, legal, fresh_mask = known
        outcome = None if actions else game.outcome(state)
        rewards = REWARDS[None if outcome is None else outcome.winner]
        observation = self.observer.observe(state)
        row = Row(
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
