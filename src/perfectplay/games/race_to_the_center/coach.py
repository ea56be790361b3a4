"""Race to the Center explained: how many moves each player needs."""

from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Action, other
from perfectplay.games.race_to_the_center.rules import RaceToTheCenter, State
from perfectplay.solver.oracle import Oracle


def reason(oracle: Oracle[State], state: State, action: Action) -> str:
    """Why a step is best: how many moves each player still needs after it."""
    game = oracle.game
    assert isinstance(game, RaceToTheCenter)
    after = game.apply(state, action)
    places = (after.one, after.two)
    needed = [-(-abs(game.center - place) // game.longest) for place in places]
    mine, theirs = needed[state.side], needed[other(state.side)]
    opponent = game.side_names[other(state.side)]
    if mine == theirs == 0:
        return f"It lands on the center in the same round as {opponent}."
    if mine == 0:
        return f"It lands on the center, with {opponent} {pluralize(theirs, 'move', 'moves')} away from it."
    return (
        f"After this move you still need at least {pluralize(mine, 'move', 'moves')} to the center,"
        f" {opponent} at least {theirs}."
    )
