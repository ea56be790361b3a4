"""The comparison of checkers in docs/foreign.md. `python -m tools.foreign_table` rewrites it."""

import re

from tests.foreign.comparison import table
from tools import ROOT

PAGE = ROOT / "docs" / "foreign.md"
TABLE = re.compile(r"^\| code \| meaning \|.*?\|$(?!\n\|)", re.MULTILINE | re.DOTALL)


def update(text: str) -> str:
    """The page with the table as the checkers have it now."""
    made = table()
    found, count = TABLE.subn(lambda _: made, text)
    assert count == 1
    return found


if __name__ == "__main__":
    PAGE.write_text(update(PAGE.read_text("utf-8")), "utf-8")
