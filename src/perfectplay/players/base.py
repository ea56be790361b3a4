"""Who chooses a move."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from perfectplay.core.game import Action, Game
from perfectplay.core.spec import Parameters


@dataclass(frozen=True)
class Player(Parameters):
    """Someone who can take a seat. Like a game, a frozen dataclass that a spec names."""

    runs_commands: ClassVar[bool] = False
    """Whether playing runs something that the spec names, so that not every spec may be trusted."""


@dataclass(frozen=True)
class ComputerPlayer(Player, ABC):
    """A player that chooses by itself."""

    def prepare(self, game: Game[Any]) -> None:
        """Do whatever takes long, and refuse a game that the player cannot play, before it starts."""

    @abstractmethod
    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        """A legal action. Every random choice is drawn from `rng`, which is new for each ply."""

    def close(self) -> None:
        """Let go of whatever the player holds outside this program; it may be asked to play again."""


@dataclass(frozen=True)
class KnownPlayer(ComputerPlayer):
    """A player whose chances of each move are known exactly, so that whole games can be computed."""

    @abstractmethod
    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        """The probability of each action that the player may choose; they add up to 1."""

    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        return drawn(self.chances(game, state), rng)


def drawn(chances: Mapping[Action, float], rng: Random) -> Action:
    """An action drawn by its chance.

    >>> drawn({4: 1.0}, Random(0))
    4
    """
    return rng.choices(list(chances), list(chances.values()))[0]
