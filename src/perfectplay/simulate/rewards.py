"""What the two sides of a game get at its end."""

WIN = 1.0
"""The reward of the winner; that of the loser is -WIN."""
REWARDS = {None: (0.0, 0.0), 0: (WIN, -WIN), 1: (-WIN, WIN)}
"""The rewards of the two sides, by winner."""
