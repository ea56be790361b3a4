"""The JAX form of a game: all positions laid out, or its own kernel; and random games by the billion."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import numpy as np
from jax import Array, lax
from jax import numpy as jnp

from perfectplay.core.game import Game
from perfectplay.core.parts import find_class, part_of
from perfectplay.simulate.arguments import as_game, whole
from perfectplay.simulate.jax_tables.game import JaxGame, JaxState
from perfectplay.simulate.jax_tables.prng import draw_number, first_words, next_words
from perfectplay.simulate.positions import TableSizeError, check_horizon, kernel_module
from perfectplay.simulate.table import PositionTable, table_for


@jax.tree_util.register_dataclass
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

    def _is_over(self, position: Array) -> Array:
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


WORD = 32
"""How many bits a game takes in `RandomPlay`; its generator takes the same again."""


class RandomCarry(NamedTuple):
    """Games of random play: for each, a packed position (where its moves are listed) and a random word.

    >>> carry = random_play("dual-direction").start(seed=0, shape=4)
    >>> carry.packed.shape, str(carry.words.dtype)
    ((4,), 'uint32')
    """

    packed: Array
    words: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class RandomPlay:
    """Random games at full speed. `random_play` makes one.

    A game is two 32-bit words, and a step is one lookup. Nothing is observed along the way, and there is
    no horizon. The step after an end starts a new game. `unroll` steps are compiled into one pass over
    the games, so that they stay out of memory in between.

    >>> play = random_play("bit-flip")
    >>> carry = play.play(play.start(seed=0, shape=4), steps=100)
    >>> play.rows(carry).tolist()
    [124, 69, 22, 0]
    """

    slots: Array
    """The moves of all positions in sequence; each is the packed position it leads to."""
    owners: Array
    """The row of the table that each slot is a move of."""
    shift: int = field(metadata={"static": True})
    """How many low bits of a packed position count its moves; the others give its first slot."""
    start_packed: int = field(metadata={"static": True})

    def start(self, seed: int, shape: int | tuple[int, ...]) -> RandomCarry:
        """Games at their start, of the given shape, each with its own stream of random numbers."""
        words = first_words(seed, shape)
        return RandomCarry(jnp.full(words.shape, self.start_packed, jnp.uint32), words)

    def step(self, carry: RandomCarry) -> RandomCarry:
        """Play a uniformly random legal move in each game; replace games that are over by new ones."""
        packed, words = carry.packed, next_words(carry.words)
        count = packed & np.uint32((1 << self.shift) - 1)
        slot = (packed >> np.uint32(self.shift)) + draw_number(words, count)
        return RandomCarry(self.slots.at[slot].get(mode="promise_in_bounds"), words)

    def play(self, carry: RandomCarry, steps: int, unroll: int = 4) -> RandomCarry:
        """Make `steps` steps in each game."""

        def several(count: int, now: RandomCarry) -> RandomCarry:
            for _ in range(count):
                now = self.step(now)
            return now

        passes, rest = divmod(whole("steps", steps, 0), whole("unroll", unroll, 1))
        carry = lax.fori_loop(0, passes, lambda _, now: several(unroll, now), carry)
        return several(rest, carry)

    def rows(self, carry: RandomCarry) -> Array:
        """The positions as rows of the table, int32."""
        return lookup(self.owners, carry.packed >> np.uint32(self.shift))


def random_play(game: Game[Any] | str) -> RandomPlay:
    """Return random play of a game. Raises TableSizeError if it has no table."""
    return packed_table(table_for(as_game(game)))


def packed_table(table: PositionTable[Any], word: int = WORD) -> RandomPlay:
    """A table for random play, with positions packed into `word` bits.

    >>> play = packed_table(table_for(as_game("dual-direction")))
    >>> play.rows(play.start(seed=0, shape=2)).tolist()
    [0, 0]
    """
    moves = table.legal.sum(axis=1)
    counts = np.maximum(moves, 1)  # from an end, one move leads back to the start
    firsts = np.cumsum(counts) - counts
    shift = int(counts.max()).bit_length()
    if int(firsts[-1]).bit_length() + shift > word:
        raise TableSizeError(
            f"{table.game.spec} has {int(moves.sum()):,} moves, too many to number in {word} bits"
        )
    packed = (firsts << shift | counts).astype(np.uint32)
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    slots = np.full(len(owners), packed[0], np.uint32)
    slots[moves[owners] > 0] = packed[table.next[table.legal]]
    return RandomPlay(jnp.asarray(slots), jnp.asarray(owners), shift, int(packed[0]))
