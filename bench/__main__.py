"""Measure everything, print the table, and exit with 1 if a bound is missed."""

import sys

from bench import Row, evaluating, fullscreen, playing, solving, startup, stepping


def table(rows: list[Row]) -> str:
    lines = [("what", "measured", "required", "", "figures")]
    lines += [
        (row.what, row.measured, row.required, "OK" if row.ok else "MISSED", row.figures) for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
    )
    return "\n".join(line.rstrip() for line in padded)


def main() -> int:
    rows = [
        *startup.rows(),
        *fullscreen.rows(),
        *playing.rows(),
        *stepping.rows(),
        *solving.rows(),
        *evaluating.rows(),
    ]
    sys.stdout.write(table(rows) + "\n")
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
