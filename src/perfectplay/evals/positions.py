"""The positions of a game to ask about or to start from."""

from collections.abc import Hashable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

from perfectplay.core.game import Action, Game
from perfectplay.core.outcome import Side
from perfectplay.core.value import KINDS, Kind, Value
from perfectplay.core.walks import BreadthFirst, steps
from perfectplay.evals.limits import DEPTH, MOST_NEAR
from perfectplay.solver.graph import TooLargeError, explore
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.points import MOST, share_kept


def value_of_forfeit(game: Game[Any], state: Any, in_a_row: int = 0) -> Value | None:
    """What a lost turn is worth to the side to move; None if the game has no such rule.

    `in_a_row` turns were lost just before: one more may disqualify.

    >>> import perfectplay as pp
    >>> game = pp.load("mirror-match:disqualify_after=2")
    >>> [str(value_of_forfeit(game, game.initial(), lost)) for lost in (0, 1)]
    ['loss in 4', 'loss in 1']
    """
    after = game.after_forfeit(state)
    if after is None:
        return None
    if game.forfeit_limit and in_a_row + 1 >= game.forfeit_limit:
        return Value("loss", 1)
    return oracle_for(game).value(after).before(game.side_to_move(after) == game.side_to_move(state))


@lru_cache(maxsize=64)
def positions(game: Game[Any]) -> tuple[Any, ...]:
    """The positions to choose from, finished ones included: all that can be reached, or the first few plies.

    >>> import perfectplay as pp
    >>> len(positions(pp.load("bit-flip"))), len(positions(pp.load("mirror-match")))
    (144, 162)
    """
    try:
        return tuple(explore(game, limit=MOST).states)
    except TooLargeError:
        return tuple(_near(game))


def _near(game: Game[Any]) -> list[Any]:
    classes = {game.canonical(game.initial())}

    def new(state: Any) -> Iterator[tuple[Action | None, Any]]:
        for action, after in steps(game)(state):
            if game.canonical(after) not in classes:
                classes.add(game.canonical(after))
                yield action, after

    walk = BreadthFirst([game.initial()], new, limit=MOST_NEAR)
    depth = 0
    for state in walk:
        depth = len(walk.path(state))
        if depth == DEPTH:
            break
    # What was found beyond the ply that was left is a part of the next one, and not a fair sample of it.
    return [state for state in walk.parents if len(walk.path(state)) <= depth]


@lru_cache(maxsize=64)
def decisions(game: Game[Any]) -> dict[Hashable, tuple[Any, ...]]:
    """The positions in which some legal move loses value, by class of symmetry.

    >>> import perfectplay as pp
    >>> found = decisions(pp.load("bit-flip"))
    >>> len(found), sum(map(len, found.values()))
    (21, 40)
    """
    oracle = oracle_for(game)
    found: dict[Hashable, list[Any]] = {}
    for state in positions(game):
        moves = oracle.moves(state)
        if moves and share_kept(moves) < 1:
            found.setdefault(game.canonical(state), []).append(state)
    return {key: tuple(states) for key, states in found.items()}


@lru_cache(maxsize=64)
def _unfinished(game: Game[Any], seat: Side) -> dict[Kind, tuple[Any, ...]]:
    """The unfinished positions with `seat` to move, by their value for it, worst first."""
    oracle = oracle_for(game)
    found: dict[Kind, list[Any]] = {kind: [] for kind in KINDS}
    for state in positions(game):
        if game.side_to_move(state) == seat and len(game.legal_actions(state)) > 1:
            found[oracle.value(state).kind].append(state)
    return {kind: tuple(states) for kind, states in found.items() if states}


def starting_position(game: Game[Any], seat: Side, number: int, seed: int) -> Any:
    """Where game `number` with a balanced start begins, with `seat` to move.

    The values of the positions take turns, so that positions won, lost, tied and endless for the agent
    are equally frequent. The start of the game is used if `seat` never has a choice.
    """
    found = _unfinished(game, seat)
    if not found:
        return game.initial()
    kinds = list(found)
    return Random(f"start/{seed}/{seat}").choice(found[kinds[number % len(kinds)]])
