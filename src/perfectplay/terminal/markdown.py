"""Markdown on a terminal that can show it, and as it is everywhere else."""

import os

from perfectplay.terminal.console import Console


def show_markdown(console: Console, text: str, *, plain: bool = False) -> None:
    """Print a page: formatted on a terminal that can, as Markdown elsewhere; `plain` without styles."""
    fancy = console.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if fancy and (console.stdout.encoding or "").lower().replace("-", "") == "utf8":
        from rich.console import Console as RichConsole
        from rich.markdown import Markdown

        shown = RichConsole(file=console.stdout, force_terminal=not plain, width=console.width)
        shown.print(Markdown(text))
    else:
        console.say(*text.rstrip().split("\n"))
