"""The text below the board: what the side to move wants, and what the values mean."""

from rich.containers import Lines
from rich.text import Text
from textual.geometry import Size
from textual.reactive import reactive
from textual.widgets import Static


class Captions(Static):
    """A text with room for the longest of the game from the start, so that no move shifts the board."""

    longest = reactive("", layout=True)
    """The text that there has to be room for."""

    def __init__(self, longest: str) -> None:
        super().__init__(id="captions", markup=False)
        self.longest = longest

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._wrap(self.longest, width))

    def render(self) -> Text:
        """The text, ending in an ellipsis where the screen is too small for all of it."""
        width, height = self.content_size
        lines = self._wrap(str(self.content), width)
        if len(lines) > height > 0:
            last = lines[height - 1]
            last.append(" …")
            last.truncate(width, overflow="ellipsis")
        return Text("\n").join(lines[:height])

    def _wrap(self, text: str, width: int) -> Lines:
        # Not by textwrap, for which every character is one column wide.
        return Text(text).wrap(self.app.console, max(width, 1))
