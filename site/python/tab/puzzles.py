"""The puzzles of the day in a tab."""

from perfectplay.workers.puzzles import REQUESTS

__all__ = ["REQUESTS"]
