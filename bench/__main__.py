"""Measure everything, print the table, and exit with 1 if a bound is missed."""

import sys

from bench import evaluating, exploring, fullscreen, learning, playing, report, solving, startup, stepping


def main() -> int:
    rows = [
        *startup.rows(),
        *fullscreen.rows(),
        *playing.rows(),
        *stepping.rows(),
        *solving.rows(),
        *exploring.rows(),
        *evaluating.rows(),
        *learning.rows(),
    ]
    return report(rows)


if __name__ == "__main__":
    sys.exit(main())
