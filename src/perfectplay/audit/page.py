"""An audit as one self-contained HTML page: no scripts, no external fonts or pictures."""

from collections.abc import Sequence
from html import escape
from typing import Any

from perfectplay.audit.findings import MEANINGS, Finding
from perfectplay.audit.measures import Depth, Lengths, Measures
from perfectplay.audit.report import (
    Audit,
    failures,
    rates_text,
    reading_rows,
    table_caption,
    visited,
    witness_text,
)
from perfectplay.audit.strength import CrossTable
from perfectplay.audit.sweep import LEGEND, Setting, sweep_rows
from perfectplay.core.game import Game
from perfectplay.core.rich import html_table
from perfectplay.core.value import KINDS
from perfectplay.games.rulebook import summary

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

HATCHES = {
    "win": '<rect width="8" height="8" fill="currentColor" fill-opacity=".8"></rect>',
    "tie": '<path d="M0 2h8M0 6h8" stroke="currentColor"></path>',
    "endless": '<circle cx="2" cy="2" r="1.3" fill="currentColor"></circle>'
    '<circle cx="6" cy="6" r="1.3" fill="currentColor"></circle>',
    "loss": '<path d="M0 8L8 0M-2 2L2 -2M6 10L10 6" stroke="currentColor"></path>',
    "over": "",
}
"""How each kind of value is drawn: as a pattern, so that nobody has to tell colours apart."""

HEIGHT, BAR, LEFT = 160, 18, 44
SHORT = 6
"""The height of the lowest bar, and of one without a length."""


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


def depth_plot(depths: Sequence[Depth]) -> str:
    """A bar chart with one bar per ply: positions first reached at that ply, by value to the side to move."""
    tallest = max(sum(depth.kinds.values()) + depth.over for depth in depths)
    bars = []
    for place, depth in enumerate(depths):
        x, y = LEFT + place * (BAR + 4), float(HEIGHT)
        for kind, count in [
            *((kind, depth.kinds.get(kind, 0)) for kind in reversed(KINDS)),
            ("over", depth.over),
        ]:
            if count:
                height = count / tallest * (HEIGHT - 10)
                y -= height
                bars.append(
                    f'<rect x="{x}" y="{y:.1f}" width="{BAR}" height="{height:.1f}" fill="url(#{kind})"'
                    f' stroke="currentColor"><title>ply {depth.ply}: {count} {kind}</title></rect>'
                )
        bars.append(_label(x + BAR / 2, HEIGHT + 14, str(depth.ply)))
    patterns = "".join(
        f'<pattern id="{kind}" width="8" height="8" patternUnits="userSpaceOnUse">{hatch}</pattern>'
        for kind, hatch in HATCHES.items()
    )
    legend = "".join(
        f'<rect x="{LEFT + place * 90}" y="{HEIGHT + 34}" width="14" height="14" fill="url(#{kind})"'
        f' stroke="currentColor"></rect><text x="{LEFT + place * 90 + 20}" y="{HEIGHT + 45}">{kind}</text>'
        for place, kind in enumerate(HATCHES)
    )
    width = LEFT + max(len(depths) * (BAR + 4), 450)
    axes = _axes(width, str(tallest), "plies from the start")
    return _svg(width, "Positions by ply and value", f"<defs>{patterns}</defs>{axes}{''.join(bars)}{legend}")


def length_plot(lengths: Lengths) -> str:
    """A bar chart of how many plies random games take."""
    last = max(lengths.shares, default=0)
    shares = [(str(plies), lengths.shares.get(plies, 0.0)) for plies in range(last + 1)]
    if lengths.longer > 0.0005:
        shares.append(("more", lengths.longer))
    tallest = max((share for _, share in shares), default=0.0) or 1.0
    bars = []
    for place, (name, share) in enumerate(shares):
        x, height = LEFT + place * (BAR + 4), share / tallest * (HEIGHT - 10)
        bars.append(
            f'<rect x="{x}" y="{HEIGHT - height:.1f}" width="{BAR}" height="{height:.1f}"'
            f' fill="currentColor" fill-opacity=".6"><title>{name} plies: {share:.1%}</title></rect>'
        )
        bars.append(_label(x + BAR / 2, HEIGHT + 14, name))
    width = LEFT + max(len(shares) * (BAR + 4) + 10, 450)
    axes = _axes(width, f"{tallest:.0%}", "plies played")
    return _svg(width, "How long random games are", axes + "".join(bars))


def sweep_html(settings: Sequence[Setting]) -> str:
    """A sweep as a part of another page: who wins and how long it takes for each value, and the table."""
    table = html_table("Each value of the parameter", *sweep_rows(tuple(settings)))
    key = "".join(f"<p>{escape(line)}</p>" for line in LEGEND.splitlines())
    return (
        f'<div class="{EMBEDDED}"><style>{EMBEDDED_STYLE}</style>\n{sweep_plot(settings)}{table}{key}</div>'
    )


def sweep_plot(settings: Sequence[Setting]) -> str:
    """A bar for each value of a parameter: as high as best play is long, hatched by who wins."""
    results = sorted({each.result for each in settings})  # a player has the same look in every sweep
    tallest = max((each.plies or 0 for each in settings), default=0) or 1
    bars = []
    for place, each in enumerate(settings):
        x = LEFT + place * (BAR + 4)
        height = SHORT if each.plies is None else max(SHORT, each.plies / tallest * (HEIGHT - 10))
        plies = "length not known, or no end" if each.plies is None else f"{each.plies} plies"
        bars.append(
            f'<rect x="{x}" y="{HEIGHT - height:.1f}" width="{BAR}" height="{height:.1f}"'
            f' fill="url(#sweep-{results.index(each.result)})" stroke="currentColor">'
            f"<title>{each.value}: {escape(each.result)}, {plies}</title></rect>"
        )
        bars.append(_label(x + BAR / 2, HEIGHT + 14, str(each.value)))
    hatches = [*HATCHES.values()]
    patterns = "".join(
        f'<pattern id="sweep-{number}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f"{hatches[number % len(hatches)]}</pattern>"
        for number in range(len(results))
    )
    legend = "".join(
        f'<rect x="{LEFT + number * 160}" y="{HEIGHT + 34}" width="14" height="14"'
        f' fill="url(#sweep-{number})" stroke="currentColor"></rect>'
        f'<text x="{LEFT + number * 160 + 20}" y="{HEIGHT + 45}">{escape(result)}</text>'
        for number, result in enumerate(results)
    )
    width = LEFT + max(len(settings) * (BAR + 4), len(results) * 160, 450)
    axes = _axes(
        width, str(tallest), "value of the parameter; a bar is as high as best play is long, in plies"
    )
    inside = f"<defs>{patterns}</defs>{axes}{''.join(bars)}{legend}"
    return _svg(width, "Who wins, and how long best play takes", inside)


def _svg(width: float, title: str, inside: str) -> str:
    return (
        f'<div class="wide" tabindex="0"><svg role="img" aria-label="{title}" width="{width}"'
        f' height="{HEIGHT + 56}"'
        f' viewBox="0 0 {width} {HEIGHT + 56}">{inside}</svg></div>'
    )


def _axes(width: float, highest: str, across: str) -> str:
    return (
        f'<path d="M{LEFT - 4} 10V{HEIGHT}H{width}" fill="none" stroke="currentColor"></path>'
        f'<text x="{LEFT - 8}" y="14" text-anchor="end">{highest}</text>'
        f'<text x="{LEFT - 8}" y="{HEIGHT}" text-anchor="end">0</text>'
        f'<text x="{LEFT}" y="{HEIGHT + 28}">{across}</text>'
    )


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle">{text}</text>'


def _depth_table(numbers: Measures) -> str:
    rows = [
        [str(depth.ply), *(str(depth.kinds.get(kind, 0)) for kind in reversed(KINDS)), str(depth.over)]
        for depth in numbers.depths
    ]
    caption = "Positions first reached at each ply, by their value to the side to move"
    return _folded(html_table(caption, ["ply", *reversed(KINDS), "over"], rows))


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
