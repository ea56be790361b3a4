"""The table of the server's options in docs/serving.md. `python -m tools.options_table` rewrites it."""

import re

from perfectplay.web.settings import options_table
from tools import ROOT

PAGE = ROOT / "docs" / "serving.md"
TABLE = re.compile(r"^\| option \|.*?(?=\n\n)", re.MULTILINE | re.DOTALL)


def update(text: str) -> str:
    """The page with the table as the settings have it."""
    found, count = TABLE.subn(lambda _: options_table(), text)
    assert count == 1
    return found


if __name__ == "__main__":
    PAGE.write_text(update(PAGE.read_text()))
