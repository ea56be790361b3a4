"""A bot for perfectplay that makes any legal move. The page docs/bots.md has the protocol it speaks.

Watch it play the computer, or have it checked:

    perfectplay play bit-flip --p1 "program:python3 examples/bot.py" --p2 perfect
    perfectplay check-bot "python3 examples/bot.py"

Nothing has to be installed for it. A better bot looks at the position before it answers `go`.
"""

import random
import sys


def main() -> None:
    """Answer line by line until told to quit, or until there are no more lines."""
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
    """Write a line at once: without the flush it would stay here in a buffer."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
