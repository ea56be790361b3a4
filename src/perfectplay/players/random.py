"""The simplest opponent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perfectplay.core.game import Action, Game
from perfectplay.players.base import KnownPlayer


@dataclass(frozen=True)
class RandomPlayer(KnownPlayer):
    """The computer, playing any legal move with equal probability."""

    name = "random"

    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        actions = game.legal_actions(state)
        return dict.fromkeys(actions, 1 / len(actions))
