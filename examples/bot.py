"""A bot for perfectplay that plays a random legal move. docs/bots.md describes the protocol.

Watch it play the computer, or have it checked:

    perfectplay play bit-flip --p1 "program:python3 examples/bot.py" --p2 perfect
    perfectplay check-bot "python3 examples/bot.py"

It needs nothing installed. A better bot looks at the position before it answers `go`.
"""

import random
import sys


def main() -> None:
    """Answer each line until `quit` or the end of input."""
    position, moves, seed = "", [""], "0"
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word in ("perfectplay", "game"):
            say("ready random-bot")
        elif word == "position":
            position, moves = rest, []
        elif word == "move":
            moves.append(rest)
        elif word == "seed":
            seed = rest
        elif word == "go":
            say(f"info {len(moves)} moves in {position}")
            say(f"move {random.Random(seed).choice(moves)}")
        elif word == "quit":
            break


def say(line: str) -> None:
    """Write a line and flush it; otherwise it would stay in a buffer."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
