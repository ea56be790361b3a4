"""A table of models from logs of the suite, as text, as data and as a page."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import NamedTuple

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import join_words, pluralize
from perfectplay.evals.files import Samples, SuiteRun, verify_samples
from perfectplay.evals.samples import Sample
from perfectplay.evals.suite.questions import (
    CANARY,
    FAMILIES,
    PRESENTATIONS,
    PUBLIC_SEED,
    SIZE,
    SUITE_VERSION,
    SuiteSeed,
    draw_suite,
)
from perfectplay.evals.suite.score import NO_ANSWER, SuiteScore, describe_parts, score_run
from perfectplay.render.charts import Interval, draw_intervals, draw_scatter
from perfectplay.render.html import fold_away, write_list, write_page, write_table
from perfectplay.render.markdown import markdown_table
from perfectplay.strength.statistics import Estimate, show

STYLE = "@media (max-width: 40rem) { svg { overflow: visible; } svg text { font-size: 15px; } }\n"
"""Charts are scaled down to the width of a phone, and their texts can still be read."""
SOLVER = "ask_once"
"""How the suite asks. A log has the package's name before it, unless Inspect was given the file."""

ABOUT = (
    "Score: kept decisions, corrected for guessing (0) up to perfect play (1), the mean over five families of"
    " games, with a 95% interval. Place: 1 more than the number of models whose whole interval is higher;"
    " = means that the interval overlaps that of another model, so that their order is not known. A run"
    " without all questions has no place."
)
SEEDS = {
    "held-out": "Questions from a seed that the maintainer keeps",
    "development": "Questions from the public seed, for development: anybody may have seen them",
}


class LeaderboardRow(NamedTuple):
    """A run that was verified, and its place among those with the same kind of seed."""

    score: SuiteScore
    place: str
    """As in "1" or, with other models that may be as good, "1="; empty without a place."""


class Leaderboard(NamedTuple):
    """The rows of the table, best first, and why other runs have none."""

    rows: list[LeaderboardRow]
    refused: list[str]

    def as_dict(self) -> dict[str, object]:
        """The table as JSON-serializable data."""
        rows = [{"place": row.place, **row.score.as_dict()} for row in self.rows]
        return {"suite": SUITE_VERSION, "rows": rows, "refused": self.refused, "canary": CANARY}


def leaderboard(samples: Samples, seeds: Collection[SuiteSeed] = ()) -> Leaderboard:
    """The table of all runs of the suite that hold; `seeds` are the held-out ones.

    Raises ParseError if no run holds.
    """
    scores, refused = [], []
    for run in samples.suites:
        own = [samples.samples[place] for place in run.asked]
        again = verify_samples(Samples(own))
        wrong = _find_other_questions(run, own, (PUBLIC_SEED, *seeds)) or _find_differences(again)
        if wrong:
            refused.append(f"{run.about['model']}, log {run.about['logs'][-1]}: {wrong}")
        else:
            scores.append(score_run(run, again.samples))
    if not scores:
        raise ParseError(
            f"no log can have a row: {'; '.join(refused) or 'none is of inspect eval perfectplay/suite'}"
        )
    return Leaderboard(rank(scores), refused)


def _find_other_questions(run: SuiteRun, samples: Sequence[Sample], seeds: Iterable[SuiteSeed]) -> str | None:
    """Why a run did not ask the questions of the suite; None if it did."""
    told, solvers = run.about["suite"], [each.rpartition("/")[2] for each in run.about["solver"]]
    if told.get("version") != SUITE_VERSION:
        return f"it is of suite {told.get('version')!s:.20}, and this is suite {SUITE_VERSION}"
    if solvers != [SOLVER]:
        return "it was not asked by the suite's own solver"
    seed = next((each for each in seeds if each[:2] == (told.get("seed"), told.get("seed_digest"))), None)
    if seed is None:
        return f"the seed with the digest {told.get('seed_digest')!s:.20} is not known: --seed-file names it"
    expected = draw_suite(seed)
    for (name, text), sample in zip(run.asked.values(), samples, strict=True):
        wanted = expected.get(name)
        if wanted is None or (wanted.item, wanted.setup, wanted.text) != (sample.item, sample.setup, text):
            return f"the question {name!s:.60} is not that of the suite"
    return None


def _find_differences(samples: Samples) -> str | None:
    """Why the counts of a run do not hold; None if they do."""
    assert samples.verification is not None
    differences, unknown = samples.verification
    if differences:
        differ = pluralize(len(differences), "sample differs", "samples differ")
        return f"{differ} from the raw answers: {differences[0]}"
    return next((f"it cannot be verified: {why}" for why in unknown), None)


def rank(scores: Iterable[SuiteScore]) -> list[LeaderboardRow]:
    """The rows of some scores, best first; runs that are not whole, or did not answer, come last."""

    def in_order(score: SuiteScore) -> tuple[bool, bool, float]:
        value = score.headline.value if score.headline else -9.0
        return score.seed != "held-out", not _has_place(score), -value

    ordered = sorted(scores, key=in_order)
    placed = [each for each in ordered if _has_place(each)]
    rows = []
    for score in ordered:
        others = [each for each in placed if each is not score and each.seed == score.seed]
        better = sum(_interval(each)[0] > _interval(score)[1] for each in others)
        worse = sum(_interval(each)[1] < _interval(score)[0] for each in others)
        tied = "=" if better + worse < len(others) else ""
        rows.append(LeaderboardRow(score, f"{better + 1}{tied}" if score in placed else ""))
    return rows


def _has_place(score: SuiteScore) -> bool:
    return score.is_whole and score.verdict != NO_ANSWER and score.headline is not None


def _interval(score: SuiteScore) -> tuple[float, float]:
    found = score.headline and score.headline.interval
    return found or (0.0, 0.0)


def _cells(row: LeaderboardRow) -> dict[str, str]:
    score = row.score
    silent = score.verdict == NO_ANSWER
    parts = {**score.families, **score.presentations, "rules": score.rules}
    return {
        "place": row.place or "-",
        "model": score.model,
        "score": score.result,
        "questions": str(SIZE) if score.is_whole else f"only {score.questions} of {SIZE}",
        "answered": show(score.answered),
        **{name: f"{each.value:.2f}" if each and not silent else "-" for name, each in parts.items()},
        "tokens": f"{score.tokens:,.0f}" if score.tokens else "-",
        "cost": f"{score.cost:.4f}" if score.cost else "-",
    }


def _tables(found: Leaderboard) -> list[tuple[str, list[str], list[list[str]]]]:
    """For each kind of seed a title, the head and the rows of a table."""
    tables = []
    for kind, title in SEEDS.items():
        rows = [row for row in found.rows if row.score.seed == kind]
        cells = [_cells(row) for row in rows]
        if cells:
            digests = sorted({str(row.score.run.about["suite"].get("seed_digest")) for row in rows})
            named = f" (digest {join_words(digests, 'and')})" if kind == "held-out" else ""
            tables.append((title + named, list(cells[0]), [list(each.values()) for each in cells]))
    return tables


def leaderboard_text(found: Leaderboard) -> str:
    """The table as text."""
    tables = (f"{title}:\n\n{markdown_table(head, rows)}" for title, head, rows in _tables(found))
    return "\n\n".join([*tables, ABOUT, *(f"No row: {each}" for each in found.refused)])


def leaderboard_page(found: Leaderboard) -> str:
    """The table as an HTML page with charts."""
    scores = [row.score for row in found.rows if row.score.verdict != NO_ANSWER]
    each_way = [(score, name, part) for score in scores for name, part in score.presentations.items()]
    by_family = [(score, name, score.families[name]) for name in FAMILIES for score in scores]
    charts = {
        "Scores": _chart("Scores with intervals of 95%", [(each, "", each.headline) for each in scores]),
        " against ".join(PRESENTATIONS).capitalize(): _chart("Scores by presentation", each_way),
        "By family": _chart("Scores by family", by_family),
        "Cost against score": _chart_cost(scores),
    }
    parts = [f"<h1>Models on the perfectplay suite {SUITE_VERSION}</h1>", f"<p>{escape(ABOUT)}</p>"]
    for title, head, rows in _tables(found):
        first, last = list(head).index(FAMILIES[0]), -2  # what a score is made of stands between them
        rows = [[cell.replace(" ", "\u00a0") for cell in row] for row in rows]
        shown = [[*row[:first], *row[last:]] for row in rows]
        made_of = [[row[1], *row[first:last]] for row in rows]
        parts += [f"<h2>{escape(title)}</h2>", write_table("", [*head[:first], *head[last:]], shown)]
        parts.append(fold_away("By family", write_table("", [head[1], *head[first:last]], made_of)))
    parts += [f"<h2>{title}</h2>\n{chart}" for title, chart in charts.items() if chart]
    parts.append("<h2>Where each score comes from</h2>")
    parts += [
        fold_away(row.score.model, write_table("", (), describe_parts(row.score))) for row in found.rows
    ]
    if found.refused:
        parts += ["<h2>Logs without a row</h2>", write_list(found.refused)]
    return write_page("Models on the perfectplay suite", [*parts, f"<p>{CANARY}</p>"], STYLE)


def _chart(title: str, parts: Iterable[tuple[SuiteScore, str, Estimate | None]]) -> str:
    shown = [
        Interval(f"{score.model}{name and ', '}{name}: {show(part)}", part.value, *part.interval)
        for score, name, part in parts
        if part is not None and part.interval is not None
    ]
    return draw_intervals(title, shown) if shown else ""


def _chart_cost(scores: Sequence[SuiteScore]) -> str:
    """Cost against score; tokens where the cost of some model is not known."""
    known = [each for each in scores if each.headline and each.is_whole]
    unit = "cost" if all(each.cost for each in known) else "tokens"
    points = [
        (each.model, spent, each.headline.value)
        for each in known
        if each.headline and (spent := each.cost if unit == "cost" else each.tokens)
    ]
    return draw_scatter(f"Score by {unit}", points, f"{unit} of the whole suite") if points else ""
