"""Learners in self-play, in JAX. They are measured exactly as they learn."""

from importlib.util import find_spec

from perfectplay.core.errors import needs

if find_spec("jax") is not None:  # whose import without NumPy fails with another error
    with needs("numpy", "jax"):
        import numpy as _numpy  # noqa: F401
with needs("jax", "jax"):
    import jax as _jax  # noqa: F401
with needs("optax", "jax"):
    import optax as _optax  # noqa: F401
