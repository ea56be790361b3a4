"""Trained players: a policy is a small file of numbers, and choosing a move is plain Python."""

from perfectplay.players.learned.player import LearnedPlayer
from perfectplay.players.learned.policy import Policy, load_policy

__all__ = ["LearnedPlayer", "Policy", "load_policy"]
