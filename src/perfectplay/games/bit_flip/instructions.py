"""The rules of one game of Bit Flip, with its own numbers."""

from perfectplay.games.bit_flip.rules import BitFlip


def instructions(game: BitFlip) -> str:
    """The rules as Markdown."""
    numbered = f"{game.bits} bits, numbered from 0 to {game.bits - 1}" if game.bits > 1 else "1 bit, number 0"
    return f"""\
# Bit Flip

Two players share one row of bits.

- The row has {numbered}. All are 0 at the start. Player {game.first} flips first.
- The players take turns. A turn flips exactly one bit from 0 to 1. A 1 never becomes 0 again.
- You may flip a bit only if it is 0 and no bit next to it is 1. Bits n and n + 1 are next to each other;
  the two ends of the row are not.
- A player who can flip nothing loses: whoever made the last flip wins. There are no draws.
- A move is written as the number of the bit to flip, for example `{game.bits // 2}`."""
