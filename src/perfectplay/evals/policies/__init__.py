"""The exact measure of policies, over all positions of a game as arrays. Needs NumPy."""

from perfectplay.core.errors import needs

with needs("numpy", "rl"):
    import numpy as _numpy  # noqa: F401
