"""Random words of 32 bits, one for each game, and what is drawn by them."""

from math import prod

import numpy as np
from jax import Array
from jax import numpy as jnp

from perfectplay.simulate.arguments import whole

_GOLDEN = np.uint32(0x9E3779B9)


def first_words(seed: int, shape: int | tuple[int, ...]) -> Array:
    """A word of 32 bits for each game to draw random numbers from, hashed from the seed and its number.

    No two games of one seed start from the same word but by the rarest chance. Still all lie on the one
    cycle that 32 bits allow: of very many games, one sooner or later draws what another has drawn before.

    >>> first_words(seed=0, shape=2).tolist() == first_words(seed=0, shape=3).tolist()[:2]
    True
    """
    axes = axes_of(shape)
    one, two = np.random.SeedSequence(whole("seed", seed, 0)).generate_state(2)
    numbers = jnp.arange(prod(axes), dtype=jnp.uint32)
    words = _mixed(_mixed(numbers * _GOLDEN + one) ^ two)
    return jnp.where(words == 0, _GOLDEN, words).reshape(axes)  # from 0, xorshift gives nothing but 0


def next_words(words: Array) -> Array:
    """The next words of the generators (xorshift, Marsaglia 2003)."""
    words = words ^ (words << np.uint32(13))
    words = words ^ (words >> np.uint32(17))
    return words ^ (words << np.uint32(5))


def _mixed(words: Array) -> Array:
    """Every bit spread over all (the finish of MurmurHash3); different words stay different."""
    words = (words ^ (words >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    words = (words ^ (words >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return words ^ (words >> np.uint32(16))


def drawn(words: Array, count: Array) -> Array:
    """A number below `count`, by the upper half of each word, which is the better one."""
    return ((words >> np.uint32(16)) * count) >> np.uint32(16)


def axes_of(shape: int | tuple[int, ...]) -> tuple[int, ...]:
    """The axes of an array of a shape, which may be given as one number."""
    return tuple(whole("shape", axis, 0) for axis in (shape if isinstance(shape, tuple) else (shape,)))
