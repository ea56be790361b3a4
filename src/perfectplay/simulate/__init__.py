"""Games as arrays: tables of everything about a game, and batches of games stepped together. Needs NumPy.

>>> from perfectplay.simulate import BatchedGame
>>> batch = BatchedGame("bit-flip", 1024, seed=1)
>>> seen = batch.step(batch.random_actions())
>>> seen.observation.shape, seen.legal.shape, seen.reward.shape
((1024, 10, 2), (1024, 10), (1024, 2))
"""

from perfectplay.core.errors import needs
from perfectplay.core.value import KINDS

with needs("numpy", "rl"):
    import numpy as _numpy  # noqa: F401

from perfectplay.simulate.batch import BatchedGame
from perfectplay.simulate.kernel import Batch
from perfectplay.simulate.observation import Observer, observer_for
from perfectplay.simulate.positions import TableSizeError, horizon_for
from perfectplay.simulate.single import SingleGame, single_game
from perfectplay.simulate.single.base import Row
from perfectplay.simulate.table import OUTCOMES, PositionTable, tabulate

__all__ = [
    "KINDS",
    "OUTCOMES",
    "Batch",
    "BatchedGame",
    "Observer",
    "PositionTable",
    "Row",
    "SingleGame",
    "TableSizeError",
    "horizon_for",
    "observer_for",
    "single_game",
    "tabulate",
]
