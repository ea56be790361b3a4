"""What people read about Inversion Race."""

from collections.abc import Mapping
from typing import ClassVar

from perfectplay.core.texts import GameTexts, Preset
from perfectplay.games.inversion_race.rules import InversionRace

_PASSED = {
    "crossing": """\
- The markers have passed each other once A stands to the right of B with at least two empty cells between
  them, whoever moved.""",
    "letter": """\
- The markers have passed each other when a marker moves from one side of the other marker to its other
  side.""",
    "leapfrog": """\
- A step onto the cell of the opponent leaps over it and lands on the cell beyond. If that cell is off the
  track, the step is not allowed. A leap passes the opponent.""",
}


class InversionRaceTexts(GameTexts[InversionRace]):
    endings: ClassVar[Mapping[str, str]] = {
        "cell 0": "{winner} reached cell 0 first.",
        "last cell": "After the inversion, {winner} reached the other end first.",
    }
    glossary = (
        "inversion",
        "race",
        "track",
        "cell cells",
        "marker markers",
        "goal",
        "leap leaps",
    )
    family = tuple(f"cells={n},passing=leapfrog" for n in range(7, 16))
    presets = (
        Preset(
            "inversion-race:passing=leapfrog",
            "Leapfrog",
            "Best play lasts 13 moves, and between equal players the one who starts wins 57% of games.",
        ),
        Preset(
            "inversion-race:cells=17,passing=leapfrog",
            "Long leapfrog",
            "Best play lasts 19 moves, and between equal players the one who starts wins 56% of games.",
        ),
    )
    default_why = "Decided from the start: between equal players the one who starts wins 99.6% of games."
    decided = True

    def instructions(self) -> str:
        game = self.game
        occupied = (
            ""
            if game.passing == "leapfrog"
            else "\n- A marker may not move onto the cell where the opponent's marker stands."
        )
        return f"""\
# Inversion Race

Two players each race a marker, A and B, along a track.

- The track has {game.cells} cells, numbered 0 to {game.last} from left to right. Both markers start on cell
  {game.start}. Player {game.first} moves first.
- The players take turns. A turn moves your own marker one cell to the left (to the next lower number) or to
  the right (to the next higher number).
- A marker may not leave the track.{occupied}
- A player who can move neither way loses the turn; nobody else may pass.
- The goal of both players is cell 0. The first time the markers pass each other, an inversion happens: from
  then on the goal of both is cell {game.last}. There is at most one inversion in a game.
{_PASSED[game.passing]}
- After every move the inversion is checked first, then the win: a player whose marker stands on the goal
  has won, whoever moved. There are no draws.
- A move is written as `left` or `right`."""
