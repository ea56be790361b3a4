"""What all screens with a board have in common: the board, the moves, messages, and typing a move."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import Footer, Static

from perfectplay.core.dialogue import Dialogue, Lines
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.view import changed_cells
from perfectplay.terminal.fullscreen.board import Board, Marks
from perfectplay.terminal.fullscreen.move_list import MoveList
from perfectplay.terminal.fullscreen.rules import RulesPanel

if TYPE_CHECKING:
    from perfectplay.terminal.fullscreen.app import FullScreen

NARROW = 64
"""Columns below which the moves have no column of their own."""
WIDE = 130
"""Columns from which the rules stand beside the moves, not in their place."""
SHORT = 20
"""Lines below which messages get little room."""


class BoardScreen(Screen[None]):
    """A match on the board, and its moves to step through."""

    CSS_PATH = "board.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Keys", key_display="?"),
        Binding("left_square_bracket", "step(-1)", "One move back", show=False, key_display="["),
        Binding("right_square_bracket", "step(1)", "One move on", show=False, key_display="]"),
        Binding("pageup", "page(-1)", "One move back, or one page of the rules", show=False),
        Binding("pagedown", "page(1)", "One move on, or one page of the rules", show=False),
        Binding("home", "step_to_start", "First position", show=False),
        Binding("end", "step_to_end", "Last position", show=False),
        Binding("o", "rules", "Rules"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.shown: int | None = None
        """The plies before the position that is looked at; None for the last position."""
        self._lines: Lines = ()

    # What subclasses say

    @property
    @abstractmethod
    def match(self) -> Match[Any]:
        """The match on the board."""

    @property
    def dialogue(self) -> Dialogue[Any]:
        """The words of the game."""
        return self.match.game.dialogue()

    def heading(self) -> str:
        """The line at the top."""
        return self.match.game.title

    def waiting(self) -> str:
        """The line below the board while nobody is asked for a move."""
        return ""

    @property
    def is_asked(self) -> bool:
        """Whether a person is asked for a move in the position on the board."""
        return False

    def looking(self, ply: int) -> str:
        """The line below the board while an earlier position is looked at."""
        back = "Esc goes back to the game" if self.match.result is None else "Esc shows the last"
        return f"Position {ply} of {self.match.plies}; {back}."

    def marks(self, ply: int) -> Marks:
        """What to show on top of a position, besides the last move."""
        return Marks()

    def notes(self) -> dict[int, str]:
        """What to write behind moves in the list."""
        return {}

    # The parts of the screen

    @property
    def fullscreen(self) -> "FullScreen":
        """The application."""
        from perfectplay.terminal.fullscreen.app import FullScreen

        assert isinstance(self.app, FullScreen)
        return self.app

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="table"):
                yield Static(id="picture", markup=False)
                yield Board()
                yield Static(id="captions", markup=False)
            yield MoveList()
            yield RulesPanel()
        yield Static(id="status", markup=False)
        with VerticalScroll(id="messages", can_focus=False):
            yield Static(id="message", markup=False)
        yield Footer(show_command_palette=False)

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one("#board", Board)

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < NARROW, "narrow")
        self.set_class(event.size.width >= WIDE, "wide")
        self.set_class(event.size.height < SHORT, "short")

    # Showing

    def show(self) -> None:
        """Show everything as it is now."""
        match = self.match
        ply = match.plies if self.shown is None else self.shown
        view = match.game.view(match.positions[ply])
        marks = self.marks(ply)
        last = () if not ply else self._changed(ply)
        self.board.show(view, marks._replace(last=last), live=self.is_asked)
        drawn = self.query_one("#picture", Static)
        drawn.update("\n".join(view.picture))
        drawn.display = bool(view.picture)
        self.query_one("#captions", Static).update(self._captions(ply))
        self.query_one("#moves", MoveList).show(match, ply, self.notes())
        self.query_one("#title", Static).update(self.heading())
        self.show_status()

    def _captions(self, ply: int) -> str:
        """What the side to move wants, and what to keep in mind; nothing that the board shows already."""
        state = self.match.positions[ply]
        view = self.match.game.view(state)
        side = self.viewpoint(state)
        aim = f"{self.match.game.side_names[side]}: {view.aims[side]}" if view.aims[side] else ""
        lines = [line for line in view.lines if line not in view.on_board]
        return " ".join(part for part in (aim, view.note, " · ".join(lines)) if part)

    def viewpoint(self, state: Any) -> Side:
        """Whose aim is shown with a position."""
        return self.match.game.side_to_move(state)

    def _changed(self, ply: int) -> tuple[int, ...]:
        match = self.match
        entry = next(each for each in match.history if each.is_ply and each.ply == ply - 1)
        before, after = (match.game.view(match.positions[each]) for each in (ply - 1, ply))
        return changed_cells(before, after, entry.action)

    def moved(self) -> None:
        """Show the position after a new move."""
        self.shown = None
        self.show()
        if self.match.plies:
            self.board.light(self._changed(self.match.plies))

    def say(self, *lines: str) -> None:
        """Show lines in place of those before. The board is never drawn in words."""
        drawn = set(self.dialogue.board(self.match.state))
        self._lines = tuple(line for line in lines if line.strip() and line not in drawn)
        self.show_lines()

    def show_lines(self) -> None:
        """Show the lines that were said last."""
        self.query_one("#message", Static).update("\n".join(self._lines))
        self.query_one("#messages", VerticalScroll).scroll_home(animate=False)

    def show_status(self) -> None:
        """Show the line below the board."""
        self.query_one("#status", Static).update(self.status())

    def status(self) -> Text:
        """The line below the board."""
        return Text(self.waiting() if self.shown is None else self.looking(self.shown))

    # Stepping through the moves

    def on_key(self, event: Key) -> None:
        if event.key == "escape" and self.shown is not None:
            event.stop()
            event.prevent_default()
            self.action_step_to_end()

    def on_move_list_picked(self, event: MoveList.Picked) -> None:
        self._look_at(event.ply)

    def action_step(self, by: int) -> None:
        """Look at the position before or after the one shown."""
        here = self.match.plies if self.shown is None else self.shown
        self._look_at(min(max(0, here + by), self.match.plies))

    def action_step_to_start(self) -> None:
        """Look at the first position."""
        self._look_at(0)

    def action_step_to_end(self) -> None:
        """Look at the last position."""
        self._look_at(self.match.plies)

    def _look_at(self, ply: int) -> None:
        self.shown = None if ply == self.match.plies else ply
        self.looked()
        self.show()

    def looked(self) -> None:
        """Another position is shown."""

    # Keys of every board

    def action_page(self, by: int) -> None:
        """Turn a page of the rules or, without them, step through the moves."""
        if not self.has_class("-rules"):
            return self.action_step(by)
        turn = self.query_one(RulesPanel)
        turn.scroll_relative(y=by * max(turn.size.height - 1, 1), animate=False)

    def action_rules(self) -> None:
        """Show or hide the rules."""
        self.toggle_class("-rules")
        if self.has_class("-rules"):
            self.query_one(RulesPanel).show(self.match.game)

    def action_help(self) -> None:
        """Show all keys."""
        self.fullscreen.show_keys()
