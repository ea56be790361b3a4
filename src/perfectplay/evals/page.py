"""The report as an HTML page with charts."""

from collections.abc import Sequence
from html import escape

from perfectplay.evals.limits import MOST_OPEN
from perfectplay.evals.measures import BOTH, SampleGroup
from perfectplay.evals.report import AgentReport, report_notes, report_table, task_name
from perfectplay.evals.suite.score import describe_headline, describe_parts
from perfectplay.render.charts import Interval, draw_intervals, draw_shares, draw_strips
from perfectplay.render.html import fold_away, write_page, write_table
from perfectplay.strength.statistics import plays_like

STYLE = """body { max-width: 96rem; }
td, th { white-space: nowrap; }
svg { max-width: none; overflow: visible; }
"""
"""Tables and charts keep their size on a small screen, and scroll."""

SHADES = {"legal": ".12", "invalid": ".3", "illegal": ".45", "unreadable": ".6", "silent": ".8", "error": "1"}
"""How dark each kind of answer is drawn; every bar also has its numbers in words."""


def report_page(found: AgentReport) -> str:
    """Return the whole page as HTML."""
    suites = (
        f"<p><strong>{escape(describe_headline(score))}</strong></p>\n"
        + fold_away("What it is made of, and where it comes from", write_table("", (), describe_parts(score)))
        for score in found.suites
    )
    parts = [
        "<h1>Agents measured against exact values</h1>",
        *suites,
        write_table("", *report_table(found.groups)),
        *(f"<p>{escape(note).replace(chr(10), '<br>')}</p>" for note in report_notes(found)),
    ]
    charts = (
        ("Kept decisions, corrected for guessing, by game and size", found.sizes, _chart_scores),
        ("What became of the answers", found.groups, _chart_answers),
        ("Compared with known levels", found.groups, _chart_levels),
        ("Decisions lost, by ply", found.groups, _chart_drops),
    )
    for title, groups, draw in charts:
        if chart := draw(groups):
            parts.append(fold_away(title, chart) if len(groups) > MOST_OPEN else f"<h2>{title}</h2>\n{chart}")
    return write_page("Agents measured", parts, STYLE)


def _label(group: SampleGroup, more: str) -> str:
    """What a row is about, and after it what was found."""
    key = group.key
    against = f" against {key.opponent}" if key.opponent else ""
    seat = "" if key.seat == BOTH else f", seat {key.seat}"
    sizes = f", {group.sizes} sizes" if group.sizes > 1 else ""
    return f"{key.agent}: {task_name(key)}, {key.game}{sizes}{against}{seat}: {more}"


def _interval(group: SampleGroup, more: str = "", levels: Sequence[float] = ()) -> Interval | None:
    found = group.measures.corrected
    if found is None or found.interval is None:
        return None
    low, high = found.interval
    label = _label(group, more or f"{found.value:.2f} ({low:.2f} to {high:.2f})")
    return Interval(label, found.value, low, high, levels)


def _chart_scores(groups: Sequence[SampleGroup]) -> str:
    shown = [each for each in map(_interval, groups) if each]
    return draw_intervals("Corrected scores with intervals of 95%", shown) if shown else ""


def _chart_answers(groups: Sequence[SampleGroup]) -> str:
    shown = []
    for group in groups:
        counts = {**group.measures.counts.answers, "error": group.measures.counts.errors}
        said = ", ".join(f"{counts[name]} {name}" for name in SHADES if counts[name])
        shown.append((_label(group, said), counts))
    return draw_shares("Answers by kind", shown, SHADES)


def _chart_levels(groups: Sequence[SampleGroup]) -> str:
    found = (
        _interval(group, f"plays like {plays_like(group.exact.plays_like)}", group.exact.levels)
        for group in groups
        if group.exact.levels
    )
    shown = [each for each in found if each]
    return draw_intervals("Corrected scores beside those of the levels 1 to 10", shown) if shown else ""


def _chart_drops(groups: Sequence[SampleGroup]) -> str:
    shown = []
    for group in groups:
        counts = group.measures.counts
        if group.key.task == "play" and counts.decisions_at:
            at = {int(p): (counts.drops_at.get(p, 0), number) for p, number in counts.decisions_at.items()}
            lost, number = (sum(each) for each in zip(*at.values(), strict=True))
            shown.append((_label(group, f"{lost} of {number} lost"), at))
    return draw_strips("Share of decisions lost at each ply", shown, "ply", "decisions lost") if shown else ""
