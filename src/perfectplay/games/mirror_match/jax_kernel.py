"""Mirror Match in JAX, on arrays as long as its horizon."""

from dataclasses import dataclass, field
from typing import NamedTuple

import jax
from jax import Array
from jax import numpy as jnp

from perfectplay.games.mirror_match.rules import MirrorMatch, State
from perfectplay.simulate.jax_tables.game import JaxGame
from perfectplay.simulate.jax_tables.prng import draw_number


class MirrorPosition(NamedTuple):
    """A zero-padded sequence, its length, the side to move, and whether the last move has won."""

    sequence: Array
    length: Array
    side: Array
    won: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class JaxMirrorMatch(JaxGame):
    """Mirror Match, which has infinitely many positions; its horizon bounds the sequence."""

    game: MirrorMatch = field(metadata={"static": True})
    horizon: int = field(metadata={"static": True})

    def _start(self) -> MirrorPosition:
        number = jnp.int8 if self.game.digits < 1 << 7 else jnp.int32
        side = self.game.initial().side
        return MirrorPosition(
            jnp.zeros(self.horizon, number), jnp.int32(0), jnp.int32(side), jnp.bool_(False)
        )

    def _move(self, position: MirrorPosition, action: Array) -> tuple[MirrorPosition, Array]:
        sequence, length, side, won = position
        digits = self.game.digits
        places = jnp.arange(self.horizon)
        number = (action % digits + 1).astype(sequence.dtype)[..., None]
        begun = jnp.where(places == 0, number, jnp.roll(sequence, 1, axis=-1))
        ended = jnp.where(places == length[..., None], number, sequence)
        added = jnp.where((action < digits)[..., None], begun, ended)
        passed = action == 2 * digits
        sequence = jnp.where(passed[..., None], sequence, added)
        length = jnp.where(passed, length, length + 1)
        facing = length[..., None] - 1 - places
        mirrored = jnp.take_along_axis(sequence, jnp.maximum(facing, 0), axis=-1)
        palindrome = jnp.all((facing < 0) | (sequence == mirrored), axis=-1)
        after = MirrorPosition(sequence, length, 1 - side, palindrome & (length >= self.game.shortest))
        return after, ~won

    def _legal(self, position: MirrorPosition) -> Array:
        return jnp.broadcast_to(~position.won[..., None], (*position.won.shape, self.num_actions))

    def _choose(self, position: MirrorPosition, words: Array) -> Array:
        return draw_number(words, jnp.uint32(self.num_actions))

    def _observe(self, position: MirrorPosition) -> Array:
        numbers = position.sequence[..., None] == jnp.arange(1, self.game.digits + 1)
        side = jnp.broadcast_to(position.side[..., None, None] == 1, (*position.sequence.shape, 1))
        return jnp.concatenate([numbers, side], axis=-1)

    def _is_over(self, position: MirrorPosition) -> Array:
        return position.won

    def _rules_state(self, position: MirrorPosition) -> State:
        sequence = tuple(position.sequence[: position.length].tolist())
        return State(sequence, 1 if position.side else 0)
