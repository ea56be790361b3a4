"""An opponent that looks ahead, for games too large to solve."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

from perfectplay.core.game import Action, Game, S
from perfectplay.core.outcome import Side, other
from perfectplay.core.spec import parameter
from perfectplay.players.base import KnownPlayer


@dataclass(frozen=True)
class SearchPlayer(KnownPlayer):
    """The computer, looking a few plies ahead and seeing nothing beyond.

    It plays for the quickest win it sees and delays a loss it cannot avoid; all other moves look equal
    to it. It needs to know nothing about a game but the rules.
    """

    name = "search"

    depth: int = parameter(6, "how many plies it looks ahead", least=1, most=30)

    def chances(self, game: Game[Any], state: Any) -> Mapping[Action, float]:
        chosen = best_within(game, state, self.depth)
        return dict.fromkeys(chosen, 1 / len(chosen))


def best_within(game: Game[S], state: S, depth: int) -> tuple[Action, ...]:
    """The best moves for a player that looks `depth` plies ahead."""
    lookahead = Lookahead(game)
    side = game.side_to_move(state)
    after = {action: game.apply(state, action) for action in game.legal_actions(state)}
    safe = tuple(after)
    # Deepen by one ply at a time: the first win found is the quickest, the last safe move loses latest.
    for plies in range(depth):
        winning = tuple(action for action in after if lookahead.wins(after[action], side, plies))
        if winning:
            return winning
        still_safe = tuple(a for a in safe if not lookahead.wins(after[a], other(side), plies))
        if not still_safe:
            return safe
        safe = still_safe
    return safe


class Lookahead(Generic[S]):
    """Finds wins that can be forced within a number of plies.

    Alpha-beta in its simplest form. Deepening one ply at a time, each question has a yes-or-no answer,
    and the first move that settles it cuts off the rest. The side to move is asked for in every
    position, because a side may move twice in a row.
    """

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        # For each position and side: the distance up to which no win is forced, and from which one is.
        self._known: dict[tuple[S, Side], tuple[int, int | None]] = {}

    def wins(self, state: S, side: Side, plies: int) -> bool:
        """Whether `side` can force a win within `plies` plies, whichever side is to move."""
        game = self.game
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.winner == side
        if plies == 0:
            return False
        key = (game.canonical(state), side)
        fails, wins = self._known.get(key, (0, None))
        if wins is not None and plies >= wins:
            return True
        if plies <= fails:
            return False
        following = (
            self.wins(game.apply(state, action), side, plies - 1) for action in game.legal_actions(state)
        )
        found = any(following) if game.side_to_move(state) == side else all(following)
        self._known[key] = (fails, plies) if found else (plies, wins)
        return found
