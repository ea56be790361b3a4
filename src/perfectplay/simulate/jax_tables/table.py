"""A game in JAX with all positions laid out."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import numpy as np
from jax import Array
from jax import numpy as jnp

from perfectplay.core.game import Game
from perfectplay.simulate.jax_tables.game import JaxGame, JaxState
from perfectplay.simulate.jax_tables.prng import drawn
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
        number = drawn(words, lookup(self.counts, position))
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


def laid_out(game: Game[Any], horizon: int | None) -> JaxTable:
    """The table of a game as JAX arrays."""
    table = table_for(game)
    counts = table.legal.sum(axis=1, dtype=np.uint32)
    choices = np.argsort(~table.legal, axis=1, kind="stable").astype(np.int32)
    arrays = (table.next, counts, choices, table.side, table.reward, table.terminated)
    labels = (table.value, table.distance, table.best)
    return JaxTable(game, horizon, *map(jnp.asarray, (*arrays, *labels, table.observation)))


def lookup(array: Array, position: Array) -> Array:
    """The rows of an array at positions known to be within it."""
    return array.at[position].get(mode="promise_in_bounds")
