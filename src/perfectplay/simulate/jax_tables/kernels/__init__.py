"""Games that no table can hold, in JAX, each in a module named after its game."""
