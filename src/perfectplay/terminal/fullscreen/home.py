"""Home: the games to play, those to go on with, and those played before."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.lazy import Lazy
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from perfectplay import __version__, saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.match import Match
from perfectplay.core.view import View
from perfectplay.games.registry import game_class, load, names
from perfectplay.games.rulebook import summary
from perfectplay.terminal import messages

if TYPE_CHECKING:
    from perfectplay.terminal.fullscreen.app import FullScreen

OPPONENTS = (*(f"level:{strength}" for strength in range(1, 11)), "human")
EVERY = 0.9
"""Seconds between the moves of the small boards."""
LONGEST = 14
"""Moves of a game on a small board, before it starts again."""
MOST_LISTED = 20
"""Games of each kind in the list."""
TABLE, FILE = "table", "file"


class Entry(NamedTuple):
    """A line of the list: a game, a saved game or something else to open."""

    kind: str
    name: str = ""
    path: Path | None = None


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


class HomeScreen(Screen[None]):
    """Where everything starts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Play", priority=True),
        Binding("left,right", "opponent", "Opponent", key_display="← →"),
        Binding("c", "set_up", "Set up"),
        Binding("w", "watch", "Watch"),
        Binding("s", "study", "Study"),
        Binding("t", "table", "Web table"),
        Binding("g", "file", "Game file", show=False),
        Binding("f", "forget", "Forget", show=False),
        Binding("question_mark", "help", "Keys", key_display="?"),
        Binding("q", "leave", "Quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []
        self._names = names()
        self._matches = {name: Match(load(name)) for name in self._names}
        self._random = Random(0)

    @property
    def fullscreen(self) -> "FullScreen":
        """The application."""
        from perfectplay.terminal.fullscreen.app import FullScreen

        assert isinstance(self.app, FullScreen)
        return self.app

    def compose(self) -> ComposeResult:
        yield Static(f"perfectplay {__version__}: small games of pure strategy", id="title", markup=False)
        yield OptionList(id="list")
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)
        yield Lazy(Footer(show_command_palette=False))  # after the first frame

    @property
    def list(self) -> OptionList:
        """The list of everything that can be opened."""
        return self.query_one("#list", OptionList)

    def on_mount(self) -> None:
        self._fill(saved=False)  # the games at once, files after the first frame
        self.set_interval(EVERY, self._live)

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self._fill)

    # The list

    def _fill(self, *, saved: bool = True) -> None:
        """List everything anew, and keep the place in the list."""
        at = self.list.highlighted
        self.entries = []
        options: list[Option | None] = []

        def add(entry: Entry, prompt: Text) -> None:
            self.entries.append(entry)
            options.append(Option(prompt, id=str(len(self.entries) - 1)))

        for name in self._names:
            add(Entry("game", name), self._game_prompt(name))
        for heading, kind, paths, about in _listed() if saved else ():
            if paths:
                options += [None, Option(Text(heading, "bold"), disabled=True)]
            for path in paths[:MOST_LISTED]:
                add(Entry(kind, path=path), Text(f"  {about(path)}"))
        options.append(None)
        add(Entry(TABLE), Text("  A web table, by its link (t)"))
        add(Entry(FILE), Text("  A game file of your own (g)"))
        self.list.set_options(options)
        self.list.highlighted = min(at or 0, self.list.option_count - 1)
        self.list.focus()
        self._show()

    def _game_prompt(self, name: str) -> Text:
        match = self._matches[name]
        number = self._names.index(name) + 1
        board = small(match.game.view(match.state))
        return Text.assemble((f"{number} {match.game.title}", "bold"), f"\n  {board}")

    def _live(self) -> None:
        """Make a move on each small board."""
        if not self.is_current or self.app.animation_level == "none":
            return
        for number, (name, match) in enumerate(self._matches.items()):
            if match.result is not None or match.plies >= LONGEST:
                self._matches[name] = Match(match.game)
            else:
                match.play(self._random.choice(match.game.legal_actions(match.state)))
            self.list.replace_option_prompt(str(number), self._game_prompt(name))

    def _entry(self) -> Entry | None:
        option = self.list.highlighted_option
        return None if option is None or option.id is None else self.entries[int(option.id)]

    def on_option_list_option_highlighted(self) -> None:
        self._show()

    def _show(self) -> None:
        entry = self._entry()
        about = ""
        if entry is not None and entry.kind == "game":
            about = summary(game_class(entry.name))
        elif entry is not None and entry.kind == "open":
            about = "Enter goes on with it, f forgets it."
        elif entry is not None and entry.kind == "finished":
            about = "Enter reviews it."
        opponent = self.fullscreen.preferences.opponent
        whom = "another person here" if opponent == "human" else f"the computer, {opponent.replace(':', ' ')}"
        self.query_one("#status", Static).update(f"Against {whom} (← → changes)")
        self.query_one("#message", Static).update(about)

    def say(self, text: str) -> None:
        """Show a line below the list."""
        self.query_one("#message", Static).update(text)

    # Keys

    def key_1(self) -> None:
        self._pick(0)

    def key_2(self) -> None:
        self._pick(1)

    def key_3(self) -> None:
        self._pick(2)

    def key_4(self) -> None:
        self._pick(3)

    def key_5(self) -> None:
        self._pick(4)

    def _pick(self, number: int) -> None:
        self.list.highlighted = number
        self.action_open()

    def on_option_list_option_selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Open what is highlighted."""
        entry = self._entry()
        if entry is None:
            return
        if entry.kind == "game":
            from perfectplay.terminal.play import new_series

            players = ("human", self.fullscreen.preferences.opponent)
            self._try(lambda: self.fullscreen.play(new_series(entry.name, players=players)))
        elif entry.kind == "open" and entry.path is not None:
            path = entry.path
            self._try(lambda: self.fullscreen.resume(path))
        elif entry.kind == "finished" and entry.path is not None:
            path = entry.path
            self._try(lambda: self.fullscreen.review_file(path))
        elif entry.kind == TABLE:
            self.action_table()
        else:
            self.action_file()

    def _try(self, what: Callable[[], object]) -> None:
        try:
            what()
        except (PerfectplayError, OSError) as error:
            self.say(messages.sentence(str(error)))

    def action_opponent(self) -> None:
        """Change the opponent; the choice is remembered."""

    def on_key(self, event: Any) -> None:
        if event.key in ("left", "right"):
            now = self.fullscreen.preferences.opponent
            at = OPPONENTS.index(now) if now in OPPONENTS else 4
            at = (at + (1 if event.key == "right" else -1)) % len(OPPONENTS)
            self.fullscreen.prefer(opponent=OPPONENTS[at])
            self._show()
            event.stop()

    def action_forget(self) -> None:
        """Take a saved game off the list. Its file is kept."""
        entry = self._entry()
        if entry is None or entry.kind != "open" or entry.path is None:
            return self.say("Only a game to go on with can be forgotten.")
        slot = saves.SaveFile(entry.path)
        try:
            kept = slot.forget()
        finally:
            slot.close()
        self._fill()
        self.say(f"Forgotten. Its file is now {kept}")

    def action_set_up(self) -> None:
        """Choose the opponent, who starts, how many games and the options of the game."""
        from perfectplay.terminal.fullscreen.set_up import set_up

        entry = self._entry()
        if entry is None or entry.kind != "game":
            return self.say("Choose one of the games first.")
        set_up(self.fullscreen, entry.name)

    def action_watch(self) -> None:
        """Watch two computers play the game."""
        entry = self._entry()
        if entry is not None and entry.kind == "game":
            self._try(lambda: self.fullscreen.watch_computers(entry.name))

    def action_study(self) -> None:
        """Study positions of the game."""
        from perfectplay.terminal.play import playable

        entry = self._entry()
        if entry is not None and entry.kind == "game":
            self._try(lambda: self.fullscreen.study(playable(entry.name)))

    def action_table(self) -> None:
        """Play at a web table."""
        from perfectplay.terminal.fullscreen.set_up import ask_for_table

        ask_for_table(self.fullscreen)

    def action_file(self) -> None:
        """Play a game from a file."""
        from perfectplay.terminal.fullscreen.set_up import ask_for_file

        ask_for_file(self.fullscreen)

    def action_help(self) -> None:
        """Show all keys."""
        self.fullscreen.show_keys()

    def action_leave(self) -> None:
        """Quit."""
        self.fullscreen.left(self)


def _listed() -> Iterator[tuple[str, str, tuple[Path, ...], Callable[[Path], str]]]:
    """The saved and the finished games, under their headings."""
    from perfectplay.terminal.fullscreen.past import about_finished, about_open, finished_games

    yield "Go on with", "open", saves.open_games(), about_open
    yield "Played before", "finished", finished_games(), about_finished
