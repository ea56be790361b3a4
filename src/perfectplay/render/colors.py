"""The colors of pictures of boards, which are those of the pages in daylight, and of values on pages."""

from perfectplay.core.value import Kind

CARD, INK, SOFT, LINE = "#fffdf8", "#231e17", "#635a4c", "#ddd3c1"
RAIL, WELL, SHADE, EDGE, GLOW, GLOW_SOFT = "#e8dcc6", "#f8f1e3", "#ded2bb", "#8d8270", "#a96a00", "#fbeec4"
SIDES = (("#bb3d0a", "#fbe2d1"), ("#0d5c76", "#d3e9f1"))
"""The color of each side, and a pale one."""
MATCHED, OPEN = "#24692a", "#a8241c"
"""The colors of links between cells that match, and that do not."""
PAPER = "#f6f1e7"
GROUNDS: dict[Kind, str] = {
    "win": "#24692a",
    "tie": "#5b478f",
    "endless": "#5b478f",
    "undecided": "#595959",
    "loss": "#a8241c",
}
"""The ground of each kind of value, behind white letters."""
