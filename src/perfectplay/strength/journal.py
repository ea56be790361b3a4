"""What you played, as data: a row for each game, and the exercises from it. It has no records of games."""

import json
from collections.abc import Mapping
from datetime import date
from itertools import pairwise
from math import fsum, isfinite
from typing import Any, Literal, NamedTuple, get_args

from perfectplay.coach.exercises import Exercise, find_exercises, merge, read_exercises
from perfectplay.core.errors import ParseError
from perfectplay.core.limits import LONGEST_SPEC
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.players.level import LevelPlayer
from perfectplay.solver.oracle import Oracle
from perfectplay.strength.points import share_kept

VERSION = 1
MOST_KEPT = 10_000
"""Of more games than this, the oldest are dropped."""
MOST_DECISIONS = 1_000_000
"""The most decisions that a game from elsewhere may have."""
CARELESS = LevelPlayer(1)

Ending = Literal["won", "lost", "tied", "unfinished"]
ENDINGS: tuple[Ending, ...] = get_args(Ending)


class PlayedGame(NamedTuple):
    """A game as one person played it: how it ended, and what became of the decisions in it.

    A decision is a move where some legal move gives the value of the position away. Resigning a game that
    was not lost is one more.
    """

    day: date
    game: str
    """The spec of the game."""
    opponent: str
    """The spec of the opponent; `human` for a person."""
    side: Side
    result: Ending
    decisions: int
    kept: int
    """How many decisions kept the value."""
    guess: float
    """How many a random move is expected to keep."""
    slips: float
    """How many are lost by a player of the levels 1 to 10 who slips every time."""
    assisted: bool
    """Whether the person had hints."""

    def as_dict(self) -> dict[str, Any]:
        """The row as JSON."""
        return {**self._asdict(), "day": self.day.isoformat()}


def summarize_game(
    match: Match[Any], oracle: Oracle[Any], side: Side, opponent: str, day: date
) -> PlayedGame:
    """A finished game as the person on `side` played it."""
    regret = oracle.regret(match.record())
    decided = [each for each in regret.plies if each.side == side and each.could_err]
    moves = [oracle.moves(match.positions[each.ply - 1]) for each in decided]
    resigned = regret.resigned is not None and regret.resigned[0] == side
    slips = []
    for each, legal in zip(decided, moves, strict=True):
        chances = CARELESS.chances(match.game, match.positions[each.ply - 1])
        wrong = [move.action for move in legal if move.value.rank[0] < each.best.rank[0]]
        slips.append(fsum(chances.get(action, 0.0) for action in wrong) / CARELESS.slip)
    result: Ending = "unfinished"
    if match.result is not None and match.result.finished:
        result = "tied" if match.result.winner is None else "won" if match.result.winner == side else "lost"
    return PlayedGame(
        day,
        match.game.spec,
        opponent,
        side,
        result,
        decisions=len(decided) + resigned,
        kept=sum(each.kept for each in decided),
        guess=fsum(map(share_kept, moves)),
        slips=fsum(slips),
        assisted=side in match.assisted,
    )


class Journal(NamedTuple):
    """The games that a person played, oldest first, and their exercises."""

    games: tuple[PlayedGame, ...] = ()
    exercises: tuple[Exercise, ...] = ()

    @classmethod
    def of_game(
        cls, match: Match[Any], oracle: Oracle[Any], people: Mapping[Side, str], day: date
    ) -> "Journal":
        """The journal of one game; `people` are the sides played here, with their opponents.

        Where both sides are, nobody knows which of the two somebody is: their mistakes become exercises,
        but the game is not counted. Nor is one that began in the middle.
        """
        whole = match.positions[0] == match.game.initial()
        counted = people if len(people) == 1 and whole else {}
        games = (summarize_game(match, oracle, side, opponent, day) for side, opponent in counted.items())
        return cls(tuple(games), find_exercises(match, oracle, people, day))

    def join(self, later: "Journal") -> "Journal":
        """This journal with everything of a later one."""
        return Journal((*self.games, *later.games)[-MOST_KEPT:], merge(self.exercises, later.exercises))

    def add_trial(self, exercise: Exercise, day: date, *, solved: bool) -> "Journal":
        """The journal after an attempt at one of its exercises."""
        attempted = [
            each.add_trial(day, solved=solved)
            if (each.game, each.key) == (exercise.game, exercise.key)
            else each
            for each in self.exercises
        ]
        return self._replace(exercises=tuple(attempted))

    def __str__(self) -> str:
        """The journal as text, one game or exercise in each line."""
        parts = [
            f'"{name}": [{",".join(f"{chr(10)}  {json.dumps(each.as_dict())}" for each in rows)}]'
            for name, rows in (("games", self.games), ("exercises", self.exercises))
        ]
        return f'{{"version": {VERSION},\n{parts[0]},\n{parts[1]}}}\n'

    @classmethod
    def parse(cls, text: str) -> "Journal":
        """Read a journal. Raises ParseError for what is not one; nothing that it names is run or loaded."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ParseError("it is not JSON") from error
        if not isinstance(data, dict) or not isinstance(data.get("games"), list):
            raise ParseError("it is not a journal of games")
        if data.get("version") != VERSION:
            raise ParseError(f"only version {VERSION} of the format is supported")
        games = [_read_game(each, number) for number, each in enumerate(data["games"][-MOST_KEPT:], start=1)]
        return cls(tuple(games), read_exercises(data.get("exercises")))


def _read_game(data: object, number: int) -> PlayedGame:
    try:
        if not isinstance(data, dict):
            raise TypeError
        game = PlayedGame(**data | {"day": date.fromisoformat(data["day"])})
        texts = (game.game, game.opponent)
        if not all(isinstance(each, str) and each.isprintable() for each in texts):
            raise ValueError
        if max(map(len, texts)) > LONGEST_SPEC or game.side not in (0, 1) or game.result not in ENDINGS:
            raise ValueError
        counts: list[float] = [0, game.kept, game.decisions, MOST_DECISIONS]
        if type(game.assisted) is not bool or not all(type(each) is int for each in counts):
            raise ValueError
        if not all(isfinite(each) and 0 <= each <= game.decisions for each in (game.guess, game.slips)):
            raise ValueError
        if any(low > high for low, high in pairwise(counts)):
            raise ValueError
    except (TypeError, ValueError, KeyError) as error:
        raise ParseError(f"game {number} is damaged") from error
    return game
