"""The rules of one game of Dual Direction, with its own numbers."""

from perfectplay.games.dual_direction.rules import DualDirection


def instructions(game: DualDirection) -> str:
    """The rules as Markdown."""
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
