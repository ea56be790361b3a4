"""Home: the games to play, the games to continue, and recent games."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Any, ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from perfectplay import __version__, saves
from perfectplay.core.errors import PerfectplayError, install_command
from perfectplay.core.match import Match
from perfectplay.core.texts import summary
from perfectplay.core.view import View
from perfectplay.games.registry import game_class, load, names
from perfectplay.terminal import journal_file, messages
from perfectplay.terminal.contestants import plain
from perfectplay.terminal.fullscreen import opening
from perfectplay.terminal.fullscreen.widgets.key_bar import KeyBar, KeyedScreen, fit
from perfectplay.terminal.limits import MOST_SAVED_GAMES, MOST_SMALL_BOARD_PLIES
from perfectplay.terminal.play import new_series
from perfectplay.terminal.preferences import Preferences
from perfectplay.terminal.saved_games import describe, describe_finished

OPPONENTS = (*(f"level:{strength}" for strength in range(1, 11)), "human")
EVERY = 0.9
"""Seconds between the moves of the small boards."""
MARGINS = 6
"""Columns beside the list, with its scrollbar."""
GAME_ONLY = ("rules", "set_up", "watch", "study", "puzzle")
"""What is done with one of the games."""


ABOUT = {
    "open": "Enter continues this game, f removes it from the list.",
    "finished": "Enter reviews this game.",
}


class HomeEntry(NamedTuple):
    """A line of the list: a game, a saved game or something else to open; no kind if none is chosen."""

    kind: str = ""
    name: str = ""
    path: Path | None = None


def small(view: View) -> str:
    """A position in one short line."""
    rows = (" ".join("".join(cell.pieces) or "·" for cell in row) for row in view.rows)
    text = " / ".join(rows).strip() or "·"
    return text if len(text) <= 34 else f"{text[:33]}…"


class HomeScreen(KeyedScreen):
    """Where everything starts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Play", priority=True, tooltip="Play, continue or review"),
        Binding("o", "show('rules')", "Rules", tooltip="The rules of the game"),
        Binding("c", "ask('set_up')", "Set up", tooltip="Opponent, first move, options"),
        Binding("w", "show('watch')", "Watch", tooltip="Watch two computers"),
        Binding("s", "show('study')", "Study", tooltip="Study positions"),
        Binding("p", "show('puzzle')", "Puzzle", tooltip="The puzzle of the day"),
        Binding("e", "show('exercises')", "Exercises", tooltip="Exercises from your own games"),
        Binding("d", "show('stats')", "Statistics", show=False, tooltip="How you are doing"),
        Binding("t", "ask('table')", "Online", tooltip="Join an online game by its link"),
        Binding("g", "ask('file')", "Game file", show=False, tooltip="Open a game file"),
        Binding("f", "forget", "Forget", show=False, tooltip="Remove a game from the list"),
        *(Binding(str(number), f"pick({number - 1})", show=False) for number in range(1, 6)),
        Binding("question_mark", "help", "Keys", key_display="?"),
        Binding("q", "leave", "Quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[HomeEntry] = []
        self._shown = HomeEntry()
        """The entry that the line below the list is about."""
        self._names = names()
        self._boards: list[Match[Any]] = [Match(load(name)) for name in self._names]
        """A board for each game, with random moves."""
        self._random = Random(0)

    def why_not(self, action: str) -> str:
        kind = self._entry().kind
        if action in GAME_ONLY and kind != "game":
            return "Choose one of the games first, then press this key again."
        if action == "forget" and kind != "open":
            return "Only a game under Continue can be forgotten: choose one first."
        return ""

    def explain_key(self, key: str) -> str:
        if key.isdigit():
            return f"There are {len(self._names)} games: press a number from 1 to {len(self._names)}."
        return super().explain_key(key)

    def help_lines(self) -> Sequence[tuple[str, str]]:
        return (("↑ ↓", "Choose"), (f"1-{len(self._names)}", "Play at once"), ("← →", "Opponent"))

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield OptionList(id="list")
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)
        yield KeyBar()

    @property
    def list(self) -> OptionList:
        """The list of everything that can be opened."""
        return self.query_one("#list", OptionList)

    def on_mount(self) -> None:
        self._fill(saved=False)  # the games at once, files after the first frame
        self.set_interval(EVERY, self._live)

    def on_resize(self, event: Resize) -> None:
        parts = [f"perfectplay {__version__}", "small games of pure strategy"]
        self.query_one("#title", Static).update(fit(parts, event.size.width - 2))
        self.call_after_refresh(self._fill)

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self._fill)

    # The list

    def _fill(self, *, saved: bool = True) -> None:
        at = self.list.highlighted
        width = max(self.size.width - MARGINS, 1)
        self.entries = []
        options: list[Option | None] = []

        def add(entry: HomeEntry, prompt: Text) -> None:
            self.entries.append(entry)
            options.append(Option(prompt, id=str(len(self.entries) - 1)))

        for number, name in enumerate(self._names):
            add(HomeEntry("game", name), self._prompt(number))
        for heading, kind, paths, about in _list_saved_games() if saved else ():
            if paths:
                options += [None, Option(Text(heading, "bold"), disabled=True)]
            for path in paths[:MOST_SAVED_GAMES]:
                lines = fill(about(path), width, initial_indent="  ", subsequent_indent="    ")
                add(HomeEntry(kind, path=path), Text(lines))
        options.append(None)
        if saved:
            add(HomeEntry("exercises"), Text(f"  Exercises from your games (e): {_due()}"))
            add(HomeEntry("stats"), Text("  How you are doing (d)"))
        needs = "" if find_spec("websockets") else f", after: {install_command('web')}"
        online = fill(f"Join an online game (t){needs}", width, initial_indent="  ", subsequent_indent="    ")
        add(HomeEntry("table"), Text(online))
        add(HomeEntry("file"), Text("  Open a game file (g)"))
        self.list.set_options(options)
        self.list.highlighted = min(at or 0, self.list.option_count - 1)
        self.list.focus()
        self._show()

    def _prompt(self, number: int) -> Text:
        match = self._boards[number]
        board = small(match.game.view(match.state))
        return Text.assemble((f"{number + 1} {match.game.title}", "bold"), f"\n  {board}")

    def _live(self) -> None:
        for number, match in enumerate(self._boards):
            if not self.is_current or self.app.animation_level == "none":
                return
            if match.result is not None or match.plies >= MOST_SMALL_BOARD_PLIES:
                self._boards[number] = Match(match.game)
            else:
                match.play(self._random.choice(match.game.legal_actions(match.state)))
            self.list.replace_option_prompt(str(number), self._prompt(number))

    def _entry(self) -> HomeEntry:
        option = self.list.highlighted_option
        return HomeEntry() if option is None or option.id is None else self.entries[int(option.id)]

    def on_option_list_option_highlighted(self) -> None:
        if self._entry() != self._shown:  # else what is said of it stands there, or news
            self._show()

    def _show(self) -> None:
        entry = self._shown = self._entry()
        opponent = self.fullscreen.preferences.opponent
        whom = "another person here" if opponent == "human" else f"the computer, {plain(opponent)}"
        self.query_one("#status", Static).update(f"You play {whom} (← →)")
        self.say(summary(game_class(entry.name)) if entry.kind == "game" else ABOUT.get(entry.kind, ""))
        self.show_keys()

    def say(self, *lines: str) -> None:
        """Show a line below the list."""
        self.query_one("#message", Static).update(" ".join(lines))

    # Keys

    def action_pick(self, number: int) -> None:
        self.list.highlighted = number
        self.action_open()

    def on_option_list_option_selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        entry = self._entry()
        if entry.kind == "game":
            players = ("human", self.fullscreen.preferences.opponent)
            self._open(lambda: opening.play_screen(new_series(entry.name, players=players)))
        elif entry.path is not None:
            make = opening.resume_screen if entry.kind == "open" else opening.review_screen
            self._open(partial(make, entry.path))
        elif entry.kind in ("exercises", "stats"):
            self.action_show(entry.kind)
        elif entry.kind:
            self.action_ask(entry.kind)

    def _open(self, make: Callable[[], Screen[Any]]) -> None:
        try:
            screen = make()
        except Exception as error:  # noqa: BLE001 - those that nobody here can mend are raised again
            return self.say(messages.problem(error))
        self.app.push_screen(screen)

    def on_key(self, event: Key) -> None:
        if event.key in ("left", "right"):
            now = self.fullscreen.preferences.opponent
            at = OPPONENTS.index(now if now in OPPONENTS else Preferences().opponent)
            at = (at + (1 if event.key == "right" else -1)) % len(OPPONENTS)
            self.fullscreen.prefer(opponent=OPPONENTS[at])
            self._show()
            event.stop()
            event.prevent_default()

    def action_forget(self) -> None:
        entry = self._entry()
        assert entry.path is not None
        kept = saves.forget(entry.path)
        self._fill()
        self.say(f"Forgotten. Its file is now {kept}")

    def action_ask(self, what: str) -> None:
        """Ask how to play the game, or for a table or a game file, and open it."""
        from perfectplay.terminal.fullscreen.screens import set_up

        self._open(lambda: set_up.FORMS[what](self.fullscreen, self._entry().name))

    def action_show(self, what: str) -> None:
        """Open one of the other screens, most of them about a game."""
        self._open(lambda: opening.SCREENS[what](self._entry().name))


def _due() -> str:
    try:
        return journal_file.about_due(journal_file.load(), date.today())
    except (PerfectplayError, OSError):
        return "the file is damaged"


def _list_saved_games() -> Iterator[tuple[str, str, tuple[Path, ...], Callable[[Path], str]]]:
    yield "Continue", "open", saves.open_games(), describe
    yield "Recent games", "finished", saves.finished_games(), describe_finished
