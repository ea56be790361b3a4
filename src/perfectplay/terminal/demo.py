"""The computer plays both sides, for someone to watch."""

from typing import Any

from perfectplay.core.series import Series
from perfectplay.games.registry import names
from perfectplay.games.rulebook import summary
from perfectplay.terminal.console import Console
from perfectplay.terminal.play import playable
from perfectplay.terminal.session import Session

SEED = 44
"""A seed for which a short game of each of the five comes to its end."""
LONGEST = 24
PLAYERS = ("level:7", "level:5")


def demo(console: Console, spec: str | None, seed: int) -> None:
    """Play one short game, or one of each that there is."""
    for number, each in enumerate([spec] if spec else names()):
        game = playable(each)
        console.say(*([""] * 2 if number else []), f"== {game.title} ==", summary(type(game)), "")
        series: Series[Any] = Series(game, players=PLAYERS, seed=seed, max_plies=LONGEST)
        Session(console, series).run()
