"""The report as one self-contained HTML page with pictures: no scripts, nothing from elsewhere."""

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from math import floor
from typing import Any

from perfectplay.audit.page import STYLE
from perfectplay.evals.report import plays_like, report_text, table, task_name

MARGIN, WIDTH, LABEL = 14, 560, 18
"""The space on either side of a drawing, its width, and the height of the label above each row."""

LETTER = 7
"""The width of a letter in a label, rather too much; what is wider still shows, outside the drawing."""

STYLES = """body { max-width: 96rem; }
td, th { white-space: nowrap; }
svg { max-width: none; overflow: visible; }
"""
"""Tables and drawings keep their size on a small screen, and scroll."""

FILLS = {
    "legal": ".12",
    "invalid": ".3",
    "illegal": ".45",
    "unreadable": ".6",
    "silent": ".8",
    "error": "1",
}
"""How dark each kind of answer is drawn; every bar also has its numbers in words."""

Row = Mapping[str, Any]


def report_page(data: Mapping[str, Any]) -> str:
    """Return the whole page as HTML."""
    rows = data["rows"]
    head, body = table(data)
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in body)
    heading = "".join(f"<th>{escape(name)}</th>" for name in head)
    notes = report_text(data).split("\n\n")[1:]
    parts = [
        "<h1>Agents measured against exact values</h1>",
        f'<div class="wide"><table><tr>{heading}</tr>{cells}</table></div>',
        *(f"<p>{escape(note).replace(chr(10), '<br>')}</p>" for note in notes),
        _figure("Kept decisions, corrected for guessing, by game and size", _corrected(data["sizes"])),
        _figure("What became of the answers", _answers(rows)),
        _figure("Compared with known levels", _levels(rows)),
        _figure("Decisions lost, by ply", _drops(rows)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Agents measured</title><style>{STYLE}{STYLES}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _figure(title: str, picture: str) -> str:
    return f'<h2>{escape(title)}</h2>\n<div class="wide">{picture}</div>' if picture else ""


def _svg(title: str, lines: Sequence[str], height: float) -> str:
    longest = max((len(unescape(each)) for each in re.findall(">([^<]*)</text>", "".join(lines))), default=0)
    width = 2 * MARGIN + max(WIDTH, LETTER * longest)
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" width="{width}" height="{height:.0f}"'
        f' role="img" aria-label="{escape(title)}">{"".join(lines)}</svg>'
    )


def _label(row: Row, top: float, more: str) -> str:
    """What a row is about, and after it what was found, on a line of their own."""
    against = f" against {row['opponent']}" if row["opponent"] else ""
    seat = "" if row["seat"] == "both" else f", seat {row['seat']}"
    sizes = f", {row['sizes']} sizes" if row.get("sizes", 1) > 1 else ""
    return _text(
        MARGIN, top + 12, f"{row['agent']}: {task_name(row)}, {row['game']}{sizes}{against}{seat}: {more}"
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="currentColor" fill="none" {more}></path>'


def _bar(x: float, y: float, wide: float, tall: float, dark: str, said: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="currentColor"'
        f' fill-opacity="{dark}"><title>{escape(said)}</title></rect>'
    )


class _Axis:
    """Where corrected scores are drawn: from the lowest bound of an interval, but at most 0, up to 1."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.least: float = min(0.0, floor(4 * min(row["corrected_interval"][0] for row in rows)) / 4)

    def at(self, value: float) -> float:
        return MARGIN + WIDTH * (max(self.least, value) - self.least) / (1 - self.least)

    def drawn(self, bottom: float) -> list[str]:
        names = {self.least: f"{self.least:g}", 0.0: "0 (guessing)", 1.0: "1 (perfect)"}
        lines = []
        for value, name in names.items():
            lines.append(_line(self.at(value), 0, self.at(value), bottom, 'stroke-opacity=".25"'))
            anchor = "start" if value == self.least else "end" if value == 1 else "middle"
            lines.append(_text(self.at(value), bottom + 14, name, anchor))
        return lines

    def interval(self, row: Row, y: float) -> list[str]:
        low, high = row["corrected_interval"]
        dot = f'<circle cx="{self.at(row["corrected"]):.1f}" cy="{y:.1f}" r="4" fill="currentColor"></circle>'
        return [_line(self.at(low), y, self.at(high), y, 'stroke-width="2"'), dot]


def _corrected(rows: Sequence[Row]) -> str:
    shown = [row for row in rows if row["corrected"] is not None]
    if not shown:
        return ""
    axis, tall = _Axis(shown), LABEL + 16
    lines = axis.drawn(tall * len(shown))
    for place, row in enumerate(shown):
        low, high = row["corrected_interval"]
        found = f"{row['corrected']:.2f} ({low:.2f} to {high:.2f})"
        lines += [_label(row, tall * place, found), *axis.interval(row, tall * place + LABEL + 6)]
    return _svg("Corrected scores with intervals of 95%", lines, tall * len(shown) + 20)


def _answers(rows: Sequence[Row]) -> str:
    tall = LABEL + 20
    lines = []
    for place, row in enumerate(rows):
        counts = {**row["answers"], "error": row["errors"]}
        said = ", ".join(f"{counts[name]} {name}" for name in FILLS if counts[name])
        lines.append(_label(row, tall * place, said))
        x = float(MARGIN)
        for name, dark in FILLS.items():
            wide = WIDTH * counts[name] / (sum(counts.values()) or 1)
            if wide:
                lines.append(_bar(x, tall * place + LABEL, wide, 14, dark, f"{counts[name]} {name}"))
            x += wide
    x, bottom = float(MARGIN), tall * len(rows) + 8
    for name, dark in FILLS.items():
        lines += [_bar(x, bottom, 10, 10, dark, name), _text(x + 14, bottom + 9, name)]
        x += 90
    return _svg("Answers by kind", lines, bottom + 16)


def _levels(rows: Sequence[Row]) -> str:
    shown = [row for row in rows if row["levels"]]
    if not shown:
        return ""
    axis, tall = _Axis(shown), LABEL + 40
    lines = axis.drawn(tall * len(shown))
    for place, row in enumerate(shown):
        top = tall * place
        lines.append(_label(row, top, f"plays like {plays_like(row['plays_like'])}"))
        lines += axis.interval(row, top + LABEL + 6)
        last = -100.0
        for level, value in enumerate(row["levels"], start=1):
            lines.append(_line(axis.at(value), top + LABEL + 12, axis.at(value), top + LABEL + 18))
            if axis.at(value) - last > 14:  # levels with nearly the same score share a number
                last = axis.at(value)
                lines.append(_text(last, top + LABEL + 29, str(level), "end" if value == 1 else "middle"))
    return _svg("Corrected scores beside those of the levels 1 to 10", lines, tall * len(shown) + 20)


def _drops(rows: Sequence[Row]) -> str:
    shown = [row for row in rows if row["task"] == "play" and row["decisions_at"]]
    if not shown:
        return ""
    lines: list[str] = []
    last = max(int(ply) for row in shown for ply in row["decisions_at"])
    wide, high = WIDTH / (last + 1), 32
    tall = LABEL + high + 10
    for place, row in enumerate(shown):
        bottom = tall * place + LABEL + high
        lost, number = sum(row["drops_at"].values()), sum(row["decisions_at"].values())
        lines.append(_label(row, tall * place, f"{lost} of {number} lost"))
        lines.append(_line(MARGIN, bottom, MARGIN + WIDTH, bottom, 'stroke-opacity=".25"'))
        for ply, number in sorted(row["decisions_at"].items(), key=lambda each: int(each[0])):
            lost = row["drops_at"].get(ply, 0)
            said = f"ply {int(ply) + 1}: {lost} of {number} decisions lost"
            x, breadth = MARGIN + wide * int(ply), max(1.0, wide - 2)
            lines.append(_bar(x, bottom - high, breadth, high, ".12", said))
            if lost:
                share = high * lost / number
                lines.append(_bar(x, bottom - share, breadth, share, ".6", said))
    bottom = tall * len(shown) + 8
    lines += [_text(MARGIN, bottom, "ply 1"), _text(MARGIN + WIDTH, bottom, f"ply {last + 1}", "end")]
    return _svg("Share of decisions lost at each ply", lines, bottom + 8)
