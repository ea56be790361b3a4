"""The report as an HTML page with charts."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from perfectplay.evals.report import plays_like, report_text, table, task_name
from perfectplay.render.charts import Interval, draw_intervals, draw_shares, draw_strips
from perfectplay.render.html import write_page, write_table

STYLE = """body { max-width: 96rem; }
td, th { white-space: nowrap; }
svg { max-width: none; overflow: visible; }
"""
"""Tables and charts keep their size on a small screen, and scroll."""

SHADES = {
    "legal": ".12",
    "invalid": ".3",
    "illegal": ".45",
    "unreadable": ".6",
    "silent": ".8",
    "error": "1",
}
"""How dark each kind of answer is drawn; every bar also has its numbers in words."""


def report_page(data: Mapping[str, Any]) -> str:
    """Return the whole page as HTML."""
    rows = data["rows"]
    notes = report_text(data).split("\n\n")[1:]
    parts = [
        "<h1>Agents measured against exact values</h1>",
        write_table("", *table(data)),
        *(f"<p>{escape(note).replace(chr(10), '<br>')}</p>" for note in notes),
        _figure("Kept decisions, corrected for guessing, by game and size", _corrected(data["sizes"])),
        _figure("What became of the answers", _answers(rows)),
        _figure("Compared with known levels", _levels(rows)),
        _figure("Decisions lost, by ply", _drops(rows)),
    ]
    return write_page("Agents measured", parts, STYLE)


def _figure(title: str, chart: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{chart}" if chart else ""


def _label(row: Mapping[str, Any], more: str) -> str:
    """What a row is about, and after it what was found."""
    against = f" against {row['opponent']}" if row["opponent"] else ""
    seat = "" if row["seat"] == "both" else f", seat {row['seat']}"
    sizes = f", {row['sizes']} sizes" if row.get("sizes", 1) > 1 else ""
    return f"{row['agent']}: {task_name(row)}, {row['game']}{sizes}{against}{seat}: {more}"


def _corrected(rows: Sequence[Mapping[str, Any]]) -> str:
    shown = []
    for row in rows:
        if row["corrected"] is not None:
            low, high = row["corrected_interval"]
            label = _label(row, f"{row['corrected']:.2f} ({low:.2f} to {high:.2f})")
            shown.append(Interval(label, row["corrected"], low, high))
    return draw_intervals("Corrected scores with intervals of 95%", shown) if shown else ""


def _answers(rows: Sequence[Mapping[str, Any]]) -> str:
    shown = []
    for row in rows:
        counts = {**row["answers"], "error": row["errors"]}
        said = ", ".join(f"{counts[name]} {name}" for name in SHADES if counts[name])
        shown.append((_label(row, said), counts))
    return draw_shares("Answers by kind", shown, SHADES)


def _levels(rows: Sequence[Mapping[str, Any]]) -> str:
    shown = []
    for row in rows:
        if row["levels"]:
            low, high = row["corrected_interval"]
            label = _label(row, f"plays like {plays_like(row['plays_like'])}")
            shown.append(Interval(label, row["corrected"], low, high, row["levels"]))
    return draw_intervals("Corrected scores beside those of the levels 1 to 10", shown) if shown else ""


def _drops(rows: Sequence[Mapping[str, Any]]) -> str:
    shown = []
    for row in rows:
        if row["task"] == "play" and row["decisions_at"]:
            at = {int(p): (row["drops_at"].get(p, 0), number) for p, number in row["decisions_at"].items()}
            lost, number = (sum(each) for each in zip(*at.values(), strict=True))
            shown.append((_label(row, f"{lost} of {number} lost"), at))
    return draw_strips("Share of decisions lost at each ply", shown, "ply", "decisions lost") if shown else ""
