"""What a game is, and everything that follows from its rules alone. Standard library only."""
