"""The application of the full screen: its screens, themes and commands."""

import sys
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Event, Key
from textual.screen import Screen
from textual.widgets import Input

from perfectplay.core.errors import PerfectplayError
from perfectplay.games.registry import RuleInterrupted
from perfectplay.terminal.console import Console
from perfectplay.terminal.fullscreen.textual_internals import QuietApp
from perfectplay.terminal.fullscreen.thinking import Thinking
from perfectplay.terminal.fullscreen.widgets.key_bar import KeyedScreen, name_key
from perfectplay.terminal.preferences import THEMES, Preferences

INTERRUPTED = 130
"""The return code after Ctrl-C, as in line mode."""


class FullScreen(QuietApp):
    """Shows one screen at a time. `first` makes the screen that it opens with."""

    TITLE = "perfectplay"
    CSS_PATH = "style.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", f"leave_all({INTERRUPTED})", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True),
        Binding("ctrl+t", "next_theme", "Next theme", show=False),
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
        self.has_played = False
        """Whether a game was played to its end."""
        self._first = first

    def get_driver_class(self) -> type[Driver]:
        if sys.platform == "win32":
            return super().get_driver_class()
        from perfectplay.terminal.fullscreen.driver import TerminalDriver

        return TerminalDriver

    async def on_event(self, event: Event) -> None:
        """Let keys of the config file do what other keys do, except where text is typed."""
        if isinstance(event, Key) and not isinstance(self.focused, Input):
            keys = self.preferences.keys
            other = keys.get(event.key) or keys.get(event.character or "")
            if other is not None:
                [named] = Binding.make_bindings([(other, "", "")])  # "?" is question_mark there
                event = Key(named.key, other if len(other) == 1 else None)
        await super().on_event(event)

    def on_mount(self) -> None:
        if self.preferences.motion == "none":
            self.animation_level = "none"
        self.push_screen(self._first(self))

    async def on_unmount(self) -> None:
        await self.thinking.close()

    def prefer(self, **choices: Any) -> None:
        """Remember choices for the next time."""
        self.preferences = self.preferences._replace(**choices)
        self.preferences.save()

    def fail(self, screen: Screen[Any], problem: str) -> None:
        """Leave a screen that cannot go on."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
            self.notify(problem, severity="error", timeout=10)
        else:
            self.failure = PerfectplayError(problem)
            self.exit()

    def leave(self, screen: Screen[Any]) -> None:
        """Leave a screen: back to the one before, or out."""
        self.part(screen)
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    def action_leave_all(self, code: int = 0) -> None:
        self.part()
        self.exit(return_code=code)

    def part(self, *screens: Screen[Any]) -> None:
        """Take leave of the player, on these screens or on all."""
        for screen in screens or self.screen_stack:
            if isinstance(screen, KeyedScreen):
                self.farewell = screen.describe_leaving() or self.farewell

    # Commands

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the command palette offers: all keys of the screen, and the themes."""
        for binding in screen.keys if isinstance(screen, KeyedScreen) else ():
            action = binding.action

            async def run(action: str = action) -> None:
                await screen.run_action(action)

            about = binding.tooltip or binding.description
            yield SystemCommand(binding.description, f"{about} (key: {name_key(binding)})", run)
        yield SystemCommand("Theme: light, dark and others", "Key: ctrl+t", self.action_next_theme)
        yield SystemCommand("Motion on or off", "Whether pieces slide and moves light up", self.action_motion)
        yield SystemCommand("Quit", "Key: ctrl+c; games are saved", self.action_leave_all)

    def action_next_theme(self) -> None:
        self.theme = THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]
        self.prefer(theme=self.theme)

    def action_motion(self) -> None:
        self.animation_level = "full" if self.animation_level == "none" else "none"
        self.prefer(motion=self.animation_level)

    def action_keys(self) -> None:
        if isinstance(self.screen, KeyedScreen):
            self.screen.action_help()


def run(first: Callable[[FullScreen], Screen[Any]]) -> list[str]:
    """Show the full screen until it is left, and return the lines to print afterwards.

    Raises KeyboardInterrupt, after printing them, if it was left by Ctrl-C.
    """
    app = FullScreen(first)
    app.run()
    if app.failure is not None:
        Console(None, sys.stdout).say(*app.farewell)
        if isinstance(app.failure, RuleInterrupted):
            raise KeyboardInterrupt().with_traceback(app.failure.__traceback__)
        raise app.failure
    if app.return_code == INTERRUPTED:
        Console(None, sys.stdout).say(*app.farewell)
        raise KeyboardInterrupt
    return app.farewell
