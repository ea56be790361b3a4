"""The exact measure of policies, over all positions of a game as arrays. Needs NumPy."""
