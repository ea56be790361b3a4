"""What a position is worth under perfect play."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from perfectplay.core.formatting import pluralize

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


class ChartPoint(NamedTuple):
    """A point in the chart of a played game: what a position was worth to the first side."""

    ply: int
    """The plies before the position. A resignation counts as one more."""
    kind: Kind
    plies: int | None
    mistake: bool
    """Whether the last ply gave something away."""
    height: float
    """From -1, a lost game, to 1, a won one: the closer the end, the further from 0, where nobody wins."""

    def describe(self, names: Sequence[str]) -> str:
        """The point in words, with the names of both sides."""
        if self.kind not in ("win", "loss"):
            words = {"tie": "a tie", "endless": "endless play"}.get(self.kind, self.kind)
        elif self.plies == 0:
            return f"{names[self.kind == 'loss']} has won"
        else:
            words = f"{names[self.kind == 'loss']} wins"
        return f"{words} in {pluralize(self.plies, 'move', 'moves')}" if self.plies else words


def chart_points(values: Iterable[tuple[Value, bool]]) -> tuple[ChartPoint, ...]:
    """The points of a chart, from the values for the first side after each ply, and which were mistakes."""
    found = list(values)
    longest = max((value.plies or 1 for value, _ in found if value.kind in ("win", "loss")), default=1)
    points = []
    for ply, (value, mistake) in enumerate(found):
        near = 1 - 0.75 * (longest if value.plies is None else value.plies) / longest
        height = {"win": round(near, 2), "loss": -round(near, 2)}.get(value.kind, 0.0)
        points.append(ChartPoint(ply, value.kind, value.plies, mistake, height))
    return tuple(points)


def best_of(moves: Iterable[tuple[int, Value]]) -> tuple[int, ...]:
    """The actions with the best value and distance."""
    known = tuple(moves)
    top = max((value.rank for _, value in known), default=None)
    return tuple(action for action, value in known if value.rank == top)
