"""The rules of one game of Inversion Race, with its own numbers."""

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


def instructions(game: InversionRace) -> str:
    """The rules as Markdown."""
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
