"""How a person is doing: results, accuracy over time, and the level that they play like."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import Any, NamedTuple

from perfectplay.core.formatting import natural_order
from perfectplay.players.level import LEVELS, LevelPlayer
from perfectplay.strength.journal import ENDINGS, PlayedGame
from perfectplay.strength.statistics import compare_levels, correct_for_guessing, correct_kept

MOST_PERIODS = 30
"""Games are joined to at most this many periods."""


class Period(NamedTuple):
    """Some games in a row: how many, and the decisions in them."""

    games: int
    decisions: int
    kept: int

    @property
    def accuracy(self) -> float | None:
        """The share of decisions that kept the value; None if there were none."""
        return self.kept / self.decisions if self.decisions else None


class History(NamedTuple):
    """What a person played in one setting of a game.

    Games with hints count as games, but their decisions do not.
    """

    game: str
    results: dict[str, dict[str, int]]
    """By opponent, how many games were won, lost, tied and left unfinished."""
    assisted: int
    """How many games had hints."""
    total: Period
    """All games without hints."""
    periods: tuple[Period, ...]
    """The same, oldest first."""
    plays_like: tuple[int | str, int | str, int | str] | None
    """The level, and the levels at the ends of its 95% interval; None if too little is known."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(sum(counts.values()) for counts in self.results.values())

    def as_dict(self) -> dict[str, Any]:
        """The history as JSON."""
        total, periods = self.total, self.periods
        return {
            **self._asdict(),
            "games": self.games,
            "total": {**total._asdict(), "accuracy": total.accuracy},
            "periods": [{**each._asdict(), "accuracy": each.accuracy} for each in periods],
        }


def histories(games: Iterable[PlayedGame]) -> tuple[History, ...]:
    """The history of each game and setting, the one that was played last first."""
    found: dict[str, list[PlayedGame]] = {}
    for each in games:
        found[each.game] = [*found.pop(each.game, ()), each]
    return tuple(_history(game, rows) for game, rows in reversed(found.items()))


def _history(game: str, rows: Sequence[PlayedGame]) -> History:
    results: dict[str, dict[str, int]] = {
        opponent: dict.fromkeys(ENDINGS, 0)
        for opponent in sorted({row.opponent for row in rows}, key=natural_order)
    }
    for row in rows:
        results[row.opponent][row.result] += 1
    alone = [row for row in rows if not row.assisted]
    size = -(-len(alone) // MOST_PERIODS) or 1
    parts = [alone[start : start + size] for start in range(0, len(alone), size)]
    periods = tuple(map(_period, parts))
    return History(game, results, len(rows) - len(alone), _period(alone), periods, plays_like(alone))


def _period(rows: Sequence[PlayedGame]) -> Period:
    return Period(len(rows), sum(row.decisions for row in rows), sum(row.kept for row in rows))


def plays_like(rows: Sequence[PlayedGame]) -> tuple[int | str, int | str, int | str] | None:
    """The level that a person plays like, and the ends of its interval; each game is a cluster.

    The levels are measured in the very decisions that the person met, so the opponents do not matter: a
    level slips with a known probability, and `slips` says how many decisions that loses.
    """
    decisions, guess, slips = (
        fsum(getattr(row, name) for row in rows) for name in ("decisions", "guess", "slips")
    )
    if not slips or decisions - guess < 1e-9:
        return None
    found = correct_kept((number, row.kept, row.decisions, row.guess) for number, row in enumerate(rows))
    if found is None or found.interval is None:
        return None
    share = guess / decisions
    scale = {
        level: correct_for_guessing(1 - LevelPlayer(level).slip * slips / decisions, share)
        for level in LEVELS
    }
    return compare_levels(scale, found.value, found.interval)
