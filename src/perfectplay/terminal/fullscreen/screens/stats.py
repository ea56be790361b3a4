"""How you are doing, on the full screen."""

from datetime import date
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from perfectplay.terminal import journal_file
from perfectplay.terminal.commands.stats import DELETE, DELETED, NOTHING_TO_DELETE, statistics
from perfectplay.terminal.fullscreen.widgets.key_bar import KeyBar, KeyedScreen


class StatsScreen(KeyedScreen):
    """Results, accuracy and level for each game and setting."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll(-1)", "Up", show=False),
        Binding("down", "scroll(1)", "Down", show=False),
        Binding("pageup", "scroll(-10)", "Page up", False, "PgUp"),
        Binding("pagedown,space", "scroll(10)", "Page down", False, "PgDn"),
        Binding("x", "delete", "Delete all", tooltip="Delete statistics and exercises"),
        Binding("question_mark", "help", "Keys", key_display="?"),
        Binding("q,escape", "leave", "Leave", key_display="q"),
    ]

    def __init__(self) -> None:
        """Raises PerfectplayError if the journal is damaged."""
        super().__init__()
        self._journal = journal_file.load()
        self._confirming = False

    def compose(self) -> ComposeResult:
        yield Static("How you are doing", id="title")
        with VerticalScroll(id="page", can_focus=False):
            yield Static("\n".join(statistics(self._journal, date.today())), id="statistics", markup=False)
        yield Static(id="message", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.show_keys()

    def why_not(self, action: str) -> str:
        return NOTHING_TO_DELETE if action == "delete" and not journal_file.file().exists() else ""

    def say(self, *lines: str) -> None:
        self._confirming = False
        self.query_one("#message", Static).update(" ".join(lines))

    def action_scroll(self, by: int) -> None:
        self.query_one("#page").scroll_relative(y=by, animate=False)

    def action_delete(self) -> None:
        if not self._confirming:
            self.say(f"{DELETE}? x again deletes, any other key cancels.")
            self._confirming = True
            return
        journal_file.delete()
        self._journal = journal_file.load()
        self.query_one("#statistics", Static).update("\n".join(statistics(self._journal, date.today())))
        self.say(DELETED)
        self.show_keys()
