"""HTML: whole pages that need nothing from elsewhere, parts of other pages, tables, lists and values."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from perfectplay.core.value import Value
from perfectplay.render.colors import GROUNDS

PAGE_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 35%, Canvas); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: CanvasText; background: Canvas; }
table { border-collapse: collapse; margin: 1rem 0; }
caption { text-align: left; padding: .3rem 0; }
th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; }
"""
PART_STYLE = """
li { margin: .6rem 0; white-space: pre-wrap; }
.wide { overflow-x: auto; }
.severity { font-weight: bold; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; }
svg text { fill: currentColor; font: 11px system-ui, sans-serif; }
"""
"""What also applies to a report inside another page, such as a notebook."""
EMBEDDED = "perfectplay-report"
"""The class of a report inside another page."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


class TableCell(NamedTuple):
    """A cell of a table that is more than its text."""

    text: str
    kind: str = ""
    """Its class, such as `number`."""
    style: str = ""
    heads: bool = False
    """Whether it is the head of its row."""


def write_page(title: str, parts: Iterable[str], style: str = "") -> str:
    """A whole page: no scripts, no external fonts or pictures. `style` is added to that of all pages."""
    body = "\n".join(filter(None, parts))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{PAGE_STYLE}{PART_STYLE}{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def write_part(parts: Iterable[str]) -> str:
    """A part of another page. Its style touches nothing else there."""
    rules = "".join(f".{EMBEDDED} {rule}\n" for rule in PART_STYLE.strip().split("\n"))
    body = "\n".join(filter(None, parts))
    return f'<div class="{EMBEDDED}"><style>\n{rules}</style>\n{body}\n</div>'


def write_list(items: Sequence[str]) -> str:
    """A list as HTML, with its items escaped unless they are Markup; empty without any."""
    return f"<ul>{''.join(f'<li>{_escape(item)}</li>' for item in items)}</ul>" if items else ""


def write_table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str | TableCell]], classes: Sequence[str] = ()
) -> str:
    """A table as HTML, with its cells escaped unless they are Markup; `classes` are those of its rows."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' if name else "<td></td>" for name in head)
    lines = "".join(
        f"<tr{_attribute('class', classes[number] if classes else '')}>{''.join(map(_cell, row))}</tr>\n"
        for number, row in enumerate(rows)
    )
    titled = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="wide" tabindex="0"><table>{titled}'
        f"<thead><tr>{names}</tr></thead><tbody>\n{lines}</tbody></table></div>"
    )


def fold_away(summary: str, inside: str) -> str:
    """Something to open by a click on its summary."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def write_value(value: Value) -> Markup:
    """A value as a word on a colored ground."""
    style = f"background: {GROUNDS[value.kind]}; color: #fff; padding: .1em .5em; border-radius: .6em"
    return Markup(f'<span style="{style}; white-space: nowrap">{escape(str(value))}</span>')


def _cell(cell: str | TableCell) -> str:
    if isinstance(cell, str):
        return f"<td>{_escape(cell)}</td>"
    text = _escape(cell.text)
    if cell.heads:
        return f'<th scope="row">{text}</th>'
    return f"<td{_attribute('class', cell.kind)}{_attribute('style', cell.style)}>{text}</td>"


def _attribute(name: str, value: str) -> str:
    return f' {name}="{value}"' if value else ""


def _escape(text: str) -> str:
    return text if isinstance(text, Markup) else escape(text)
