"""An audit as one self-contained HTML page: no scripts, no external fonts or pictures."""

from collections.abc import Sequence
from html import escape
from typing import Any

from perfectplay.audit.findings import MEANINGS, Finding
from perfectplay.audit.measures import Lengths, Measures, kinds_in
from perfectplay.audit.plots import depth_plot, length_plot, sweep_plot
from perfectplay.audit.report import (
    Audit,
    failures,
    reading_rows,
    visited,
    witness_text,
)
from perfectplay.audit.sweep import LEGEND, Setting, sweep_rows
from perfectplay.core.game import Game
from perfectplay.games.rulebook import summary
from perfectplay.render.html import html_table
from perfectplay.strength.crosstable import CrossTable, rates_text, table_caption

STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 35%, Canvas); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: CanvasText; background: Canvas; }
table { border-collapse: collapse; margin: 1rem 0; }
caption { text-align: left; padding: .3rem 0; }
th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
.severity { font-weight: bold; }
li { margin: .6rem 0; white-space: pre-wrap; }
svg { max-width: 100%; height: auto; }
svg text { fill: CanvasText; font: 11px system-ui, sans-serif; }
"""

EMBEDDED = "perfectplay-report"
"""The class of a report inside another page."""
EMBEDDED_STYLE = f"""
.{EMBEDDED} li {{ white-space: pre-wrap; }}
.{EMBEDDED} .wide {{ overflow-x: auto; }}
.{EMBEDDED} .severity {{ font-weight: bold; }}
.{EMBEDDED} td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
.{EMBEDDED} svg {{ max-width: 100%; height: auto; }}
.{EMBEDDED} svg text {{ fill: currentColor; font: 11px system-ui, sans-serif; }}
"""


def page(found: Audit) -> str:
    """Return the whole page as HTML.

    >>> import perfectplay as pp
    >>> from perfectplay.audit.report import audit
    >>> page(audit(pp.load("dual-direction"))).splitlines()[0]
    '<!DOCTYPE html>'
    """
    title = escape(f"Audit of {found.case.game.title}")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{_body(found)}\n</main>\n</body>\n</html>\n"
    )


def embedded(found: Audit) -> str:
    """The same as a part of another page, such as a notebook. Its style touches nothing else there."""
    return _embedded(_body(found))


def _embedded(body: str) -> str:
    return f'<div class="{EMBEDDED}"><style>{EMBEDDED_STYLE}</style>\n{body}\n</div>'


def _body(found: Audit) -> str:
    game = found.case.game
    parts = [
        f"<h1>Audit of {escape(game.title)}</h1>",
        f"<p><code>{escape(game.spec)}</code>: {escape(summary(type(game)))}</p>",
        f"<p>{escape(visited(found))}</p>",
        "<h2>Findings</h2>",
        f"<ul>{''.join(map(_finding, found.findings))}</ul>" if found.findings else "<p>None.</p>",
        *_readings(found),
        *(measures_html(game, found.measures) if found.measures is not None else ()),
    ]
    return "\n".join(parts)


def _finding(finding: Finding) -> str:
    shown = ""
    if finding.witness:
        shown = f"<br>Shown by: <code>{escape(witness_text(finding.witness))}</code>"
    code = f'<code title="{escape(MEANINGS[finding.code])}">{finding.code}</code>'
    return (
        f'<li><span class="severity">{finding.severity}</span>, {code}: {escape(finding.text)}{shown}</li>\n'
    )


def _readings(found: Audit) -> list[str]:
    parts = []
    if found.readings:
        head, rows = reading_rows(found.readings)
        parts += [
            "<h2>Readings</h2>",
            html_table(
                "What each reading of an unclear rule is worth, and the examples that hold", head, rows
            ),
            _list(failures(found.readings)),
        ]
    if found.case.errata:
        parts.append("<h2>Errata of the rulebook</h2>")
        parts.append(
            _list([f"{each.where}: {each.printed}. Right: {each.right}." for each in found.case.errata])
        )
    return parts


def measures_html(game: Game[Any], numbers: Measures) -> list[str]:
    """The numbers of an audit as pictures and tables."""
    parts = []
    if numbers.depths:
        parts += ["<h2>Value by position</h2>", depth_plot(numbers.depths), _depth_table(numbers)]
    parts += [
        "<h2>Length of random games</h2>",
        length_plot(numbers.lengths),
        _length_table(numbers.lengths),
    ]
    if numbers.table is not None:
        parts.append("<h2>Players</h2>")
        if numbers.differences:
            rows = [
                [str(each.levels), each.text(each.stronger), each.text(each.weaker)]
                for each in numbers.differences
            ]
            head = ["levels apart", "the stronger wins", "the weaker wins"]
            parts.append(html_table("Graded players against weaker ones, both seats combined", head, rows))
        parts.append(heat_map(table_caption(game, numbers.table), numbers.table))
    if numbers.left_out:
        parts += ["<h2>Left out</h2>", _list(numbers.left_out)]
    return parts


def sweep_html(settings: Sequence[Setting]) -> str:
    """A sweep as a part of another page: who wins and how long it takes for each value, and the table."""
    table = html_table("Each value of the parameter", *sweep_rows(tuple(settings)))
    key = "".join(f"<p>{escape(line)}</p>" for line in LEGEND.splitlines())
    return _embedded(f"{sweep_plot(settings)}{table}{key}")


def _depth_table(numbers: Measures) -> str:
    kinds = kinds_in(numbers.depths)
    rows = [
        [str(depth.ply), *(str(depth.kinds.get(kind, 0)) for kind in kinds), str(depth.over)]
        for depth in numbers.depths
    ]
    caption = "Positions first reached at each ply, by their value to the side to move"
    return _folded(html_table(caption, ["ply", *kinds, "over"], rows))


def _length_table(lengths: Lengths) -> str:
    rows = [[str(plies), f"{share:.2%}"] for plies, share in lengths.shares.items()]
    rows.append(["more, or no end", f"{lengths.longer:.2%}"])
    how = "exact" if lengths.games is None else f"of {lengths.games} games"
    caption = f"Share of random games that end at each ply, {how}"
    return _folded(html_table(caption, ["plies", "share"], rows))


def heat_map(caption: str, table: CrossTable) -> str:
    """The table of players as HTML, each cell shaded by how often the row player wins."""
    head = "".join(f'<th scope="col">{escape(player)}</th>' for player in table.players)
    rows = []
    for player, row in zip(table.players, table.rates, strict=True):
        cells = "".join(
            f'<td class="number" style="background: rgb(80 140 255 / {0.5 * rates.wins[0]:.2f})">'
            f"{rates_text(rates)}</td>"
            for rates in row
        )
        rows.append(f'<tr><th scope="row">{escape(player)}</th>{cells}</tr>')
    return (
        f'<div class="wide" tabindex="0"><table><caption>{escape(caption)}'
        " The darker the cell, the more often the row player wins.</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _folded(table: str) -> str:
    return f"<details><summary>The numbers</summary>{table}</details>"


def _list(items: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>" if items else ""
