"""One table of everything that was measured, as text and as data."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from perfectplay.core.formatting import join_words, pluralize
from perfectplay.core.spec import split_spec
from perfectplay.evals.files import Samples, Verification
from perfectplay.evals.limits import MOST_NAMED
from perfectplay.evals.measures import (
    GroupKey,
    SampleGroup,
    SampleMeasures,
    SeatAdjusted,
    adjust_for_seats,
    measure,
    measure_groups,
    split_groups,
)
from perfectplay.evals.setup import Setup
from perfectplay.evals.suite.score import SuiteScore, describe_headline, describe_parts, score_suites
from perfectplay.render.markdown import markdown_table
from perfectplay.strength.reference import seat_text
from perfectplay.strength.statistics import Estimate, plays_like, show


class AgentSummary(NamedTuple):
    """What an agent came to over all games, opponents and seats."""

    key: GroupKey
    measures: SampleMeasures
    adjusted: SeatAdjusted

    def as_dict(self) -> dict[str, object]:
        """The summary as JSON-serializable data."""
        about = {name: value for name, value in vars(self.key).items() if name not in OVER_GAMES}
        adjusted = {"seat_adjusted": self.adjusted.value, "no_information": self.adjusted.no_information}
        return {**about, **self.measures.as_dict(), **adjusted}


class AgentReport(NamedTuple):
    """What was measured: each group of samples, each size of a game, and a summary of each agent."""

    groups: list[SampleGroup]
    sizes: list[SampleGroup]
    """Over both seats."""
    summaries: list[AgentSummary]
    missing: int
    problems: dict[str, int]
    """How many samples could not be counted, by the reason."""
    verification: Verification | None
    suites: list[SuiteScore]

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON-serializable data."""
        return {
            "suites": [score.as_dict() for score in self.suites],
            "rows": [group.as_dict() for group in self.groups],
            "sizes": [group.as_dict() for group in self.sizes],
            "summary": [summary.as_dict() for summary in self.summaries],
            "missing": self.missing,
            "problems": self.problems,
            "verification": self.verification and self.verification._asdict(),
        }


OVER_GAMES = ("game", "opponent", "seat")
"""What a summary adds up."""


def report(samples: Samples) -> AgentReport:
    """Measure samples and sum up each agent.

    >>> from perfectplay.evals.play import replay_answers
    >>> from perfectplay.evals.samples import game_sample
    >>> play = replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"])
    >>> found = report(Samples([game_sample(play, 0, "me")]))
    >>> found.groups[0].measures.points.value, found.missing
    (1.0, 0)
    """
    groups = measure_groups(samples.samples, samples.trusted)
    summaries = []
    for key, own in split_groups(samples.samples, lambda sample: GroupKey.of(sample).summary):
        same = (each for each in groups if each.key.summary == key)
        summaries.append(AgentSummary(key, measure(own), adjust_for_seats(same)))
    sizes = [SampleGroup(key, measure(own)) for key, own in split_groups(samples.samples, GroupKey.of_size)]
    problems = dict(Counter(sample.problem for sample in samples.samples if sample.problem))
    scores = score_suites(samples)
    return AgentReport(groups, sizes, summaries, samples.missing, problems, samples.verification, scores)


def report_table(groups: Iterable[SampleGroup]) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table, as texts."""
    rows = [_cells(group) for group in groups]
    return list(rows[0]) if rows else [], [list(row.values()) for row in rows]


def _cells(group: SampleGroup) -> dict[str, str]:
    key, found, counts, exact = group.key, group.measures, group.measures.counts, group.exact
    failed = (f"{number} {name}" for name, number in counts.answers.items() if number and name != "legal")
    decided = f"{show(found.points_decided and found.points_decided.value)} of {found.decided}"
    silent = " (no information)" if exact.informative is False else ""
    span = "-" if exact.random is None else f"{show(exact.random)} to {show(exact.best)}{silent}"
    return {
        "agent": key.agent,
        "task": task_name(key),
        "game": f"{key.game}, {group.sizes} sizes" if group.sizes > 1 else str(key.game),
        "opponent": key.opponent or "-",
        "seat": seat_text(key.seat, group.side),
        "answered": show(found.answered),
        "errors": f"{counts.errors} of {found.samples}" if counts.errors else "-",
        "answers": str(sum(counts.answers.values())),
        "failed": ", ".join(failed) or "-",
        "decisions": str(counts.decisions),
        "kept": show(counts.kept / counts.decisions if counts.decisions else None),
        "guess": show(found.guess),
        "corrected": _with_error(found.corrected),
        "readable": _with_error(found.readable),
        "points": _with_error(found.points),
        "decided": decided if found.decided else "-",
        "luck-free": _with_error(found.luck_free),
        "random to best": span,
        "plays like": plays_like(exact.plays_like),
        "tokens": f"{found.tokens:,.0f}" if found.tokens else "-",
    }


def task_name(key: GroupKey) -> str:
    """A task and how it was asked, where that differs from the default.

    >>> asked = {"moves": "listed", "memory": "none", "disguise": "none", "start": "initial"}
    >>> task_name(GroupKey("me", "play", "bit-flip", "perfect", 1, 3, *asked.values(), 100, None, None))
    'play, attempts=3, moves=listed'
    """
    usual = {each.name: each.default for each in fields(Setup)}
    unusual = [
        f"{'plies' if name == 'plies_limit' else name}={value}"
        for name, value in vars(key).items()
        if name not in ("agent", "task", *OVER_GAMES) and value is not None and value != usual.get(name)
    ]
    return ", ".join([key.task, *unusual])


def report_text(found: AgentReport) -> str:
    """The report as text: a table in Markdown and what must be known to read it.

    >>> from perfectplay.evals.play import replay_answers
    >>> from perfectplay.evals.samples import game_sample
    >>> play = replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"])
    >>> report_text(report(Samples([game_sample(play, 0, "me")]))).splitlines()[2].split(" | ")[:2]
    ['| me   ', 'play']
    """
    suites = [
        "\n".join([describe_headline(score), *(f"  {name}: {text}" for name, text in describe_parts(score))])
        for score in found.suites
    ]
    return "\n\n".join([*suites, markdown_table(*report_table(found.groups)), *report_notes(found)])


def report_notes(found: AgentReport) -> list[str]:
    """What must be known to read the table, the summaries, and what is not in it."""
    parts = [*_explain(found.groups), *map(_summarize, found.summaries)]
    if found.missing:
        unfinished = pluralize(
            found.missing, "sample was never finished and is", "samples were never finished and are"
        )
        parts.append(f"{unfinished} not in this table.")
    parts.append(_describe_verification(found))
    for problem, number in found.problems.items():
        parts.append(f"{pluralize(number, 'sample', 'samples')} could not be counted: {problem}")
    played = dict.fromkeys(str(group.key.game) for group in found.groups if group.key.task == "play")
    files = [game for game in played if split_spec(game)[0].endswith(".py")]
    if files:
        parts.append(
            f"A report never runs a game file, so {join_words(files, 'and')} cannot be compared with exact"
            " scores here (random to best, plays like, seat-adjusted)."
            " perfectplay arena --game FILE --best-response prints them."
        )
    return parts


def _describe_verification(found: AgentReport) -> str:
    """Whether the counts are what the raw answers come to."""
    if found.verification is None:
        return "These counts are as stored, and not verified: --verify plays every raw answer again."
    differences, unknown = found.verification
    samples = sum(group.measures.samples for group in found.groups)
    same = samples - sum(unknown.values()) - len(differences)
    lines = [f"Verified: {pluralize(same, 'sample was', 'samples were')} played again with the same counts."]
    if differences:
        differ = pluralize(len(differences), "sample differs", "samples differ")
        lines += [f"{differ} from the raw answers, which are counted here:", *differences[:MOST_NAMED]]
        lines += [f"... and {len(differences) - MOST_NAMED} more"] if len(differences) > MOST_NAMED else []
    for why, number in unknown.items():
        lines.append(f"{pluralize(number, 'sample', 'samples')} could not be verified: {why}")
    return "\n".join(lines)


def _summarize(each: AgentSummary) -> str:
    found, counts = each.measures, each.measures.counts
    decisions = pluralize(counts.decisions, "decision", "decisions")
    lines = [
        f"{each.key.agent}, {task_name(each.key)}: answered {show(found.answered)},"
        f" corrected {show(found.corrected)} over {decisions},"
        f" {show(found.readable)} over the {counts.decisions_read} with a readable answer."
    ]
    if counts.errors:
        samples = pluralize(found.samples, "sample", "samples")
        lines.append(
            f"Ended in an error or at a limit, and counted as failures: {counts.errors} of {samples}."
        )
    if found.games:
        lines.append(
            f"Points {show(found.points)} in {pluralize(found.games, 'game', 'games')}"
            f" ({_list_counts(found.results)}),"
            f" {show(found.points_decided)} in the {found.decided} decided by the rules."
        )
    if found.stopped_at:
        lines.append(f"Unfinished games stopped in positions worth: {_list_counts(found.stopped_at)}.")
    if each.adjusted.value is not None:
        lines.append(f"Seat-adjusted {each.adjusted.value:.3f}, from random (0) to the best response (1).")
    if each.adjusted.no_information:
        lines.append(f"No information, left out: {'; '.join(each.adjusted.no_information)}.")
    if counts.illegal:
        lines.append(f"Illegal answers by rule: {_list_counts(counts.illegal)}.")
    if counts.drops:
        lines.append(f"Value lost: {_list_counts(counts.drops)}.")
    if counts.wasted:
        lines.append(f"Plies wasted: {counts.wasted}.")
    if each.key.disguise != "none":
        lines.append(f"Answers that name the disguised game: {counts.named}.")
    if found.cost:
        lines.append(f"Cost: {found.cost:.4f}.")
    return "\n".join(lines)


def _list_counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))


def _explain(groups: Sequence[SampleGroup]) -> list[str]:
    notes = []
    if any(group.measures.guess is not None for group in groups):
        notes.append(
            "corrected is 0 for guessing and 1 for perfect play. An agent that keeps nothing gets"
            " -guess/(1 - guess), which differs from row to row, so a low score may come from answers that"
            " cannot be read and is not the opposite of skill: answered is the share that can be read,"
            " readable is corrected among these alone."
        )
    if any(group.exact.random is not None for group in groups):
        notes.append(
            "random to best: the points of random and of the best response under the limit of plies that the"
            " games had. A game that is not over by then counts one half, here and in points."
        )
    return notes


def _with_error(found: Estimate | None) -> str:
    """A measure with its standard error; with its interval where that says too little."""
    if found is None or found.error is None:
        return show(found)
    return f"{found.value:.3f} ± {found.error:.3f}"
