"""Inversion Race explained: steps to the goal, and what an inversion does to them."""

from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Action, other
from perfectplay.games.inversion_race.rules import InversionRace, State
from perfectplay.solver.oracle import Oracle


def reason(oracle: Oracle[State], state: State, action: Action) -> str:
    """Why a step is best: how far both markers then are from the goal."""
    game = oracle.game
    assert isinstance(game, InversionRace)
    after = game.apply(state, action)
    goal = game.goal(after)
    places = (after.a, after.b)
    mine, theirs = (abs(goal - places[side]) for side in (state.side, other(state.side)))
    opponent = game.side_names[other(state.side)]
    inverts = "inversion" in game.events(state, action)
    head = f"It inverts the race: the goal is now cell {goal}, and" if inverts else "After this move"
    return f"{head} you are {pluralize(mine, 'step', 'steps')} from cell {goal}, {opponent} {theirs}."
