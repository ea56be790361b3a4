"""Values and distances in two bytes, so that the largest number is the best for the side to move."""

from typing import Any

from perfectplay.core.value import Value

LONGEST = (1 << 14) - 1
"""The longest distance in plies."""
LOSS, ENDLESS, TIE, WIN = (kind << 14 for kind in range(4))
ENDS = (ENDLESS, LOSS, TIE + LONGEST, WIN + LONGEST)
"""What positions are worth that go on, as long as nothing is known, and that are lost, tied and won."""


def value_of(worth: int) -> Value:
    """Two bytes as a value.

    >>> [str(value_of(each)) for each in (LOSS + 4, ENDLESS, TIE + LONGEST - 2, WIN + LONGEST - 1)]
    ['loss in 4', 'endless', 'tie in 2', 'win in 1']
    """
    kind, rest = divmod(worth, LONGEST + 1)
    if kind == 1:
        return Value("endless")
    return Value("loss", rest) if kind == 0 else Value("tie" if kind == 2 else "win", LONGEST - rest)


def worths_before(xp: Any, worths: Any, *, same_side: bool) -> Any:
    """What moves are worth to the side that makes them, from what they lead to, in arrays of uint16.

    >>> import numpy as np
    >>> after = np.array([LOSS + 4, ENDLESS, TIE + LONGEST, WIN + LONGEST - 3], np.uint16)
    >>> [str(value_of(int(each))) for each in worths_before(np, after, same_side=False)]
    ['win in 5', 'endless', 'tie in 1', 'loss in 4']
    >>> [str(value_of(int(each))) for each in worths_before(np, after, same_side=True)]
    ['loss in 5', 'endless', 'tie in 1', 'win in 4']
    """
    loss, win = (worths + 1, worths - 1) if same_side else (WIN + LONGEST - 1 - worths, 0 - worths)
    middle = xp.where(worths < TIE, worths, worths - 1)
    return xp.where(worths < ENDLESS, loss, xp.where(worths < WIN, middle, win))
