"""Charts as SVG in the color of the text around them, without script or style sheet; one also as blocks."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

from perfectplay.core.value import ChartPoint

HATCHES = {
    "win": '<rect width="8" height="8" fill="currentColor" fill-opacity=".8"></rect>',
    "tie": '<path d="M0 2h8M0 6h8" stroke="currentColor"></path>',
    "endless": '<circle cx="2" cy="2" r="1.3" fill="currentColor"></circle>'
    '<circle cx="6" cy="6" r="1.3" fill="currentColor"></circle>',
    "loss": '<path d="M0 8L8 0M-2 2L2 -2M6 10L10 6" stroke="currentColor"></path>',
    "undecided": '<path d="M0 4h8M4 0v8" stroke="currentColor"></path>',
    "over": "",
}
"""How each kind of value is drawn: as a pattern, so that nobody has to tell colors apart."""
SIGNS = {"tie": "=", "endless": "~", "undecided": "·"}
"""What blocks show for a position that nobody wins."""
HEIGHT, BAR, LEFT = 150, 18, 44
"""The height of a full column, its width, and the space to its left."""
NARROWEST = 450
LETTER = 7
"""The width of a letter, rather too much; what is wider still shows, outside the drawing."""
MARGIN, WIDTH, LABEL = 14, 560, 18
"""Of charts with rows: the space on either side, the width, and the height of the label above each row."""


class Part(NamedTuple):
    """A part of a column: its share of the full height, the name of its hatch, and words about it."""

    share: float
    hatch: str
    title: str


class Column(NamedTuple):
    """A column of a chart: its name, and its parts from the bottom up."""

    name: str
    parts: Sequence[Part]


class Interval(NamedTuple):
    """A row with a value and its interval, and below them other values, by which it can be judged."""

    label: str
    value: float
    low: float
    high: float
    levels: Sequence[float] = ()


def draw_columns(
    title: str,
    columns: Sequence[Column],
    *,
    highest: str,
    across: str,
    hatches: Mapping[str, str] | None = None,
    legend: Mapping[str, str] | None = None,
) -> str:
    """A chart of columns. `highest` is the number at the full height, and `across` says what columns are.

    `hatches` are patterns by their names on the page, and `legend` what each stands for. A part without
    a hatch is plain.
    """
    bottom, texts = HEIGHT + 10, legend or {}
    apart = 34 + LETTER * max(map(len, texts.values()), default=0)
    width = LEFT + max(len(columns) * (BAR + 4) + 10, len(texts) * apart, NARROWEST)
    drawn = [
        f'<path d="M{LEFT - 4} 10V{bottom}H{width}" fill="none" stroke="currentColor"></path>',
        _text(LEFT - 8, 14, highest, "end"),
        _text(LEFT - 8, bottom, "0", "end"),
        _text(LEFT, bottom + 28, across),
    ]
    for place, column in enumerate(columns):
        x, y = LEFT + place * (BAR + 4), float(bottom)
        for part in column.parts:
            y -= part.share * HEIGHT
            drawn.append(_rect(x, y, BAR, part.share * HEIGHT, _fill(part.hatch), part.title))
        drawn.append(_text(x + BAR / 2, bottom + 14, column.name, "middle"))
    for place, (name, text) in enumerate(texts.items()):
        x = LEFT + place * apart
        drawn += [_rect(x, bottom + 34, 14, 14, _fill(name)), _text(x + 20, bottom + 45, text)]
    patterns = "".join(
        f'<pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">{hatch}</pattern>'
        for name, hatch in (hatches or {}).items()
    )
    return _svg(title, [f"<defs>{patterns}</defs>", *drawn], width, bottom + 56)


def draw_tally(title: str, counts: Sequence[tuple[str, int, str]], total: int) -> str:
    """Bars for names and their counts out of a total; each name belongs to a group, which has a heading.

    >>> "trap" in draw_tally("Games with each finding", [("trap", 3, "problems")], 9)
    True
    """
    left, full = 150, 420
    drawn, y, group = [], 0, ""
    for name, number, heading in counts:
        if heading != group:
            y, group = y + (BAR // 2 if group else 0), heading
            drawn.append(_text(left - 6, y + 13, group, "end", 'class="group"'))
            y += BAR
        width = number / max(total, 1) * full
        drawn += [
            _text(left - 6, y + 13, name, "end"),
            _rect(left, y + 3, width, BAR - 5, _shade(".6")),
            _text(left + width + 6, y + 13, str(number)),
        ]
        y += BAR
    return _svg(title, drawn, left + full + 60, y + 10)


def draw_intervals(title: str, rows: Sequence[Interval]) -> str:
    """Values from guessing, which is 0, to perfect, which is 1, with their intervals."""
    least = min(0.0, floor(4 * min(row.low for row in rows)) / 4)

    def at(value: float) -> float:
        return MARGIN + WIDTH * (max(least, value) - least) / (1 - least)

    tall = LABEL + (40 if any(row.levels for row in rows) else 16)
    bottom = tall * len(rows)
    drawn = []
    for value, name in {least: f"{least:g}", 0.0: "0 (guessing)", 1.0: "1 (perfect)"}.items():
        anchor = "start" if value == least else "end" if value == 1 else "middle"
        drawn += [_line(at(value), 0, at(value), bottom, 'stroke-opacity=".25"')]
        drawn += [_text(at(value), bottom + 14, name, anchor)]
    for place, row in enumerate(rows):
        top, y = tall * place, tall * place + LABEL + 6
        drawn += [
            _text(MARGIN, top + 12, row.label),
            _line(at(row.low), y, at(row.high), y, 'stroke-width="2"'),
            f'<circle cx="{at(row.value):.1f}" cy="{y:.1f}" r="4" fill="currentColor"></circle>',
        ]
        last = -100.0
        for level, value in enumerate(row.levels, start=1):
            drawn.append(_line(at(value), y + 6, at(value), y + 12))
            if at(value) - last > 14:  # levels with nearly the same score share a number
                last = at(value)
                drawn.append(_text(last, y + 23, str(level), "end" if value == 1 else "middle"))
    return _rows(title, drawn, [row.label for row in rows], bottom + 20)


def draw_shares(title: str, rows: Sequence[tuple[str, Mapping[str, int]]], shades: Mapping[str, str]) -> str:
    """For each row one bar, divided as its counts are; `shades` has the names of all counts."""
    tall, drawn = LABEL + 20, []
    for place, (label, counts) in enumerate(rows):
        drawn.append(_text(MARGIN, tall * place + 12, label))
        x = float(MARGIN)
        for name, shade in shades.items():
            wide = WIDTH * counts[name] / (sum(counts.values()) or 1)
            if wide:
                said = f"{counts[name]} {name}"
                drawn.append(_rect(x, tall * place + LABEL, wide, 14, _shade(shade), said))
            x += wide
    bottom = tall * len(rows) + 8
    for place, (name, shade) in enumerate(shades.items()):
        x = MARGIN + 90 * place
        drawn += [_rect(x, bottom, 10, 10, _shade(shade), name), _text(x + 14, bottom + 9, name)]
    return _rows(title, drawn, [label for label, _ in rows], bottom + 16)


def draw_strips(
    title: str, rows: Sequence[tuple[str, Mapping[int, tuple[int, int]]]], unit: str, what: str
) -> str:
    """For each row a strip of small columns: at each number, how many of how many are `what`."""
    last = max(number for _, row in rows for number in row)
    wide, high = WIDTH / (last + 1), 32
    tall, drawn = LABEL + high + 10, []
    for place, (label, columns) in enumerate(rows):
        bottom = tall * place + LABEL + high
        drawn.append(_text(MARGIN, tall * place + 12, label))
        drawn.append(_line(MARGIN, bottom, MARGIN + WIDTH, bottom, 'stroke-opacity=".25"'))
        for number, (some, every) in sorted(columns.items()):
            said = f"{unit} {number + 1}: {some} of {every} {what}"
            x, breadth, share = MARGIN + wide * number, max(1.0, wide - 2), high * some / every
            drawn.append(_rect(x, bottom - high, breadth, high, _shade(".12"), said))
            if some:
                drawn.append(_rect(x, bottom - share, breadth, share, _shade(".6"), said))
    bottom = tall * len(rows) + 8
    drawn += [_text(MARGIN, bottom, f"{unit} 1"), _text(MARGIN + WIDTH, bottom, f"{unit} {last + 1}", "end")]
    return _rows(title, drawn, [label for label, _ in rows], bottom + 8)


def draw_game(points: Sequence[ChartPoint], names: Sequence[str]) -> str:
    """The chart of a played game: columns go up where the first side wins, down where the second does.

    Ties are two lines, endless play is a ring, and a question mark is a mistake. Empty without points.
    """
    if not points:
        return ""
    middle, full = 76.0, 56.0
    width = max(NARROWEST, 2 * MARGIN + len(points) * BAR)
    drawn = [
        _line(MARGIN, middle, width - MARGIN, middle, 'stroke-opacity=".4"'),
        _text(MARGIN, 10, f"↑ {names[0]} wins"),
        _text(MARGIN, 2 * middle, f"↓ {names[1]} wins"),
    ]
    for point in points:
        x, tall = MARGIN + point.ply * BAR, full * abs(point.height)
        said = f"{f'Move {point.ply}' if point.ply else 'Start'}: {point.describe(names)}"
        if point.kind == "win":
            shape = _rect(x + 2, middle - tall, BAR - 4, tall, _shade(".8"))
        elif point.kind == "loss":
            shape = _rect(x + 2, middle, BAR - 4, tall, f'stroke="currentColor" {_shade(".25")}')
        elif point.kind == "tie":
            shape = "".join(_line(x + 4, y, x + BAR - 4, y) for y in (middle - 3, middle + 3))
        else:
            ring = 'fill="none" stroke="currentColor" stroke-width="2"'
            shape = f'<circle cx="{x + BAR / 2:.1f}" cy="{middle}" r="4" {ring}></circle>'
        drawn.append(f"<g><title>{escape(said)}</title>{shape}</g>")
        if point.mistake:
            y = middle - 6 if point.height < 0 else middle + 15
            drawn.append(_text(x + BAR / 2, y, "?", "middle", 'font-weight="bold"'))
    return _svg(f"Value after each move, for {names[0]}", drawn, width, 2 * middle + 6)


def label_strip(names: Sequence[str]) -> tuple[str, str]:
    """What stands before the rows of a strip, equally wide."""
    one, two = (f"{name} wins " for name in names)
    return one.ljust(len(two)), two.ljust(len(one))


def draw_strip(
    points: Sequence[ChartPoint], names: Sequence[str], shown: int | None = None, wide: int = 1
) -> tuple[str, str, str]:
    """The chart of a played game: a row of blocks for each side, and a line with `?` below mistakes.

    A block is in the row of the side that wins, the higher the closer the end, and full in a won game;
    a position that nobody wins has its sign in both rows. `shown` is the ply on the board, with `^` below
    it, and `wide` the columns of a point.
    """
    labels = label_strip(names)
    rows = [labels[0], labels[1], " " * len(labels[0])]
    for point in points:
        block = "▂▄▆█"[max(0, floor(4 * abs(point.height)) - 1)]
        rows[0] += (block if point.kind == "win" else SIGNS.get(point.kind, " ")) * wide
        rows[1] += (block if point.kind == "loss" else SIGNS.get(point.kind, " ")) * wide
        rows[2] += ("^" if point.ply == shown else "?" if point.mistake else " ").center(wide)
    return rows[0].rstrip(), rows[1].rstrip(), rows[2].rstrip()


def explain_strip(points: Sequence[ChartPoint]) -> str:
    """What the signs of a strip mean; empty if it has none."""
    kinds = {point.kind for point in points}
    meant = [f"{sign} {kind}" for kind, sign in SIGNS.items() if kind in kinds]
    meant += ["? mistake"] if any(point.mistake for point in points) else []
    return f"{', '.join(meant)}." if meant else ""


def draw_scatter(title: str, points: Sequence[tuple[str, float, float]], across: str) -> str:
    """Points by a positive number, on a scale of powers of ten, and by a score of at most 1."""
    low, high = floor(log10(min(x for _, x, _ in points))), ceil(log10(max(x for _, x, _ in points)) + 1e-9)
    least = min(0.0, floor(4 * min(y for _, _, y in points)) / 4)
    bottom = HEIGHT * 2 + 10

    def height(score: float) -> float:
        return bottom - HEIGHT * 2 * (score - least) / (1 - least)

    drawn = []
    for value, name in {least: f"{least:g}", 0.0: "0", 1.0: "1"}.items():
        drawn += [_line(LEFT, height(value), LEFT + WIDTH, height(value), 'stroke-opacity=".25"')]
        drawn += [_text(LEFT - 8, height(value) + 4, name, "end")]
    for power in range(low, high + 1):
        x = LEFT + WIDTH * (power - low) / (high - low)
        drawn.append(_text(x, bottom + 16, f"{10**power:,}" if power >= 0 else f"{10.0**power:g}", "middle"))
    drawn.append(_text(LEFT, bottom + 34, across))
    for name, number, score in points:
        x, y = LEFT + WIDTH * (log10(number) - low) / (high - low), height(score)
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="currentColor"></circle>')
        drawn.append(_text(x + 8, y + 4, name))
    widest = max(len(name) for name, _, _ in points)
    return _svg(title, drawn, LEFT + WIDTH + 20 + LETTER * widest, bottom + 42)


def _rows(title: str, drawn: Sequence[str], labels: Iterable[str], height: float) -> str:
    return _svg(title, drawn, 2 * MARGIN + max([WIDTH, *(LETTER * len(label) for label in labels)]), height)


def write_picture(chart: str) -> str:
    """A chart as a file of its own, which has no page to give it a ground and letters.

    >>> write_picture(draw_tally("Games with each finding", [("trap", 3, "problems")], 9))[:4]
    '<svg'
    """
    head, _, drawn = chart[chart.index("<svg ") : chart.rindex("</svg>")].partition(">")
    own = 'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12"'
    return f'<svg {own}{head[4:]}><rect width="100%" height="100%" fill="#fff"></rect>{drawn}</svg>'


def _svg(title: str, drawn: Iterable[str], width: float, height: float) -> str:
    return (
        f'<div class="wide" tabindex="0"><svg role="img" aria-label="{escape(title)}" width="{width}"'
        f' height="{height}" viewBox="0 0 {width} {height}">{"".join(drawn)}</svg></div>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, more: str = "") -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="currentColor" fill="none" {more}></path>'


def _rect(x: float, y: float, width: float, height: float, fill: str, title: str = "") -> str:
    titled = f"<title>{escape(title)}</title>" if title else ""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f"<rect {place} {fill}>{titled}</rect>"


def _fill(hatch: str) -> str:
    return f'fill="url(#{hatch})" stroke="currentColor"' if hatch else _shade(".6")


def _shade(opacity: str) -> str:
    return f'fill="currentColor" fill-opacity="{opacity}"'
