"""The small live boards at home: a game of each kind that plays itself."""

from collections.abc import Sequence
from random import Random

from rich.text import Text

from perfectplay.core.match import Match
from perfectplay.core.view import View
from perfectplay.games.registry import load
from perfectplay.terminal.limits import MOST_SMALL_BOARD_PLIES


def small(view: View, width: int = 34) -> str:
    """A position in one short line.

    >>> import perfectplay as pp
    >>> game = pp.load("dual-direction")
    >>> small(game.view(game.initial()))
    '· · · · · * · · · · ·'
    """
    rows = (" ".join("".join(cell.pieces) or "·" for cell in row) for row in view.rows)
    text = " / ".join(rows).strip() or "·"
    return text if len(text) <= width else f"{text[: width - 1]}…"


class SmallBoards:
    """A board for each game, with random moves."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._matches = {name: Match(load(name)) for name in names}
        self._random = Random(0)

    def prompt(self, name: str) -> Text:
        """A game and its board, as an entry of a list."""
        match = self._matches[name]
        number = self.names.index(name) + 1
        board = small(match.game.view(match.state))
        return Text.assemble((f"{number} {match.game.title}", "bold"), f"\n  {board}")

    def move(self) -> None:
        """Make a move on each board."""
        for name, match in self._matches.items():
            if match.result is not None or match.plies >= MOST_SMALL_BOARD_PLIES:
                self._matches[name] = Match(match.game)
            else:
                match.play(self._random.choice(match.game.legal_actions(match.state)))
