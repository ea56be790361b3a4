"""Games with rules on arrays: solved ply by ply or in sweeps, and kept as a table base."""

from perfectplay.core.errors import needs

with needs("numpy", "rl"):
    import numpy as _numpy  # noqa: F401
