"""Dual Direction explained: how far the marker is from either goal."""

from perfectplay.core.game import Action, other
from perfectplay.core.wording import counted
from perfectplay.games.dual_direction.rules import DualDirection, State
from perfectplay.solver.oracle import Oracle


def reason(oracle: Oracle[State], state: State, action: Action) -> str:
    """Why a move is best: where it leaves the marker."""
    game = oracle.game
    assert isinstance(game, DualDirection)
    position = game.apply(state, action).position
    steps = (position - 1, game.positions - position)
    mine, theirs = steps[state.side], steps[other(state.side)]
    opponent = game.side_names[other(state.side)]
    steps_left = counted(mine, "step", "steps")
    return f"It leaves the marker {steps_left} from your goal and {theirs} from {opponent}'s."
