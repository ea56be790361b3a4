"""The application of the full screen: its screens, themes and commands."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from perfectplay.terminal.fullscreen.textual_internals import QuietApp
from perfectplay.terminal.fullscreen.thinking import Thinking
from perfectplay.terminal.fullscreen.widgets.keys import KeyedScreen, shown_key
from perfectplay.terminal.preferences import Preferences

if TYPE_CHECKING:  # imported when needed: the first frame must not wait for all screens
    from perfectplay.core.game import Game
    from perfectplay.core.match import Match
    from perfectplay.terminal.fullscreen.screens.play import PlayScreen
    from perfectplay.terminal.play import NewSeries
    from perfectplay.terminal.session import Session

THEMES = ("ansi-dark", "ansi-light")
"""Both take the terminal's own colors."""


class FullScreen(QuietApp):
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
        super().__init__(ansi_color=True)
        self.preferences = Preferences.load()
        kept = self.preferences.theme
        # Before anything is styled: a theme set later would have all styles computed twice.
        self.set_reactive(App.theme, kept if kept in THEMES else THEMES[0])
        self.stylesheet.set_variables(self.get_css_variables())
        self.thinking = Thinking()
        self.farewell: list[str] = []
        """Lines to print once the terminal is as it was found."""
        self._first = first

    def get_driver_class(self) -> type[Driver]:
        if sys.platform == "win32":
            return super().get_driver_class()
        from perfectplay.terminal.fullscreen.driver import TerminalDriver

        return TerminalDriver

    def on_mount(self) -> None:
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

    def play(self, new: "NewSeries", save: Path | None = None) -> None:
        """Start a new series."""
        from perfectplay.terminal.fullscreen.opening import new_session

        self.push_screen(self.screen_for(*new_session(new, save)))

    def screen_for(self, session: "Session", opening: tuple[str, ...] = ()) -> "PlayScreen":
        """The screen of a session: for playing, or for watching two computers."""
        from perfectplay.terminal.fullscreen.screens.play import PlayScreen
        from perfectplay.terminal.fullscreen.screens.watch import WatchScreen

        return PlayScreen(session, opening) if session.attended else WatchScreen(session, opening)

    def resume(self, path: Path, *, trust: bool = False) -> None:
        """Continue a saved game."""
        from perfectplay.terminal.fullscreen.opening import saved_session

        self.push_screen(self.screen_for(saved_session(path, trust=trust)))

    def rematch(self, screen: "PlayScreen") -> None:
        """Play the same players again; the other one starts."""
        from perfectplay.terminal.fullscreen.opening import new_session
        from perfectplay.terminal.play import new_series

        old = screen.session.series
        new = new_series(
            old.game.spec,
            players=old.players,
            first="2" if old.starter(old.games) == 0 else "1",
            games=old.games,
            alternate=old.alternate,
            max_plies=old.max_plies,
            forgiving=old.forgiving,
        )
        session, lines = new_session(new)
        swapped = "The other player goes first this time."
        self.switch_screen(self.screen_for(session, (*lines, swapped)))

    def watch_computers(self, spec: str) -> None:
        """Watch two computers play a game."""
        from secrets import randbits

        from perfectplay.terminal.fullscreen.opening import demo_screen

        self.push_screen(demo_screen([spec], randbits(32)))

    def study(self, game: "Game[Any]") -> None:
        """Study positions of a game."""
        from perfectplay.terminal.fullscreen.screens.study import StudyScreen

        self.push_screen(StudyScreen(game))

    def review(self, match: "Match[Any]") -> None:
        """Step through the mistakes of a game."""
        from perfectplay.terminal.fullscreen.screens.review import ReviewScreen

        self.push_screen(ReviewScreen(match))

    def review_file(self, path: Path) -> None:
        """Step through the mistakes of the last game in a file of one's own."""
        from perfectplay.terminal.saved_games import read_series

        series, _ = read_series(path, trust=True)
        self.review(series.matches[-1])

    def play_on(self, match: "Match[Any]", ply: int, players: tuple[str, str] | None = None) -> None:
        """Play on from a position of a game, as a new game that starts there."""
        from perfectplay.terminal.fullscreen.opening import continued_session

        self.push_screen(self.screen_for(continued_session(match, ply, players or match.players)))

    def table(self, link: str, name: str) -> None:
        """Play at a web table."""
        from perfectplay.terminal.fullscreen.screens.online import OnlineScreen

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
        self.farewell = _parting(screen) or self.farewell
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    def action_leave_all(self) -> None:
        """Leave the program. What is being played is saved."""
        self.part()
        self.exit()

    def part(self) -> None:
        """Take leave of the player."""
        for screen in self.screen_stack:
            self.farewell = _parting(screen) or self.farewell

    # Commands

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the command palette offers: all keys of the screen, and the themes."""
        for binding in screen.keys if isinstance(screen, KeyedScreen) else ():
            action = binding.action

            async def run(action: str = action) -> None:
                await screen.run_action(action)

            about = binding.tooltip or binding.description
            yield SystemCommand(binding.description, f"{about} (key: {shown_key(binding)})", run)
        yield SystemCommand("Light or dark", "Key: ctrl+t", self.action_next_theme)
        yield SystemCommand("Motion on or off", "Whether pieces slide and moves light up", self.action_motion)
        yield SystemCommand("Quit", "Key: ctrl+c; games are saved", self.action_leave_all)

    def action_next_theme(self) -> None:
        """Change between the light and the dark theme."""
        self.theme = THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]
        self.prefer(theme=self.theme)

    def action_motion(self) -> None:
        """Turn motion on or off."""
        self.animation_level = "full" if self.animation_level == "none" else "none"
        self.prefer(motion=self.animation_level)

    def action_keys(self) -> None:
        """Show all keys of the present screen."""
        if isinstance(self.screen, KeyedScreen):
            self.screen.action_help()


def _parting(screen: Screen[Any]) -> list[str]:
    """What to say to a player who leaves a screen."""
    from perfectplay.terminal.fullscreen.screens.play import PlayScreen

    return screen.parting() if isinstance(screen, PlayScreen) else []
