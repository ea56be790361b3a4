"""Exercises from your own games: moves that gave something away, and when to try again."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from perfectplay.coach.coach import Coach, reply, say_move
from perfectplay.core.errors import ParseError
from perfectplay.core.limits import LONGEST_START
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.solver.judgement import keepers
from perfectplay.solver.oracle import Oracle

INTERVALS = (1, 3, 7, 14, 30, 60, 120)
"""After how many days an exercise comes back that was solved once, twice, ... since it was last failed."""
MOST_EXERCISES = 1_000
"""Of more than these, those that are due last are dropped."""
MOST_KEPT_ATTEMPTS = 20
"""How many attempts at an exercise are kept, the newest."""

_TASKS = {
    "win": "Find a move that keeps the win.",
    "tie": "Find a move that keeps the tie.",
    "endless": "Find a move that does not lose.",
    "undecided": "Find a move that does not lose.",
}


class Trial(NamedTuple):
    """A day on which an exercise was tried, and whether it was solved."""

    day: date
    solved: bool


class Exercise(NamedTuple):
    """A position of a game that you played, in which you gave something away."""

    game: str
    """The spec of the game."""
    position: str
    """The position, as records write it."""
    key: str
    """The text of the canonical position. With `game`, it names the exercise."""
    played: str
    """The move that gave something away, or `forfeit`."""
    attempts: tuple[Trial, ...]
    """Oldest first. The game itself is a failed attempt."""

    @property
    def due(self) -> date:
        """The day from which to try it again; see `due_on`."""
        return due_on(self.attempts)

    def add_trial(self, day: date, *, solved: bool) -> "Exercise":
        """The exercise after one more attempt."""
        return self._replace(attempts=(*self.attempts, Trial(day, solved))[-MOST_KEPT_ATTEMPTS:])

    def question(self, oracle: Oracle[Any]) -> str:
        """The task in words."""
        game, state = oracle.game, self._state(oracle)
        return f"{game.side_names[game.side_to_move(state)]} to move. {_TASKS[oracle.value(state).kind]}"

    def solutions(self, oracle: Oracle[Any]) -> tuple[str, ...]:
        """Every move that solves it."""
        return tuple(move.text for move in keepers(oracle.moves(self._state(oracle))))

    def answer(self, move: str, oracle: Oracle[Any]) -> "Answer":
        """Judge an answer. Raises ParseError or IllegalActionError for a move that cannot be played."""
        game, state = oracle.game, self._state(oracle)
        action = game.parse_action(state, move)
        game.play(state, action)  # raises IllegalActionError
        words = (Coach(oracle).judgement(state, action), reply(oracle, state, action))
        solved = any(each.action == action for each in keepers(oracle.moves(state)))
        return Answer(solved, words)

    def recount(self, oracle: Oracle[Any]) -> tuple[str, ...]:
        """What the move in the game gave away, and what it led to."""
        if self.played == "forfeit":
            return ("In the game you forfeited the turn here.",)
        judgement, after = self.answer(self.played, oracle).words
        state = self._state(oracle)
        played = say_move(oracle.game, state, oracle.game.parse_action(state, self.played))
        return (f"In the game you played {played} here.", judgement, after)

    def describe(self, oracle: Oracle[Any]) -> dict[str, Any]:
        """Everything that a page needs to ask it and to judge each answer, as JSON."""
        moves = oracle.moves(self._state(oracle))
        answers = [self.answer(move.text, oracle) for move in moves]
        return {
            "game": self.game,
            "title": oracle.game.title,
            "position": self.position,
            "key": self.key,
            "played": self.played,
            "question": self.question(oracle),
            "moves": [
                {
                    "action": move.action,
                    "text": move.text,
                    "solves": answer.solved,
                    "words": list(answer.words),
                }
                for move, answer in zip(moves, answers, strict=True)
            ],
            "led_to": list(self.recount(oracle)),
        }

    def as_dict(self) -> dict[str, Any]:
        """The exercise as JSON, as `read_exercises` reads it."""
        return {**self._asdict(), "attempts": [[day.isoformat(), solved] for day, solved in self.attempts]}

    def _state(self, oracle: Oracle[Any]) -> Any:
        state = oracle.game.parse_state(self.position)
        if len(keepers(moves := oracle.moves(state))) == len(moves):
            raise ParseError(f"no move gives anything away in {self.position!r}")
        return state


class Answer(NamedTuple):
    """Whether a move solves an exercise, and what it leads to in words."""

    solved: bool
    words: tuple[str, ...]


def due_on(attempts: Sequence[Trial]) -> date:
    """The day from which to try an exercise again.

    One that was failed last is due on the same day. One that was solved last is due after the interval for
    the number of days on which it was solved since it was last failed.
    """
    days: set[date] = set()
    for day, solved in attempts:
        days = days | {day} if solved else set()
    last = attempts[-1].day
    return last + timedelta(INTERVALS[min(len(days), len(INTERVALS)) - 1]) if days else last


def due_exercises(exercises: Iterable[Exercise], today: date) -> tuple[Exercise, ...]:
    """The exercises to try today, the one that is due longest first."""
    return tuple(sorted((each for each in exercises if each.due <= today), key=lambda each: each.due))


def find_exercises(
    match: Match[Any], oracle: Oracle[Any], sides: Iterable[Side], day: date
) -> tuple[Exercise, ...]:
    """An exercise for every move of these sides that gave something away, each position once."""
    game = match.game
    found: tuple[Exercise, ...] = ()
    for judged in oracle.regret(match.record()).plies:
        state = match.positions[judged.ply - 1]
        moves = oracle.moves(state)
        # Where no legal move gives anything away, only an invalid one did.
        if judged.side not in sides or judged.kept or len(keepers(moves)) == len(moves):
            continue
        key = game.state_text(game.canonical(state))
        attempt = Trial(day, solved=False)
        made = Exercise(game.spec, game.state_text(state), key, judged.text, (attempt,))
        found = merge(found, [made])
    return found


def merge(known: Iterable[Exercise], new: Iterable[Exercise]) -> tuple[Exercise, ...]:
    """All exercises, with those that are equal by symmetry joined: the newest position, and all attempts."""
    found = {(each.game, each.key): each for each in known}
    for each in new:
        before = found.get((each.game, each.key))
        attempts = each.attempts
        if before is not None:
            attempts = (*before.attempts, *(one for one in attempts if one != before.attempts[-1]))
        found[each.game, each.key] = each._replace(attempts=attempts[-MOST_KEPT_ATTEMPTS:])
    kept = set(sorted(found, key=lambda name: found[name].due)[:MOST_EXERCISES])
    return tuple(each for name, each in found.items() if name in kept)


def read_exercises(data: object) -> tuple[Exercise, ...]:
    """Exercises from JSON data. Raises ParseError for anything that `as_dict` does not make."""
    if not isinstance(data, list):
        raise ParseError("the exercises are not a list")
    return tuple(_read(each, number) for number, each in enumerate(data[:MOST_EXERCISES], start=1))


def _read(data: object, number: int) -> Exercise:
    try:
        if not isinstance(data, dict) or data.keys() != set(Exercise._fields):
            raise ValueError
        game, position, key, played = (_text(data[name]) for name in ("game", "position", "key", "played"))
        attempts = [Trial(date.fromisoformat(day), solved) for day, solved in data["attempts"]]
        if not attempts or not all(isinstance(each.solved, bool) for each in attempts):
            raise ValueError
    except (TypeError, ValueError) as error:
        raise ParseError(f"exercise {number} is damaged") from error
    return Exercise(game, position, key, played, tuple(attempts[-MOST_KEPT_ATTEMPTS:]))


def _text(data: object) -> str:
    if not isinstance(data, str) or not data.isprintable() or len(data) > LONGEST_START:
        raise ValueError
    return data
