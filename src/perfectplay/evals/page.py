"""The report as one self-contained HTML page with pictures: no scripts, nothing from elsewhere."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from perfectplay.audit.page import STYLE
from perfectplay.core.outcome import Side
from perfectplay.evals.counts import ANSWERS
from perfectplay.evals.measures import level_scale
from perfectplay.evals.report import plays_like, report_text, table
from perfectplay.evals.statistics import Z
from perfectplay.games.registry import load

LEFT, WIDTH, ROW = 330, 420, 22
"""The width of the labels, of the drawing, and the height of a line, in pixels."""

FILLS = {
    "legal": ".15",
    "invalid": ".35",
    "illegal": ".55",
    "unreadable": ".75",
    "silent": ".95",
}
"""How dark each kind of answer is drawn; every bar also has its numbers in words."""


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
        _figure("Kept decisions, corrected for guessing, by game and size", _corrected(rows)),
        _figure("What became of the answers", _answers(rows)),
        _figure("Compared with known levels", _levels(rows)),
        _figure("Decisions lost, by ply", _drops(rows)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Agents measured</title><style>{STYLE}td {{ white-space: nowrap; }}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _figure(title: str, picture: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{picture}" if picture else ""


def _svg(title: str, lines: Sequence[str], count: int, extra: int = 0) -> str:
    height = ROW * count + 24 + extra
    return (
        f'<svg viewBox="0 0 {LEFT + WIDTH + 60} {height}" width="{LEFT + WIDTH + 60}" height="{height}"'
        f' role="img" aria-label="{escape(title)}">{"".join(lines)}</svg>'
    )


def _label(row: Mapping[str, Any]) -> str:
    against = f" against {row['opponent']}" if row["opponent"] else ""
    return f"{row['agent']}: {row['game']}{against}, seat {row['seat']}, {row['task']}"


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="currentColor" fill="none" {more}></path>'


def _at(value: float) -> float:
    """Where a score from -1 to 1 is drawn."""
    return LEFT + WIDTH * (min(1.0, max(-1.0, value)) + 1) / 2


def _axis(count: int) -> list[str]:
    bottom = ROW * count + 4
    drawn = [_line(_at(value), 0, _at(value), bottom, 'stroke-opacity=".25"') for value in (-1, 0, 1)]
    names = ((-1, "-1"), (0, "0 (guessing)"), (1, "1 (perfect)"))
    return drawn + [_text(_at(value), bottom + 14, name, "middle") for value, name in names]


def _interval(row: Mapping[str, Any], y: float) -> list[str]:
    value, error = row["corrected"], row["corrected_error"] or 0.0
    return [
        _line(_at(value - Z * error), y, _at(value + Z * error), y),
        f'<circle cx="{_at(value):.1f}" cy="{y:.1f}" r="4" fill="currentColor"></circle>',
    ]


def _corrected(rows: Sequence[Mapping[str, Any]]) -> str:
    shown = sorted(
        (row for row in rows if row["corrected"] is not None),
        key=lambda row: (row["agent"], row["game"].partition(":")[0], len(row["game"]), row["game"]),
    )
    lines = _axis(len(shown))
    for place, row in enumerate(shown):
        y = ROW * place + ROW / 2
        lines += [_text(LEFT - 8, y + 4, _label(row), "end"), *_interval(row, y)]
        lines.append(_text(LEFT + WIDTH + 8, y + 4, f"{row['corrected']:.2f}"))
    return _svg("Corrected scores with 95% intervals", lines, len(shown)) if shown else ""


def _answers(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for place, row in enumerate(rows):
        y, x = ROW * place, float(LEFT)
        total = sum(row["answers"].values()) or 1
        lines.append(_text(LEFT - 8, y + ROW / 2 + 4, _label(row), "end"))
        said = ", ".join(f"{row['answers'][name]} {name}" for name in ANSWERS if row["answers"][name])
        for name, dark in FILLS.items():
            wide = WIDTH * row["answers"][name] / total
            lines.append(
                f'<rect x="{x:.1f}" y="{y + 3}" width="{wide:.1f}" height="{ROW - 6}" fill="currentColor"'
                f' fill-opacity="{dark}"><title>{escape(said)}</title></rect>'
            )
            x += wide
    bottom, x = ROW * len(rows) + 18, float(LEFT)
    for name, dark in FILLS.items():
        lines.append(
            f'<rect x="{x:.1f}" y="{bottom - 9}" width="10" height="10" fill="currentColor"'
            f' fill-opacity="{dark}"></rect>'
        )
        lines.append(_text(x + 14, bottom, name))
        x += 90
    return _svg("Answers by kind", lines, len(rows), 8)


def _levels(rows: Sequence[Mapping[str, Any]]) -> str:
    lines: list[str] = []
    shown = [row for row in rows if row["plays_like"]]
    for place, row in enumerate(shown):
        y = 2 * ROW * place + ROW / 2
        game = load(row["game"], allow_paths=False)
        seat: Side = 0 if game.side_names[0].split()[-1] == row["seat"] else 1
        lines.append(_text(LEFT - 8, y + 4, _label(row), "end"))
        lines.append(_text(LEFT - 8, y + 20, f"plays like {plays_like(row['plays_like'])}", "end"))
        for level, value in level_scale(row["game"], row["opponent"], seat, 100).items():
            lines.append(_line(_at(value), y + 6, _at(value), y + 14))
            lines.append(_text(_at(value), y + 26, str(level), "middle"))
        lines += _interval(row, y)
    return _svg("Corrected scores beside those of the levels 1 to 10", lines, 2 * len(shown)) if shown else ""


def _drops(rows: Sequence[Mapping[str, Any]]) -> str:
    lines: list[str] = []
    shown = [row for row in rows if row["task"] == "play" and row["decisions_at"]]
    last = max((int(ply) for row in shown for ply in row["decisions_at"]), default=0)
    wide = WIDTH / (last + 1)
    for place, row in enumerate(shown):
        bottom = 2 * ROW * (place + 1) - 6
        lines.append(_text(LEFT - 8, bottom - 8, _label(row), "end"))
        lines.append(_line(LEFT, bottom, LEFT + WIDTH, bottom, 'stroke-opacity=".25"'))
        for ply, number in sorted(row["decisions_at"].items(), key=lambda each: int(each[0])):
            lost = row["drops_at"].get(ply, 0)
            tall = (2 * ROW - 12) * lost / number
            x, breadth = LEFT + wide * int(ply), max(1.0, wide - 2)
            lines.append(
                f'<rect x="{x:.1f}" y="{bottom - tall:.1f}" width="{breadth:.1f}"'
                f' height="{tall:.1f}" fill="currentColor" fill-opacity=".6">'
                f"<title>ply {int(ply) + 1}: {lost} of {number} decisions lost</title></rect>"
            )
    bottom = 2 * ROW * len(shown) + 14
    lines += [_text(LEFT, bottom, "ply 1"), _text(LEFT + WIDTH, bottom, f"ply {last + 1}", "end")]
    return _svg("Share of decisions lost at each ply", lines, 2 * len(shown)) if shown else ""
