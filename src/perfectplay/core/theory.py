"""Exact answers from an argument about the game, where its positions are too many to visit."""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

from perfectplay.core.value import Value

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

    def count_best(self, state: S) -> int:
        """How many legal actions keep the value of a position that is not over."""
        best = self.value(state).rank
        return sum(value.rank == best for _, value in self.moves(state))

    def _after(self, state: S, action: "Action") -> Value:
        after = self.game.apply(state, action)
        same_side = self.game.side_to_move(after) == self.game.side_to_move(state)
        return self.value(after).before(same_side)
