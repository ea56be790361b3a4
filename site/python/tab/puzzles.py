"""The puzzles of the day in a tab."""

from perfectplay.workers.practice import REQUESTS

__all__ = ["REQUESTS"]
