"""Opening the full screen: what each command shows first."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from perfectplay.terminal.console import Console
from perfectplay.terminal.fullscreen.app import FullScreen

if TYPE_CHECKING:  # imported when needed: the first frame must not wait for all screens
    from perfectplay.core.match import Match
    from perfectplay.terminal.fullscreen.screens.watch import WatchScreen
    from perfectplay.terminal.play import NewSeries
    from perfectplay.terminal.session import Session


def run(first: Callable[[FullScreen], Screen[Any]]) -> list[str]:
    """Show the full screen until it is left, and return the lines to print afterwards."""
    app = FullScreen(first)
    app.run()
    if app.failure is not None:
        from perfectplay.games.registry import RuleInterrupted

        Console(None, sys.stdout).say(*app.farewell)
        if isinstance(app.failure, RuleInterrupted):
            raise KeyboardInterrupt().with_traceback(app.failure.__traceback__)
        raise app.failure
    return app.farewell


def menu() -> list[str]:
    """Open at home, where games are chosen."""
    from perfectplay.terminal.fullscreen.screens.home import HomeScreen

    return run(lambda app: HomeScreen())


def play(new: "NewSeries", save: Path | None = None) -> list[str]:
    """Play a new series."""
    from perfectplay.terminal.play import check_saved

    session, lines = new_session(new, save)
    farewell = run(lambda app: app.screen_for(session, lines))
    check_saved(session, save)
    return farewell


def resume(path: Path, *, trust: bool = False) -> list[str]:
    """Continue a saved game."""
    session = saved_session(path, trust=trust)
    return run(lambda app: app.screen_for(session))


def demo(spec: str | None, seed: int) -> list[str]:
    """Watch one short game, or one of each kind."""
    from perfectplay.games.registry import names
    from perfectplay.terminal.play import playable

    specs = [playable(spec).spec] if spec else names()
    return run(lambda app: demo_screen(specs, seed))


def table(link: str, name: str) -> list[str]:
    """Play at a web table."""
    from perfectplay.terminal.fullscreen.screens.online import OnlineScreen

    screen = OnlineScreen(link, name)
    return run(lambda app: screen)


def new_session(new: "NewSeries", save: Path | None = None) -> tuple["Session", tuple[str, ...]]:
    """The session of a new series, saved if possible, and what to say before it."""
    from perfectplay.terminal.play import new_save
    from perfectplay.terminal.session import Session

    slot, problem = new_save(new.series.game, save)
    return Session(new.series, new.players, slot), (*problem, *new.opening)


def saved_session(path: Path, *, trust: bool) -> "Session":
    """The session of a saved game."""
    from perfectplay.terminal.saved_games import reopened
    from perfectplay.terminal.session import Session

    return Session(*reopened(path, trust=trust))


def continued_session(match: "Match[Any]", ply: int, players: tuple[str, str]) -> "Session":
    """A new game that starts in a position of another one.

    It has a seed of its own: with the old one, the computer would make the same mistakes again.
    """
    from secrets import randbits

    from perfectplay.core.series import Series
    from perfectplay.players.registry import load_players
    from perfectplay.terminal.play import new_save
    from perfectplay.terminal.session import Session

    start = match.positions[ply]
    series: Series[Any] = Series(match.game, players=players, seed=randbits(32), start=start)
    return Session(series, load_players(players), new_save(match.game, None)[0])


def demo_screen(specs: Sequence[str], seed: int) -> "WatchScreen":
    """Computers play one game after the other; nothing is saved."""
    from perfectplay.core.docstrings import summary
    from perfectplay.core.series import Series
    from perfectplay.players.registry import load_players
    from perfectplay.terminal.fullscreen.screens.watch import WatchScreen
    from perfectplay.terminal.limits import MOST_DEMO_PLIES
    from perfectplay.terminal.line.demo import PLAYERS
    from perfectplay.terminal.play import playable
    from perfectplay.terminal.session import Session

    series: Series[Any] = Series(playable(specs[0]), players=PLAYERS, seed=seed, max_plies=MOST_DEMO_PLIES)

    def follow(app: FullScreen) -> None:
        app.switch_screen(demo_screen(specs[1:], seed))

    session = Session(series, load_players(PLAYERS))
    return WatchScreen(session, (summary(type(series.game)),), follow if len(specs) > 1 else None)
