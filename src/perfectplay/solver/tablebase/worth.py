"""Values and distances in two bytes, so that the largest number is the best for the side to move."""

from perfectplay.core.errors import PerfectplayError
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


def worth_before(worth: int, *, same_side: bool) -> int:
    """What a move is worth to the side that makes it, from what it leads to.

    >>> value_of(worth_before(LOSS + 4, same_side=False)), value_of(worth_before(LOSS + 4, same_side=True))
    (Value(kind='win', plies=5), Value(kind='loss', plies=5))
    """
    value = value_of(worth).before(same_side)
    if value.plies is None:
        return ENDLESS
    if value.plies > LONGEST:
        raise PerfectplayError(f"a game of more than {LONGEST:,} plies cannot be solved with rules on arrays")
    if value.kind == "loss":
        return LOSS + value.plies
    return (TIE if value.kind == "tie" else WIN) + LONGEST - value.plies
