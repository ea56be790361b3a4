"""The numbers of an audit as SVG: bar charts that need no script and no style sheet."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import cycle

from perfectplay.audit.measures import Depth, Lengths, kinds_in
from perfectplay.audit.sweep import Setting

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

HEIGHT, BAR, LEFT = 160, 18, 44
SHORT = 6
"""The height of the lowest bar, and of one without a length."""


def depth_plot(depths: Sequence[Depth]) -> str:
    """A bar chart with one bar per ply: positions first reached at that ply, by value to the side to move."""
    tallest = max(sum(depth.kinds.values()) + depth.over for depth in depths)
    kinds = kinds_in(depths)
    bars = []
    for place, depth in enumerate(depths):
        x, y = LEFT + place * (BAR + 4), float(HEIGHT)
        for kind, count in [
            *((kind, depth.kinds.get(kind)) for kind in kinds),
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
    shown = {kind: HATCHES[kind] for kind in (*kinds, "over")}
    width = LEFT + max(len(depths) * (BAR + 4), len(shown) * 90)
    axes = _axes(width, str(tallest), "plies from the start")
    legend = _legend({kind: kind for kind in shown}, 90)
    return _svg(width, "Positions by ply and value", f"{_patterns(shown)}{axes}{''.join(bars)}{legend}")


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


def sweep_plot(settings: Sequence[Setting]) -> str:
    """A bar for each value of a parameter: as high as best play is long, hatched by who wins."""
    results = sorted({each.result for each in settings})  # a player has the same look in every sweep
    names = {result: f"sweep-{number}" for number, result in enumerate(results)}
    tallest = max((each.plies or 0 for each in settings), default=0) or 1
    bars = []
    for place, each in enumerate(settings):
        x = LEFT + place * (BAR + 4)
        height = SHORT if each.plies is None else max(SHORT, each.plies / tallest * (HEIGHT - 10))
        plies = "length not known, or no end" if each.plies is None else f"{each.plies} plies"
        bars.append(
            f'<rect x="{x}" y="{HEIGHT - height:.1f}" width="{BAR}" height="{height:.1f}"'
            f' fill="url(#{names[each.result]})" stroke="currentColor">'
            f"<title>{each.value}: {escape(each.result)}, {plies}</title></rect>"
        )
        bars.append(_label(x + BAR / 2, HEIGHT + 14, str(each.value)))
    patterns = _patterns(dict(zip(names.values(), cycle(HATCHES.values()), strict=False)))
    legend = _legend({name: result for result, name in names.items()}, 160)
    width = LEFT + max(len(settings) * (BAR + 4), len(results) * 160, 450)
    axes = _axes(
        width, str(tallest), "value of the parameter; a bar is as high as best play is long, in plies"
    )
    inside = f"{patterns}{axes}{''.join(bars)}{legend}"
    return _svg(width, "Who wins, and how long best play takes", inside)


def _patterns(hatches: Mapping[str, str]) -> str:
    """The definitions of hatches by the names under which bars are filled with them."""
    patterns = "".join(
        f'<pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">{hatch}</pattern>'
        for name, hatch in hatches.items()
    )
    return f"<defs>{patterns}</defs>"


def _legend(texts: Mapping[str, str], apart: int) -> str:
    """What each hatch stands for, by its name."""
    return "".join(
        f'<rect x="{LEFT + place * apart}" y="{HEIGHT + 34}" width="14" height="14" fill="url(#{name})"'
        f' stroke="currentColor"></rect>'
        f'<text x="{LEFT + place * apart + 20}" y="{HEIGHT + 45}">{escape(text)}</text>'
        for place, (name, text) in enumerate(texts.items())
    )


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
