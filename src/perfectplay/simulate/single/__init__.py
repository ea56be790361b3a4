"""One game at a time, at the speed of a lookup. A batch of one would be slow."""

from perfectplay.core.game import Game, S
from perfectplay.simulate.arguments import as_game
from perfectplay.simulate.positions import check_horizon, kernel_module
from perfectplay.simulate.single.base import SingleGame
from perfectplay.simulate.single.games import LimitedTableGame, RulesGame, TableGame

__all__ = ["SingleGame", "single_game"]


def single_game(game: Game[S] | str, horizon: int | None = None) -> SingleGame[S]:
    """Return one game to play move by move, from its table if it has one.

    A game that need not end is truncated after `horizon` plies; see `horizon_for` for the default. Each
    step returns a `Row`: `observation` is bool of shape `observer.shape`, `legal` is bool of shape
    `(num_actions,)`.

    >>> row = single_game("bit-flip").reset()
    >>> row.observation.shape, row.legal.shape
    ((10, 2), (10,))
    """
    rules: Game[S] = as_game(game)
    limit, module = check_horizon(rules, horizon), kernel_module(rules)
    if module is not None:
        return module.single(rules, limit)
    # A forfeited turn may lead to positions that no move reaches and no table has.
    forfeits = rules.after_forfeit(rules.initial()) is not None
    kind = RulesGame if forfeits else TableGame if limit is None else LimitedTableGame
    return kind(rules, limit)
