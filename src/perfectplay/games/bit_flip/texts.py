"""What people read about Bit Flip."""

from collections.abc import Mapping
from typing import ClassVar

from perfectplay.core.texts import GameTexts, Preset
from perfectplay.games.bit_flip.rules import BitFlip


class BitFlipTexts(GameTexts[BitFlip]):
    endings: ClassVar[Mapping[str, str]] = {
        "last flip": "{winner} made the last flip, and no bit was left for {loser}.",
    }
    glossary = ("bit bits", "flip flips flipped", "row")
    family = tuple(f"bits={n}" for n in range(6, 17))
    presets = (
        Preset(
            "bit-flip:bits=16",
            "Sixteen bits",
            "Best play lasts 7 moves, and between equal players the one who starts wins 56% of games.",
        ),
    )
    default_why = "Best play lasts 5 moves, and between equal players the one who starts wins 60% of games."

    def instructions(self) -> str:
        game = self.game
        numbered = (
            f"{game.bits} bits, numbered from 0 to {game.bits - 1}" if game.bits > 1 else "1 bit, number 0"
        )
        return f"""\
# Bit Flip

Two players share one row of bits.

- The row has {numbered}. All are 0 at the start. Player {game.first} flips first.
- The players take turns. A turn flips exactly one bit from 0 to 1. A 1 never becomes 0 again.
- You may flip a bit only if it is 0 and no bit next to it is 1. Bits n and n + 1 are next to each other;
  the two ends of the row are not.
- A player who can flip nothing loses: whoever made the last flip wins. There are no draws.
- A move is written as the number of the bit to flip, for example `{game.bits // 2}`."""
