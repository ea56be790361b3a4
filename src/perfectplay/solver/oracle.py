"""Exact answers about any position of a game, from its graph or from its theory."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from perfectplay.core.game import Action, Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.record import Record
from perfectplay.core.theory import Theory
from perfectplay.core.value import Value, best_of
from perfectplay.solver.graph import LIMIT, Graph, TooLargeError, explore
from perfectplay.solver.retrograde import Solution, retrograde

S = TypeVar("S", bound=Hashable)

SMALL = 10_000
"""A game with a theory is explored as well, for distances, up to this many positions."""

LEAST_COUNTED = 1_000
"""An oracle that is kept counts for at least so many positions: theories take room as well."""

MOST_TOO_LARGE = 1_000
"""Games of which it is remembered that they are too large."""

Progress = Callable[[int], None]

Mark = Literal[
    "best",
    "only move",
    "slower win",
    "slower tie",
    "quicker loss",
    "threw away the win",
    "gave up the tie",
    "gave up endless play",
    "forfeit",
]


class Scored(NamedTuple):
    """A legal move with its value, as the side that makes it sees it."""

    action: Action
    text: str
    value: Value


class Judged(NamedTuple):
    """A ply of a played game, held against the best there was."""

    ply: int
    side: Side
    text: str
    mark: Mark
    best: Value
    played: Value
    could_err: bool
    """Whether a legal move or the forfeited turn lost value, so that the choice counts for accuracy."""

    @property
    def kept(self) -> bool:
        """Whether no win, tie or endless play was given away; a forfeit may even gain."""
        return self.played.rank[0] >= self.best.rank[0]


class Regret(NamedTuple):
    """Every ply of a record judged, with the accuracy of each side.

    Accuracy is the share of plies that kept the value among those where some legal move, or the turn
    that was forfeited, loses value; None for a side that never had such a choice.
    """

    plies: tuple[Judged, ...]
    accuracy: tuple[float | None, float | None]


class Oracle(Generic[S]):
    """Knows the exact value of every position of a game. `solve` makes one.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip")
    >>> oracle = pp.solve(game)
    >>> oracle.value(game.initial())
    Value(kind='win', plies=5)
    >>> oracle.best(game.initial())
    (0, 2, 7, 9)
    """

    def __init__(
        self, game: Game[S], theory: Theory[S] | None, solution: Solution[S] | None, limit: int
    ) -> None:
        self.game = game
        self.theory = theory
        self.solution = solution
        self._limit = limit
        self._elsewhere: dict[S, Solution[S]] = {}

    @property
    def source(self) -> Literal["graph", "theory"]:
        """Whether a theory of the game knows its values, or only the graph of its positions."""
        return "graph" if self.theory is None else "theory"

    @property
    def graph(self) -> Graph[S] | None:
        """The explored positions; None where theory alone answers."""
        return None if self.solution is None else self.solution.graph

    def value(self, state: S) -> Value:
        """The value of a position, as its side to move sees it."""
        found = self._located(state)
        if found is not None:
            solution, number = found
            return solution.value(number)
        assert self.theory is not None  # where there is none, every position is explored
        return self.theory.value(state)

    def value_at(self, match: Match[S], ply: int) -> Value:
        """The value of the position after some plies of a match, as its side to move sees it.

        It is that of the position, unless the match ended there by a disqualification.
        """
        if ply == match.plies and match.disqualified is not None:
            return Value("loss" if match.disqualified == match.side else "win", 0)
        return self.value(match.positions[ply])

    def moves(self, state: S) -> tuple[Scored, ...]:
        """The value of every legal move, in the order of their actions."""
        text = self.game.action_text
        return tuple(Scored(action, text(state, action), value) for action, value in self._pairs(state))

    def best(self, state: S) -> tuple[Action, ...]:
        """The moves of the best value and distance; none in a finished position."""
        if self._located(state) is None and self.theory is not None:
            return self.theory.best(state)
        return best_of(self._pairs(state))

    def count_best(self, state: S) -> int:
        """How many moves are of the best value and distance."""
        if self._located(state) is None and self.theory is not None:
            return self.theory.count_best(state)
        return len(self.best(state))

    def tempting(self, state: S) -> tuple[Action, ...]:
        """Of the best moves, those that leave the opponent the most ways to go wrong."""
        best = self.best(state)
        if len(best) < 2:
            return best
        wrong = [self._ways_to_go_wrong(state, action) for action in best]
        most = max(wrong)
        return tuple(action for action, ways in zip(best, wrong, strict=True) if ways == most)

    def _ways_to_go_wrong(self, state: S, action: Action) -> int:
        """How many replies to a move are not best; none if the opponent does not get to reply."""
        game = self.game
        after = game.apply(state, action)
        replies = game.legal_actions(after)
        if not replies or game.side_to_move(after) == game.side_to_move(state):
            return 0
        return len(replies) - self.count_best(after)

    def line(self, state: S) -> tuple[Action, ...]:
        """One line of perfect play to its end; empty where it is endless or its length not known."""
        line: list[Action] = []
        while self.value(state).plies:
            line.append(self.best(state)[0])
            state = self.game.apply(state, line[-1])
        return tuple(line)

    def reachable(self, state: S) -> bool | None:
        """Whether play can lead from the start to a position, forfeits included; None if not known.

        Of a game that was not explored, the first 10,000 positions are looked through.

        >>> import perfectplay as pp
        >>> game = pp.load("inversion-race")
        >>> oracle = pp.solve(game)
        >>> oracle.reachable(game.parse_state("4 5 0 B")), oracle.reachable(game.parse_state("9 1 0 A"))
        (True, False)
        """
        game = self.game
        if state == game.initial() or (self.graph is not None and state in self.graph.index):
            return True
        if self.graph is not None and game.after_forfeit(game.initial()) is None:
            return False
        if game.num_actions >= SMALL:
            return None
        queue = [game.initial()]
        seen = set(queue)
        for here in queue:  # grows while it is walked
            after = [game.apply(here, action) for action in game.legal_actions(here)]
            forfeited = game.after_forfeit(here) if after else None
            for each in after if forfeited is None else [*after, forfeited]:
                if each == state:
                    return True
                if each not in seen:
                    if len(seen) >= SMALL:
                        return None
                    seen.add(each)
                    queue.append(each)
        return False

    def regret(self, record: Record) -> Regret:
        """Judge every ply of a played game.

        >>> import perfectplay as pp
        >>> match = pp.Match(pp.load("bit-flip"))
        >>> match.play("4")
        >>> regret = pp.solve(match.game).regret(match.record())
        >>> regret.plies[0].mark, regret.accuracy
        ('threw away the win', (0.0, None))
        """
        match = Match.replay(record, self.game)
        judged: list[Judged] = []
        for entry in match.history:
            if not entry.is_ply:
                continue
            before, after = match.positions[entry.ply], match.positions[entry.ply + 1]
            moves = self.moves(before)
            best = max((move.value for move in moves), key=lambda value: value.rank)
            same_side = self.game.side_to_move(after) == entry.side
            played = self.value_at(match, entry.ply + 1).before(same_side)
            could_err = any(value.rank[0] < best.rank[0] for value in (played, *(m.value for m in moves)))
            text = match.line(entry).text
            mark = "forfeit" if entry.action is None else mark_of(best, played, moves)
            judged.append(Judged(entry.ply + 1, entry.side, text, mark, best, played, could_err))
        return Regret(tuple(judged), (_accuracy(judged, 0), _accuracy(judged, 1)))

    def _pairs(self, state: S) -> tuple[tuple[Action, Value], ...]:
        found = self._located(state)
        if found is not None:
            solution, number = found
            return solution.moves(number)
        assert self.theory is not None
        return self.theory.moves(state)

    def _located(self, state: S) -> tuple[Solution[S], int] | None:
        """The solved graph that holds a position, and its number there; None for theory to answer."""
        if self.theory is not None and self.theory.knows_plies:
            return None
        if self.solution is not None:
            number = self.solution.graph.index.get(state)
            if number is not None:
                return self.solution, number
        if self.theory is not None:
            return None
        # Not reached from the start: solved for itself, once.
        for solution in self._elsewhere.values():
            number = solution.graph.index.get(state)
            if number is not None:
                return solution, number
        solution = retrograde(explore(self.game, start=state, limit=self._limit))
        self._elsewhere[state] = solution
        return solution, 0


def solve(
    game: Game[S],
    *,
    exact_distance: bool = False,
    limit: int = LIMIT,
    progress: Progress | None = None,
) -> Oracle[S]:
    """Solve a game exactly.

    A game's theory answers first where it has one. If that knows no distances they come from the
    graph, up to 10,000 positions or, with `exact_distance`, up to `limit`. A game without a theory
    and with more than `limit` positions raises TooLargeError.

    >>> import perfectplay as pp
    >>> solve(pp.load("dual-direction")).value(pp.load("dual-direction").initial())
    Value(kind='endless', plies=None)
    """
    theory = game.theory()
    if theory is None or exact_distance:
        if theory is not None and theory.knows_plies:
            return Oracle(game, theory, None, limit)
        return Oracle(game, theory, retrograde(explore(game, limit=limit, progress=progress)), limit)
    # With so many actions the start alone may have too many successors: not even that is tried.
    if not theory.knows_plies and game.num_actions < SMALL:
        try:
            return Oracle(game, theory, retrograde(explore(game, limit=min(SMALL, limit))), limit)
        except TooLargeError:
            pass
    return Oracle(game, theory, None, limit)


class OracleCache:
    """Keeps oracles for the next caller.

    A game with default parameters is kept for good. Of all other games the least recently used go
    once they have more than `most` positions together; the last one used always stays. That a game is
    too large is remembered as well: finding out may take a minute.

    >>> import perfectplay as pp
    >>> cache = OracleCache(most=LEAST_COUNTED)
    >>> standard, small, large = map(pp.load, ("bit-flip", "bit-flip:bits=3", "bit-flip:bits=12"))
    >>> kept = [cache(game) for game in (standard, small, large)]
    >>> [game in cache for game in (standard, small, large)]
    [True, False, True]
    """

    def __init__(self, most: int = LIMIT) -> None:
        self.most = most
        self._standard: dict[Game[Any], Oracle[Any]] = {}
        self._custom: OrderedDict[Game[Any], Oracle[Any]] = OrderedDict()
        """Least recently used first."""
        self._too_large: OrderedDict[Game[Any], int] = OrderedDict()
        """Games with more positions than this limit, the last found out last."""

    def __call__(self, game: Game[S], limit: int = LIMIT) -> Oracle[S]:
        """The oracle of a game. One that is not kept yet is solved, up to `limit` positions."""
        oracle = self._standard.get(game) or self._custom.get(game)
        if oracle is None:
            oracle = self._solved(game, limit)
            if game == type(game)():
                self._standard[game] = oracle
                return oracle
            self._custom[game] = oracle
            while len(self._custom) > 1 and sum(map(_positions, self._custom.values())) > self.most:
                self._custom.popitem(last=False)
        elif game in self._custom:
            self._custom.move_to_end(game)
        return oracle

    def _solved(self, game: Game[S], limit: int) -> Oracle[S]:
        if limit <= self._too_large.get(game, 0):
            raise TooLargeError(game.spec, limit)
        try:
            return solve(game, limit=limit)
        except TooLargeError:
            self._too_large[game] = limit
            if len(self._too_large) > MOST_TOO_LARGE:
                self._too_large.popitem(last=False)
            raise

    def __contains__(self, game: Game[S]) -> bool:
        return game in self._standard or game in self._custom

    def clear(self) -> None:
        """Let go of every game but the standard ones."""
        self._custom.clear()
        self._too_large.clear()


oracle_for = OracleCache()
"""The oracle of a game, kept for whoever asks next."""


def mark_of(best: Value, played: Value, moves: tuple[Scored, ...]) -> Mark:
    """What a move is called, by its value and the best there was."""
    if played.kind == best.kind:
        if played.rank == best.rank:
            only = len(moves) > 1 and sum(move.value.kind == best.kind for move in moves) == 1
            return "only move" if only else "best"
        slower: dict[str, Mark] = {"win": "slower win", "tie": "slower tie", "loss": "quicker loss"}
        return slower[best.kind]
    lost: dict[str, Mark] = {
        "win": "threw away the win",
        "tie": "gave up the tie",
        "endless": "gave up endless play",
    }
    return lost[best.kind]


def _positions(oracle: Oracle[Any]) -> int:
    return max(LEAST_COUNTED, 0 if oracle.graph is None else len(oracle.graph.states))


def _accuracy(judged: list[Judged], side: Side) -> float | None:
    counted = [each for each in judged if each.side == side and each.could_err]
    return sum(each.kept for each in counted) / len(counted) if counted else None
