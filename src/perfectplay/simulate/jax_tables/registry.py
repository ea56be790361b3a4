"""Finding the JAX form of a game: its table, or the kernel that is named after it."""

from importlib import import_module
from typing import Any

from perfectplay.core.discovery import class_in, offered
from perfectplay.core.game import Game
from perfectplay.simulate.arguments import game_of
from perfectplay.simulate.jax_tables import kernels
from perfectplay.simulate.jax_tables.game import JaxGame
from perfectplay.simulate.jax_tables.table import laid_out
from perfectplay.simulate.positions import TableSizeError, checked_horizon, kernel_module


def jax_game(game: Game[Any] | str, horizon: int | None = None) -> JaxGame:
    """A game as pure functions of JAX arrays, from its table where there can be one.

    A game that need not end is cut short after `horizon` plies, see `horizon_for`. Raises TableSizeError
    where the positions are too many for a table and there is no other way.

    >>> jax_game("dual-direction").horizon
    200
    """
    rules = game_of(game)
    limit = checked_horizon(rules, horizon)
    if kernel_module(rules) is None:
        return laid_out(rules, limit)
    home = offered(kernels).get(rules.name)
    if home is None:
        raise TableSizeError(f"{rules.spec} has no table, and no kernel for JAX either")
    return class_in(import_module(home), JaxGame)(rules, limit)
