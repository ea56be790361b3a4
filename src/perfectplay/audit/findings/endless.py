"""Play without end, and the loops it goes around in."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from perfectplay.audit.case import ActionPath, Case
from perfectplay.audit.findings.finding import Finding, finds
from perfectplay.audit.readings import plural
from perfectplay.core.game import Action
from perfectplay.core.value import Value
from perfectplay.core.walks import BreadthFirst
from perfectplay.strength.chain import can_end

SAFE_PLIES = 8
"""How many plies of endless play are shown if no position repeats."""

MovesFrom = Callable[[int], Iterable[tuple[Action, int]]]
"""Returns the moves of a position to consider, each with the number of the position it leads to."""


class Loop(NamedTuple):
    """Moves from position 0 to a position, and moves from there back to it."""

    into: tuple[Action, ...]
    around: tuple[Action, ...]


def first_loop(moves: MovesFrom) -> Loop | None:
    """The loop that can be entered soonest from position 0, and its shortest round; None if there is none."""
    walk = BreadthFirst([0], moves)
    numbers = list(walk)
    components = _components(numbers, moves)
    for number in numbers:
        back = _back(number, components[number], moves)
        if back is not None:
            return Loop(walk.path(number), back)
    return None


def _back(start: int, among: set[int], moves: MovesFrom) -> tuple[Action, ...] | None:
    """A shortest way from `start` back to itself through the positions in `among`."""
    walk = BreadthFirst([start], lambda here: [step for step in moves(here) if step[1] in among])
    for number in walk:
        for action, target in moves(number):
            if target == start:
                return (*walk.path(number), action)
    return None


def _components(numbers: list[int], moves: MovesFrom) -> dict[int, set[int]]:
    """For each position, those that lead to it and back (Kosaraju's algorithm), and itself."""
    left: dict[int, None] = {}  # the order in which a search that goes deep first leaves positions
    seen: set[int] = set()
    stack = numbers[::-1]
    while stack:
        number = stack[-1]
        if number not in seen:
            seen.add(number)
            stack += [target for _, target in moves(number) if target not in seen]
        else:
            left.setdefault(stack.pop())
    back: dict[int, list[int]] = {number: [] for number in numbers}
    for number in numbers:
        for _, target in moves(number):
            back[target].append(number)
    found: dict[int, set[int]] = {}
    for root in reversed(left):
        if root not in found:
            into = BreadthFirst([root], lambda here: [(0, each) for each in back[here] if each not in found])
            component = set(into)
            found.update(dict.fromkeys(component, component))
    return found


@finds("endless-possible", "play need not end; the witness repeats a position")
def endless_possible(case: Case) -> Iterator[Finding]:
    loop = first_loop(lambda number: case.graph.moves(number) if number < case.visited else [])
    if loop is not None:
        text = f"Play can go on forever: {_where(loop.into)} can recur {plural(len(loop.around))} later."
        yield Finding("endless-possible", "warning", text, case.texts(loop.into + loop.around))
    elif not case.whole and case.theory is not None:
        path = _way_to_endless(case)
        if path is not None:
            text = (
                f"Play can go on forever without repeating a position: after {plural(len(path))}, neither"
                f" side can force an end, {case.grounds}; {SAFE_PLIES} safe plies are shown."
            )
            yield Finding("endless-possible", "warning", text, case.texts(_safely_on(case, path)))


def _way_to_endless(case: Case) -> ActionPath | None:
    """Moves to a position where nobody can force an end, from the first positions or a random game."""
    assert case.theory is not None
    for number in range(case.visited):
        if _is_endless(case.value(number)):
            return case.path(number)
    for walk in case.walks:
        for ply, state in enumerate(case.along(walk)):
            if _is_endless(case.theory.value(state)):
                return walk[:ply]
    return None


@finds("endless-perfect", "best play by both sides does not end; the witness repeats a position")
def endless_perfect(case: Case) -> Iterator[Finding]:
    if not _is_endless(case.value(0)):
        return

    def list_best(number: int) -> list[tuple[Action, int]]:
        """The moves of perfect play: those that leave it endless."""
        if number >= case.visited:
            return []
        endless = {action for action, value in case.moves(number) if value.kind == "endless"}
        return [move for move in case.graph.moves(number) if move[0] in endless]

    loop = first_loop(list_best)
    if loop is not None:
        text = (
            "Perfect play never ends: neither side can force a win, and"
            f" {_where(loop.into)} recurs {plural(len(loop.around))} later."
        )
        yield Finding("endless-perfect", "problem", text, case.texts(loop.into + loop.around))
    elif not case.whole:
        text = (
            f"Perfect play never ends: neither side can force a win, {case.grounds};"
            f" {SAFE_PLIES} safe plies are shown."
        )
        yield Finding("endless-perfect", "problem", text, case.texts(_safely_on(case, ())))


def _is_endless(value: Value | None) -> bool:
    return value is not None and value.kind == "endless"


def _safely_on(case: Case, path: ActionPath) -> ActionPath:
    """Extend a line by moves that leave neither side a way to force an end."""
    *_, state = case.along(path)
    for _ in range(SAFE_PLIES):
        action = next(action for action, value in case.moves_at(state) if value.kind == "endless")
        path = (*path, action)
        state = case.game.apply(state, action)
    return path


def _where(path: ActionPath) -> str:
    return f"the position after {plural(len(path))}" if path else "the start position"


@finds("trap", "positions from which no end of the game can be reached; the witness leads into them")
def trap(case: Case) -> Iterator[Finding]:
    # A position that was not visited may lead to an end.
    over = [
        0 if number >= case.visited or case.game.outcome(state) is not None else None
        for number, state in enumerate(case.graph.states)
    ]
    steps = [[target for _, target in case.graph.moves(number)] for number in range(case.visited)]
    ending = can_end(steps, over, range(len(over)))
    caught = [number for number in range(case.visited) if number not in ending]
    inside = [number for number in caught if case.graph.moves(number)]  # a dead end has its own code
    if inside:
        path = case.path(inside[0])
        where = f"after {plural(len(path))}" if path else "from the start on"
        text = (
            f"Play can be caught {where}: from {len(caught):,} of the {case.scope}, no end of the game can be"
            " reached, whatever the moves."
        )
        yield Finding("trap", "problem", text, case.texts(path))
