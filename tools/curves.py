"""Lines with bands over a common axis, as an SVG file of its own that needs nothing around it."""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from math import floor, log10

DASHES = ("", "7 4", "2 3", "9 3 2 3")
"""How lines differ, so that nobody has to tell colors apart."""
WIDTH, HEIGHT, LEFT, TOP, LETTER = 560, 240, 52, 30, 7
"""The size of the drawing, the space to its left and above it, and the width of a letter."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

BandPoint = tuple[float, float, float, float]
"""Where a point is across and up, and the ends of the band there."""


def draw_curves(
    title: str,
    lines: Mapping[str, Sequence[BandPoint]],
    *,
    across: str,
    up: str,
    least: float | None = None,
    most: float | None = None,
    powers: bool = False,
    loose: Collection[str] = (),
) -> str:
    """Lines by name, each with its band. `across` and `up` say what the axes are.

    The upper axis goes from `least` to `most`, by default as far as the bands do. With `powers`, numbers are
    powers of ten, and points are marked. Those of the lines named in `loose` are rings that nothing connects.
    A line of one point has its name there.
    """
    points = [point for line in lines.values() for point in line]
    left, right = min(point[0] for point in points), max(point[0] for point in points)
    low = min(point[2] for point in points) if least is None else least
    high = max(point[3] for point in points) if most is None else most

    def at(x: float, y: float) -> str:
        over = LEFT + WIDTH * (x - left) / ((right - left) or 1)
        return f"{over:.1f} {TOP + HEIGHT * (1 - (min(max(y, low), high) - low) / ((high - low) or 1)):.1f}"

    bottom = row = TOP + HEIGHT
    drawn = [_text(LEFT, 18, up)]
    for value in find_ticks(low, high):
        drawn.append(f'<path d="M{at(left, value)}L{at(right, value)}" stroke="#000" stroke-opacity=".15"/>')
        drawn.append(_text(LEFT - 6, float(at(left, value).split()[1]) + 4, _number(value, powers), "end"))
    for value in find_ticks(left, right):
        drawn.append(_text(float(at(value, low).split()[0]), bottom + 16, _number(value, powers), "middle"))
    drawn.append(_text(LEFT + WIDTH, bottom + 32, across, "end"))
    place, end = float(LEFT), LEFT + WIDTH - LETTER * len(across)
    for (name, line), dash in zip(lines.items(), DASHES * len(lines), strict=False):
        band = [at(x, top) for x, _, _, top in line] + [at(x, below) for x, _, below, _ in reversed(line)]
        drawn.append(f'<path d="M{"L".join(band)}Z" fill-opacity=".13"/>')
        style = f'fill="none" stroke="#000" stroke-width="1.6" stroke-dasharray="{dash}"'
        spots = [at(x, y) for x, y, _, _ in line]
        if name not in loose:
            drawn.append(f'<path d="M{"L".join(spots)}" {style}/>')
        if powers:
            drawn += [_mark(spot, ring=name in loose) for spot in spots]
        if len(line) == 1:
            over, down = map(float, spots[0].split())
            before = over > LEFT + WIDTH / 2
            drawn.append(_text(over + (-8 if before else 8), down + 4, name, "end" if before else "start"))
            continue
        wide = 48 + LETTER * len(name)
        if place > LEFT and place + wide > end:
            place, row, end = float(LEFT), row + 18, LEFT + WIDTH
        if name in loose:
            drawn.append(_mark(f"{place + 14} {row + 28}", ring=True))
        else:
            drawn.append(f'<path d="M{place} {row + 28}h28" {style}/>')
        drawn.append(_text(place + 34, row + 32, name))
        place += wide
    width, height = LEFT + WIDTH + 20, row + 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" width="{width}"'
        f' height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(drawn)}</svg>\n'
    )


def _mark(spot: str, *, ring: bool) -> str:
    x, y = spot.split()
    fill = ' fill="#fff"' if ring else ""
    return f'<circle cx="{x}" cy="{y}" r="4" stroke="#000"{fill}/>'


def _number(value: float, powers: bool) -> str:
    return f"10{f'{value:g}'.translate(RAISED)}" if powers else f"{value:,g}"


def find_ticks(low: float, high: float) -> list[float]:
    """Round numbers between two others, four to nine of them."""
    span = (high - low) or 1.0
    step = 10.0 ** floor(log10(span))
    step *= next(part for part in (1, 0.5, 0.2) if span / (step * part) >= 4)
    first = -floor(1e-9 - low / step)
    return [
        round((first + number) * step, 10) for number in range(floor((high - first * step) / step + 1e-9) + 1)
    ]


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
