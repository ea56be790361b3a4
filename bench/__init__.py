"""How fast the package is, as ratios to a yardstick measured in the same run: `python -m bench`."""

from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table: what was measured, its bound, and whether it is met."""

    what: str
    measured: str
    required: str
    ok: bool
    figures: str
    """The two figures behind the ratio, for a closer look."""
