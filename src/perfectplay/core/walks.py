"""Ways through a game: sequences of moves, the positions in order of play, and random games."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from perfectplay.core.game import Action, Game, S
from perfectplay.core.limits import MOST_SEARCHED
from perfectplay.core.outcome import Side

N = TypeVar("N", bound=Hashable)
L = TypeVar("L")

MoveSequence = tuple[Action | None, ...]
"""Moves from the start; None is a forfeited turn."""

TRIES = 4
"""How many moves to try to find one that leads to a new position."""
CHARACTERS = 64
"""Every stretch of this length in a position's text counts as one more ply of work."""


def move_texts(game: Game[Any], path: Sequence[Action | None]) -> tuple[str, ...]:
    """Moves from the start as text, in the form that `perfectplay replay --moves` accepts."""
    return tuple(
        "forfeit" if action is None else game.action_text(state, action)
        for state, action in zip(positions(game, path), path, strict=False)  # the last has no move
    )


def positions(game: Game[S], path: Sequence[Action | None]) -> Iterator[S]:
    """The start position and the position after each move of a path."""
    state = game.initial()
    yield state
    for action in path:
        after = game.after_forfeit(state) if action is None else game.apply(state, action)
        assert after is not None  # a path has a forfeit only where the rules allow one
        state = after
        yield state


class BreadthFirst(Generic[N, L]):
    """Visits nodes, nearest to the starts first: iterating yields each node once, before its steps are taken.

    `steps` gives the steps from a node, each with its label and the node it leads to. Break off the
    iteration to stop. It ends by itself where a node would be the first beyond `limit`.
    """

    def __init__(
        self, starts: Iterable[N], steps: Callable[[N], Iterable[tuple[L, N]]], *, limit: int | None = None
    ) -> None:
        self.parents: dict[N, tuple[N, L] | None] = dict.fromkeys(starts)
        """Every node found, in that order, with the one before it and the step between; None for a start."""
        self.whole = True
        """Whether no node was left out because of the limit."""
        self._steps = steps
        self._limit = limit

    def __iter__(self) -> Iterator[N]:
        parents, limit = self.parents, self._limit
        queue = list(parents)
        for node in queue:  # grows during the loop
            yield node
            for label, after in self._steps(node):
                if after not in parents:
                    if limit is not None and len(parents) >= limit:
                        self.whole = False
                        return
                    parents[after] = (node, label)
                    queue.append(after)

    def path(self, node: N) -> tuple[L, ...]:
        """The steps by which a node was found."""
        return trace(self.parents, node)


def trace(parents: Mapping[N, tuple[N, L] | None], node: N) -> tuple[L, ...]:
    """The steps that lead to a node, from what is known of the node before each."""
    labels: list[L] = []
    while (before := parents[node]) is not None:
        node, label = before
        labels.append(label)
    return tuple(reversed(labels))


def steps(game: Game[S], *, forfeits: bool = False) -> Callable[[S], Iterator[tuple[Action | None, S]]]:
    """The moves from a position, each with where it leads; with `forfeits` also a lost turn, as None."""

    def take(state: S) -> Iterator[tuple[Action | None, S]]:
        for action in game.legal_actions(state):
            yield action, game.apply(state, action)
        lost = game.after_forfeit(state) if forfeits and game.outcome(state) is None else None
        if lost is not None:
            yield None, lost

    return take


def may_win(game: Game[S], state: S, side: Side) -> bool:
    """Whether some sequence of legal moves wins for a side; True as well if there are too many to tell.

    It depends on the rules and the position alone, so a replay gives the same answer.
    """
    # Depth first: a win is usually deep.
    stack, seen, left = [state], {state}, MOST_SEARCHED
    while stack:
        here = stack.pop()
        for action in game.legal_actions(here):
            if not left:
                return True
            left -= 1
            after = game.apply(here, action)
            if after in seen:
                continue
            seen.add(after)
            outcome = game.outcome(after)
            if outcome is None:
                stack.append(after)
            elif outcome.winner == side:
                return True
    return False


def random_walk(game: Game[S], rng: Random, path: list[Action]) -> Iterator[S]:
    """The positions of a game with random moves; the moves are appended to `path`."""
    state = game.initial()
    while actions := game.legal_actions(state):
        action = rng.choice(actions)
        state = game.apply(state, action)
        path.append(action)
        yield state


def deep_walk(game: Game[S], rng: Random, visited: set[int], path: list[Action]) -> Iterator[tuple[S, int]]:
    """The positions of a random game that avoids visited positions, each with its cost in work.

    It gets further than a purely random game, which may go back and forth. `visited` holds the hashes
    of known positions; those of the new ones are added, and the moves are appended to `path`.
    """
    state = game.initial()
    visited.add(hash(state))
    while actions := game.legal_actions(state):
        for action in rng.sample(actions, min(TRIES, len(actions))):
            after = game.apply(state, action)
            if hash(after) not in visited:
                break
        visited.add(hash(after))
        path.append(action)
        state = after
        yield state, 1 + len(repr(state)) // CHARACTERS
