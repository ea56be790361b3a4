"""One table of everything that was measured, as text and as data."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from perfectplay.core.spec import split_spec
from perfectplay.core.wording import join_words, markdown_table, pluralize
from perfectplay.evals.files import Samples
from perfectplay.evals.measures import (
    BELOW,
    GROUP,
    measure_groups,
    measure_sizes,
    measures,
    seat_adjusted,
    told,
)
from perfectplay.evals.setup import Setup
from perfectplay.strength.reference import seat_text

SUMMARY = tuple(name for name in GROUP if name not in ("game", "opponent", "seat"))
"""What the summaries of several games, opponents and seats have in common."""


def report(samples: Samples) -> dict[str, Any]:
    """The report as JSON-serializable data: a row for each group of samples, and a summary of each agent.

    `sizes` has a row for each size of a game, over both seats.

    >>> from perfectplay.evals.play import replay_answers
    >>> from perfectplay.evals.samples import play_row
    >>> play = replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"])
    >>> data = report(Samples([play_row(play, 0, "me")]))
    >>> data["rows"][0]["points"], data["missing"]
    (1.0, 0)
    """
    rows = measure_groups(samples.rows)
    summary = []
    keys = list(dict.fromkeys(tuple(row[name] for name in SUMMARY) for row in rows))
    for key in keys:
        own = [row for row in samples.rows if tuple(told(row)[name] for name in SUMMARY) == key]
        groups = [row for row in rows if tuple(row[name] for name in SUMMARY) == key]
        summary.append({**dict(zip(SUMMARY, key, strict=True)), **measures(own), **seat_adjusted(groups)})
    problems = dict(Counter(row["problem"] for row in samples.rows if row.get("problem")))
    verification = samples.verification and samples.verification._asdict()
    counts = {"missing": samples.missing, "problems": problems, "verification": verification}
    return {"rows": rows, "sizes": measure_sizes(samples.rows), "summary": summary, **counts}


MOST_SHOWN = 20
"""How many differences from the raw answers are shown in words; the data has them all."""

HEAD = ("agent", "task", "game", "opponent", "seat", "answered", "errors", "answers", "failed", "decisions")
MORE = ("kept", "guess", "corrected", "readable", "points", "decided", "luck-free", "floor to best")
LAST = ("plays like", "tokens")


def table(data: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table, as texts."""
    rows = []
    for row in data["rows"]:
        answers = row["answers"]
        asked = sum(answers.values())
        failures = {name: number for name, number in answers.items() if number and name != "legal"}
        failed = ", ".join(f"{number} {name}" for name, number in failures.items())
        rows.append(
            [
                str(row["agent"]),
                task_name(row),
                row["game"] + (f", {row['sizes']} sizes" if row["sizes"] > 1 else ""),
                row["opponent"] or "-",
                seat_text(row),
                _share(row["answered"]),
                f"{row['errors']} of {row['samples']}" if row["errors"] else "-",
                str(asked),
                failed or "-",
                str(row["decisions"]),
                _share(row["kept"] / row["decisions"] if row["decisions"] else None),
                _share(row["guess"]),
                _found(row, "corrected"),
                _found(row, "readable"),
                _found(row, "points"),
                f"{_share(row['points_decided'])} of {row['decided']}" if row["decided"] else "-",
                _found(row, "luck_free"),
                _span(row),
                plays_like(row["plays_like"]),
                f"{row['tokens']:,.0f}" if row["tokens"] else "-",
            ]
        )
    return [*HEAD, *MORE, *LAST], rows


def task_name(row: Mapping[str, Any]) -> str:
    """A task and how it was asked, where that differs from the default.

    >>> asked = {"attempts": 3, "moves": "listed", "memory": "none", "disguise": "none", "start": "initial"}
    >>> task_name({"task": "play", **asked})
    'play, attempts=3, moves=listed'
    """
    usual = {each.name: each.default for each in fields(Setup)}
    options = [(name, row.get(name)) for name in SUMMARY if name not in ("agent", "task")]
    unusual = [
        f"{'plies' if name == 'plies_limit' else name}={value}"
        for name, value in options
        if value is not None and value != usual.get(name)
    ]
    return ", ".join([row["task"], *unusual])


def report_text(data: Mapping[str, Any]) -> str:
    """The report as text: a table in Markdown and what must be known to read it.

    >>> from perfectplay.evals.play import replay_answers
    >>> from perfectplay.evals.samples import play_row
    >>> play = replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"])
    >>> report_text(report(Samples([play_row(play, 0, "me")]))).splitlines()[2].split(" | ")[:2]
    ['| me   ', 'play']
    """
    head, rows = table(data)
    parts = [markdown_table(head, rows), *_notes(data["rows"])]
    for each in data["summary"]:
        parts.append(_summary(each))
    if data["missing"]:
        unfinished = pluralize(
            data["missing"], "sample was never finished and is", "samples were never finished and are"
        )
        parts.append(f"{unfinished} not in this table.")
    parts += _verified(data["verification"], sum(row["samples"] for row in data["rows"]))
    for problem, number in data["problems"].items():
        parts.append(f"{pluralize(number, 'sample', 'samples')} could not be counted: {problem}")
    played = dict.fromkeys(row["game"] for row in data["rows"] if row["task"] == "play")
    files = [game for game in played if split_spec(game)[0].endswith(".py")]
    if files:
        parts.append(
            f"A report never runs a game file, so {join_words(files, 'and')} cannot be compared with exact"
            " scores here (floor to best, plays like, seat-adjusted). perfectplay floors FILE prints them."
        )
    return "\n\n".join(parts)


def _verified(found: Mapping[str, Any] | None, samples: int) -> list[str]:
    """Whether the counts are what the raw answers come to."""
    if found is None:
        return ["These counts are as stored, and not verified: --verify plays every raw answer again."]
    unknown, differences = sum(found["unknown"].values()), found["differences"]
    same = samples - unknown - len(differences)
    lines = [f"Verified: {pluralize(same, 'sample was', 'samples were')} played again with the same counts."]
    if differences:
        differ = pluralize(len(differences), "sample differs", "samples differ")
        lines += [f"{differ} from the raw answers, which are counted here:", *differences[:MOST_SHOWN]]
        lines += [f"... and {len(differences) - MOST_SHOWN} more"] if len(differences) > MOST_SHOWN else []
    for why, number in found["unknown"].items():
        lines.append(f"{pluralize(number, 'sample', 'samples')} could not be verified: {why}")
    return ["\n".join(lines)]


def _summary(each: Mapping[str, Any]) -> str:
    decisions = pluralize(each["decisions"], "decision", "decisions")
    lines = [
        f"{each['agent']}, {task_name(each)}: answered {_share(each['answered'])},"
        f" corrected {_interval(each, 'corrected')} over {decisions},"
        f" {_interval(each, 'readable')} over the {each['decisions_read']} with a readable answer."
    ]
    if each["errors"]:
        lines.append(
            f"Ended in an error or at a limit, and counted as failures: {each['errors']} of"
            f" {pluralize(each['samples'], 'sample', 'samples')}."
        )
    if each["games"]:
        ends = ", ".join(f"{number} {name}" for name, number in sorted(each["results"].items()))
        games = pluralize(each["games"], "game", "games")
        lines.append(
            f"Points {_interval(each, 'points')} in {games}, {_interval(each, 'points_decided')} in the"
            f" {each['decided']} decided by the rules ({ends})."
        )
    if each["stopped_at"]:
        where = ", ".join(f"{number} {kind}" for kind, number in sorted(each["stopped_at"].items()))
        lines.append(f"Unfinished games stopped in positions worth: {where}.")
    if each["seat_adjusted"] is not None:
        lines.append(f"Seat-adjusted {each['seat_adjusted']:.3f}, from random (0) to the best response (1).")
    if each["no_information"]:
        lines.append(f"No information, left out: {'; '.join(each['no_information'])}.")
    for name, title in (("illegal", "Illegal answers by rule"), ("drops", "Value lost")):
        if each[name]:
            counts = ", ".join(f"{number} {kind}" for kind, number in sorted(each[name].items()))
            lines.append(f"{title}: {counts}.")
    if each["wasted"]:
        lines.append(f"Plies wasted: {each['wasted']}.")
    if each["disguise"] != "none":
        lines.append(f"Answers that name the disguised game: {each['named']}.")
    if each["cost"]:
        lines.append(f"Cost: {each['cost']:.4f}.")
    return "\n".join(lines)


def _notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What must be known to read the columns."""
    notes = []
    if any(row["guess"] is not None for row in rows):
        notes.append(
            "corrected is 0 for guessing and 1 for perfect play. Whoever keeps nothing gets"
            " -guess/(1 - guess), which differs from row to row, so a low score may come from answers that"
            " cannot be read and is not the opposite of skill: answered is the share that can be read,"
            " readable is corrected among these alone."
        )
    if any(row["floor"] is not None for row in rows):
        notes.append(
            "floor to best: the points of random and of the best response under the limit of plies that the"
            " games had. A game that is not over by then counts one half, here and in points."
        )
    return notes


def plays_like(found: Sequence[int | str] | str | None) -> str:
    """What an agent plays like and its interval, in words.

    >>> plays_like([4, 3, 5]), plays_like("no answers"), plays_like(None)
    ('level 4 (3 to 5)', 'no answers', '-')
    >>> plays_like([1, "below random", 2]), plays_like(["below random", "below random", 2])
    ('level 1 (below random to 2)', 'below random (up to level 2)')
    """
    if found is None or isinstance(found, str):
        return found or "-"
    like, low, high = found
    if like == BELOW:
        return BELOW if high == BELOW else f"{BELOW} (up to level {high})"
    return f"level {like} ({low} to {high})"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _found(row: Mapping[str, Any], name: str) -> str:
    """A measure with its standard error; with its interval where that says too little."""
    error = row[f"{name}_error"]
    return _interval(row, name) if error is None else f"{_share(row[name])} ± {error:.3f}"


def _interval(row: Mapping[str, Any], name: str) -> str:
    low, high = row.get(f"{name}_interval") or (None, None)
    return _share(row[name]) + ("" if low is None else f" ({low:.3f} to {high:.3f})")


def _span(row: Mapping[str, Any]) -> str:
    if row["floor"] is None:
        return "-"
    silent = " (no information)" if row["informative"] is False else ""
    return f"{_share(row['floor'])} to {_share(row['best'])}{silent}"
