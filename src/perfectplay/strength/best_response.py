"""The best response: the most that any agent can expect against a known player, exactly."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from perfectplay.core.game import Game
from perfectplay.core.outcome import Side, other
from perfectplay.players.base import KnownPlayer
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.chain import NOTHING, Scalar, StepChances, add_up, expectations
from perfectplay.strength.points import ENDLESS_PAYS, PAYOFFS, graph_of, head_to_head


@lru_cache(maxsize=1024)
def best_response(
    game: Game[Any], opponent: KnownPlayer, seat: Side, plies: int | None = None
) -> float | None:
    """The most points that any agent can expect in a seat; None if unknown.

    `plies` limits the games as in `expected_points`. Without a graph the most is known only where the seat
    wins by force in time.
    """
    graph = graph_of(game)
    if graph is None:
        start = game.initial()
        value = oracle_for(game).value(start)
        wins = value.kind == ("win" if game.side_to_move(start) == seat else "loss")
        in_time = plies is None or (value.plies is not None and value.plies <= plies)
        return 1.0 if wins and in_time else None
    pair = head_to_head(game, plies)
    choices = [
        [target for _, target in graph.moves(number)] if side == seat else []
        for number, side in enumerate(pair.sides)
    ]
    steps = pair.steps(opponent, other(seat))
    return float(best_expectations(steps, choices, pair.ends, PAYOFFS[seat], ENDLESS_PAYS, plies)[0])


def best_expectations(
    steps: StepChances,
    choices: Sequence[Sequence[int]],
    classes: Sequence[int | None],
    payoffs: Sequence[Scalar],
    endless: Scalar,
    plies: int | None = None,
) -> list[Scalar]:
    """Return the most that a player can expect from every state who chooses where `choices` has successors.

    Elsewhere `steps` decides. Play without end pays `endless`, and so does play that has not ended after
    `plies`, if they are given.
    """
    if plies is not None:
        values: list[Scalar] = [endless if kind is None else payoffs[kind] for kind in classes]
        for _ in range(plies):
            after: list[Scalar] = [
                max(values[target] for target in choices[number])
                if kind is None and choices[number]
                else add_up(chance * values[target] for target, chance in steps[number].items())
                if kind is None and steps[number]
                else values[number]
                for number, kind in enumerate(classes)
            ]
            change = max(abs(float(new) - float(old)) for new, old in zip(after, values, strict=True))
            values = after
            if change * plies < NOTHING:  # no later ply changes anything by more
                break
        return values
    # Each round replaces choices by strictly better ones, and what the choices bring is computed exactly.
    # Whoever first goes on forever wherever that is possible never expects less than `endless` there. So
    # nobody gains by going on forever when no choice is better any more, and these are the best values.
    forever = _can_last(steps, choices, classes)
    picked = {
        number: next((target for target in targets if target in forever), targets[0])
        for number, targets in enumerate(choices)
        if targets and classes[number] is None
    }
    while True:
        chosen = [{picked[number]: 1} if number in picked else row for number, row in enumerate(steps)]
        found = expectations(chosen, classes, payoffs, endless)
        best = {number: max(choices[number], key=found.__getitem__) for number in picked}
        better = {number: to for number, to in best.items() if found[to] > found[number] + NOTHING}
        if not better:
            return found
        picked |= better


def _can_last(
    steps: StepChances, choices: Sequence[Sequence[int]], classes: Sequence[int | None]
) -> set[int]:
    """The states from which the player can make sure that play never comes to an end."""
    into: list[list[int]] = [[] for _ in classes]
    ways = [len(set(targets)) for targets in choices]
    for number, targets in enumerate(choices):
        for target in set(targets) or steps[number]:
            into[target].append(number)
    lost = [number for number, kind in enumerate(classes) if kind is not None]
    lasting = set(range(len(classes))).difference(lost)
    for number in lost:  # grows while it is walked
        for source in into[number]:
            ways[source] -= 1
            if source in lasting and ways[source] <= 0:  # chance takes every way at some time
                lasting.discard(source)
                lost.append(source)
    return lasting
