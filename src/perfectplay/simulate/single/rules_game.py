"""Single games played by calling the rules, for games that no table can hold."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import MatchStateError
from perfectplay.core.game import PASS, Action, S
from perfectplay.simulate.row import Row
from perfectplay.simulate.single.base import REWARDS, SingleGame

_Legal = tuple[dict[Action, None], NDArray[np.bool_], Callable[[], NDArray[np.int8]]]

_NO_REWARDS = REWARDS[None]


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
        rewards = _NO_REWARDS if outcome is None else REWARDS[outcome.winner]
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
