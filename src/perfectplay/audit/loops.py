"""Finds loops: ways for play to return to a position."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from perfectplay.core.game import Action
from perfectplay.core.walks import BreadthFirst

Moves = Callable[[int], Iterable[tuple[Action, int]]]
"""Returns the moves of a position to consider, each with the number of the position it leads to."""


class Loop(NamedTuple):
    """Moves from position 0 to a position, and moves from there back to it."""

    into: tuple[Action, ...]
    around: tuple[Action, ...]


def first_loop(moves: Moves) -> Loop | None:
    """The loop that can be entered soonest from position 0, and its shortest round; None if there is none."""
    walk = BreadthFirst([0], moves)
    for component in _components(list(walk), moves):
        for number in component:
            back = _back(number, component, moves)
            if back is not None:
                return Loop(walk.path(number), back)
    return None


def _back(start: int, among: set[int], moves: Moves) -> tuple[Action, ...] | None:
    """A shortest way from `start` back to itself through the positions in `among`."""
    walk = BreadthFirst([start], lambda here: [step for step in moves(here) if step[1] in among])
    for number in walk:
        for action, target in moves(number):
            if target == start:
                return (*walk.path(number), action)
    return None


def _components(numbers: list[int], moves: Moves) -> list[set[int]]:
    """Strongly connected components (Tarjan), in the order of `numbers`.

    A single position is a component too, whether or not it leads to itself.
    """
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    done: dict[int, set[int]] = {}
    for root in numbers:
        if root in order:
            continue
        work = [(root, iter(moves(root)))]
        order[root] = low[root] = len(order)
        stack.append(root)
        while work:  # an explicit stack: games can be deeper than Python's recursion limit
            number, rest = work[-1]
            step = next(rest, None)
            if step is not None:
                target = step[1]
                if target not in order:
                    order[target] = low[target] = len(order)
                    stack.append(target)
                    work.append((target, iter(moves(target))))
                elif target not in done:
                    low[number] = min(low[number], order[target])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[number])
            if low[number] == order[number]:
                component: set[int] = set()
                while number not in component:
                    component.add(stack.pop())
                done.update(dict.fromkeys(component, component))
    places = {number: place for place, number in enumerate(numbers)}
    groups = {min(places[number] for number in each): each for each in done.values()}
    return [groups[place] for place in sorted(groups)]
