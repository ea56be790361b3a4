"""The opponent that never makes a mistake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perfectplay.core.game import Action, Game
from perfectplay.players.base import KnownPlayer
from perfectplay.solver.oracle_cache import oracle_for


@dataclass(frozen=True)
class PerfectPlayer(KnownPlayer):
    """The computer, playing perfectly and giving you as many chances as possible to go wrong."""

    name = "perfect"

    def prepare(self, game: Game[Any]) -> None:
        oracle_for(game)

    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        chosen = oracle_for(game).tempting(state)
        return dict.fromkeys(chosen, 1 / len(chosen))
