"""The table of the server's options in docs/serving.md. `python -m tools.options_table` rewrites it."""

import re

from perfectplay_server.settings import options
from tools import ROOT

PAGE = ROOT / "docs" / "serving.md"
TABLE = re.compile(r"^\| option \|.*?(?=\n\n)", re.MULTILINE | re.DOTALL)


def table() -> str:
    """The options, their defaults and what they do, as Markdown."""
    rows = ["| option | default | what it does |", "|---|---|---|"]
    for name, each in options():
        number = isinstance(each.default, int | float) and not isinstance(each.default, bool)
        rows.append(f"| `{name}` | {f'{each.default:,g}' if number else ''} | {each.metadata['help']} |")
    return "\n".join(rows)


def update(text: str) -> str:
    """The page with the table as the settings have it."""
    found, count = TABLE.subn(lambda _: table(), text)
    assert count == 1
    return found


if __name__ == "__main__":
    PAGE.write_text(update(PAGE.read_text()))
