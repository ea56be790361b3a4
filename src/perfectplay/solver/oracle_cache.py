"""Oracles that are kept, because solving a game takes time."""

from collections import OrderedDict
from typing import Any

from perfectplay.core.game import Game, S
from perfectplay.core.limits import MOST_SOLVED
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.oracle import Oracle, solve

LEAST_COUNTED = 1_000
"""A cached oracle counts as at least this many positions, because theories use memory too."""

MOST_TOO_LARGE = 1_000
"""How many games are remembered as too large."""


class OracleCache:
    """A cache of oracles. `lru_cache` counts entries, this counts positions and never drops default games.

    Games with default parameters are kept permanently, except those from game files. Of the others, the
    least recently used are dropped once they have more than `most` positions in total; the last one used
    always stays. The cache also remembers which games are too large, because finding out may take a minute.
    """

    def __init__(self, most: int = MOST_SOLVED) -> None:
        self.most = most
        self._standard: dict[Game[Any], Oracle[Any]] = {}
        self._custom: OrderedDict[Game[Any], Oracle[Any]] = OrderedDict()
        """Least recently used first."""
        self._too_large: OrderedDict[Game[Any], int] = OrderedDict()
        """Games with more positions than the given limit, the most recent last."""

    def __call__(self, game: Game[S], limit: int = MOST_SOLVED) -> Oracle[S]:
        """The oracle of a game, solved up to `limit` positions if not cached yet."""
        oracle = self._standard.get(game) or self._custom.get(game)
        if oracle is None:
            oracle = self._solve(game, limit)
            if game.source is None and game == type(game)():
                self._standard[game] = oracle
                return oracle
            self._custom[game] = oracle
            while len(self._custom) > 1 and sum(map(_positions, self._custom.values())) > self.most:
                self._custom.popitem(last=False)
        elif game in self._custom:
            self._custom.move_to_end(game)
        return oracle

    def _solve(self, game: Game[S], limit: int) -> Oracle[S]:
        if limit <= self._too_large.get(game, 0):
            raise TooLargeError(game.spec, limit)
        try:
            return solve(game, limit=limit)
        except TooLargeError:
            self._too_large[game] = limit
            if len(self._too_large) > MOST_TOO_LARGE:
                self._too_large.popitem(last=False)
            raise

    def __contains__(self, game: Game[S]) -> bool:
        return game in self._standard or game in self._custom

    def clear(self) -> None:
        """Drop every game except those with default parameters."""
        self._custom.clear()
        self._too_large.clear()


oracle_for = OracleCache()
"""The shared cache: `oracle_for(game)` returns the oracle of a game."""


def _positions(oracle: Oracle[Any]) -> int:
    """How many positions an oracle keeps in memory; a table base on disk keeps none."""
    stored = 0 if oracle.folder is not None else oracle.counts.get("stored", 0)
    return max(LEAST_COUNTED, stored if oracle.graph is None else len(oracle.graph.states))
