"""Visits a game that may fail while it is played: its positions, random games, and the laws along the way."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from random import Random
from typing import Any, NamedTuple

from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Action, Game
from perfectplay.core.laws.conformance import STOPPED, Violation, place
from perfectplay.core.laws.state_laws import CORE_LAWS, REPEATABLE, facts
from perfectplay.core.limits import MOST_SOLVED
from perfectplay.core.theory import Theory
from perfectplay.core.walks import BreadthFirst, deep_walk, random_walk, steps
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import Graph, explore
from perfectplay.solver.retrograde import Solution

HARMLESS = frozenset({"dead-end", "declared", "state-text", "canonical", "forfeit", "view", "dialogue"})
"""The laws that no other finding of an audit depends on."""


def is_trusted(broken: Iterable[Violation]) -> bool:
    """Whether the game can still be judged although it breaks these laws."""
    return all(each.law in HARMLESS for each in broken)


class Stopped(Exception):
    """A game that raised an error while it was played."""

    def __init__(self, error: Exception, path: Iterable[Action | None]) -> None:
        problem = f"play stopped with {type(error).__name__}: {error}"
        self.violation = Violation("apply", problem, STOPPED, tuple(path))


@contextmanager
def _reporting(path: Callable[[], Iterable[Action | None]]) -> Iterator[None]:
    """Turn whatever error a game raises into Stopped, with the moves that lead there."""
    try:
        yield
    except TooLargeError:
        raise
    except Exception as error:
        raise Stopped(error, path()) from error


def visit(
    game: Game[Any], *, limit: int, first: int | None = None, progress: Callable[[int], None] | None = None
) -> Graph[Any]:
    """The graph of a game, as `explore` makes it. Raises Stopped if the game fails on the way."""

    def path() -> tuple[Action | None, ...]:
        walk = BreadthFirst([game.initial()], steps(game), limit=min(limit, MOST_SOLVED))
        here = game.initial()
        with suppress(Exception):  # it fails at the same place
            for state in walk:
                here = state
        return walk.path(here)

    with _reporting(path):
        return explore(game, limit=limit, first=first, progress=progress)


class DeadEndSearch(NamedTuple):
    """What a search for dead ends has found."""

    positions: int
    """How many positions were searched."""
    whole: bool
    """Whether these are all there are."""
    found: Violation | None = None
    """The first dead end, with the moves that lead there."""

    def __str__(self) -> str:
        count = pluralize(self.positions, "position", "positions")
        return f"Dead ends were looked for in {'all' if self.whole else 'the first'} {count}."


def search_dead_ends(
    game: Game[Any], limit: int, progress: Callable[[int], None] | None = None
) -> DeadEndSearch:
    """Look for dead ends as far as `solve` would go. Raises Stopped if the game fails on the way."""
    graph = visit(game, limit=limit, first=limit, progress=progress)
    whole = graph.visited == len(graph.states)
    for number in range(graph.visited):
        if graph.offsets[number] == graph.offsets[number + 1]:
            state = graph.states[number]
            with _reporting(partial(graph.path, number)):
                problems = list(CORE_LAWS["dead-end"](game, state))
            if problems:
                found = Violation("dead-end", problems[0], place(game, state), graph.path(number))
                return DeadEndSearch(graph.visited, whole, found)
    return DeadEndSearch(graph.visited, whole)


def random_game(
    game: Game[Any], rng: Random, plies: int, visited: set[int] | None = None
) -> tuple[Action, ...]:
    """The moves of a random game, left when `plies` plies are played.

    With `visited`, the hashes of positions, it avoids these and is left when `plies` units of work are spent.
    """
    path: list[Action] = []
    anywhere = ((state, 1) for state in random_walk(game, rng, path))
    with _reporting(lambda: path):
        for _, cost in anywhere if visited is None else deep_walk(game, rng, visited, path):
            plies -= cost
            if plies <= 0:
                break
    return tuple(path)


def find_broken_law(
    graph: Graph[Any], solution: Solution[Any] | None, theory: Theory[Any] | None
) -> tuple[Violation, ...]:
    """The first violation of a law that values depend on, among the visited positions; empty if none."""
    game, states = graph.game, graph.states
    told = [facts(game, state) for state in states[: graph.visited]]

    def problems(number: int) -> Iterator[tuple[str, str]]:
        state, moves = states[number], graph.moves(number)
        for law, check in CORE_LAWS.items():
            if law not in HARMLESS:
                yield from ((law, problem) for problem in check(game, state))
        if tuple(action for action, _ in moves) != told[number].legal:
            yield REPEATABLE, f"other actions are legal now: {told[number].legal}"
        for action, target in moves:
            again = game.apply(state, action)
            if again != states[target]:
                yield REPEATABLE, f"apply({action}) gives a different position now"
            elif target < len(told) and facts(game, again) != told[target]:
                yield REPEATABLE, f"apply({action}) leads to a position that gives different answers now"
        if solution is not None and theory is not None:
            value, found = theory.value(state), solution.value(number)
            if value.kind != found.kind or (theory.knows_plies and value.plies != found.plies):
                yield "theory", f"the theory says {value}; by all positions it is {found}"

    for number in range(len(told)):
        for law, problem in problems(number):
            return (Violation(law, problem, place(game, states[number]), graph.path(number)),)
    return ()
