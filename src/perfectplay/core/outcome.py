"""How a game ended: by its own rules, or as a match. `endings` puts it into words."""

from typing import Literal, NamedTuple

Side = Literal[0, 1]
"""A player's place in the game: side 0 or side 1, whoever starts. `Game.side_names` has their names."""
SIDES: tuple[Side, Side] = (0, 1)


def other(side: Side) -> Side:
    """The opponent of `side`.

    >>> other(0)
    1
    """
    return 0 if side else 1


class Outcome(NamedTuple):
    """The end of a game: `winner` is None for a tie that a rule declares.

    >>> Outcome(winner=1, reason="last flip").winner
    1
    """

    winner: Side | None
    reason: str


class Result(NamedTuple):
    """How a match ended. `finished` is False if it was cut short without a win or a tie."""

    winner: Side | None
    reason: str
    finished: bool = True

    def text(self, side_names: tuple[str, str]) -> str:
        """The result as a record states it.

        >>> Result(1, "last flip").text(("Player 1", "Player 2"))
        'Player 2 wins: last flip'
        """
        if not self.finished:
            return f"unfinished: {self.reason}"
        if self.winner is None:
            return f"tie: {self.reason}"
        return f"{side_names[self.winner]} wins: {self.reason}"
