"""What people read about Dual Direction."""

from collections.abc import Mapping
from typing import ClassVar

from perfectplay.core.texts import GameTexts
from perfectplay.games.dual_direction.rules import DualDirection


class DualDirectionTexts(GameTexts[DualDirection]):
    endings: ClassVar[Mapping[str, str]] = {
        "goal": "{winner} brought the marker home.",
        "opponent's goal": "{loser} moved the marker onto the wrong goal.",
    }
    glossary = ("dual", "direction", "line", "marker", "goal goals", "position positions")
    family = tuple(f"positions={n}" for n in range(5, 18))
    puzzle = (
        "Nobody can force a win: with best play the game never ends. Can you hold out until a position has"
        " come up three times?"
    )
    puzzle_solved = (
        "You held out. Each player can keep the marker off the opponent's end, so with best play the game"
        " never ends."
    )

    def instructions(self) -> str:
        game = self.game
        return f"""\
# Dual Direction

Two players move one shared marker along a line. Each wants it at a different end.

- The line has the positions 1 to {game.positions}. The marker starts on position {game.start}. Player
  {game.first} moves first.
- The players take turns. A turn moves the marker exactly one position, left (to the next lower number) or
  right (to the next higher number). Nobody may skip a turn.
- The goal of Player 1 is position 1, the goal of Player 2 is position {game.positions}.
- A marker on a goal wins for the owner of that goal, whoever moved it there.
- There are no draws. Play goes on until the marker stands on a goal.
- A move is written as `left` or `right`."""
