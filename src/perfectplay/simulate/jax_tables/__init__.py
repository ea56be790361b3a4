"""The same tables as JAX arrays: a game as pure functions, for jit, vmap and scan on any device.

Compiled code cannot raise errors. Instead, an illegal action ends the game, and the side that made it loses.
`step` never plays another action in its place. `play` raises an error; use it for single steps outside of
compiled code.
"""

from perfectplay.core.errors import needs

with needs("jax", "jax"):
    import jax as _jax  # noqa: F401

from perfectplay.simulate.jax_tables.game import NOBODY, JaxGame, JaxState
from perfectplay.simulate.jax_tables.prng import first_words, next_words
from perfectplay.simulate.jax_tables.table import (
    JaxTable,
    RandomCarry,
    RandomPlay,
    jax_game,
    packed_table,
    random_play,
)

__all__ = [
    "NOBODY",
    "JaxGame",
    "JaxState",
    "JaxTable",
    "RandomCarry",
    "RandomPlay",
    "first_words",
    "jax_game",
    "next_words",
    "packed_table",
    "random_play",
]
