"""A demo: the computer plays both sides."""

from collections.abc import Callable
from functools import partial
from typing import Any

from perfectplay.core.series import Series
from perfectplay.core.texts import summary
from perfectplay.games.registry import names
from perfectplay.players.registry import load_players
from perfectplay.terminal.console import Console
from perfectplay.terminal.limits import MOST_DEMO_PLIES
from perfectplay.terminal.line.line_mode import LineMode
from perfectplay.terminal.play import playable

SEED = 44
"""A seed with which each of the five games ends soon."""
PLAYERS = ("level:7", "level:5")
SECONDS = 1.0
"""The pause after a move."""


def demo(console: Console, spec: str | None, seed: int, wait: Callable[[], bool] | None = None) -> None:
    """Play one short game, or one of each kind.

    `wait` is called before each move until it returns True. By default, a terminal waits for a second or
    until Enter is pressed, which shows the rest of the game at once.
    """
    if wait is None and console.interactive and console.stdout.isatty():
        console.say("Enter shows the rest of a game at once, Ctrl-C ends the demo.", "")
        wait = partial(console.pause, SECONDS)
    for number, each in enumerate([spec] if spec else names()):
        game = playable(each)
        console.say(*([""] * 2 if number else []), f"== {game.title} ==", summary(type(game)), "")
        series: Series[Any] = Series(game, players=PLAYERS, seed=seed, max_plies=MOST_DEMO_PLIES)
        LineMode(console, series, load_players(PLAYERS), wait=wait).run()
