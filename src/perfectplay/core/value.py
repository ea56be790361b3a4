"""What a position is worth under perfect play."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

Kind = Literal["loss", "endless", "tie", "win", "undecided"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds of values, worst first; the last one is what no rule decides."""

_RANK: dict[Kind, int] = {"loss": 0, "endless": 1, "undecided": 1, "tie": 2, "win": 3}
_SEEN_BY_OPPONENT: dict[Kind, Kind] = {"win": "loss", "loss": "win"}


class Value(NamedTuple):
    """The value of a position for one side, and the number of plies until the end.

    A tie is declared by a rule. Endless play is play that neither side can force to end; it has no
    plies. The plies are also None if the value comes from a theory without distances. A value is
    undecided if nobody forces a win and play can get stuck in a dead end: a position without a legal
    move and without an outcome, which only a game that breaks a law has.

    >>> values = [Value("loss", 8), Value("tie", 1), Value("win", 5), Value("endless"), Value("win", 3)]
    >>> [str(value) for value in sorted(values, key=lambda value: value.rank, reverse=True)]
    ['win in 3', 'win in 5', 'tie in 1', 'endless', 'loss in 8']
    """

    kind: Kind
    plies: int | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """The order of preference: an early win, an early tie, endless play, a late loss."""
        plies = self.plies or 0
        return _RANK[self.kind], plies if self.kind == "loss" else -plies

    def before(self, same_side: bool) -> "Value":
        """The value of the move that leads here, for the side that makes it.

        >>> Value("loss", 2).before(same_side=False)
        Value(kind='win', plies=3)
        """
        kind = self.kind if same_side else _SEEN_BY_OPPONENT.get(self.kind, self.kind)
        return Value(kind, None if self.plies is None else self.plies + 1)

    def __str__(self) -> str:
        plies = "" if self.plies is None else f" in {self.plies}"
        return f"{self.kind}{plies}"


def best_of(moves: Iterable[tuple[int, Value]]) -> tuple[int, ...]:
    """The actions with the best value and distance.

    >>> best_of([(0, Value("win", 5)), (1, Value("loss", 4)), (2, Value("win", 5))])
    (0, 2)
    >>> best_of([])
    ()
    """
    known = tuple(moves)
    top = max((value.rank for _, value in known), default=None)
    return tuple(action for action, value in known if value.rank == top)
