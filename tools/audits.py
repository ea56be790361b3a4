"""Writes the audit of every game into a folder: `python -m tools.audits docs/audits`."""

import sys
from pathlib import Path

from perfectplay.audit.page import page
from perfectplay.audit.report import audit, text
from perfectplay.games.registry import load, names


def pages(name: str) -> dict[str, str]:
    """The files of a game's audit: their names and contents."""
    found = audit(load(name))
    return {f"{name}.md": text(found), f"{name}.html": page(found)}


def main() -> None:
    """Write the audits of all games."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.audits FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in names():
        for file, content in pages(name).items():
            (folder / file).write_text(content, "utf-8")


if __name__ == "__main__":
    main()
