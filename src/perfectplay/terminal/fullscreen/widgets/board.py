"""The board: one widget that draws the view of any game."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.events import Click, MouseMove, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from perfectplay.core.game import Action
from perfectplay.core.view import View
from perfectplay.terminal.fullscreen.widgets.drawing import Drawing, Look, Marks, short
from perfectplay.terminal.fullscreen.widgets.layout import Heading, Item, Layout, arrange, nearest
from perfectplay.terminal.fullscreen.widgets.motion import FRAME, Slide, slide

FLASH = 0.12
"""Seconds for which a move lights up."""
NOTE = 3
"""Characters kept free for a value, so that buttons stay where they are when values change."""


class Board(ScrollView):
    """Draws a view, and lets a choice be moved over it. `live` is whether moves can be made."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "board--cell", "board--label", "board--legal", "board--chosen", "board--last", "board--first",
        "board--second", "board--hollow", "board--good", "board--bad", "board--goal", "board--refused",
    }  # fmt: skip

    class Chosen(Message):
        """A move was chosen, legal or not; None for a cell that no move leads to."""

        def __init__(self, action: Action | None) -> None:
            self.action = action
            super().__init__()

    def __init__(self) -> None:
        super().__init__(id="board")
        self.can_focus = False
        self.look = Look()
        self.arrangement = Layout((), (), 0, 0)
        """Where everything on the board stands."""
        self._lines: list[list[Item]] = []
        self._headings: dict[int, Heading] = {}
        self._room = (0, 0, 0, 0)
        """The size of the widget, and the most columns and lines that the board has needed in it."""
        self._cell: tuple[int, int] | None = None
        """The size of a cell, which only shrinks while the widget keeps its size."""
        self._held: int | None = None
        """The empty lines above the board, while it is to stay where it is."""
        self.slide: Slide | None = None
        """The piece on its way, if one is."""
        self._timer: Timer | None = None
        self._drawing = Drawing(self.look, self._style)

    def lines_below(self, *, held: bool) -> int:
        """The empty lines below the board. While it is held, it stays where it is if they are taken."""
        self._held = (self.margins()[1] if self._held is None else self._held) if held else None
        return max(0, self.size.height - self.margins()[1] - self._room[3])

    def show(self, view: View, marks: Marks | None = None, *, live: bool = True) -> None:
        """Show a position."""
        same = view == self.look.view
        if not same:
            self._stop()
        chosen = self.look.chosen if same and live else None
        # What moves on the same position goes on.
        lit, sliding = self.look.lit, self.look.sliding
        self.look = Look(view, marks or Marks(), live, chosen, lit=lit, sliding=sliding)
        self._arrange()

    def _change(self, look: Look) -> None:
        self.look = look
        self._drawing = Drawing(look, self._style)
        self.refresh()

    # Motion

    def play(self, before: View, changed: tuple[int, ...]) -> None:
        """Show how the position came about: a piece slides, or cells light up; not if motion is reduced."""
        if not changed or self.app.animation_level == "none":
            return
        self._stop()
        found = slide(before, self.look.view)
        lines = {item.cell: item.y for item in self.arrangement.items}
        if found is not None and lines.get(found.start, -1) == lines.get(found.end):
            self.slide = found
            self._change(self.look._replace(sliding=(found.end, found.piece)))
            self._timer = self.set_interval(FRAME, self._frame)
        else:
            self._light(changed)

    def _frame(self) -> None:
        if self.slide is not None and self.slide.is_over:
            end = self.slide.end
            self._stop()
            self._light((end,))
        self.refresh()

    def _light(self, cells: tuple[int, ...]) -> None:
        self._change(self.look._replace(lit=cells))
        self._timer = self.set_timer(FLASH, self._stop)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.slide = None
        self._change(self.look._replace(lit=(), sliding=None))

    def refuse(self, action: Action | None) -> None:
        """Mark a move as refused, until something else is shown."""
        self._change(self.look._replace(refused=action))

    # Choosing

    def move_choice(self, dx: int, dy: int) -> bool:
        """Move the choice in a direction, to a legal move; False if there is none that way."""
        choices = self._choices()
        start = None if self.look.chosen is None else self.item_of(self.look.chosen)
        if start is None and dx and len(choices) == 2:
            found: Item | None = choices[0 if dx < 0 else 1]  # one to the left, one to the right
        else:
            found = nearest([item for item in choices if item.action is not None], start, dx, dy)
        if found is None:
            return False
        if found.action is None:  # the only move that way, so its rule is said at once
            assert found.forbidden is not None
            self.post_message(self.Chosen(found.forbidden))
            return False
        self.choose(found.action)
        return True

    def cycle(self, step: int) -> None:
        """Choose the next or the previous legal move, around the end."""
        legal = [item.action for item in self._choices() if item.action is not None]
        if legal:
            here = legal.index(self.look.chosen) if self.look.chosen in legal else (-1 if step > 0 else 0)
            self.choose(legal[(here + step) % len(legal)])

    def choose(self, action: Action | None) -> None:
        """Choose a move without making it."""
        self._change(self.look._replace(chosen=action, refused=None))
        item = None if action is None else self.item_of(action)
        if item is not None:
            self._scroll_to_item(item)

    def narrow(self, actions: frozenset[Action] | None) -> None:
        """Leave only some moves to choose from; None for all."""
        self._change(self.look._replace(only=actions, chosen=None))

    def item_of(self, action: Action) -> Item | None:
        """The cell or the button of a move, legal or not."""
        return next((i for i in self.arrangement.items if action in (i.action, i.forbidden)), None)

    def _choices(self) -> list[Item]:
        choices = [item for item in self.arrangement.items if item.is_choice]
        only = self.look.only
        return choices if only is None else [item for item in choices if item.action in only]

    def on_click(self, event: Click) -> None:
        item = self._item_under(event)
        if item is not None:
            action = item.action if item.action is not None else item.forbidden
            self.choose(action)
            self.post_message(self.Chosen(action))

    def on_mouse_move(self, event: MouseMove) -> None:
        item = self._item_under(event)
        self.styles.pointer = "pointer" if item is not None and item.is_choice else "default"

    def _item_under(self, event: Click | MouseMove) -> Item | None:
        left, top = self.margins()
        x, y = event.x + self.scroll_offset.x - left, event.y + self.scroll_offset.y - top
        return self.arrangement.at(x, y) if self.look.live else None

    # Drawing

    def on_resize(self, event: Resize) -> None:
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        if not width or not height:
            return
        if self._room[:2] != (width, height):
            held = self._held is not None
            self._room = (width, height, *(self._room[2:] if held else (0, 0)))
            self._cell = self._cell if held else None
        values = self.look.marks.values or {}
        note = max((len(short(value)) for value in values.values()), default=0)
        note = note and max(note, NOTE)
        self.arrangement = arrange(self.look.view, width, height, note=note, at_most=self._cell)
        if self.arrangement.height > height:  # the scrollbar takes a column
            self.arrangement = arrange(self.look.view, width - 1, height, note=note, at_most=self._cell)
        self._cell = self.arrangement.inside
        # The board stands still: it takes the most room that it has ever needed.
        most = max(self._room[2], self.arrangement.width), max(self._room[3], self.arrangement.height)
        self._room = (width, height, *most)
        self._lines = self.arrangement.lines()
        self._headings = {heading.y: heading for heading in self.arrangement.headings}
        self.virtual_size = Size(max(1, self.arrangement.width), max(1, self.arrangement.height))
        self._change(self.look)
        if self.look.marks.last and self.arrangement.height > height:
            self._scroll_to_item(
                next(item for item in self.arrangement.items if item.cell == self.look.marks.last[-1])
            )

    def _scroll_to_item(self, item: Item) -> None:
        self.scroll_to_region(Region(item.x, item.y, item.width, item.height), animate=False)

    def margins(self) -> tuple[int, int]:
        """The empty columns and lines before the board, which stands in the middle."""
        width, height, used_width, used_height = self._room
        top = (height - used_height) // 2 if self._held is None else self._held
        return max(0, (width - used_width) // 2), max(0, top)

    def render_line(self, y: int) -> Strip:
        left, top = self.margins()
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
            drawing = self._drawing
            segments += drawing.button(item) if item.cell is None else drawing.cell(item, line - item.y)
            x = item.x + item.width
        return self._with_slide(Strip(segments).adjust_cell_length(width, plain), line, left)

    def _with_slide(self, strip: Strip, line: int, left: int) -> Strip:
        if self.slide is None:
            return strip
        items = {item.cell: item for item in self._lines[line] if item.cell is not None}
        if self.slide.start not in items or self.slide.end not in items:
            return strip
        x, y = self.slide.place(items[self.slide.start], items[self.slide.end])
        if y != line:
            return strip
        piece = Strip([Segment(self.slide.piece, self._drawing.piece_style(self.slide.piece))])
        start, end = left + x, left + x + piece.cell_length
        return Strip.join([strip.crop(0, start), piece, strip.crop(end)])

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"board--{name}")
