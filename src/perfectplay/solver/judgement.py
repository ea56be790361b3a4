"""How good the moves of a played game were."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from perfectplay.core.game import Action
from perfectplay.core.outcome import Side
from perfectplay.core.value import ChartPoint, Value, chart_points
from perfectplay.render.charts import draw_game
from perfectplay.render.html import write_part, write_table, write_value

Mark = Literal[
    "best",
    "only move",
    "slower win",
    "slower tie",
    "quicker loss",
    "threw away the win",
    "gave up the tie",
    "let the draw by repetition go",
    "lost an undecided game",
    "undecided",
    "forfeit",
]


class Scored(NamedTuple):
    """A legal move with its value for the side that makes it."""

    action: Action
    text: str
    value: Value


def keepers(moves: Sequence[Scored]) -> list[Scored]:
    """The moves that keep the value of the position."""
    best = max((move.value.rank[0] for move in moves), default=0)
    return [move for move in moves if move.value.rank[0] == best]


class Scores(tuple[Scored, ...]):
    """The moves of a position with their values: a tuple that notebooks show as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return write_table("", ["move", "value"], [[move.text, write_value(move.value)] for move in self])


class Judged(NamedTuple):
    """A ply of a played game, compared with the best move."""

    ply: int
    side: Side
    text: str
    mark: Mark
    best: Value
    played: Value
    could_err: bool
    """Whether some legal move or the forfeited turn loses value, so that the ply counts for accuracy."""

    @property
    def kept(self) -> bool:
        """Whether the ply did not lose value. A forfeit may even gain."""
        return self.played.rank[0] >= self.best.rank[0]


class Regret(NamedTuple):
    """Every ply of a record judged, with the accuracy of each side.

    Accuracy is the share of plies that kept the value, among those where some legal move or the
    forfeited turn loses value; None for a side that never had such a choice. Resigning a game that was
    not lost is one more choice, and keeps nothing.
    """

    plies: tuple[Judged, ...]
    accuracy: tuple[float | None, float | None]
    resigned: tuple[Side, Value] | None = None
    """The side that resigned a game that was not lost, and what it was worth to that side."""

    @property
    def chart(self) -> tuple[ChartPoint, ...]:
        """What the game was worth to the first side, at the start and after each ply.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> [(point.kind, point.plies) for point in pp.solve(match.game).regret(match.record()).chart]
        [('win', 5), ('loss', 3)]
        """
        values = [(_for_first(each.side, each.best), False) for each in self.plies[:1]]
        values += [(_for_first(each.side, each.played, 1), not each.kept) for each in self.plies]
        if self.resigned is not None:
            side, value = self.resigned
            values = values or [(_for_first(side, value), False)]
            values.append((_for_first(side, Value("loss", 0)), True))
        return chart_points(values)

    def _repr_html_(self) -> str:
        """A chart and a table of the moves, for notebooks."""
        rows = [
            [str(each.ply), each.text, each.mark, write_value(each.best), write_value(each.played)]
            for each in self.plies
        ]
        shares = ", ".join("no choices" if share is None else f"{share:.0%}" for share in self.accuracy)
        table = write_table(f"Accuracy: {shares}", ["ply", "move", "mark", "best", "played"], rows)
        return write_part([draw_game(self.chart, ("The first side", "The second side")), table])


def _for_first(side: Side, value: Value, elapsed: int = 0) -> Value:
    """A value of `side` as the first side sees it, `elapsed` plies later."""
    kind = value.before(same_side=side == 0).kind
    return Value(kind, None if value.plies is None else value.plies - elapsed)


def mark_of(best: Value, played: Value, moves: tuple[Scored, ...]) -> Mark:
    """The mark of a move, from its value and that of the position."""
    if best.kind == "undecided" and played.kind != "loss":
        only = len(moves) > 1 and sum(move.value.kind != "loss" for move in moves) == 1
        return "only move" if only else "undecided"
    if played.kind == best.kind:
        if played.rank == best.rank:
            only = len(moves) > 1 and sum(move.value.kind == best.kind for move in moves) == 1
            return "only move" if only else "best"
        slower: dict[str, Mark] = {"win": "slower win", "tie": "slower tie", "loss": "quicker loss"}
        return slower[best.kind]
    lost: dict[str, Mark] = {
        "win": "threw away the win",
        "tie": "gave up the tie",
        "endless": "let the draw by repetition go",
        "undecided": "lost an undecided game",
    }
    return lost[best.kind]


def accuracy(judged: Sequence[Judged], side: Side, *, resigned: bool = False) -> float | None:
    """The share of a side's plies that kept the value, among those that could lose it.

    `resigned` says that the side resigned a game that was not lost.
    """
    counted = [each for each in judged if each.side == side and each.could_err]
    choices = len(counted) + resigned
    return sum(each.kept for each in counted) / choices if choices else None
