"""Values and tables as HTML."""

from collections.abc import Sequence
from html import escape

from perfectplay.core.value import Kind, Value

GROUNDS: dict[Kind, str] = {
    "win": "#24692a",
    "tie": "#5b478f",
    "endless": "#5b478f",
    "undecided": "#595959",
    "loss": "#a8241c",
}
"""The ground of each kind of value, behind white letters."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def value_html(value: Value) -> Markup:
    """A value as a word on a colored ground.

    >>> from perfectplay import Value
    >>> value_html(Value("win", 3)).partition(">")[2]
    'win in 3</span>'
    """
    style = f"background: {GROUNDS[value.kind]}; color: #fff; padding: .1em .5em; border-radius: .6em"
    return Markup(f'<span style="{style}; white-space: nowrap">{escape(str(value))}</span>')


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as HTML, with its cells escaped unless they are Markup.

    >>> html_table("Sizes", ["size"], [["<9"]]).partition("<tbody>")[2]
    '\\n<tr><td>&lt;9</td></tr>\\n</tbody></table></div>'
    """
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    lines = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return (
        f'<div class="wide" tabindex="0"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{names}</tr></thead><tbody>\n{lines}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    return text if isinstance(text, Markup) else escape(text)
