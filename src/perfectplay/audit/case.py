"""A game prepared for judging: its positions, their values, and what was seen to happen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from random import Random
from sys import maxsize
from typing import Any, NamedTuple

from perfectplay.audit.visit import (
    DeadEndSearch,
    Stopped,
    find_broken_law,
    is_trusted,
    random_game,
    search_dead_ends,
    visit,
)
from perfectplay.core import walks
from perfectplay.core.formatting import join_words, pluralize
from perfectplay.core.game import Action, Game
from perfectplay.core.laws.conformance import Violation, find_broken_laws
from perfectplay.core.outcome import Side
from perfectplay.core.theory import Theory
from perfectplay.core.value import Value
from perfectplay.games.examples import Erratum, WorkedExample, errata, examples
from perfectplay.games.registry import load, names
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import Graph
from perfectplay.solver.oracle import Oracle, load_table_base
from perfectplay.solver.retrograde import Solution, retrograde

LAW_STATES = 200
"""How many positions every law is checked on; the laws of play are checked on all visited positions."""
MOST_AUDITED = 50_000
"""A game with more positions than this is judged by its theory and its first positions."""
FIRST_POSITIONS, FIRST_MOVES = 2_000, 40_000
"""For a game that is too large: the most positions to visit, and roughly the most moves."""
RANDOM_GAMES, RANDOM_PLIES = 100, 500
"""How many random games are played as well (fewer if the game has many actions), and their most plies."""
DEEP_PLIES, DEEP_MOVES = 10_000, 1_000_000
"""Limits of the one deep random game: its plies, and fewer if the game has many actions."""
LONGEST_BEST_PLAY = 10_000
"""Lines of best play are cut after this many plies."""

ActionPath = tuple[Action, ...]


class Seen(NamedTuple):
    """For each event, reason and refusal that occurs: moves that show it. A refusal follows its moves."""

    events: dict[str, ActionPath]
    reasons: dict[str, ActionPath]
    refusals: dict[str, ActionPath]


class TableTheory(Theory[Any]):
    """What a table base says, in place of a theory."""

    knows_plies = True

    def __init__(self, oracle: Oracle[Any]) -> None:
        super().__init__(oracle.game)
        self.positions = oracle.counts["positions"]
        self._oracle = oracle

    def value(self, state: Any) -> Value:
        return self._oracle.value(state)

    def moves(self, state: Any) -> tuple[tuple[Action, Value], ...]:
        return tuple((move.action, move.value) for move in self._oracle.moves(state))


@dataclass(frozen=True, eq=False)
class Case:
    """A game with all of its positions, or with the first ones if there are too many."""

    game: Game[Any]
    graph: Graph[Any]
    """The positions, nearest to the start first; the moves of the last ones may be missing."""
    solution: Solution[Any] | None
    """The value of every position; None if the graph is not the whole game."""
    theory: Theory[Any] | None = None
    walks: tuple[ActionPath, ...] = ()
    """Random games; empty if the graph is the whole game."""
    examples: tuple[WorkedExample, ...] = ()
    errata: tuple[Erratum, ...] = ()
    deep: ActionPath = ()
    """A random game that avoids visited positions; empty if the graph is the whole game."""
    broken: tuple[Violation, ...] = ()
    """The laws that the game breaks."""
    searched: DeadEndSearch | None = None
    """How far beyond the visited positions dead ends were looked for."""

    @property
    def trusted(self) -> bool:
        """Whether the game keeps the laws that all findings depend on."""
        return is_trusted(self.broken)

    @property
    def whole(self) -> bool:
        """Whether every position was visited, which means that what was not seen cannot happen."""
        return self.solution is not None

    @property
    def judged(self) -> bool:
        """Whether the values of positions are known."""
        return self.whole or self.theory is not None

    @property
    def grounds(self) -> str:
        """What a value rests on if not every position was visited, as part of a sentence."""
        return "by the theory of the game" if self.table is None else "by the table base"

    @property
    def table(self) -> TableTheory | None:
        """The table base that stands in for a theory."""
        return self.theory if isinstance(self.theory, TableTheory) else None

    @property
    def positions(self) -> int | None:
        """How many positions the game has; None if that is not known."""
        return self.visited if self.whole else None if self.table is None else self.table.positions

    @property
    def undecided(self) -> bool:
        """Whether what perfect play leads to hangs on a dead end: no rule says what that is worth."""
        value = self.value(0)
        return value is not None and value.kind == "undecided"

    @property
    def visited(self) -> int:
        """How many positions were visited with all of their moves; these have the lowest numbers."""
        return self.graph.visited

    @property
    def scope(self) -> str:
        """What was visited, as part of a sentence."""
        if self.whole:
            return pluralize(self.visited, "position", "positions")
        parts = [f"first {self.visited:,} positions", f"{len(self.walks)} random games", "a deep one"]
        return join_words([*parts, "a line of best play"] if self.line else parts, "and")

    def value(self, number: int) -> Value | None:
        """The value of a position to the side to move; None if it is not known."""
        if self.solution is not None:
            return self.solution.value(number)
        return None if self.theory is None else self.theory.value(self.graph.states[number])

    def moves(self, number: int) -> tuple[tuple[Action, Value], ...]:
        """Each move of a visited position with its value; empty if values are not known."""
        return self.moves_at(self.graph.states[number])

    def moves_at(self, state: Any) -> tuple[tuple[Action, Value], ...]:
        """Each move of any reachable position with its value; empty if values are not known."""
        if self.solution is not None:
            number = self.graph.find(state)
            assert number is not None  # all that can be reached were visited
            return self.solution.moves(number)
        return () if self.theory is None else self.theory.moves(state)

    @cached_property
    def line(self) -> ActionPath:
        """A line of best play from the start to the end; empty if it has none."""
        value = self.value(0)
        if value is None or value.kind in ("endless", "undecided"):
            return ()
        line: list[Action] = []
        state = self.game.initial()
        while self.game.outcome(state) is None and len(line) < LONGEST_BEST_PLAY:
            line.append(max(self.moves_at(state), key=lambda move: move[1].rank)[0])
            state = self.game.apply(state, line[-1])
        return tuple(line)

    @property
    def games(self) -> tuple[ActionPath, ...]:
        """Games that go beyond the visited positions."""
        return () if self.whole or not self.trusted else (*self.walks, self.deep, self.line)

    @cached_property
    def actions(self) -> set[Action]:
        """Every action that was seen to be legal."""
        return set(self.graph.actions).union(*self.games)

    def path(self, number: int) -> ActionPath:
        """A shortest sequence of moves to a position."""
        return self.graph.path(number)

    def texts(self, path: ActionPath) -> tuple[str, ...]:
        """The text of each move from the start."""
        return walks.move_texts(self.game, path)

    @cached_property
    def depths(self) -> list[int]:
        """For each visited position, the fewest plies in which it can be reached."""
        depths = [0] * self.visited
        for number in range(1, self.visited):
            way = self.graph.parents[number]
            depths[number] = 0 if way is None else depths[way[0]] + 1
        return depths

    @cached_property
    def stuck(self) -> frozenset[int]:
        """The visited positions that are dead ends: without a legal move and without an outcome."""
        ends = (number for number in range(self.visited) if not self.graph.moves(number))
        return frozenset(each for each in ends if self.game.outcome(self.graph.states[each]) is None)

    @cached_property
    def choices(self) -> tuple[tuple[int, tuple[tuple[Action, Value], ...]], ...]:
        """The visited positions where the choice changes the value, with the value of each move."""
        every = ((number, self.moves(number)) for number in range(self.visited))
        return tuple(each for each in every if len({value.kind for _, value in each[1]}) > 1)

    def along(self, path: ActionPath) -> Iterator[Any]:
        """The start and the position after each move."""
        return walks.positions(self.game, path)

    def _visits(self) -> Iterator[tuple[Any, list[tuple[Action, Any]], Callable[[], ActionPath]]]:
        """Each position seen, the moves seen there with what they lead to, and what finds the way there."""
        states = self.graph.states
        for number, state in enumerate(states):
            moves = self.graph.moves(number) if number < self.visited else []
            yield state, [(action, states[target]) for action, target in moves], partial(self.path, number)
        for walk in self.games:
            positions = tuple(self.along(walk))
            for ply, state in enumerate(positions):
                made = list(zip(walk[ply : ply + 1], positions[ply + 1 :], strict=False))
                yield state, made, lambda walk=walk, ply=ply: walk[:ply]  # type: ignore[misc]

    @cached_property
    def wins(self) -> dict[tuple[Side | None, Side], tuple[int, ActionPath]]:
        """The number of endings and the first one, keyed by winner and by the side that moved last."""
        found: dict[tuple[Side | None, Side], tuple[int, ActionPath]] = {}
        for state, moves, path in self._visits():
            for action, after in moves:
                outcome = self.game.outcome(after)
                if outcome is not None:
                    key = (outcome.winner, self.game.side_to_move(state))
                    count, first = found.get(key) or (0, (*path(), action))
                    found[key] = (count + 1, first)
        return found

    @cached_property
    def seen(self) -> Seen:
        """Everything that happens in the visited positions and games."""
        game, seen = self.game, Seen({}, {}, {})
        for state, moves, path in self._visits():
            outcome = game.outcome(state)
            if outcome is not None and outcome.reason not in seen.reasons:
                seen.reasons[outcome.reason] = path()
            for action, _ in moves:
                for event in game.events(state, action):
                    if event not in seen.events:
                        seen.events[event] = (*path(), action)
        wanted = set(game.refusal_names)
        for number in range(self.visited):
            legal = {action for action, _ in self.graph.moves(number)}
            if legal and wanted - seen.refusals.keys():
                for action in set(range(game.num_actions)) - legal:
                    rule = game.prohibition(self.graph.states[number], action).rule
                    if rule not in seen.refusals:
                        seen.refusals[rule] = self.path(number)
        return seen


@lru_cache(maxsize=16)
def prepare(game: Game[Any], limit: int = MOST_AUDITED, search: int = 0) -> Case:
    """Visit and solve a game, or as much of it as `limit` positions allow.

    If it is larger and has no theory, dead ends are looked for among the first `search` positions.
    """
    broken = find_broken_laws(game, states=LAW_STATES)
    if not is_trusted(broken):
        return Case(game, Graph(game), None, broken=broken)
    try:
        case = _visit(game, limit, broken, search)
        further = find_broken_law(case.graph, case.solution, case.theory)
    except Stopped as stopped:
        further = (stopped.violation,)
    return Case(game, Graph(game), None, broken=(*broken, *further)) if further else case


def _visit(game: Game[Any], limit: int, broken: tuple[Violation, ...], search: int) -> Case:
    theory, known = game.theory(), load_table_base(game)
    large = known is not None and known.counts["positions"] > limit
    registered = game.source is None and game.name in names() and type(load(game.name)) is type(game)
    written = (examples(game.name), errata(game.name)) if registered else ((), ())
    try:
        if large:
            raise TooLargeError(game.spec, limit)
        graph = visit(game, limit=limit)
    except TooLargeError:
        theory = theory if known is None else TableTheory(known)
        first = min(FIRST_POSITIONS, max(20, FIRST_MOVES // game.num_actions))
        graph = visit(game, limit=maxsize, first=first)
        games = min(RANDOM_GAMES, max(10, 10_000 // game.num_actions))
        seen = tuple(random_game(game, Random(f"audit/{seed}"), RANDOM_PLIES) for seed in range(games))
        plies = min(DEEP_PLIES, max(RANDOM_PLIES, DEEP_MOVES // game.num_actions))
        deep = random_game(game, Random("audit/deep"), plies, set(map(hash, graph.states)))
        further = search_dead_ends(game, search) if search > limit and theory is None else None
        if further is not None and further.found is not None:
            broken = (*(each for each in broken if each.law != "dead-end"), further.found)
        return Case(game, graph, None, theory, seen, *written, deep, broken, further)
    return Case(game, graph, retrograde(graph), theory, (), *written, (), broken)
