"""The positions of a game over which policies are measured, as arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.errors import BadParameterError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game
from perfectplay.core.value import KINDS, Value
from perfectplay.evals.positions import find_positions
from perfectplay.players.base import KnownPlayer
from perfectplay.players.learned import Policy
from perfectplay.simulate.arguments import as_game
from perfectplay.simulate.observation import observer_for
from perfectplay.simulate.positions import TableSizeError, longest_for
from perfectplay.simulate.table import PositionTable, table_for
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.points import check_decided
from perfectplay.strength.statistics import correct_for_guessing

Chances = NDArray[np.float64]
"""The probability of each action in each position: shape `(positions, actions)`."""
AnyPolicy = Policy | KnownPlayer | NDArray[Any] | Callable[[NDArray[np.bool_], NDArray[np.bool_]], Any]
"""What can be measured: a trained policy, a player that states its chances, a table with a row for each
position, or a function from observations and masks of legal actions to such a table."""

NEARLY = 1e-3
"""How far the sum of the probabilities in a position may be from 1."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of a game, the start first: all, or those within a few plies where no table can
    hold them.

    >>> found = positions_of("bit-flip")
    >>> found.legal.shape, int(found.decision.sum()), round(found.guess, 3)
    ((144, 10), 40, 0.368)
    """

    game: Game[Any]
    states: Sequence[Any] = field(repr=False)
    table: PositionTable[Any] | None
    """None if only a part of the positions is here."""
    legal: NDArray[np.bool_]
    value: NDArray[np.int8]
    """What each legal move is worth: an index into KINDS, where better kinds come later; -1 elsewhere."""

    @cached_property
    def observation(self) -> NDArray[np.bool_]:
        """What each position looks like."""
        observer = observer_for(self.game)
        return np.stack([observer.observe(state) for state in self.states])

    @cached_property
    def best(self) -> NDArray[np.bool_]:
        """The legal moves that keep the best kind of value."""
        found: NDArray[np.bool_] = self.legal & (self.value == self.value.max(axis=1, keepdims=True))
        return found

    @cached_property
    def decision(self) -> NDArray[np.bool_]:
        """The positions in which some legal move loses value."""
        found: NDArray[np.bool_] = np.any(self.legal & ~self.best, axis=1)
        return found

    @cached_property
    def guess(self) -> float:
        """The share of decisions that random moves keep."""
        shares = self.best[self.decision].sum(axis=1) / self.legal[self.decision].sum(axis=1)
        return float(shares.mean()) if len(shares) else 1.0

    @cached_property
    def depth(self) -> int | None:
        """The most plies a game can take; None if it need not end."""
        return longest_for(self.game)

    def measure_kept(self, chances: Chances) -> float:
        """The share of decisions that a policy is expected to keep, all positions weighted equally."""
        shares = (chances * self.best).sum(axis=1)[self.decision]
        return float(shares.mean()) if len(shares) else 1.0

    def correct_kept(self, chances: Chances) -> float:
        """The share of kept decisions corrected for guessing; 1 if there are no decisions."""
        return correct_for_guessing(self.measure_kept(chances), self.guess) if self.decision.any() else 1.0

    def chances(self, policy: AnyPolicy) -> Chances:
        """A policy as a table over these positions, checked."""
        if isinstance(policy, Policy):
            policy.check(self.game)
        if isinstance(policy, Policy | KnownPlayer):
            found = np.zeros(self.legal.shape)
            for number in np.flatnonzero(self.legal.any(axis=1)).tolist():
                for action, chance in policy.chances(self.game, self.states[number]).items():
                    found[number, action] = chance
        else:
            # Copies, which a policy may write to: what is here is kept for the next.
            given = policy(self.observation.copy(), self.legal.copy()) if callable(policy) else policy
            found = np.asarray(given, np.float64)
        if found.shape != self.legal.shape:
            raise BadParameterError(
                "policy", f"an array of shape {found.shape}", f"of shape {self.legal.shape}"
            )
        going_on = self.legal.any(axis=1)
        legal = np.where(self.legal, found, 0.0)
        total = legal.sum(axis=1)
        good = (legal >= 0).all(axis=1) & (abs(total - 1) <= NEARLY)
        good &= abs(np.where(self.legal, 0.0, found)).max(axis=1, initial=0.0) <= NEARLY
        if not good[going_on].all():
            bad = int(np.argmax(going_on & ~good))
            where = quote(self.game.state_text(self.states[bad]), 80)
            raise BadParameterError(
                "policy",
                f"{total[bad]:.3g} in all on legal moves of {where}",
                "probabilities that add up to 1",
            )
        return legal / np.where(going_on, total, 1.0)[:, None]


def positions_of(game: Game[Any] | str) -> Positions:
    """The positions of a game to measure policies over, from a cache."""
    return _positions(as_game(game))


@lru_cache(maxsize=16)
def _positions(game: Game[Any]) -> Positions:
    try:
        table = table_for(game)
    except TableSizeError:
        return _near(game)
    check_decided(game, int((table.terminated & (table.outcome == 0)).sum()))
    before = [KINDS.index(Value(kind).before(same_side=False).kind) for kind in KINDS]
    after = np.maximum(table.next, 0)
    same = table.side[after] == table.side[:, None]
    value = np.where(same, table.value[after], np.array(before, np.int8)[table.value[after]])
    return Positions(game, table.states, table, table.legal, np.where(table.legal, value, -1).astype(np.int8))


def _near(game: Game[Any]) -> Positions:
    states = [state for state in find_positions(game) if game.legal_actions(state)]
    value = np.full((len(states), game.num_actions), -1, np.int8)
    for number, state in enumerate(states):
        for move in oracle_for(game).moves(state):
            value[number, move.action] = KINDS.index(move.value.kind)
    return Positions(game, states, None, value >= 0, value)
