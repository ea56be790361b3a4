"""The JAX form of a game: all positions laid out, or its own kernel."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import numpy as np
from jax import Array
from jax import numpy as jnp

from perfectplay.core.game import Game
from perfectplay.core.parts import find_class, part_of
from perfectplay.simulate.arguments import as_game
from perfectplay.simulate.jax_tables.game import JaxGame, JaxState
from perfectplay.simulate.jax_tables.prng import draw_number
from perfectplay.simulate.positions import TableSizeError, check_horizon, kernel_module
from perfectplay.simulate.table import table_for


@partial(
    jax.tree_util.register_dataclass,
    data_fields=[
        *("after", "counts", "choices", "sides", "rewards", "ended"),
        *("values", "distances", "bests", "observations"),
    ],
    meta_fields=["game", "horizon"],
)
@dataclass(frozen=True, eq=False)
class JaxTable(JaxGame):
    """A game with all positions laid out; see `PositionTable`. A position is its int32 row number.

    >>> from perfectplay.simulate.jax_tables import jax_game
    >>> game = jax_game("dual-direction")
    >>> type(game).__name__, game.counts.shape
    ('JaxTable', (11,))
    """

    after: Array
    counts: Array
    """The number of legal actions."""
    choices: Array
    """The legal actions in ascending order, then the others."""
    sides: Array
    rewards: Array
    ended: Array
    values: Array
    distances: Array
    bests: Array
    observations: Array

    def value(self, state: JaxState) -> Array:
        return lookup(self.values, state.position)

    def distance(self, state: JaxState) -> Array:
        return lookup(self.distances, state.position)

    def best(self, state: JaxState) -> Array:
        return lookup(self.bests, state.position)

    def _start(self) -> Array:
        return jnp.int32(0)

    def _move(self, position: Array, action: Array) -> tuple[Array, Array]:
        after = self.after.at[position, action].get(mode="promise_in_bounds")
        return after, after >= 0

    def _legal(self, position: Array) -> Array:
        return lookup(self.after, position) >= 0

    def _choose(self, position: Array, words: Array) -> Array:
        number = draw_number(words, lookup(self.counts, position))
        return self.choices.at[position, number].get(mode="promise_in_bounds")

    def _observe(self, position: Array) -> Array:
        return lookup(self.observations, position)

    def _side(self, position: Array) -> Array:
        return lookup(self.sides, position).astype(jnp.int32)

    def _ended(self, position: Array) -> Array:
        return lookup(self.ended, position)

    def _result(self, position: Array) -> Array:
        return lookup(self.rewards, position)

    def _rules_state(self, position: Any) -> Any:
        return table_for(self.game).states[position]


def lookup(array: Array, position: Array) -> Array:
    """The rows of an array at positions known to be within it."""
    return array.at[position].get(mode="promise_in_bounds")


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
        table = table_for(rules)
        counts = table.legal.sum(axis=1, dtype=np.uint32)
        choices = np.argsort(~table.legal, axis=1, kind="stable").astype(np.int32)
        arrays = (table.next, counts, choices, table.side, table.reward, table.terminated)
        labels = (table.value, table.distance, table.best)
        return JaxTable(rules, limit, *map(jnp.asarray, (*arrays, *labels, table.observation)))
    home = part_of(type(rules), "jax_kernel")
    if home is None:
        raise TableSizeError(f"{rules.spec} has neither a table nor a kernel for JAX")
    return find_class(home, JaxGame)(rules, limit)
