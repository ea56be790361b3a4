"""The opponent that never errs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perfectplay.core.game import Action, Game
from perfectplay.players.base import KnownPlayer
from perfectplay.solver.oracle import Oracle, oracle_for


@dataclass(frozen=True)
class PerfectPlayer(KnownPlayer):
    """The computer, never a mistake, and where it cannot win the most chances for you to go wrong.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip")
    >>> sorted(PerfectPlayer().chances(game, game.initial()))
    [0, 2, 7, 9]
    """

    name = "perfect"

    def prepare(self, game: Game[Any]) -> None:
        oracle_for(game)

    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        chosen = most_tempting(oracle_for(game), state)
        return dict.fromkeys(chosen, 1 / len(chosen))


def most_tempting(oracle: Oracle[Any], state: Any) -> tuple[Action, ...]:
    """Of the best moves, those that leave the opponent the most ways to go wrong."""
    best = oracle.best(state)
    if len(best) == 1:
        return best
    wrong = [_ways_to_go_wrong(oracle, state, action) for action in best]
    most = max(wrong)
    return tuple(action for action, ways in zip(best, wrong, strict=True) if ways == most)


def _ways_to_go_wrong(oracle: Oracle[Any], state: Any, action: Action) -> int:
    """How many replies to a move are not best; none if the opponent does not get to reply."""
    game = oracle.game
    after = game.apply(state, action)
    replies = game.legal_actions(after)
    if not replies or game.side_to_move(after) == game.side_to_move(state):
        return 0
    return len(replies) - oracle.count_best(after)
