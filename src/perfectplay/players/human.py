"""A human player, who is asked for moves."""

from dataclasses import dataclass

from perfectplay.players.base import Player


@dataclass(frozen=True)
class Human(Player):
    """A person at this keyboard."""

    name = "human"
