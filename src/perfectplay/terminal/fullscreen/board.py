"""The board: one widget that draws the view of any game."""

from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.events import Click, MouseMove, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from perfectplay.core.game import Action
from perfectplay.core.value import Value
from perfectplay.core.view import Cell, View
from perfectplay.terminal.fullscreen.layout import Heading, Item, Layout, arranged, nearest

FRAMES = {"plain": "┌─┐│└┘", "chosen": "┏━┓┃┗┛", "last": "╔═╗║╚╝"}
"""Frames of cells. Each shows without color what it is."""
LETTERS = {"win": "W", "loss": "L", "tie": "T", "endless": "∞"}
ROLES = {"goal": "★", "later-goal": "☆"}
"""Marks of empty cells to reach. Whose goal it is stands behind the mark."""
CLOSED = "░"
"""Fills a cell that is out of play."""
FLASH = 0.12
"""Seconds for which a move lights up."""


def short(value: Value) -> str:
    """A value in few characters.

    >>> short(Value("win", 3)), short(Value("endless"))
    ('W3', '∞')
    """
    return LETTERS[value.kind] + ("" if value.plies is None else str(value.plies))


class Marks(NamedTuple):
    """What is shown on top of a position."""

    last: tuple[int, ...] = ()
    """The cells that the last move changed."""
    values: dict[Action, Value] | None = None
    best: tuple[Action, ...] = ()
    """Moves to point out, with a star."""
    mistake: Action | None = None
    """A bad move to point out, with a question mark."""


class Board(ScrollView):
    """Draws a view, and lets a choice be moved over it. `live` is whether moves can be made."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "board--cell", "board--label", "board--legal", "board--chosen", "board--last", "board--first",
        "board--second", "board--hollow", "board--good", "board--bad", "board--goal", "board--refused",
    }  # fmt: skip

    class Chosen(Message):
        """A move was chosen, legal or not."""

        def __init__(self, action: Action) -> None:
            self.action = action
            super().__init__()

    def __init__(self) -> None:
        super().__init__(id="board")
        self.can_focus = False
        self.view = View(())
        self.marks = Marks()
        self.live = True
        self.chosen: Action | None = None
        """The move that Enter would make."""
        self.lit: tuple[int, ...] = ()
        """The cells that light up for a moment."""
        self.refused: Action | None = None
        self.only: frozenset[Action] | None = None
        """The moves that the answers so far leave open; None for all."""
        self._cells: tuple[Cell, ...] = ()
        self._linked: dict[int, bool] = {}
        self._layout = Layout((), (), 0, 0)
        self._lines: list[list[Item]] = []
        self._headings: dict[int, Heading] = {}
        self._flash: Timer | None = None

    def show(self, view: View, marks: Marks | None = None, *, live: bool = True) -> None:
        """Show a position."""
        if view != self.view or not live:
            self.chosen = None
        self.view, self.marks, self.live = view, marks or Marks(), live
        self._cells = view.cells
        self._linked = {end: link.matched for link in view.links for end in (link.a, link.b)}
        self.refused = self.only = None
        self._arrange()

    def light(self, cells: tuple[int, ...]) -> None:
        """Light cells up for a moment, unless motion is reduced."""
        if cells and self.app.animation_level != "none":
            self.lit = cells
            if self._flash is not None:
                self._flash.stop()
            self._flash = self.set_timer(FLASH, self._dim)
            self.refresh()

    def _dim(self) -> None:
        self.lit = ()
        self.refresh()

    def refuse(self, action: Action | None) -> None:
        """Mark a move as refused, until something else is shown."""
        self.refused = action
        self.refresh()

    # Choosing

    def move_choice(self, dx: int, dy: int) -> bool:
        """Move the choice in a direction; False if there is nothing that way."""
        choices = self._choices()
        start = None if self.chosen is None else self._item(self.chosen)
        if start is None and dx and len(choices) == 2:
            found: Item | None = choices[0 if dx < 0 else 1]  # one to the left, one to the right
        else:
            found = nearest(choices, start, dx, dy)
        if found is not None:
            self.choose(found.action if found.action is not None else found.forbidden)
        return found is not None

    def cycle(self, step: int) -> None:
        """Choose the next or the previous legal move, around the end."""
        legal = [item.action for item in self._choices() if item.action is not None]
        if legal:
            here = legal.index(self.chosen) if self.chosen in legal else (-1 if step > 0 else 0)
            self.choose(legal[(here + step) % len(legal)])

    def choose(self, action: Action | None) -> None:
        """Choose a move without making it."""
        self.chosen, self.refused = action, None
        item = None if action is None else self._item(action)
        if item is not None:
            self.scroll_to_region(Region(item.x, item.y, item.width, item.height), animate=False)
        self.refresh()

    def narrow(self, actions: frozenset[Action] | None) -> None:
        """Leave only some moves to choose from; None for all."""
        self.only, self.chosen = actions, None
        self.refresh()

    def _item(self, action: Action) -> Item | None:
        return next((i for i in self._layout.items if action in (i.action, i.forbidden)), None)

    def _choices(self) -> list[Item]:
        choices = [item for item in self._layout.items if item.is_choice]
        return choices if self.only is None else [item for item in choices if item.action in self.only]

    def on_click(self, event: Click) -> None:
        item = self._under(event)
        if item is not None and item.is_choice and self.live:
            action = item.action if item.action is not None else item.forbidden
            assert action is not None
            self.choose(action)
            self.post_message(self.Chosen(action))

    def on_mouse_move(self, event: MouseMove) -> None:
        item = self._under(event)
        self.styles.pointer = "pointer" if item is not None and item.is_choice and self.live else "default"

    def _under(self, event: Click | MouseMove) -> Item | None:
        left, top = self._margins()
        return self._layout.at(event.x + self.scroll_offset.x - left, event.y + self.scroll_offset.y - top)

    # Drawing

    def on_resize(self, event: Resize) -> None:
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        if not width or not height:
            return
        values = self.marks.values or {}
        note = max((len(short(value)) for value in values.values()), default=0)
        self._layout = arranged(self.view, width, height, note=note)
        self._lines = self._layout.lines()
        self._headings = {heading.y: heading for heading in self._layout.headings}
        self.virtual_size = Size(max(1, self._layout.width), max(1, self._layout.height))
        self.refresh()

    def _margins(self) -> tuple[int, int]:
        """The empty columns and lines before the board, which stands in the middle."""
        width, height = self.size
        return max(0, (width - self._layout.width) // 2), max(0, (height - self._layout.height) // 2)

    def render_line(self, y: int) -> Strip:
        left, top = self._margins()
        line = y + self.scroll_offset.y - top
        width = self.size.width
        plain = self.rich_style
        if not 0 <= line < len(self._lines):
            return Strip.blank(width, plain)
        segments = [Segment(" " * left, plain)]
        x = 0
        heading = self._headings.get(line)
        if heading is not None:
            segments.append(Segment(heading.text, self._style("label")))
            x = len(heading.text)
        for item in self._lines[line]:
            segments.append(Segment(" " * (item.x - x), plain))
            draw = self._draw_button(item) if item.cell is None else self._draw_cell(item, line - item.y)
            segments += draw
            x = item.x + item.width
        return Strip(segments).adjust_cell_length(width, plain)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"board--{name}")

    def _draw_button(self, item: Item) -> list[Segment]:
        assert item.action is not None
        left, right = "[]"
        open_ = self.live and (self.only is None or item.action in self.only)
        style = self._style("legal" if open_ else "label")
        if self.live and item.action == self.chosen:
            left, right, style = "▸", "◂", self._style("chosen")
        value = (self.marks.values or {}).get(item.action)
        star = item.action in self.marks.best
        note = f" {short(value)}" if value is not None else "*" if star else ""
        note += "?" if item.action == self.marks.mistake else ""
        if star or value is not None:
            style += self._style("good" if star or (value and value.kind == "win") else "label")
        return [Segment((left + item.label + note + right).ljust(item.width), style)]

    def _draw_cell(self, item: Item, row: int) -> list[Segment]:
        assert item.cell is not None
        action = item.action if item.action is not None else item.forbidden
        chosen = self.live and action is not None and action == self.chosen
        last = item.cell in self.marks.last
        kind = "chosen" if chosen else "last" if last else "plain"
        frame = FRAMES[kind]
        style = self._style({"chosen": "chosen", "last": "last", "plain": "cell"}[kind])
        inside = item.width - 2
        if row == 0:
            label = item.label + frame[1] * (inside - cell_len(item.label))
            return [Segment(frame[0] + label + frame[2], style)]
        if row == item.height - 1:
            return self._bottom(item, frame, inside, style)
        contents = self._contents(item, inside, middle=row == item.height // 2)
        if item.cell in self.lit:
            contents = [Segment(text, (each or style) + Style(reverse=True)) for text, each, _ in contents]
        return [Segment(frame[3], style), *contents, Segment(frame[3], style)]

    def _bottom(self, item: Item, frame: str, inside: int, style: Style) -> list[Segment]:
        """The lower frame, with what is to be said about the move: its value, or that it is legal."""
        note, noted = "", style
        if item.action is not None:
            value = (self.marks.values or {}).get(item.action)
            if value is not None:
                note = short(value)
                noted = self._style({"win": "good", "loss": "bad"}.get(value.kind, "legal"))
            elif self.live:
                note, noted = "•", self._style("legal")
            if item.action in self.marks.best:
                note, noted = (note.replace("•", "") + "*"), self._style("good")
            if item.action == self.marks.mistake:
                note, noted = f"{note}?", self._style("bad")
        elif item.cell in self._linked:
            note, noted = ("=", self._style("good")) if self._linked[item.cell] else ("≠", self._style("bad"))
        before = (inside - len(note)) // 2
        after = inside - len(note) - before
        return [
            Segment(frame[4] + frame[1] * before, style),
            Segment(note, noted),
            Segment(frame[1] * after + frame[5], style),
        ]

    def _contents(self, item: Item, inside: int, *, middle: bool) -> list[Segment]:
        assert item.cell is not None
        cell = self._cells[item.cell]
        style = self._style("cell")
        pieces: list[tuple[str, Style]] = []
        if middle and self.refused is not None and self.refused == item.forbidden:
            pieces = [("✗", self._style("refused"))]
        elif middle:
            pieces = [(piece, self._piece_style(piece)) for piece in cell.pieces]
            pieces = pieces or [(_role(cell), self._style("goal"))]
        blank = CLOSED if cell.role == "closed" else " "
        if blank == CLOSED:
            style = self._style("hollow")
        used = sum(cell_len(piece) for piece, _ in pieces)
        before = max(0, (inside - used) // 2)
        after = max(0, inside - used - before)
        return [
            Segment(blank * before, style),
            *(Segment(piece, each) for piece, each in pieces),
            Segment(blank * after, style),
        ]

    def _piece_style(self, piece: str) -> Style:
        first, second = self.view.sides
        name = "first" if piece in first else "second" if piece in second else "cell"
        return self._style("hollow" if piece in self.view.hollow else name)


def _role(cell: Cell) -> str:
    mark = ROLES.get(cell.role, "")
    return f"{mark}{cell.owner + 1}" if mark and cell.owner is not None else mark
