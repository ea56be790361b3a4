"""The positions of a game to ask about or to start from."""

from collections.abc import Hashable, Iterator
from functools import lru_cache
from random import Random

from perfectplay.core.game import Action, Game, S
from perfectplay.core.outcome import Side
from perfectplay.core.value import KINDS, Kind, Value
from perfectplay.core.walks import BreadthFirst, steps
from perfectplay.evals.answers import Verdict
from perfectplay.evals.limits import DEPTH, MOST_NEAR
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import explore
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.points import MOST, share_kept


def value_of_answer(game: Game[S], state: S, verdict: Verdict | None, in_a_row: int = 0) -> Value | None:
    """What an answer is worth to the side to move; None if it is neither a move nor a lost turn."""
    if verdict is None or verdict.outcome not in ("legal", "invalid"):
        return None
    if verdict.action is None:
        return value_of_forfeit(game, state, in_a_row)
    return next(move.value for move in oracle_for(game).moves(state) if move.action == verdict.action)


def value_of_forfeit(game: Game[S], state: S, in_a_row: int = 0) -> Value | None:
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
def find_positions(game: Game[S]) -> tuple[S, ...]:
    """The positions to choose from, finished ones included: all in reach, or the first few plies."""
    try:
        return tuple(explore(game, limit=MOST).states)
    except TooLargeError:
        return tuple(_near(game))


def _near(game: Game[S]) -> list[S]:
    classes = {game.canonical(game.initial())}

    def new(state: S) -> Iterator[tuple[Action | None, S]]:
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


def paths_to_positions(game: Game[S]) -> BreadthFirst[S, Action | None]:
    """A finished walk through these positions, which knows a path to each."""
    known = frozenset(find_positions(game))
    walk: BreadthFirst[S, Action | None] = BreadthFirst(
        [game.initial()], lambda state: (each for each in steps(game)(state) if each[1] in known)
    )
    for _ in walk:
        pass
    return walk


@lru_cache(maxsize=64)
def find_decisions(game: Game[S]) -> dict[Hashable, tuple[S, ...]]:
    """The positions in which some legal move loses value, by class of symmetry."""
    oracle = oracle_for(game)
    found: dict[Hashable, list[S]] = {}
    for state in find_positions(game):
        moves = oracle.moves(state)
        if moves and share_kept(moves) < 1:
            found.setdefault(game.canonical(state), []).append(state)
    return {key: tuple(states) for key, states in found.items()}


@lru_cache(maxsize=64)
def _sort_unfinished(game: Game[S], seat: Side) -> dict[Kind, tuple[S, ...]]:
    """The unfinished positions with `seat` to move, by their value for it, worst first."""
    oracle = oracle_for(game)
    found: dict[Kind, list[S]] = {kind: [] for kind in KINDS}
    for state in find_positions(game):
        if game.side_to_move(state) == seat and len(game.legal_actions(state)) > 1:
            found[oracle.value(state).kind].append(state)
    return {kind: tuple(states) for kind, states in found.items() if states}


def draw_start(game: Game[S], seat: Side, number: int, seed: int) -> S:
    """Where game `number` with a balanced start begins, with `seat` to move.

    The values of the positions take turns, so that positions won, lost, tied and endless for the agent
    are equally frequent. The start of the game is used if `seat` never has a choice.
    """
    found: dict[Kind, tuple[S, ...]] = _sort_unfinished(game, seat)
    if not found:
        return game.initial()
    kinds = list(found)
    return Random(f"start/{seed}/{seat}").choice(found[kinds[number % len(kinds)]])
