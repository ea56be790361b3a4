"""What all screens with a board have in common: the board, the moves, messages, and stepping through them."""

from abc import abstractmethod
from collections.abc import Coroutine, Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.geometry import Size
from textual.widgets import Static
from textual.worker import Worker

from perfectplay.core.dialogue import Dialogue, Lines
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.view import compare_cells
from perfectplay.terminal.command_parser import Commands, TypedCommand
from perfectplay.terminal.fullscreen.screens.advisor import Advisor
from perfectplay.terminal.fullscreen.screens.asking import Asking
from perfectplay.terminal.fullscreen.widgets.board import Board
from perfectplay.terminal.fullscreen.widgets.captions import Captions
from perfectplay.terminal.fullscreen.widgets.drawing import Marks, large, legend
from perfectplay.terminal.fullscreen.widgets.key_bar import KeyBar, KeyedScreen, fit
from perfectplay.terminal.fullscreen.widgets.move_list import MoveList
from perfectplay.terminal.fullscreen.widgets.rules import RulesPanel
from perfectplay.terminal.limits import SMALLEST_SCREEN
from perfectplay.terminal.move_entry import NOTHING

NARROW = 64
"""Columns below which the moves have no column of their own."""
WIDE = 130
"""Columns from which the rules stand beside the board from the start."""
SHORT, TALL = 20, 36
"""Lines below which messages get little room, and from which they get much."""
AROUND, ROW = 12, 3
"""Lines of a screen that are not the board's, where it is not short, and the fewest of a row of cells."""


class BoardScreen(KeyedScreen):
    """A match on the board, and its moves to step through.

    It is made of parts: `asking` reads the moves of a person, and `advisor` asks the coach. Subclasses say
    what the match is, what a move does, and what their own keys do.
    """

    CSS_PATH = "board.tcss"
    commands: ClassVar[Commands] = NOTHING
    """Words that can be typed besides moves."""
    newest_last: ClassVar[bool] = False
    """Whether new lines come below the earlier ones. The end is in view then, not the beginning."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Keys", key_display="?"),
        Binding("left_square_bracket", "step(-1)", "Step back", False, "[", tooltip="Look one move back"),
        Binding("right_square_bracket", "step(1)", "Step on", False, "]", tooltip="Look one move on"),
        Binding("home", "look_at(0)", "First move", False, tooltip="Look at the first position"),
        Binding("end", "look_at(-1)", "Last move", False, tooltip="Look at the last position"),
        Binding("pageup", "page(-1)", "Page up", False, "PgUp", tooltip="Rules or long texts, up"),
        Binding("pagedown", "page(1)", "Page down", False, "PgDn", tooltip="Rules or long texts, down"),
        Binding("o", "rules", "Rules", tooltip="The rules beside the board"),
        Binding("k", "copy_record", "Copy", show=False, tooltip="Copy the record, or the link of a table"),
        Binding("K", "copy_position", "Copy board", show=False, tooltip="Copy the position as text"),
        Binding("escape", "back", "Back", False, "Esc", tooltip="Back"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.shown: int | None = None
        """The plies before the position that is looked at; None for the last position."""
        self.asking = Asking(self, self.commands)
        self.advisor = Advisor(self)
        self._lines: Lines = ()
        self._last_why = ""
        """What was said last about a key that does nothing."""
        self._legend = ""
        """The longest text about values so far. It keeps its room, so that the board stands still."""
        self._texts: dict[str, object] = {}
        """What stands in each part of the screen."""

    # What subclasses say

    @property
    @abstractmethod
    def match(self) -> Match[Any]:
        """The match on the board."""

    @property
    def dialogue(self) -> Dialogue[Any]:
        """The words of the game."""
        return self.match.game.dialogue()

    def heading(self) -> list[str]:
        """The line at the top, in parts: the first always stands there, the others where they fit."""
        return [self.match.game.title]

    def headline(self) -> str:
        """What is said first and in large letters, such as who has won."""
        return ""

    def describe_wait(self) -> str:
        """The line below the board while nobody is asked for a move."""
        return ""

    def play(self, action: Action) -> None:
        """Make a legal move of the person who is asked."""
        raise NotImplementedError

    def forfeit(self, text: str, line: str) -> None:
        """Let the person lose the turn over an invalid line; `text` says what is wrong with it."""
        raise NotImplementedError

    def command(self, command: TypedCommand) -> None:
        """Carry out a typed command."""
        raise NotImplementedError

    def idle(self) -> str:
        """Why no move can be made in the last position."""
        return "The game is over." if self.match.result is not None else "It is not your turn yet."

    def describe_look(self, ply: int) -> str:
        """The line below the board while an earlier position is looked at."""
        back = "Esc goes back to the game" if self.match.result is None else "Esc shows the last"
        return f"Position {ply} of {self.match.plies}; {back}."

    def marks(self, ply: int) -> Marks:
        """What to show on top of a position, besides the last move."""
        return self.advisor.marks(ply)

    def notes(self) -> dict[int, str]:
        """What to write behind moves in the list."""
        return {}

    # The parts of the screen

    @property
    def ply(self) -> int:
        """The plies before the position on the board."""
        return self.match.plies if self.shown is None else self.shown

    def run(self, work: Coroutine[Any, Any, None], group: str) -> Worker[None]:
        """Do something in the background; what was begun before in the same group is given up."""
        return self.run_worker(work, group=group, exclusive=True)

    def compose(self) -> ComposeResult:
        self._set_size_classes(self.app.size)  # the first texts are for this size already
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="table"):
                yield Static(id="picture", markup=False)
                yield Board()
                yield Captions(self._longest_goal())
            with Vertical(id="side"):
                yield RulesPanel()
                yield MoveList()
        yield Static(id="status", markup=False)
        with Vertical(id="said"):
            yield Static(id="headline", markup=False)
            with VerticalScroll(id="messages", can_focus=False):
                yield Static(id="message", markup=False)
        yield KeyBar()

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one("#board", Board)

    def _set_size_classes(self, size: Size) -> None:
        self.set_class(size.width < NARROW, "narrow")
        rows = len(self.match.game.view(self.match.positions[0]).rows) if self.is_ready else 0
        self.set_class(size.height < max(SHORT, AROUND + ROW * rows), "short")  # so that the board fits
        self.set_class(size.height >= TALL, "tall")

    def on_resize(self, event: Resize) -> None:
        was_wide = self.has_class("wide")
        self.board.lines_below(held=False)
        self.query_one("#said").styles.height = None
        self._set_size_classes(event.size)
        self.set_class(event.size.width >= WIDE, "wide")
        if self.has_class("wide") != was_wide and self.is_ready:
            self.call_after_refresh(self.show_rules, self.has_class("wide"))
        self.call_after_refresh(self._show_texts)

    @property
    def is_ready(self) -> bool:
        """Whether there is a match to show."""
        return True

    @property
    def is_left(self) -> bool:
        """Whether the screen was left, while a coach was still thinking about it."""
        return not self.display  # from the moment its removal begins, in whatever order its parts go

    # Showing

    def show(self) -> None:
        """Show everything as it is now."""
        if self.is_left:
            return
        match, ply = self.match, self.ply
        view = match.game.view(match.positions[ply])
        last = () if not ply else self._compare_cells(ply)
        self.board.show(view, self.marks(ply)._replace(last=last), live=self.asking.is_live)
        if self.asking.is_live and self.asking.entry.answers:
            self.board.narrow(self.asking.entry.open_moves())
        drawn = self.query_one("#picture", Static)
        drawn.update("\n".join(view.picture))
        drawn.display = bool(view.picture)
        self.query_one("#moves", MoveList).show(match, ply, self.notes())
        self.show_status()
        self._show_texts()
        self.show_keys()

    def _show_texts(self) -> None:
        """Show what has to fit into the width of the screen."""
        if self.is_ready:
            self.show_title()
            values = self.board.look.marks.values
            if values:
                self._legend = max(self._legend, legend(values), key=len)
            self.query_one(Captions).longest = f"{self._longest_goal()}\n{self._legend}".rstrip()
            self.put("captions", self._captions())
            self.show_lines()

    def show_title(self) -> None:
        """Show the line at the top."""
        width = self.query_one("#title").content_size.width or self.size.width - 2
        columns, lines = SMALLEST_SCREEN
        if self.app.size.width < columns or self.app.size.height < lines:
            self.put("title", f"Too small: make it {columns} by {lines}.")
        else:
            self.put("title", fit(self.heading(), width))

    def _captions(self) -> str:
        """The goal and, on a line of its own, what the values mean where they are shown."""
        state = self.match.positions[self.ply]
        goal, values = self.goal_of(state, self.viewpoint(state)), self.board.look.marks.values
        return "\n".join([goal, legend(values)] if values else [goal])

    def _longest_goal(self) -> str:
        if not self.is_ready:
            return ""
        first = self.match.positions[0]
        return max(self.goal_of(first, 0), self.goal_of(first, 1), key=len)

    def goal_of(self, state: Any, side: Side) -> str:
        """What a side aims at, and whatever else the game says about a position."""
        view = self.match.game.view(state)
        aim = f"{self.match.game.side_names[side]}: {view.aims[side]}" if view.aims[side] else ""
        lines = " · ".join(line for line in view.lines if line not in view.on_board)
        # A short screen has no room for more than what changes; the rules have it all.
        parts = (view.aims[side], lines) if self.has_class("short") else (aim, view.note, lines)
        return " ".join(part for part in parts if part)

    def viewpoint(self, state: Any) -> Side:
        """Whose aim is shown with a position."""
        return self.match.game.side_to_move(state)

    def _compare_cells(self, ply: int) -> tuple[int, ...]:
        match = self.match
        entry = next(each for each in match.history if each.is_ply and each.ply == ply - 1)
        before, after = (match.game.view(match.positions[each]) for each in (ply - 1, ply))
        return compare_cells(before, after, entry.action)

    def show_move(self) -> None:
        """Show the position after a new move, and how it came about."""
        self.shown = None
        self.show()
        plies = self.match.plies
        if plies and not self.is_left:
            self.board.play(self.match.game.view(self.match.positions[plies - 1]), self._compare_cells(plies))

    def say(self, *lines: str) -> None:
        """Show lines in place of those before. The board is never drawn in words."""
        self.asking.drop_question()
        drawn = set(self.dialogue.board(self.match.state))
        self._lines = tuple(line for line in lines if line.strip() and line not in drawn)
        self.show_lines()

    def say_why(self, why: str) -> None:
        """Say why a key does nothing, above how a game ended."""
        ended = self._lines if self.match.result is not None else ()
        self.say(why, *(line for line in ended if line != self._last_why))
        self._last_why = why

    def show_lines(self) -> None:
        """Show what is said, below the headline."""
        if self.is_left:
            return
        messages = self.query_one("#messages", VerticalScroll)
        aim = [self._captions()] if self.has_class("short") else []
        question = self.asking.question()
        said = (question,) if question else self._lines
        lines = [*aim, *said] if self.newest_last else [*said, *aim]
        headline = self.headline()
        if headline:
            width = self.query_one("#said").content_size.width
            bar = large(headline, width, 3 if self.has_class("tall") else 1)
            self.put("headline", Text(bar, "bold reverse"), layout=True)
        self.query_one("#headline").display = bool(headline)
        self._make_room("\n".join(lines) if headline else "")
        if not self.put("message", Text("\n".join(lines)), layout=True):
            return
        if self.newest_last:
            messages.anchor()  # at its end also when the text or its place has changed its size
        else:
            messages.scroll_home(animate=False)

    def _make_room(self, text: str) -> None:
        """Give what is said at the end of a game the lines that the board leaves empty; no text for none."""
        said = self.query_one("#said")
        below = self.board.lines_below(held=bool(text))
        if not text:
            said.styles.height = None  # as the style sheet says
            return
        folded = Text(text).wrap(self.app.console, max(1, said.content_size.width - 1))
        wanted = len(folded) + self.query_one("#headline").size.height
        said.styles.height = min(wanted, said.size.height + below)

    def put(self, name: str, text: str | Text, *, layout: bool = False) -> bool:
        """Show a text in a part of the screen; False if it stands there already."""
        if self._texts.get(name) == text:
            return False
        self._texts[name] = text
        self.query_one(f"#{name}", Static).update(text, layout=layout)
        return True

    def show_status(self) -> None:
        """Show the line below the board."""
        typing = self.asking.status()
        self.put(
            "status",
            typing or Text(self.describe_wait() if self.shown is None else self.describe_look(self.shown)),
        )

    # Keys and clicks

    def on_key(self, event: Key) -> None:
        if not self.asking.press(event):
            if event.key != "escape" or not (self.shown is not None or self.has_class("-rules", "-asked")):
                return
            if self.has_class("-rules", "-asked"):
                self.show_rules(False)
            else:
                self.action_look_at(-1)
        event.stop()
        event.prevent_default()

    def on_move_list_picked(self, event: MoveList.Picked) -> None:
        self.look_at(min(event.ply, self.match.plies))  # in a chart, a resignation counts as one more

    def on_board_chosen(self, event: Board.Chosen) -> None:
        self.asking.choose(event.action)

    def explain_key(self, key: str) -> str:
        if self.asking.is_live or (key.isalpha() and len(key) == 1):
            return super().explain_key(key)
        if self.shown is not None:
            return "This is an earlier position; Esc goes back to the last."
        return self.idle()

    def help_lines(self) -> Sequence[tuple[str, str]]:
        live = [("← →", "Choose"), ("Enter", "Move"), ("0-9 a", "Type a move")]
        command = [(":", "Type command")] if self.commands.words else []
        return [*(live if self.asking.is_live else []), *command]

    def action_coach(self, word: str) -> None:
        self.advisor.ask(word)

    def action_step(self, by: int) -> None:
        if not 0 <= self.ply + by <= self.match.plies:
            return self.say("This is the last position." if by > 0 else "This is the first position.")
        self.look_at(self.ply + by)

    def action_look_at(self, ply: int) -> None:
        self.look_at(self.match.plies if ply < 0 else ply)

    def look_at(self, ply: int) -> None:
        """Show the position after `ply` plies."""
        self.shown = None if ply == self.match.plies else ply
        self.on_look()
        self.show()

    def on_look(self) -> None:
        """Another position is shown."""
        self.asking.drop_question()
        self.advisor.look_up()

    def continue_from_here(self, players: tuple[str, str], back: str) -> None:
        """Open a new game that starts in the position that is looked at; `back` is a way back from an end."""
        if self.match.game.outcome(self.match.positions[self.ply]) is not None:
            return self.say(f"The game is over in this position; {back}.")
        from perfectplay.terminal.fullscreen.opening import make_continuation

        self.app.push_screen(make_continuation(self.match, self.ply, players))

    # Keys of every board

    def action_back(self) -> None:
        """Leave, where nothing is open that Esc closes first."""
        self.action_leave()

    def action_copy_record(self) -> None:
        self.copy(str(self.match.record()), "The record")

    def action_copy_position(self) -> None:
        self.copy(self.match.game.state_text(self.match.positions[self.ply]), "The position")

    def copy(self, text: str, what: str) -> None:
        """Put a text on the clipboard of the terminal, which may not allow it."""
        self.app.copy_to_clipboard(text)
        self.say(f"{what} is copied, if your terminal lets programs use the clipboard.")

    def action_page(self, by: int) -> None:
        rules = self.has_class("-rules")
        turn = self.query_one(RulesPanel) if rules else self.query_one("#messages", VerticalScroll)
        if not rules and not turn.max_scroll_y:
            return self.say(*self._lines[:1], "There is nothing to scroll. [ and ] step through the moves.")
        turn.scroll_relative(y=by * max(turn.size.height - 1, 1), animate=False)

    def action_rules(self) -> None:
        self.show_rules(not self.has_class("-rules"))
        self.set_class(self.has_class("-rules"), "-asked")

    def show_rules(self, shown: bool) -> None:
        """Show or hide the rules."""
        self.set_class(shown, "-rules")
        self.remove_class("-asked")
        if shown:
            self.query_one(RulesPanel).show(self.match.game)
