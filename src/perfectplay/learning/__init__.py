"""Learners in self-play, in JAX. They are measured exactly as they learn."""

from perfectplay.core.errors import needs

with needs("numpy", "jax"):  # the import of JAX without it fails with another error
    import numpy as _numpy  # noqa: F401
with needs("jax", "jax"):
    import jax as _jax  # noqa: F401
with needs("optax", "jax"):
    import optax as _optax  # noqa: F401
