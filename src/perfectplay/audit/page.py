"""An audit as an HTML page, and its numbers as charts and tables."""

from collections.abc import Sequence
from html import escape
from itertools import cycle, repeat
from typing import Any

from perfectplay.audit.findings import MEANINGS
from perfectplay.audit.measures import Depth, Lengths, Measures, kinds_in
from perfectplay.audit.report import (
    Audit,
    describe_scope,
    difference_rows,
    erratum_texts,
    failures,
    reading_rows,
    witness_text,
)
from perfectplay.audit.sweep import LEGEND, Setting, sweep_rows
from perfectplay.core.game import Game
from perfectplay.core.texts import summary
from perfectplay.render.charts import HATCHES, Column, Part, draw_columns
from perfectplay.render.html import (
    Markup,
    TableCell,
    fold_away,
    write_list,
    write_page,
    write_part,
    write_table,
)
from perfectplay.strength.crosstable import CrossTable, rates_text

SHORT = 0.04
"""The share of the full height that a column has at least, also if its length is not known."""


def page(found: Audit) -> str:
    """Return the whole page as HTML.

    >>> import perfectplay as pp
    >>> from perfectplay.audit.report import audit
    >>> page(audit(pp.load("dual-direction"))).splitlines()[0]
    '<!DOCTYPE html>'
    """
    return write_page(f"Audit of {found.case.game.title}", write_parts(found))


def write_parts(found: Audit) -> list[str]:
    """The parts of the page."""
    game, case = found.case.game, found.case
    findings = [
        finding_html(each.severity, each.code, MEANINGS[each.code], each.text, witness_text(each.witness))
        for each in found.findings
    ]
    parts = [
        f"<h1>Audit of {escape(game.title)}</h1>",
        f"<p><code>{escape(game.spec)}</code>: {escape(summary(type(game)))}</p>",
        f"<p>{escape(describe_scope(found))}</p>",
        "<h2>Findings</h2>",
        write_list(findings) or "<p>None.</p>",
    ]
    if found.readings:
        caption = "What each reading of an unclear rule is worth, and the examples that hold"
        table = write_table(caption, *reading_rows(found.readings))
        parts += ["<h2>Readings</h2>", table, write_list(failures(found.readings))]
    if case.errata:
        parts += ["<h2>Errata of the rulebook</h2>", write_list(erratum_texts(case))]
    return parts if found.measures is None else [*parts, *measures_html(game, found.measures)]


def finding_html(severity: str, code: str, meaning: str, text: str, witness: str, more: str = "") -> Markup:
    """A finding as HTML, without the tags of a list; `more` is HTML that follows the witness."""
    shown = f"<br>Shown by: <code>{escape(witness)}</code>" if witness else ""
    named = f'<span class="severity">{severity}</span>, <code title="{escape(meaning)}">{code}</code>'
    return Markup(f"{named}: {escape(text)}{shown}{more}")


def measures_html(game: Game[Any], numbers: Measures) -> list[str]:
    """The numbers of an audit as charts and tables."""
    parts = []
    depths = numbers.value_by_ply
    if depths:
        kinds = kinds_in(depths)
        rows = [[str(depth.ply), *map(str, depth.counts(kinds).values())] for depth in depths]
        caption = "Positions first reached at each ply, by their value to the side to move"
        table = fold_away("The numbers", write_table(caption, ["ply", *kinds, "over"], rows))
        parts += ["<h2>Value by position</h2>", depth_chart(depths), table]
    lengths = numbers.random_lengths
    rows = [[str(plies), f"{share:.2%}"] for plies, share in lengths.shares.items()]
    rows.append(["more, or no end", f"{lengths.longer:.2%}"])
    how = "exact" if lengths.games is None else f"of {lengths.games} games"
    table = write_table(f"Share of random games that end at each ply, {how}", ["plies", "share"], rows)
    parts += ["<h2>Length of random games</h2>", length_chart(lengths), fold_away("The numbers", table)]
    if numbers.cross_table is not None:
        parts.append("<h2>Players</h2>")
        if numbers.level_differences:
            caption = "Graded players against weaker ones, both seats combined"
            parts.append(write_table(caption, *difference_rows(numbers)))
        parts.append(_heat_map(numbers.cross_table.caption(game), numbers.cross_table))
    if numbers.left_out:
        parts += ["<h2>Left out</h2>", write_list(numbers.left_out)]
    return parts


def sweep_html(settings: Sequence[Setting]) -> str:
    """A sweep as a part of another page: who wins and how long it takes for each value, and the table."""
    table = write_table("Each value of the parameter", *sweep_rows(tuple(settings)))
    key = (f"<p>{escape(line)}</p>" for line in LEGEND.split("\n"))
    return write_part([sweep_chart(settings), table, *key])


def depth_chart(depths: Sequence[Depth]) -> str:
    """One column per ply: positions first reached at that ply, by value to the side to move."""
    kinds = kinds_in(depths)
    tallest = max(sum(depth.kinds.values()) + depth.over for depth in depths)
    columns = [
        Column(
            str(depth.ply),
            [
                Part(count / tallest, kind, f"ply {depth.ply}: {count} {kind}")
                for kind, count in depth.counts(kinds).items()
                if count
            ],
        )
        for depth in depths
    ]
    return draw_columns(
        "Positions by ply and value",
        columns,
        highest=str(tallest),
        across="plies from the start",
        hatches={kind: HATCHES[kind] for kind in (*kinds, "over")},
        legend={kind: kind for kind in (*kinds, "over")},
    )


def length_chart(lengths: Lengths) -> str:
    """One column per number of plies: how many random games take that many."""
    last = max(lengths.shares, default=0)
    shares = [(str(plies), lengths.shares.get(plies, 0.0)) for plies in range(last + 1)]
    if lengths.longer > 0.0005:
        shares.append(("more", lengths.longer))
    tallest = max((share for _, share in shares), default=0.0) or 1.0
    columns = [
        Column(name, [Part(share / tallest, "", f"{name} plies: {share:.1%}")]) for name, share in shares
    ]
    return draw_columns("How long random games are", columns, highest=f"{tallest:.0%}", across="plies played")


def sweep_chart(settings: Sequence[Setting]) -> str:
    """One column for each value of a parameter: as high as best play is long, hatched by who wins."""
    results = sorted({each.result for each in settings})  # a player has the same look in every sweep
    names = {result: f"sweep-{number}" for number, result in enumerate(results)}
    tallest = max((each.plies or 0 for each in settings), default=0) or 1
    columns = []
    for each in settings:
        plies = "length not known, or no end" if each.plies is None else f"{each.plies} plies"
        said = f"{each.value}: {each.result}, {plies}"
        share = max(SHORT, (each.plies or 0) / tallest)
        columns.append(Column(str(each.value), [Part(share, names[each.result], said)]))
    return draw_columns(
        "Who wins, and how long best play takes",
        columns,
        highest=str(tallest),
        across="value of the parameter; a bar is as high as best play is long, in plies",
        hatches=dict(zip(names.values(), cycle(HATCHES.values()), strict=False)),
        legend={name: result for result, name in names.items()},
    )


def _heat_map(caption: str, table: CrossTable) -> str:
    """The table of players, each cell shaded by how often the row player wins."""
    rows = []
    for player, row in zip(table.players, table.rates, strict=True):
        shades = (f"background: rgb(80 140 255 / {0.5 * rates.wins[0]:.2f})" for rates in row)
        cells = map(TableCell, map(rates_text, row), repeat("number"), shades)
        rows.append([TableCell(player, heads=True), *cells])
    darker = "The darker the cell, the more often the row player wins."
    return write_table(f"{caption} {darker}", ["", *table.players], rows)
