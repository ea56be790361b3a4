"""Whether the rules of a game on arrays agree with its plain rules."""

from collections.abc import Iterator, Sequence
from itertools import islice
from os.path import dirname, join
from random import Random
from typing import Any

import numpy as np

from perfectplay.core.array_rules import ArrayRules
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game, S
from perfectplay.core.laws.conformance import Violation, describe_error, place
from perfectplay.core.walks import positions, random_walk
from perfectplay.solver.graph import explore

LAW = "array-rules"
OURS = join(dirname(__file__), "")
_ENDS = {getattr(ArrayRules, name): name for name in ("GOES_ON", "LOST", "TIED", "WON")}
FIRST, WALKS, LONGEST = 20_000, 50, 1_000
"""The first positions in order of play that are compared, then random games, and the most plies of each."""


def find_array_violation(game: Game[S], rng: Random) -> Violation | None:
    """The first difference between the rules of a game and those on arrays; None if there is none.

    All positions of a small game are compared, of a large one the first and those of random games.
    """
    try:
        return _first_difference(game, rng)
    except Exception as error:  # noqa: BLE001 - any error in the game is the finding
        return Violation(LAW, describe_error(error, OURS))


def _first_difference(game: Game[S], rng: Random) -> Violation | None:
    rules = game.array_rules()
    if rules is None:
        return None
    if not isinstance(rules, ArrayRules):
        return Violation(LAW, f"array_rules() must return ArrayRules or None, not {type(rules).__name__}")
    graph = explore(game, first=FIRST, limit=FIRST)
    whole = graph.visited == len(graph.states)
    for number, problem in _compare(game, rules, graph.states[: graph.visited], whole=whole):
        return Violation(LAW, problem, place(game, graph.states[number]), graph.path(number))
    if rules.layered:
        depth = {0: 0}
        for number in range(graph.visited):
            for action, target in graph.moves(number):
                if depth.setdefault(target, depth[number] + 1) != depth[number] + 1:
                    problem = (
                        f"layered, but it is reached after {depth[target]} and {depth[number] + 1} plies"
                    )
                    path = (*graph.path(number), action)
                    return Violation(LAW, problem, place(game, graph.states[target]), path)
    for _ in range(0 if whole else WALKS):
        path_to: list[Action] = []
        for _ in islice(random_walk(game, rng, path_to), LONGEST):
            pass
        plies: dict[S, int] = {}  # where play came to each position first: in a loop, it comes back
        for ply, state in enumerate(positions(game, path_to)):
            plies.setdefault(state, ply)
        found = list(plies)
        for number, problem in _compare(game, rules, found):
            path = tuple(path_to[: plies[found[number]]])
            return Violation(LAW, problem, place(game, found[number]), path)
    return None


def _compare(
    game: Game[S], rules: ArrayRules[S], states: Sequence[S], *, whole: bool = False
) -> Iterator[tuple[int, str]]:
    """Problems of positions, by their number. The first is the start, and `whole` says that these are all."""
    bits = getattr(rules, "bits", None)
    if type(bits) is not int or not 1 <= bits <= 64:
        yield 0, f"set bits to a whole number from 1 to 64; it is {bits!r}"
        return
    seen: dict[int, int] = {}
    for number, state in enumerate(states):
        code = rules.code(state)
        if type(code) is not int or not 0 <= code < 1 << rules.bits:
            yield number, f"code() gives {code!r}, and must give a whole number of at most {rules.bits} bits"
            return
        if seen.setdefault(code, number) != number:
            yield number, f"the code {code} is used twice: also for {place(game, states[seen[code]])}"
            return
    for code, number in seen.items():
        if rules.state(code) != states[number]:
            yield number, f"state({code}) is another position: {quote(repr(rules.state(code)), 100)}"
            return
    dtype = np.uint32 if rules.bits <= 32 else np.uint64
    codes = np.array(list(seen), dtype)
    match rules.look(np, codes):
        case ends, [*moves] if all(isinstance(each, tuple | list) and len(each) == 2 for each in moves):
            problem = _shape("ends", ends, len(codes), np.integer)
        case _:
            yield 0, "look() must give how positions have ended, and a list with two arrays for each action"
            return
    if problem is None and len(moves) != game.num_actions:
        problem = f"look() gives the moves of {len(moves)} actions, not of {game.num_actions}"
    for action, (after, legal) in enumerate(moves):
        problem = problem or _shape(f"the codes after action {action}", after, len(codes), dtype)
        problem = problem or _shape(f"where action {action} is legal", legal, len(codes), np.bool_)
    sides = rules.sides(np, codes)
    if problem is None and sides is not None:
        problem = _shape("sides", sides, len(codes), np.integer)
    if problem is not None:
        yield 0, problem
        return
    for number, state in enumerate(states):
        yield from ((number, each) for each in _differences(game, rules, state, number, ends, moves, sides))
    yield from _unequal_images(rules, codes, ends, moves, whole=whole)


def _shape(name: str, array: Any, count: int, dtype: Any) -> str | None:
    if getattr(array, "shape", None) != (count,):
        return f"{name}: has the shape {getattr(array, 'shape', None)}, not {(count,)}"
    if not np.issubdtype(array.dtype, dtype):
        wanted = "a type of whole numbers" if dtype is np.integer else np.dtype(dtype).name
        return f"{name}: has the type {array.dtype}, not {wanted}"
    return None


def _differences(
    game: Game[S], rules: ArrayRules[S], state: S, number: int, ends: Any, moves: Any, sides: Any
) -> Iterator[str]:
    end, side, legal_actions = int(ends[number]), game.side_to_move(state), game.legal_actions(state)
    if sides is not None and int(sides[number]) != side:
        yield f"sides() gives side {int(sides[number])}, not {side}"
    outcome = game.outcome(state)
    wanted = rules.GOES_ON
    if outcome is not None:
        winner = outcome.winner
        wanted = rules.TIED if winner is None else rules.WON if winner == side else rules.LOST
    legal = tuple(action for action, each in enumerate(moves) if each[1][number])
    if end != rules.GOES_ON and legal:
        yield f"look() has an outcome, and moves: {game.action_text(state, legal[0])}"
    if end != wanted:
        said, right = (_ENDS.get(each, str(each)) for each in (end, wanted))
        yield f"look() gives {said} for how it has ended, not {right}"
    if legal != legal_actions:
        action = min(set(legal) ^ set(legal_actions))
        allowed = "is legal only on arrays" if action in legal else "is legal, but not on arrays"
        yield f"move {game.action_text(state, action)} {allowed}"
    for action in set(legal) & set(legal_actions):
        found, after = int(moves[action][0][number]), game.apply(state, action)
        text = game.action_text(state, action)
        if found != rules.code(after):
            yield f"move {text} leads to the unknown code {found}, not to {rules.code(after)}"
        if sides is None and game.side_to_move(after) == side:
            yield f"after move {text} the same side is to move, so there must be sides()"


def _unequal_images(
    rules: ArrayRules[S], codes: Any, ends: Any, moves: Any, *, whole: bool
) -> Iterator[tuple[int, str]]:
    """Symmetries under which a position and its image end differently, or have other moves.

    Images are counted, and said to be reachable, so that play must reach them. If those of the start are
    reached, all are: an image has the images of the moves.
    """

    def successors(moved: Any) -> Any:
        top = np.iinfo(codes.dtype).max
        return np.sort([np.where(legal, rules.canonical(np, after), top) for after, legal in moved], axis=0)

    for image in rules.images(np, codes):
        problem = _shape("images", image, len(codes), codes.dtype.type)
        if problem is not None:
            yield 0, problem
            return
        for number, code in enumerate(image.tolist()):
            if not _is_code(rules, code):
                yield number, f"its image by symmetry is {code}, which is the code of no position"
                return
        other_ends, other_moves = rules.look(np, image)
        same = (rules.canonical(np, image) == rules.canonical(np, codes)) & (other_ends == ends)
        same &= (successors(other_moves) == successors(moves)).all(axis=0)
        if not same.all():
            yield int(np.flatnonzero(~same)[0]), "its image by symmetry has another outcome or other moves"
            return
        reached = np.isin(image, codes) if whole else image[:1] == codes[0]
        if (whole or rules.layered) and not reached.all():
            number = int(np.flatnonzero(~reached)[0])
            shown = place(rules.game, rules.state(int(image[number])))
            yield number, f"its image by symmetry, {shown}, is never reached by play"


def _is_code(rules: ArrayRules[Any], code: int) -> bool:
    try:
        return rules.code(rules.state(code)) == code
    except Exception:  # noqa: BLE001 - rules need not know what to do with other codes
        return False
