from perfectplay.games.dual_direction.rules import DualDirection as DualDirection
