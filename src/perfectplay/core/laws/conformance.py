"""Checks that a game keeps the laws of `Game`. Authors of new games can run it too."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from os.path import basename, dirname, join
from random import Random
from traceback import extract_tb
from typing import Any, Generic, NamedTuple

from perfectplay.core.errors import ConformanceError, ParseError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game, S, expect_game
from perfectplay.core.laws.game_laws import GAME_LAWS, fits_a_record, look
from perfectplay.core.laws.state_laws import (
    CORE_LAWS,
    LAWS,
    REPEATABLE,
    STATE_LAWS,
    Check,
    Facts,
    difference,
    facts,
    sample_evenly,
)
from perfectplay.core.walks import BreadthFirst, MoveSequence, deep_walk, positions, steps

__all__ = ["LAWS", "Violation", "by_problem", "check_game", "find_broken_laws", "positions_checked"]


STATES, WALKS = 2000, 20
CORE = join(dirname(dirname(__file__)), "")
"""Errors raised in this folder are ours, not the game's."""
FEWEST = 20
"""The fewest positions checked, however many actions a game has."""
WORK = 2_000_000
"""The most work to spend. More actions and cells make the laws slower on each position."""
PLIES = 20_000
"""Plies in all random games together. Each game may take half of what is left."""
LONGEST_PLACE = 300
"""The most characters of a position shown in a violation."""
STOPPED = "while playing"
"""The place given for a violation when the game could not continue."""
SHORTEST = 100
"""Plies that every random game may take, even once the total is used up."""


class Violation(NamedTuple):
    """A broken law: the problem, the position, and the moves from the start that lead there."""

    law: str
    problem: str
    where: str = "the game itself"
    path: MoveSequence = ()

    def __str__(self) -> str:
        return f"{self.problem} ({self.where})"


def by_problem(broken: Sequence[Violation]) -> list[tuple[tuple[str, ...], Violation]]:
    """Group violations by problem, with the laws each breaks: one error can break several laws."""
    found: dict[tuple[str, str], list[Violation]] = {}
    for each in broken:
        found.setdefault((each.problem, each.where), []).append(each)
    return [(tuple(each.law for each in same), same[0]) for same in found.values()]


def check_game(game: Game[Any], *, states: int = STATES, walks: int = WALKS, seed: int = 0) -> None:
    """Check the laws that everything built on a game relies on.

    Checks the first `states` positions in order of play (fewer if the game has very many actions)
    and `walks` random games. Raises ConformanceError with one witness per broken law.

    >>> import perfectplay as pp
    >>> pp.check_game(pp.load("bit-flip"))
    """
    broken = find_broken_laws(game, states=states, walks=walks, seed=seed)
    if broken:
        raise ConformanceError(game.name, {each.law: str(each) for each in broken})


def find_broken_laws(
    game: Game[Any], *, states: int = STATES, walks: int = WALKS, seed: int = 0
) -> tuple[Violation, ...]:
    """The laws that a game breaks, each with its first witness; empty if it keeps them all."""
    expect_game(game)
    check = _Check(game)
    check.game_laws()
    if not check.broken:
        check.positions(positions_checked(game, states), walks, Random(seed))
    return tuple(check.broken.values())


def positions_checked(game: Game[Any], states: int = STATES) -> int:
    """In how many positions at most every law is checked: fewer if a game has very many actions."""
    return min(states, max(FEWEST, WORK // _work(game)))


def _work(game: Game[Any]) -> int:
    """Estimated work of checking one position: each action tried may be looked up among all actions."""
    try:
        cells = sum(map(len, game.view(game.initial()).rows))
    except Exception:  # noqa: BLE001 - a law reports it
        cells = 0
    return game.num_actions * len(sample_evenly(range(game.num_actions))) + 4 * cells


class _Check(Generic[S]):
    """A check in progress: the positions seen so far, and the laws found broken."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.broken: dict[str, Violation] = {}
        self.seen: dict[S, Facts] = {}
        self.walk: BreadthFirst[S, Action | None] = BreadthFirst([], self._steps)
        self.most, self.whole = 0, True
        """How many positions to check at most, and whether there are no more."""
        self.looks: dict[Hashable, S] = {}
        self.here: Callable[[], MoveSequence] = tuple
        """Returns the moves that lead to the current position."""

    def game_laws(self) -> None:
        for law, check in GAME_LAWS.items():
            if (problem := _problem(partial(check, self.game))) is not None:
                self.broken[law] = Violation(law, problem)

    def positions(self, states: int, walks: int, rng: Random) -> None:
        """Check the first positions, then random games if there are more; stop if the game crashes."""
        try:
            self.most = states
            self.walk = BreadthFirst([self.game.initial()], self._steps)
            self._first_positions()
            if not self.whole:
                self._random_games(walks, states // max(1, walks), rng)
        except Exception as error:  # noqa: BLE001 - the game broke while being played
            problem = f"play stopped with {type(error).__name__}: {error}"
            self.broken.setdefault("apply", Violation("apply", problem, STOPPED, self.here()))
        if not self.broken:
            self._ask_again()

    def judge(self, law: str, check: Callable[[], Iterator[str]], state: S) -> None:
        """Record a violation of a law in a position, unless the law is already broken."""
        if law not in self.broken and (problem := _problem(check)) is not None:
            self.broken[law] = Violation(law, problem, place(self.game, state), self.here())

    def judge_all(self, laws: Mapping[str, Check], state: S) -> None:
        for law, check in laws.items():
            self.judge(law, partial(check, self.game, state), state)

    def _first_positions(self) -> None:
        """Check the first positions, in order of play."""
        for state in self.walk:
            self.here = partial(self.walk.path, state)
            self.judge_all(STATE_LAWS, state)
            if not self.broken:  # otherwise the position may have changed
                self.judge("view", partial(self._looks_new, state), state)
            if state not in self.seen:
                self.seen[state] = facts(self.game, state)  # raises again, but a law has reported why
        self.judge("view", self._shows_something, state)

    def _steps(self, state: S) -> Iterator[tuple[Action | None, S]]:
        """The steps to new positions, unless there are enough. A position met again must be as it was."""
        for action, after in steps(self.game, forfeits=True)(state):
            if after in self.seen:
                self.here = partial(self._path_by, state, action)
                self.judge(REPEATABLE, partial(self._same, after), after)
            elif after not in self.walk.parents:
                if len(self.walk.parents) < self.most:
                    with suppress(Exception):
                        self.seen[after] = facts(self.game, after)
                    yield action, after
                else:
                    self.whole = False

    def _path_by(self, state: S, action: Action | None) -> MoveSequence:
        return (*self.walk.path(state), action)

    def _looks_new(self, state: S) -> Iterator[str]:
        alike = self.looks.setdefault(look(self.game, state), state)
        if alike != state:
            yield f"the view looks the same as in {place(self.game, alike)}"

    def _shows_something(self) -> Iterator[str]:
        lines = (line for state in self.seen for line in self.game.view(state).as_text())
        if len(self.seen) > 1 and not any(line.strip() for line in lines):
            yield "the view is empty in every position"

    def _same(self, state: S) -> Iterator[str]:
        """Check that an equal position gives the same facts as when it was first seen."""
        told, again = self.seen[state], facts(self.game, state)
        if told != again:
            yield f"the same position gives different answers: {difference(self.game, told, again)}"

    def _random_games(self, walks: int, share: int, rng: Random) -> None:
        """Check the cheap laws at every ply, and all laws on the last `share` plies of each game."""
        visited = set(map(hash, self.walk.parents))
        left = PLIES
        for _ in range(walks):
            path: list[Action] = []
            last: deque[tuple[S, int]] = deque()
            allowed = max(SHORTEST, left // 2)
            self.here = partial(tuple, path)
            for state, cost in deep_walk(self.game, rng, visited, path):
                self.judge_all(CORE_LAWS, state)
                if state in self.seen:
                    self.judge(REPEATABLE, partial(self._same, state), state)
                last.append((state, len(path)))
                while len(last) > max(2, share // cost):
                    last.popleft()
                left -= cost
                allowed -= cost
                if allowed <= 0:
                    break
            for state, plies in last:
                self.here = partial(tuple, path[:plies])
                self.judge_all(STATE_LAWS, state)

    def _ask_again(self) -> None:
        """Check every position again, in reverse: earlier questions must not change the answers."""
        left = PLIES
        for state in reversed(self.seen):
            path = self.walk.path(state)
            self.here = partial(tuple, path)
            # Replayed from the start while the budget lasts, otherwise checked as it is.
            left -= len(path)
            check = partial(self._as_before, state, path) if left >= 0 else partial(self._same, state)
            self.judge(REPEATABLE, check, state)

    def _as_before(self, state: S, path: MoveSequence) -> Iterator[str]:
        *_, again = positions(self.game, path)
        if again != state:
            yield f"the moves that led here now lead to {place(self.game, again)}"
        yield from self._same(again)


def place(game: Game[S], state: S) -> str:
    """A position as shown in a violation: by its text or, if it has none, as Python writes it."""
    with suppress(Exception):  # a law reports it
        text = game.state_text(state)
        if fits_a_record(text) and not _reads_as_another(game, state, text):
            return f"position {quote(text, LONGEST_PLACE)}"
    text = repr(state)
    return f"position {text if len(text) <= LONGEST_PLACE else text[:LONGEST_PLACE] + '...'}"


def _reads_as_another(game: Game[S], state: S, text: str) -> bool:
    try:
        return game.parse_state(text) != state
    except ParseError:  # a text that is refused may be right nevertheless
        return False


def _problem(check: Callable[[], Iterator[str]]) -> str | None:
    try:
        return next(check(), None)
    except Exception as error:  # noqa: BLE001 - any error in the game is the finding
        return describe_error(error)


def describe_error(error: Exception, *ours: str) -> str:
    """An error in one line, with the file and line of a game's code that raised it, if one did.

    Folders of `ours` hold none of that code.
    """
    frames = [each for each in extract_tb(error.__traceback__) if not each.filename.startswith((CORE, *ours))]
    where = f" ({basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{where}".split())
