"""Opponents of graded strength: the perfect player with human-like slips."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perfectplay.core.game import Action, Game
from perfectplay.core.spec import parameter
from perfectplay.core.value import Value
from perfectplay.players.base import DEFAULT_LEVEL, KnownPlayer
from perfectplay.solver.oracle_cache import oracle_for

SLOWER, GIVEN_AWAY, LOST_AT_ONCE = range(3)
LEVELS = tuple(range(1, 11))
WEIGHTS = (4, 2, 1)
"""The relative weight of each kind of slip available in a position."""


@dataclass(frozen=True)
class LevelPlayer(KnownPlayer):
    """The computer, as strong as you like: 1 is about random, 10 perfect.

    Level N slips in 6 * (10 - N) of 100 moves, if the position has a move that is not best. A slip
    that only wastes time has weight 4, one that gives away the win, tie or endless play weight 2, and
    one that loses to the next move weight 1. Moves of the same kind are equally likely.
    """

    name = "level"
    bare = "strength"

    strength: int = parameter(DEFAULT_LEVEL, "the strength, 1 to 10", least=1, most=10)

    @property
    def slip(self) -> float:
        """The probability of a slip, if the position has one."""
        return 6 * (10 - self.strength) / 100

    def prepare(self, game: Game[Any]) -> None:
        oracle_for(game)

    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        oracle = oracle_for(game)
        moves = oracle.moves(state)
        best = max((move.value for move in moves), key=lambda value: value.rank)
        slips: dict[int, list[Action]] = {}
        for move in moves:
            if move.value.rank != best.rank:
                slips.setdefault(kind_of_slip(best, move.value), []).append(move.action)
        sound = oracle.tempting(state, tuple(move.action for move in moves if move.value.rank == best.rank))
        slip = self.slip if slips else 0.0
        chances = dict.fromkeys(sound, (1 - slip) / len(sound))
        total = sum(WEIGHTS[kind] for kind in slips)
        for kind, actions in slips.items():
            for action in actions:
                chances[action] = slip * WEIGHTS[kind] / total / len(actions)
        return {action: chance for action, chance in sorted(chances.items()) if chance}


def kind_of_slip(best: Value, played: Value) -> int:
    """How bad a move that is not best is."""
    if played.kind == best.kind:
        return SLOWER if played.kind != "loss" or played.plies != 2 else LOST_AT_ONCE
    return LOST_AT_ONCE if played == Value("loss", 2) else GIVEN_AWAY
