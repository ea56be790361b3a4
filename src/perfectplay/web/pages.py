"""The files of the pages, and the menu that all pages share."""

from pathlib import Path

STATIC = Path(__file__).with_name("static")


def with_menu(page: str, path: str) -> str:
    """A page with the menu that all pages share, in which the page at `path` is the current one."""
    menu = (STATIC / "menu.html").read_text(encoding="utf-8")
    return page.replace(
        "    <!-- menu -->\n", menu.replace(f'href="{path}"', f'href="{path}" aria-current="page"')
    )
