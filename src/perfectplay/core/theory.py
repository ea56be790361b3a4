"""Exact answers by mathematical argument, for games with too many positions to visit."""

from abc import ABC, abstractmethod
from typing import Generic

from perfectplay.core.game import Action, Game, S
from perfectplay.core.value import Value, best_of


class Theory(ABC, Generic[S]):
    """The value of any position of a game, from the point of view of the side to move.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip:bits=1000000")
    >>> game.theory().value(game.initial()).kind
    'win'
    """

    knows_plies: bool = False
    """Whether the values include distances."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    @abstractmethod
    def value(self, state: S) -> Value:
        """The value of a position; a finished one is 0 plies from its end where plies are known."""

    def moves(self, state: S) -> tuple[tuple[Action, Value], ...]:
        """Each legal action with its value, from the point of view of the side that moves."""
        return tuple((action, self._after(state, action)) for action in self.game.legal_actions(state))

    def best(self, state: S) -> tuple[Action, ...]:
        """The legal actions with the best value and, if known, the best distance."""
        return best_of(self.moves(state))

    def count_best(self, state: S) -> int:
        """The number of best actions; a theory may know it without listing them."""
        return len(self.best(state))

    def _after(self, state: S, action: Action) -> Value:
        after = self.game.apply(state, action)
        same_side = self.game.side_to_move(after) == self.game.side_to_move(state)
        return self.value(after).before(same_side)
