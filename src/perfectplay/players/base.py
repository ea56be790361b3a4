"""Who chooses a move."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from random import Random
from typing import Any

from perfectplay.core.game import Action, Game
from perfectplay.core.spec import Parameters


@dataclass(frozen=True)
class Player(Parameters):
    """Someone who can take a seat. Like a game, a frozen dataclass that a spec names."""


@dataclass(frozen=True)
class ComputerPlayer(Player, ABC):
    """A player that chooses by itself."""

    @abstractmethod
    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        """A legal action. Every random choice is drawn from `rng`, which is new for each ply."""
