from perfectplay.games.dual_direction.rules import DualDirection, State

__all__ = ["DualDirection", "State"]
