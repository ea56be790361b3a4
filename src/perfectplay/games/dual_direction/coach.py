"""Dual Direction explained: how far the marker is from either goal."""

from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Action, Game, other
from perfectplay.games.dual_direction.rules import DualDirection, State
from perfectplay.solver.oracle import Oracle


def steps(game: Game[State], state: State, action: Action) -> int:
    """How far a move leaves the marker from the mover's own goal."""
    assert isinstance(game, DualDirection)
    position = game.apply(state, action).position
    return (position - 1, game.positions - position)[state.side]


def reason(oracle: Oracle[State], state: State, action: Action) -> str:
    """Why a move is best: where it leaves the marker."""
    game = oracle.game
    assert isinstance(game, DualDirection)
    mine = steps(game, state, action)
    theirs = game.positions - 1 - mine
    opponent = game.side_names[other(state.side)]
    steps_left = pluralize(mine, "step", "steps")
    return f"It leaves the marker {steps_left} from your goal and {theirs} from {opponent}'s."
