"""Exact answers from an argument about the game, where its positions are too many to visit."""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

from perfectplay.core.value import Value, best_of

if TYPE_CHECKING:
    from perfectplay.core.game import Action, Game

S = TypeVar("S", bound=Hashable)


class Theory(ABC, Generic[S]):
    """What a game's theory knows of any of its positions. Values are as the side to move sees them."""

    knows_plies: bool = False
    """Whether the values carry distances."""

    def __init__(self, game: "Game[S]") -> None:
        self.game = game

    @abstractmethod
    def value(self, state: S) -> Value:
        """The value of a position; a finished one is 0 plies from its end where plies are known."""

    def moves(self, state: S) -> "tuple[tuple[Action, Value], ...]":
        """The value of each legal action, as the side that makes it sees it."""
        return tuple((action, self._after(state, action)) for action in self.game.legal_actions(state))

    def best(self, state: S) -> "tuple[Action, ...]":
        """The legal actions of the best value and, where that is known, the best distance."""
        return best_of(self.moves(state))

    def count_best(self, state: S) -> int:
        """How many such actions there are; a theory may know without listing them."""
        return len(self.best(state))

    def _after(self, state: S, action: "Action") -> Value:
        after = self.game.apply(state, action)
        same_side = self.game.side_to_move(after) == self.game.side_to_move(state)
        return self.value(after).before(same_side)
