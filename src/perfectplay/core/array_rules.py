"""The rules of a game on arrays of codes, for games with very many positions: see docs/array-rules.md."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic

from perfectplay.core.game import Game, S

Array = Any
"""An array of NumPy or JAX."""
LARGEST_CODE = 64
"""The most bits that a code may have."""


class ArrayRules(ABC, Generic[S]):
    """The rules of a game once more, for many positions at once. `Game.array_rules` returns them.

    A position is a code: a whole number below `2 ** bits`. Equal positions have the same code, and others
    another. `xp` is the module `numpy` or `jax.numpy`; operators such as `&`, `>>` and `+` need neither.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip:bits=4")
    >>> rules = game.array_rules()
    >>> rules.code(game.parse_state("1000 2")), rules.state(0b101)
    (1, State(flipped=5, side=0))
    """

    GOES_ON, LOST, TIED, WON = range(4)
    """How a position has ended for the side whose turn it would be."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    bits: int
    """How many bits a code has."""
    layered: bool = False
    """Whether a position is always reached after the same number of plies."""

    @abstractmethod
    def code(self, state: S) -> int:
        """The code of a position."""

    @abstractmethod
    def state(self, code: int) -> S:
        """The position that has a code."""

    @abstractmethod
    def look(self, xp: Any, codes: Array) -> tuple[Array, Sequence[tuple[Array, Array]]]:
        """How positions have ended, and for each action the codes after it and where it is legal.

        The first array has GOES_ON, LOST, TIED or WON for each code. No move is legal in a position that has
        ended. Where an action is not legal, the code after it means nothing.
        """

    def sides(self, xp: Any, codes: Array) -> Array | None:
        """The side to move in each position, 0 or 1; None if the sides always take turns."""
        return None

    def images(self, xp: Any, codes: Array) -> Sequence[Array]:
        """The codes of the positions that equal each one by symmetry: one array for each symmetry.

        Together with leaving everything as it is, the symmetries must be a group.
        """
        return ()

    def canonical(self, xp: Any, codes: Array) -> Array:
        """For each code, the smallest of the positions that equal it by symmetry."""
        for image in self.images(xp, codes):
            codes = xp.minimum(codes, image)
        return codes
