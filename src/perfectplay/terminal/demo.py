"""The computer plays both sides, for someone to watch."""

from collections.abc import Callable
from functools import partial
from typing import Any

from perfectplay.core.series import Series
from perfectplay.games.registry import names
from perfectplay.games.rulebook import summary
from perfectplay.players.registry import load_players
from perfectplay.terminal.console import Console
from perfectplay.terminal.play import playable
from perfectplay.terminal.session import Session

SEED = 44
"""A seed for which a short game of each of the five comes to its end."""
LONGEST = 24
PLAYERS = ("level:7", "level:5")
SECONDS = 1.0
"""How long a move can be read before the next one comes."""


def demo(console: Console, spec: str | None, seed: int, wait: Callable[[], bool] | None = None) -> None:
    """Play one short game, or one of each that there is.

    `wait` is called before each move and says whether the viewer has seen enough of the game; unless
    given, it waits on a terminal until the last move can have been read, or until Enter is pressed.
    """
    if wait is None and console.interactive and console.stdout.isatty():
        console.say("Enter shows the rest of a game at once, Ctrl-C ends the demo.", "")
        wait = partial(console.pause, SECONDS)
    for number, each in enumerate([spec] if spec else names()):
        game = playable(each)
        console.say(*([""] * 2 if number else []), f"== {game.title} ==", summary(type(game)), "")
        series: Series[Any] = Series(game, players=PLAYERS, seed=seed, max_plies=LONGEST)
        Session(console, series, load_players(PLAYERS), wait=wait).run()
