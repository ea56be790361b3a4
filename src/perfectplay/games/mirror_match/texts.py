"""What people read about Mirror Match."""

from collections.abc import Mapping
from typing import ClassVar

from perfectplay.core.texts import GameTexts
from perfectplay.games.mirror_match.rules import MirrorMatch


class MirrorMatchTexts(GameTexts[MirrorMatch]):
    endings: ClassVar[Mapping[str, str]] = {
        "palindrome": "{winner} made the row read the same from both ends.",
    }
    glossary = ("mirror", "match", "palindrome", "sequence")
    family = tuple(f"digits={n},shortest={m}" for m in (3, 4, 5) for n in range(2, 10))
    puzzle = "The first player can always win with the third move of the game. Can you see how?"
    puzzle_solved = (
        "Whatever number the computer puts beside yours, your own number on its other side makes three that"
        " read the same both ways."
    )

    def instructions(self) -> str:
        game = self.game
        passing = (
            "\n- Instead of adding a number, a player may pass; that move is written as `pass`."
            if game.forfeit == "move"
            else ""
        )
        disqualified = (
            f"\n- A player who gives an invalid number {game.disqualify_after} times in a row loses the game."
            if game.disqualify_after
            else ""
        )
        return f"""\
# Mirror Match

Two players build one sequence of numbers.

- The sequence starts empty. Player {game.first} goes first, then the players take turns.
- A turn adds one number from 1 to {game.digits} to the beginning or to the end of the sequence. Numbers may
  be used again without limit.
- A palindrome is a sequence that reads the same from both ends. It counts once its length is at least
  {game.shortest}.
- A player who makes such a palindrome by adding a number wins at once. There are no draws.
- An invalid number, or none, loses the turn. The sequence stays as it is.{disqualified}{passing}
- A move is written as the number and `B` for the beginning or `E` for the end,
  for example `{game.digits} B`."""
