"""Whether two games are the same, whatever their moves are called; else the shortest difference."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import pluralize
from perfectplay.core.walks import move_texts
from perfectplay.solver.graph import Graph

MOST_DIFFERENT = 6
"""How many moves of a position are shown."""


class Comparison(NamedTuple):
    """The result of a comparison."""

    same: bool | None
    """None if no difference was found, but not every position was visited."""
    plies: int
    """After how many moves they differ; otherwise, how many were compared at least, or 0 if all."""
    lines: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The moves that lead to the difference, in either game."""
    found: tuple[str, str] = ("", "")
    """What is there, in either game."""

    def describe(self, names: Sequence[str]) -> str:
        """The result in words, for games of these names."""
        if self.same:
            return f"{names[0]} and {names[1]} are the same game, whatever their moves are called."
        if self.same is None:
            return f"No difference within {pluralize(self.plies, 'move', 'moves')}; there are more positions."
        where = f"after {pluralize(self.plies, 'move', 'moves')}" if self.plies else "at the start"
        said = [f"The games differ {where}."]
        for name, line, found in zip(names, self.lines, self.found, strict=True):
            said.append(f"{name}: after {', '.join(line)}, {found}." if line else f"{name}: {found}.")
        return "\n".join(said)


def compare(one: Graph[Any], other: Graph[Any]) -> Comparison:
    """Compare two games, position by position, from their starts.

    Positions are the same if the same side moves, or the same side has won, and their moves lead to the
    same positions, each as often. That is decided for 0, 1, 2, ... moves ahead, so the first difference is
    the shortest one; and if a step ahead tells no more positions apart, none does.
    """
    if not one.visited or not other.visited:
        raise ParseError("a game without a visited position cannot be compared")
    graphs = (one, other)
    deepest = [_find_known_depth(graph) for graph in graphs]
    looks = [[_look(graph, n) for n in range(len(graph.states))] for graph in graphs]
    whole = deepest == [None, None]
    if whole and looks[0] == looks[1] and one.offsets == other.offsets and one.targets == other.targets:
        return Comparison(True, 0)  # found in the same order as well
    known: dict[Hashable, int] = {}
    rounds = [[[known.setdefault(look, len(known)) for look in each] for each in looks]]
    targets = [[graph.targets[a:b] for a, b in pairwise(graph.offsets)] for graph in graphs]
    ahead = 0
    while rounds[-1][0][0] == rounds[-1][1][0]:
        if any(deep is not None and ahead + 1 >= deep for deep in deepest):
            return Comparison(None, ahead)
        before, known = rounds[-1], {}
        new = [
            [known.setdefault(step, len(known)) for step in _steps(after, kinds)]
            for after, kinds in zip(targets, before, strict=True)
        ]
        if whole and len(known) == len({kind for kinds in before for kind in kinds}):
            return Comparison(True, 0)
        rounds.append(new)
        ahead += 1
    return _follow(graphs, rounds)


def _find_known_depth(graph: Graph[Any]) -> int | None:
    """How many moves ahead everything is known; None if all is."""
    depths = {0: 0}
    for number in range(graph.visited):
        for _, target in graph.moves(number):
            depths.setdefault(target, depths[number] + 1)
    over = graph.game.outcome
    return min(
        (deep for n, deep in depths.items() if n >= graph.visited and over(graph.states[n]) is None),
        default=None,
    )


def _moves(graph: Graph[Any], number: int) -> list[tuple[int, int]]:
    return graph.moves(number) if number < graph.visited else []


def _look(graph: Graph[Any], number: int) -> Hashable:
    """The facts about a position that need no move: who has won, or who moves among how many moves."""
    outcome = graph.game.outcome(graph.states[number])
    if outcome is not None:
        return ("over", outcome.winner)
    return (graph.game.side_to_move(graph.states[number]), len(_moves(graph, number)))


def _steps(targets: Sequence[Sequence[int]], kinds: Sequence[int]) -> Iterator[Hashable]:
    """Each position one move further ahead: what it was, and what its moves lead to."""
    for kind, after in zip_longest(kinds, targets, fillvalue=()):
        yield kind, tuple(sorted([kinds[target] for target in after]))


def _follow(graphs: tuple[Graph[Any], Graph[Any]], rounds: Sequence[Sequence[Sequence[int]]]) -> Comparison:
    """The moves to the difference: in each position, to where the games agree for the fewest moves."""
    here: list[int] = [0, 0]
    paths: tuple[list[int], list[int]] = ([], [])
    for kinds in reversed(rounds[:-1]):
        moves = [_moves(graph, number) for graph, number in zip(graphs, here, strict=True)]
        leads = [[kinds[side][target] for _, target in each] for side, each in enumerate(moves)]
        # Moves that one game has more of than the other; if possible, the same move in both lists.
        spare = [
            [n for n, kind in enumerate(leads[side]) if leads[side].count(kind) > leads[1 - side].count(kind)]
            for side in (0, 1)
        ]
        both = [number for number in spare[0] if number in spare[1]]
        for side in (0, 1):
            action, here[side] = moves[side][both[0] if both else spare[side][0]]
            paths[side].append(action)
        if _look(graphs[0], here[0]) != _look(graphs[1], here[1]):
            break
    lines = [move_texts(graph.game, tuple(path)) for graph, path in zip(graphs, paths, strict=True)]
    found = [_describe(graph, number) for graph, number in zip(graphs, here, strict=True)]
    return Comparison(False, len(paths[0]), (lines[0], lines[1]), (found[0], found[1]))


def _describe(graph: Graph[Any], number: int) -> str:
    game, state = graph.game, graph.states[number]
    outcome = game.outcome(state)
    if outcome is not None:
        return "the game is a tie" if outcome.winner is None else f"{game.side_names[outcome.winner]} has won"
    moves = [game.action_text(state, action) for action, _ in _moves(graph, number)]
    if not moves:
        return "there is no legal move, and the game is not over"
    more = f" and {len(moves) - MOST_DIFFERENT} more" if len(moves) > MOST_DIFFERENT else ""
    shown = ", ".join(moves[:MOST_DIFFERENT]) + more
    return (
        f"{game.side_names[game.side_to_move(state)]} has {pluralize(len(moves), 'move', 'moves')}: {shown}"
    )
