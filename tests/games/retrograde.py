"""A plain retrograde solver, for the tests alone: the winner of each position, and in how many plies."""

from typing import Any, NamedTuple

from perfectplay import Game, Side


class Solved(NamedTuple):
    """The winner under perfect play and the plies it takes; a winner of None is endless play."""

    winner: Side | None
    plies: int | None


def reachable(game: Game[Any]) -> dict[Any, list[Any]]:
    """Every reachable position with its successors."""
    graph: dict[Any, list[Any]] = {}
    queue = [game.initial()]
    while queue:
        state = queue.pop()
        if state not in graph:
            graph[state] = [game.apply(state, action) for action in game.legal_actions(state)]
            queue += graph[state]
    return graph


def solve(game: Game[Any]) -> dict[Any, Solved]:
    """Solve a game without ties. Level by level: what is decided after `plies` follows from before."""
    graph = reachable(game)
    solved: dict[Any, Solved] = {}
    for state in graph:
        outcome = game.outcome(state)
        if outcome is not None:
            solved[state] = Solved(outcome.winner, 0)
    plies = 0
    while True:
        plies += 1
        found = {}
        for state, successors in graph.items():
            if state in solved:
                continue
            side = game.side_to_move(state)
            winners = [solved[after].winner if after in solved else None for after in successors]
            if side in winners:
                found[state] = Solved(side, plies)
            elif None not in winners:
                found[state] = Solved(winners[0], plies)
        if not found:
            return {state: solved.get(state, Solved(None, None)) for state in graph}
        solved.update(found)
