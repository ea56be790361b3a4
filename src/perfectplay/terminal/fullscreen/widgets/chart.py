"""The chart of a game, a row of blocks for each side. A click shows the position below it."""

from collections.abc import Sequence

from rich.text import Text
from textual.events import Click
from textual.widgets import Static

from perfectplay.core.value import ChartPoint
from perfectplay.render.charts import draw_strip, explain_strip, label_strip
from perfectplay.terminal.fullscreen.widgets.move_list import MoveList

WIDEST = 3
"""Columns of a block, where there is room."""


class Chart(Static):
    """What each position of a game was worth, with the one on the board marked and said in words."""

    def __init__(self) -> None:
        super().__init__(id="chart", markup=False)
        self.display = False
        self._points: Sequence[ChartPoint] = ()
        self._names: Sequence[str] = ()
        self._shown = 0

    def show(self, points: Sequence[ChartPoint], names: Sequence[str], shown: int) -> None:
        """Show the chart of a game; `shown` is the number of plies before the position on the board."""
        self._points, self._names, self._shown = points, names, shown
        self.display = bool(points)
        self.refresh()

    def render(self) -> Text:
        """A row of blocks for each side, the marks below, and what the position on the board is worth."""
        part, wide = self._part()
        here = self._points[self._shown].describe(self._names)
        words = f"^ {here}. {explain_strip(self._points)}".rstrip()
        lines = [*draw_strip(part, self._names, self._shown, wide), words]
        return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")

    def on_click(self, event: Click) -> None:
        part, wide = self._part()
        place = (event.get_content_offset_capture(self).x - self._left) // wide
        if 0 <= place < len(part):
            self.post_message(MoveList.Picked(part[place].ply))

    @property
    def _left(self) -> int:
        """The columns before the blocks."""
        return len(label_strip(self._names)[0])

    def _part(self) -> tuple[Sequence[ChartPoint], int]:
        """The points that fit the width, with the one that is shown, and the columns of each."""
        width = max(1, self.content_size.width - self._left)
        start = self._shown // width * width
        return self._points[start : start + width], max(1, min(WIDEST, width // max(1, len(self._points))))
