"""What people read about Race to the Center."""

from collections.abc import Mapping
from typing import ClassVar

from perfectplay.core.formatting import join_words
from perfectplay.core.texts import GameTexts, Preset
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


class RaceToTheCenterTexts(GameTexts[RaceToTheCenter]):
    endings: ClassVar[Mapping[str, str]] = {
        "first arrival": "{winner} landed on the center first.",
        "same-turn arrival": "{loser} landed on the center first, but {winner} answered in the same round.",
    }
    glossary = ("race", "center", "track", "marker markers", "position positions")
    family = tuple(f"positions={n},steps={s}" for s in ("1-2", "1-3", "1-4") for n in range(11, 27, 2))
    presets = (
        Preset(
            "race-to-the-center:positions=17",
            "Fair track",
            "Best play lasts 7 moves, and between equal players the one who starts wins 51% of games.",
        ),
        Preset(
            "race-to-the-center:positions=23",
            "Long track",
            "Best play lasts 12 moves, and between equal players the one who starts wins 49% of games.",
        ),
    )
    default_why = "Best play lasts 6 moves, and between equal players the one who starts wins 38% of games."

    def instructions(self) -> str:
        game = self.game
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
