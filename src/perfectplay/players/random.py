"""The simplest opponent."""

from dataclasses import dataclass
from random import Random
from typing import Any

from perfectplay.core.game import Action, Game
from perfectplay.players.base import ComputerPlayer


@dataclass(frozen=True)
class RandomPlayer(ComputerPlayer):
    """The computer, any legal move with the same chance.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip")
    >>> RandomPlayer().choose(game, game.initial(), Random(1)) in game.legal_actions(game.initial())
    True
    """

    name = "random"

    def choose(self, game: Game[Any], state: Any, rng: Random) -> Action:
        return rng.choice(game.legal_actions(state))
