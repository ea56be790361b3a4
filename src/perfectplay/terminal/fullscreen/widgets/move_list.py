"""The moves of a game in a column. A click shows the position after one."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from perfectplay.core.match import Match


class MoveList(ScrollView):
    """The plies of a match, with the one that is shown marked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"moves--ply", "moves--shown", "moves--mistake"}

    class Picked(Message):
        """A ply was clicked: its position is to be shown."""

        def __init__(self, ply: int) -> None:
            self.ply = ply
            super().__init__()

    def __init__(self) -> None:
        super().__init__(id="moves")
        self.can_focus = False
        self._texts: list[str] = []
        self._plies = 0
        self._shown = 0
        self._marks: Mapping[int, str] = {}

    def show(self, match: Match[Any], shown: int, marks: Mapping[int, str] | None = None) -> None:
        """Show the moves of a match; `shown` is the number of plies before the position on the board."""
        short = dict(zip(match.game.side_names, short_names(match.game.side_names), strict=True))
        plies = [move for move in match.record().moves if move.ply is not None]
        self._texts = [
            f"{move.ply:>3}. {short[move.side]}: {' '.join((move.text, *move.events))}" for move in plies
        ]
        if match.history and match.last.kind == "resign":
            self._texts.append(f"     {short[match.game.side_names[match.last.side]]}: resigned")
        self._plies = len(plies)
        self._shown, self._marks = shown, marks or {}
        self.virtual_size = Size(1, len(self._texts))  # what is wider is cut
        self.refresh()
        self.on_resize()

    def on_resize(self) -> None:
        """Keep the move that is shown in view."""
        self.scroll_to_region(Region(0, max(0, self._shown - 1), 1, 1), animate=False)

    def render_line(self, y: int) -> Strip:
        number = y + self.scroll_offset.y
        width = self.size.width
        if number >= len(self._texts):
            text = "No move yet." if not self._texts and not y else ""
            return Strip([Segment(text, self.get_component_rich_style("moves--ply"))]).adjust_cell_length(
                width, self.rich_style
            )
        shown = number + 1 == self._shown
        mark = self._marks.get(number + 1, "")
        name = "shown" if shown else "mistake" if mark else "ply"
        text = f"{'▸' if shown else ' '}{self._texts[number]}{f' {mark}' if mark else ''}"
        if cell_len(text) > width:
            text = f"{text[: width - 1]}…"
        style = self.get_component_rich_style(f"moves--{name}")
        return Strip([Segment(text, style)]).adjust_cell_length(width, self.rich_style)

    def on_click(self, event: Click) -> None:
        ply = event.y + self.scroll_offset.y + 1
        if ply <= self._plies:
            self.post_message(self.Picked(ply))


def short_names(names: tuple[str, str]) -> tuple[str, str]:
    """Two names without the words that they share; a number keeps their first letter."""
    (shared, _, one), (other, _, two) = (name.rpartition(" ") for name in names)
    if shared != other or one == two:
        return names
    letter = shared[:1] if one.isdigit() else ""
    return letter + one, letter + two
