"""How fast the package is, as ratios to a yardstick measured in the same run: `python -m bench`."""

from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table: what was measured, what it has to be, and whether it is."""

    what: str
    measured: str
    required: str
    ok: bool
    figures: str
    """The two figures that the ratio is made of, for whoever wants to look closer."""
