"""Bit Flip in JAX, for rows with too many positions for a table."""

from dataclasses import dataclass, field
from typing import NamedTuple

import jax
from jax import Array
from jax import numpy as jnp

from perfectplay.games.bit_flip.rules import BitFlip, State
from perfectplay.simulate.jax_tables.game import JaxGame
from perfectplay.simulate.jax_tables.prng import draw_number


class BitFlipPosition(NamedTuple):
    """The bits, and the side to flip next."""

    flipped: Array
    side: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class JaxBitFlip(JaxGame):
    """Bit Flip for rows with too many positions for a table."""

    game: BitFlip = field(metadata={"static": True})

    def _start(self) -> BitFlipPosition:
        return BitFlipPosition(jnp.zeros(self.game.bits, jnp.bool_), jnp.int32(self.game.initial().side))

    def _move(self, position: BitFlipPosition, action: Array) -> tuple[BitFlipPosition, Array]:
        flip = jnp.arange(self.game.bits) == action[..., None]
        legal = jnp.any(self._legal(position) & flip, axis=-1)
        return BitFlipPosition(position.flipped | flip, 1 - position.side), legal

    def _legal(self, position: BitFlipPosition) -> Array:
        flipped = position.flipped
        beyond = jnp.zeros_like(flipped[..., :1])
        left = jnp.concatenate([beyond, flipped[..., :-1]], axis=-1)
        right = jnp.concatenate([flipped[..., 1:], beyond], axis=-1)
        return ~(flipped | left | right)

    def _choose(self, position: BitFlipPosition, words: Array) -> Array:
        passed = jnp.cumsum(self._legal(position), axis=-1, dtype=jnp.uint32)
        return jnp.argmax(passed > draw_number(words, passed[..., -1])[..., None], axis=-1)

    def _observe(self, position: BitFlipPosition) -> Array:
        return jnp.stack([~position.flipped, position.flipped], axis=-1)

    def _is_over(self, position: BitFlipPosition) -> Array:
        return ~jnp.any(self._legal(position), axis=-1)

    def _rules_state(self, position: BitFlipPosition) -> State:
        row = "".join("1" if bit else "0" for bit in position.flipped)
        return self.game.parse_state(f"{row} {int(position.side) + 1}")
