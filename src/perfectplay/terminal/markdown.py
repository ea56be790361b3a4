"""Pages in Markdown: formatted on a terminal that can show it, unchanged everywhere else."""

import json
import re
from typing import Any

from perfectplay.core.game import Game
from perfectplay.render.markdown import markdown_table
from perfectplay.terminal.console import Console
from perfectplay.terminal.progress import can_redraw

TABLE = re.compile(r"^\|.*\|\n\|[-|]+\|\n(?:\|.*\|(?:\n|$))+", re.MULTILINE)


def show_markdown(console: Console, text: str, *, plain: bool = False) -> None:
    """Print a page: formatted on a terminal that can show it, or else as Markdown; `plain` uses no styles."""
    if console.width is not None:
        text = fit(text, console.width)
    if can_redraw(console.stdout) and (console.stdout.encoding or "").lower().replace("-", "") == "utf8":
        from rich.console import Console as RichConsole
        from rich.markdown import Markdown

        shown = RichConsole(file=console.stdout, force_terminal=not plain, width=console.width)
        shown.print(Markdown(text))
    else:
        console.say(*text.rstrip().split("\n"))


def show_found(console: Console, found: object, *, indent: int | None = None) -> None:
    """Print what was found: a text as a page, anything else as JSON."""
    if isinstance(found, str):
        show_markdown(console, found)
    else:
        console.say(json.dumps(found, indent=indent))


def show_rulebook(console: Console, game: Game[Any], *, plain: bool = False) -> None:
    """Print the rules of a game."""
    show_markdown(console, game.texts().rulebook(), plain=plain)


def fit(text: str, width: int) -> str:
    """A page whose tables fit `width`: too wide a table becomes several, each with the first column.

    Where the first column leaves no room for another, each row becomes a list.
    """
    return TABLE.sub(lambda found: _fit_table(found[0], width), text)


def _fit_table(table: str, width: int) -> str:
    lines = table.rstrip("\n").split("\n")
    if len(lines[0]) <= width:
        return table
    head, _, *rows = (
        [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines
    )
    # The longest cell of each column, a blank on either side of it and the line to its right.
    widths = [max(map(len, column)) + 3 for column in zip(head, *rows, strict=True)]
    end = table[len(table.rstrip("\n")) :]
    if widths[0] + max(widths[1:], default=0) + 1 > width:
        # Not the mark of the lists around it, which would run into this one.
        items = ([f"* {name}: {cell}" for name, cell in zip(head[1:], row[1:], strict=True)] for row in rows)
        return (
            "\n\n".join("\n".join((row[0], "", *item)) for row, item in zip(rows, items, strict=True)) + end
        )
    groups: list[list[int]] = []
    room = 0
    for column in range(1, len(head)):
        if widths[column] > room:
            groups.append([0])
            room = width - 1 - widths[0]
        groups[-1].append(column)
        room -= widths[column]
    parts = ([[line[column] for column in group] for line in (head, *rows)] for group in groups)
    return "\n\n".join(markdown_table(first, rest) for first, *rest in parts) + end
