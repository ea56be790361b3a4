"""The text below the board: what the side to move wants, or what the values mean."""

from textwrap import wrap

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
        return len(wrap(self.longest, max(width, 1)))

    def render(self) -> str:
        """The text, ending in an ellipsis where the screen is too small for all of it."""
        width, height = self.content_size
        lines = wrap(str(self.content), max(width, 1), max_lines=max(height, 1), placeholder=" …")
        return "\n".join(lines)
