"""Exact answers: every position of a game, and its value."""
