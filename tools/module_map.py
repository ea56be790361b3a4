"""The map of modules in docs/modules.md, from their docstrings. `python -m tools.module_map` rewrites it."""

import ast
from pathlib import Path

from tools import ROOT, SOURCES

TAB = ROOT / "site" / "python" / "tab"
PAGE = ROOT / "docs" / "modules.md"
HEAD = """# The map of modules

After this page you can find the module to change. It lists every module with the first line of its docstring;
[How it is built](architecture.md) says how they work together. `make golden` writes this page.
"""


def page() -> str:
    """The page as it should be."""
    folders = [file.parent for home in SOURCES for file in sorted(home.rglob("__init__.py"))]
    folders.append(TAB)
    return "\n".join([HEAD, *(_section(folder) for folder in folders)])


def _section(folder: Path) -> str:
    home = next((each.parent for each in SOURCES if folder.is_relative_to(each)), ROOT)
    name = folder.relative_to(home).as_posix()
    about = summarize(folder / "__init__.py")
    rows = [
        f"| `{file.name}` | {summarize(file)} |" for file in sorted(folder.glob("*.py")) if summarize(file)
    ]
    rows = [row for row in rows if not row.startswith("| `__init__.py`")]
    table = "\n".join(["| module | |", "|---|---|", *rows, ""]) if rows else ""
    return "\n".join(part for part in (f"## {name}\n", f"{about}\n" if about else "", table) if part)


def summarize(file: Path) -> str:
    """The first line of a module's docstring; empty if it has none."""
    if not file.exists():
        return ""
    return (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
