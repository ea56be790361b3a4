"""What the two sides of a game get at its end."""

WIN = 1.0
"""The reward of the winner; the loser gets as much less than nothing."""
REWARDS = {None: (0.0, 0.0), 0: (WIN, -WIN), 1: (-WIN, WIN)}
"""The rewards of the two sides, by winner."""
