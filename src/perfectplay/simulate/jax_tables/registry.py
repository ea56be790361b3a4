"""Finds the JAX form of a game: its table, or its own kernel."""

from typing import Any

from perfectplay.core.discovery import find_class
from perfectplay.core.game import Game
from perfectplay.games.registry import part_of
from perfectplay.simulate.arguments import as_game
from perfectplay.simulate.jax_tables.game import JaxGame
from perfectplay.simulate.jax_tables.table import laid_out
from perfectplay.simulate.positions import TableSizeError, check_horizon, kernel_module


def jax_game(game: Game[Any] | str, horizon: int | None = None) -> JaxGame:
    """Return a game as pure functions of JAX arrays, from its table if it can have one.

    A game that need not end is truncated after `horizon` plies; see `horizon_for` for the default. Raises
    TableSizeError if the game has too many positions for a table and no kernel.

    >>> jax_game("dual-direction").horizon
    200
    """
    rules = as_game(game)
    limit = check_horizon(rules, horizon)
    if kernel_module(rules) is None:
        return laid_out(rules, limit)
    home = part_of(rules, "jax_kernel")
    if home is None:
        raise TableSizeError(f"{rules.spec} has neither a table nor a kernel for JAX")
    return find_class(home, JaxGame)(rules, limit)
