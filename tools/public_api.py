"""Which modules and names are public: the table in docs/python.md says so, or one like it on another page."""

import re
from importlib import import_module

from tools import ROOT


def public_names(page: str = "python.md") -> dict[str, set[str] | None]:
    """The public API by module, from the table of a page; None where `__all__` lists the names."""
    _, _, section = (ROOT / "docs" / page).read_text("utf-8").partition("## What is public")
    rows = re.findall(r"^\| `(perfectplay[\w.]*)` \| (.+) \|$", section, re.MULTILINE)
    return {
        module: None if names == "all of `__all__`" else set(re.findall(r"`(\w+)`", names))
        for module, names in rows
    }


def names_of(module: str, names: set[str] | None) -> list[str]:
    """The public names of a module, in the order of the alphabet."""
    return sorted(import_module(module).__all__ if names is None else names)
