"""How fast the package is, as ratios to a yardstick measured in the same run: `python -m bench`."""

import sys
from collections.abc import Sequence
from typing import NamedTuple


class BenchRow(NamedTuple):
    """One line of the table: what was measured, its bound, and whether it is met."""

    what: str
    measured: str
    required: str
    ok: bool
    figures: str
    """The two figures behind the ratio, for a closer look."""


def report(rows: Sequence[BenchRow]) -> int:
    """Print the rows as a table, and return the exit code: 1 if a bound is missed."""
    lines = [("what", "measured", "required", "", "figures")]
    lines += [
        (row.what, row.measured, row.required, "OK" if row.ok else "MISSED", row.figures) for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        sys.stdout.write(padded.rstrip() + "\n")
    return 0 if all(row.ok for row in rows) else 1
