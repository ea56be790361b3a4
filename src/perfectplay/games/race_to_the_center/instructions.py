"""The rules of one game of Race to the Center, with its own numbers."""

from perfectplay.core.wording import join_words
from perfectplay.games.race_to_the_center.rules import RaceToTheCenter

_ARRIVAL = {
    "adjacent": """\
- The first to land on the center wins. One exception: if Player 1 lands on it while Player 2 is exactly one
  position away, Player 2 still moves, lands on it too, and wins.""",
    "sudden-death": """\
- The first to land on the center wins at once.""",
    "full-turn": """\
- The first to land on the center wins. One exception: if Player 1 lands on it and some step of Player 2
  reaches it too, Player 2 still has one move. Player 2 wins by landing on the center with it, and loses
  otherwise.""",
}


def instructions(game: RaceToTheCenter) -> str:
    """The rules as Markdown."""
    steps = join_words(range(1, game.longest + 1)) if game.longest < 10 else f"from 1 to {game.longest}"
    return f"""\
# Race to the Center

Two players each run with a marker from one end of a track to its center.

- The track has the positions 0 to {game.positions - 1}. Player 1 starts on 0, Player 2 on
  {game.positions - 1}, and the center is {game.center}. Player 1 moves first.
- The players take turns. A turn moves your own marker {steps} position{"s" if game.longest > 1 else ""}
  towards the center. Nobody may skip a turn or move back.
- A marker may not move past the center.
{_ARRIVAL[game.arrival]}
- There are no draws.
- A move is written as the number of positions to move, for example `1`."""
