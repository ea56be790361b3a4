"""Pages in Markdown: formatted on a terminal that can show it, unchanged everywhere else."""

import os
from typing import Any

from perfectplay.core.game import Game
from perfectplay.games.rulebook import rulebook
from perfectplay.terminal.console import Console


def show_markdown(console: Console, text: str, *, plain: bool = False) -> None:
    """Print a page: formatted on a terminal that can show it, or else as Markdown; `plain` uses no styles."""
    fancy = console.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if fancy and (console.stdout.encoding or "").lower().replace("-", "") == "utf8":
        from rich.console import Console as RichConsole
        from rich.markdown import Markdown

        shown = RichConsole(file=console.stdout, force_terminal=not plain, width=console.width)
        shown.print(Markdown(text))
    else:
        console.say(*text.rstrip().split("\n"))


def show_rulebook(console: Console, game: Game[Any], *, plain: bool = False) -> None:
    """Print the rules of a game."""
    show_markdown(console, rulebook(type(game)), plain=plain)
