"""The chart of a game as a strip of blocks. A click shows the position below it."""

from collections.abc import Sequence

from rich.text import Text
from textual.events import Click
from textual.widgets import Static

from perfectplay.core.value import ChartPoint
from perfectplay.render.charts import draw_strip, explain_strip
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
        """The blocks, the marks below them, and what the position on the board is worth."""
        part, wide = self._part()
        strip, below = draw_strip(part, self._shown)
        here = self._points[self._shown].describe(self._names)
        words = f"^ {here}. {explain_strip(self._points, self._names)}"
        lines = ["".join(sign * wide for sign in strip), "".join(sign.center(wide) for sign in below), words]
        return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")

    def on_click(self, event: Click) -> None:
        part, wide = self._part()
        place = event.get_content_offset_capture(self).x // wide
        if 0 <= place < len(part):
            self.post_message(MoveList.Picked(part[place].ply))

    def _part(self) -> tuple[Sequence[ChartPoint], int]:
        """The points that fit the width, with the one that is shown, and the columns of each."""
        width = max(1, self.content_size.width)
        start = self._shown // width * width
        return self._points[start : start + width], max(1, min(WIDEST, width // max(1, len(self._points))))
