"""Random 32-bit words, one per game, and draws made with them."""

from math import prod

import numpy as np
from jax import Array
from jax import numpy as jnp

from perfectplay.simulate.arguments import whole

# Not jax.random: with one key for all games, a step of random play takes six times the processor time with
# threefry and about twenty times with rbg; with a key for each game, as a stream of its own needs, thirty.
_GOLDEN = np.uint32(0x9E3779B9)


def first_words(seed: int, shape: int | tuple[int, ...]) -> Array:
    """Return the first random word of each game, uint32, hashed from the seed and the game's number.

    Two games of one seed almost never start from the same word. But all words lie on the single cycle that
    32 bits allow: among very many games, one sooner or later repeats what another has drawn.

    >>> first_words(seed=0, shape=2).tolist() == first_words(seed=0, shape=3).tolist()[:2]
    True
    """
    axes = axes_of(shape)
    one, two = np.random.SeedSequence(whole("seed", seed, 0)).generate_state(2)
    numbers = jnp.arange(prod(axes), dtype=jnp.uint32)
    words = _mix(_mix(numbers * _GOLDEN + one) ^ two)
    return jnp.where(words == 0, _GOLDEN, words).reshape(axes)  # xorshift maps 0 to 0


def next_words(words: Array) -> Array:
    """Return the next words of the generators, uint32 (xorshift, Marsaglia 2003).

    >>> next_words(np.array([1], np.uint32)).tolist()
    [270369]
    """
    words = words ^ (words << np.uint32(13))
    words = words ^ (words >> np.uint32(17))
    return words ^ (words << np.uint32(5))


def _mix(words: Array) -> Array:
    """Spread every bit over all bits (the finalizer of MurmurHash3); different words stay different."""
    words = (words ^ (words >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    words = (words ^ (words >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return words ^ (words >> np.uint32(16))


def draw_number(words: Array, count: Array) -> Array:
    """Draw a number below `count` from the upper half of each word, which is the more random one."""
    return ((words >> np.uint32(16)) * count) >> np.uint32(16)


def axes_of(shape: int | tuple[int, ...]) -> tuple[int, ...]:
    """Normalize a shape, which may be given as one number."""
    return tuple(whole("shape", axis, 0) for axis in (shape if isinstance(shape, tuple) else (shape,)))
