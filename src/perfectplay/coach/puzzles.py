"""Puzzles of the day: positions in which exactly one move keeps the value."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from perfectplay.coach.coach import Coach, reply
from perfectplay.core.errors import ParseError, PerfectplayError, UnknownGameError
from perfectplay.core.formatting import join_words, quote
from perfectplay.core.game import Action, Game
from perfectplay.core.match import Match
from perfectplay.core.value import Value
from perfectplay.core.walks import move_texts, random_walk
from perfectplay.games.registry import game_class, names
from perfectplay.solver.judgement import keepers
from perfectplay.solver.oracle import Oracle
from perfectplay.solver.oracle_cache import oracle_for

GAMES = 40
"""Random games from which a puzzle is taken."""
PLIES = 24
"""How many plies of each random game are looked at: most positions later on are confusing, not hard."""
MANY = 6
"""A win in one move is hard enough to find among this many moves."""
MOST_CHOICES = 3
"""A puzzle asks for at most this many moves in a row."""

DEEP = 5
"""A win that takes at least this many plies is deep."""
DIFFICULTIES = ("easy", "medium", "hard", "hard")
"""By how many of these hold: several moves to find, many to choose from, a deep or endless game."""

_QUESTIONS = {
    "win": "{name} to move. Only one move wins.",
    "tie": "{name} to move. Only one move keeps the tie.",
    "endless": "{name} to move. Only one move does not lose.",
    "undecided": "{name} to move. Only one move does not lose.",
}


class Attempt(NamedTuple):
    """The result of an attempt at a puzzle.

    >>> tried = puzzle("bit-flip", date(2026, 1, 5)).attempt(["2"])
    >>> tried.right, tried.solved, tried.match.plies
    (True, True, 4)
    """

    match: Match[Any]
    """The game up to the puzzle, then the moves and the replies to them; a wrong move is refuted."""
    right: bool
    """Whether every move was the one that keeps the value."""
    solved: bool
    words: tuple[str, ...]
    """What the last move keeps or gives away, and what follows; empty before the first move."""


class Puzzle(NamedTuple):
    """A position in which one move keeps the value and every other gives it away.

    >>> found = puzzle("bit-flip", date(2026, 1, 5))
    >>> found.game.state_text(found.state), found.question
    ('0000001010000100 2', 'Player 2 to move. Only one move wins.')
    """

    day: date
    game: Game[Any]
    state: Any
    moves: tuple[Action, ...]
    """Moves that lead from the start of the game to the position."""
    line: tuple[Action, ...]
    """The moves of the solver and the replies to them, in turn; the last one is the solver's."""

    @property
    def value(self) -> Value:
        """What the position is worth to the side to move."""
        return oracle_for(self.game).value(self.state)

    @property
    def question(self) -> str:
        """The question to the solver, in a sentence or two."""
        name = self.game.side_names[self.game.side_to_move(self.state)]
        return _QUESTIONS[self.value.kind].format(name=name)

    @property
    def difficulty(self) -> str:
        """How hard it is: easy, medium or hard.

        >>> puzzle("bit-flip", date(2026, 1, 5)).difficulty
        'hard'
        """
        plies = self.value.plies
        many = len(self.game.legal_actions(self.state)) >= MANY
        return DIFFICULTIES[(len(self.line) > 1) + many + (plies is None or plies >= DEEP)]

    @property
    def answer(self) -> tuple[str, ...]:
        """The whole line as text."""
        return move_texts(self.game, (*self.moves, *self.line))[len(self.moves) :]

    def attempt(self, moves: Sequence[str]) -> Attempt:
        """Try the solver's moves, given without the replies. Those after a wrong one are not looked at.

        Raises ParseError or IllegalActionError for a move that cannot be played, and ParseError for a move
        after the puzzle has been solved.

        >>> found = puzzle("bit-flip", date(2026, 1, 5))
        >>> tried = found.attempt(["1"])
        >>> tried.right, tried.words[0]
        (False, '1 throws away the win. You lose in 4 moves against best play.')
        >>> found.attempt(["2"]).solved
        True
        """
        match: Match[Any] = Match(self.game)
        for action in self.moves:
            match.play(action)
        coach = Coach(oracle_for(self.game))
        words: tuple[str, ...] = ()
        wanted = iter(self.line)
        solved = False
        for text in moves:
            right = next(wanted, None)
            if right is None:
                raise ParseError(f"the puzzle is solved; {quote(text)} is one move too many")
            state = match.state
            action = self.game.parse_action(state, text)
            match.play(action)
            if action != right:
                words = (coach.judgement(state, action), reply(coach.oracle, state, action))
                if match.result is None:
                    match.play(coach.oracle.tempting(match.state)[0])
                return Attempt(match, right=False, solved=False, words=words)
            wrong = max(
                (move for move in coach.oracle.moves(state) if move.action != right),
                key=lambda move: move.value.rank,
            )
            tempting = f"The tempting move: {coach.judgement(state, wrong.action)}"
            words = (coach.judgement(state, action), *coach.why(state, action), tempting)
            answer = next(wanted, None)
            solved = answer is None
            if answer is not None:
                match.play(answer)
        return Attempt(match, right=True, solved=solved, words=words)


def day_of(text: str) -> date:
    """The day that a text such as 2026-01-05 names. Raises ParseError for any other text."""
    with suppress(ValueError):
        if str(day := date.fromisoformat(text)) == text:  # it reads other forms, too
            return day
    raise ParseError(f"{quote(text)} is not a date such as 2026-01-05")


def puzzle(name: str, day: date) -> Puzzle:
    """The puzzle of a game on a day, the same for everyone.

    The day chooses one setting of the game's family, and then a position of random games with it. A
    position that is won in one move is chosen only if there is no other, and among many moves. Raises
    PerfectplayError if the game has no position with one good move, or is not one of `names()`.

    >>> puzzle("dual-direction", date(2026, 1, 5)).game.spec
    'dual-direction:positions=10'
    """
    try:
        cls = game_class(name)
    except UnknownGameError as error:
        game, colon, _ = name.partition(":")
        if not colon and not game.endswith(".py"):
            raise
        problem = f"there are puzzles of {join_words(names(), 'and')} only, in settings that the day chooses"
        raise PerfectplayError(f"{quote(name, 100)} has no puzzles: {problem}") from error
    found = _puzzle(cls, day)
    if found is None:
        raise PerfectplayError(f"{name} has no puzzles: in no position does exactly one move keep the value")
    return found


def puzzles(day: date, name: str | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a day: of one game, or one for each game that has any.

    >>> [found.game.name for found in puzzles(date(2026, 1, 5), "dual-direction")]
    ['dual-direction']
    """
    if name is not None:
        return (puzzle(name, day),)
    found = (_puzzle(game_class(each), day) for each in names())
    return tuple(each for each in found if each is not None)


@lru_cache(maxsize=64)
def _puzzle(cls: type[Game[Any]], day: date) -> Puzzle | None:
    rng = Random(f"puzzle/{day.isoformat()}/{cls.name}")
    easy: list[Puzzle] = []
    family = cls().texts().family
    for game in [cls.from_spec(each) for each in rng.sample(family, len(family))] or [cls()]:
        oracle = oracle_for(game)
        seen: dict[Any, tuple[Action, ...]] = {}
        for _ in range(GAMES):
            path: list[Action] = []
            for state in islice(random_walk(game, rng, path), PLIES):
                if state not in seen or len(path) < len(seen[state]):
                    seen[state] = tuple(path)
        found = [state for state in seen if _only_move(oracle, state) is not None]
        lasting = [state for state in found if oracle.value(state).plies != 1]
        hard = lasting or [state for state in found if len(game.legal_actions(state)) >= MANY]
        if found:
            state = rng.choice(hard or found)
            made = Puzzle(day, game, state, seen[state], _line(oracle, state))
            if hard:
                return made
            easy.append(made)
    return easy[0] if easy else None


def _only_move(oracle: Oracle[Any], state: Any) -> Action | None:
    """The one move that keeps the value, in a position where every other gives something away."""
    moves = oracle.moves(state)
    keeping = keepers(moves)
    return keeping[0].action if len(keeping) == 1 < len(moves) else None


def _line(oracle: Oracle[Any], state: Any) -> tuple[Action, ...]:
    """Only moves and the replies to them, up to a position with more than one good move."""
    game = oracle.game
    side = game.side_to_move(state)
    line: list[Action] = []
    seen = set()
    while len(line) < 2 * MOST_CHOICES - 1 and state not in seen:
        seen.add(state)
        action = _only_move(oracle, state)
        if action is None:
            break
        line.append(action)
        state = game.apply(state, action)
        if game.outcome(state) is not None or game.side_to_move(state) == side:
            break
        line.append(oracle.tempting(state)[0])
        state = game.apply(state, line[-1])
        if game.side_to_move(state) != side:
            break
    return tuple(line[: len(line) - 1 + len(line) % 2])
