"""The application of the full screen: its screens, themes and commands."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.series import Series
from perfectplay.games.registry import names
from perfectplay.games.rulebook import summary
from perfectplay.players.registry import load_players
from perfectplay.terminal.demo import LONGEST, PLAYERS
from perfectplay.terminal.fullscreen.game import PlayScreen
from perfectplay.terminal.fullscreen.thinking import Thinking
from perfectplay.terminal.fullscreen.watch import WatchScreen
from perfectplay.terminal.play import (
    NewSeries,
    new_save,
    new_series,
    playable,
    read_series,
    reopened,
)
from perfectplay.terminal.preferences import Preferences
from perfectplay.terminal.session import Session

THEMES = ("ansi-dark", "ansi-light")
"""Both take the terminal's own colors."""


class FullScreen(App[None]):
    """Shows one screen at a time. `first` makes the screen that it opens with."""

    TITLE = "perfectplay"
    CSS_PATH = "style.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave_all", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True),
        Binding("ctrl+t", "next_theme", "Light or dark", show=False),
        Binding("question_mark", "keys", "Keys", show=False),
    ]

    def __init__(self, first: "Callable[[FullScreen], Screen[Any]]") -> None:
        super().__init__()
        self.preferences = Preferences.load()
        self.thinking = Thinking()
        self.farewell: list[str] = []
        """Lines to print once the terminal is as it was found."""
        self._first = first

    def on_mount(self) -> None:
        self.theme = self.preferences.theme if self.preferences.theme in THEMES else THEMES[0]
        if self.preferences.motion == "none":
            self.animation_level = "none"
        self.push_screen(self._first(self))

    async def on_unmount(self) -> None:
        await self.thinking.close()

    def prefer(self, **choices: str) -> None:
        """Remember choices for the next time."""
        self.preferences = self.preferences._replace(**choices)
        self.preferences.save()

    # Screens

    def play(self, new: NewSeries, save: Path | None = None, opening: Iterable[str] = ()) -> None:
        """Start a new series."""
        slot, problem = new_save(new.series.game, save)
        session = Session(new.series, new.players, slot)
        self.push_screen(self.screen_for(session, (*problem, *opening, *new.opening)))

    def screen_for(self, session: Session, opening: tuple[str, ...] = ()) -> PlayScreen:
        """The screen of a session: for playing, or for watching two computers."""
        return PlayScreen(session, opening) if session.attended else WatchScreen(session, opening)

    def resume(self, path: Path, *, trust: bool = False) -> None:
        """Continue a saved game."""
        series, players, slot = reopened(path, trust=trust)
        self.push_screen(self.screen_for(Session(series, players, slot)))

    def rematch(self, screen: PlayScreen) -> None:
        """Play the same players again; the other one starts."""
        old = screen.session.series
        starts = "2" if old.starter(old.games) == 0 else "1"
        new = new_series(
            old.game.spec,
            players=old.players,
            first=starts,
            games=old.games,
            alternate=old.alternate,
            max_plies=old.max_plies,
            forgiving=old.forgiving,
        )
        slot, problem = new_save(new.series.game, None)
        session = Session(new.series, new.players, slot)
        self.switch_screen(self.screen_for(session, (*problem, *new.opening)))

    def watch_computers(self, spec: str) -> None:
        """Watch two computers play a game."""
        self.push_screen(demo_screen([spec], secrets.randbits(32)))

    def study(self, game: Game[Any]) -> None:
        """Study positions of a game."""
        from perfectplay.terminal.fullscreen.study import StudyScreen

        self.push_screen(StudyScreen(game))

    def review(self, match: Match[Any]) -> None:
        """Step through the mistakes of a game."""
        from perfectplay.terminal.fullscreen.review import ReviewScreen

        self.push_screen(ReviewScreen(match))

    def review_file(self, path: Path) -> None:
        """Step through the mistakes of the last game in a file of one's own."""
        series, _ = read_series(path, trust=True)
        self.review(series.matches[-1])

    def play_on(self, match: Match[Any], ply: int, players: tuple[str, str] | None = None) -> None:
        """Play a game again from one of its positions, as a new game."""
        series: Series[Any] = Series(
            match.game, players=players or match.players, seed=match.seed, start=match.positions[0]
        )
        session = Session(series, load_players(series.players), new_save(match.game, None)[0])
        session.begin()
        for entry in match.history:
            if entry.is_ply and entry.ply < ply:
                session.match.forfeit() if entry.action is None else session.match.play(entry.action)
        self.push_screen(self.screen_for(session))

    def table(self, link: str, name: str) -> None:
        """Play at a web table."""
        from perfectplay.terminal.fullscreen.online import OnlineScreen

        self.push_screen(OnlineScreen(link, name))

    def fail(self, screen: Screen[Any], problem: str) -> None:
        """Leave a screen that cannot go on."""
        self.farewell = [problem]
        if len(self.screen_stack) > 2:
            self.pop_screen()
            self.notify(problem, severity="error", timeout=10)
        else:
            self.exit(return_code=2)

    def left(self, screen: Screen[Any]) -> None:
        """Leave a screen: back to the one before, or out."""
        if isinstance(screen, PlayScreen):
            self.farewell = screen.parting()
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    def action_leave_all(self) -> None:
        """Leave the program. What is being played is saved."""
        for screen in self.screen_stack:
            if isinstance(screen, PlayScreen):
                self.farewell = screen.parting() or self.farewell
        self.exit()

    # Commands

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the command palette offers: all keys of the screen, and the themes."""
        for binding in bindings(screen):
            action = binding.action

            async def run(action: str = action) -> None:
                await screen.run_action(action)

            yield SystemCommand(binding.description, f"Key: {shown_key(binding)}", run)
        yield SystemCommand("Light or dark", "Key: ctrl+t", self.action_next_theme)
        yield SystemCommand("Motion on or off", "Whether moves light up", self.action_motion)
        yield SystemCommand("Quit", "Key: ctrl+c; games are saved", self.action_leave_all)

    def action_next_theme(self) -> None:
        """Change between the light and the dark theme."""
        self.theme = THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]
        self.prefer(theme=self.theme)

    def action_motion(self) -> None:
        """Turn motion on or off."""
        self.animation_level = "full" if self.animation_level == "none" else "none"
        self.prefer(motion=self.animation_level)

    def show_keys(self) -> None:
        """Show all keys of the present screen."""
        from perfectplay.terminal.fullscreen.dialogs import KeysDialog

        self.push_screen(KeysDialog(bindings(self.screen)))

    def action_keys(self) -> None:
        """Show all keys."""
        self.show_keys()


def bindings(screen: Screen[Any]) -> list[Binding]:
    """The keys of a screen that have a description, its own first."""
    own = [binding for _, binding in screen._bindings if binding.description]
    found = {binding.action: binding for binding in own if not binding.action.startswith("app.")}
    return list(found.values())


def shown_key(binding: Binding) -> str:
    """A key as people call it."""
    return binding.key_display or binding.key.replace("left_square_bracket", "[")


def run(first: Callable[[FullScreen], Screen[Any]]) -> list[str]:
    """Show the full screen until it is left, and return the lines to print afterwards."""
    app = FullScreen(first)
    app.run()
    return app.farewell


def demo_screen(specs: Sequence[str], seed: int) -> WatchScreen:
    """Computers play one game after the other; nothing is saved."""
    series: Series[Any] = Series(playable(specs[0]), players=PLAYERS, seed=seed, max_plies=LONGEST)
    opening = summary(type(series.game))

    def follow(app: FullScreen) -> None:
        app.switch_screen(demo_screen(specs[1:], seed))

    following = follow if len(specs) > 1 else None
    return WatchScreen(Session(series, load_players(PLAYERS)), (opening,), following)


def demo(spec: str | None, seed: int) -> list[str]:
    """Watch one short game, or one of each kind."""
    specs = [playable(spec).spec] if spec else names()
    return run(lambda app: demo_screen(specs, seed))


def table(link: str, name: str) -> list[str]:
    """Play at a web table."""
    from perfectplay.terminal.fullscreen.online import OnlineScreen

    return run(lambda app: OnlineScreen(link, name))


def menu() -> list[str]:
    """Open at home, where games are chosen."""
    from perfectplay.terminal.fullscreen.home import HomeScreen

    return run(lambda app: HomeScreen())


def play(new: NewSeries, save: Path | None = None) -> list[str]:
    """Play a new series."""
    slot, problem = new_save(new.series.game, save)
    session = Session(new.series, new.players, slot)
    return run(lambda app: app.screen_for(session, (*problem, *new.opening)))


def resume(path: Path, *, trust: bool = False) -> list[str]:
    """Continue a saved game."""
    series, players, slot = reopened(path, trust=trust)
    return run(lambda app: app.screen_for(Session(series, players, slot)))
