"""The record of an environment as text and as a page, and the index of a collection."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from zlib import crc32

from perfectplay.audit.findings import SEVERITIES
from perfectplay.audit.page import finding_html, measures_html
from perfectplay.audit.report import SHOWN_MOVES, measures_text
from perfectplay.core.formatting import pluralize
from perfectplay.render.charts import draw_tally
from perfectplay.render.html import Markup, TableCell, fold_away, write_list, write_page, write_table
from perfectplay_foreign.adapter import JsonMove
from perfectplay_foreign.audit import Report, meaning
from perfectplay_foreign.protocol import plain
from perfectplay_foreign.records import AuditRecord, FindingRecord, StepRecord, ValueRecord
from perfectplay_foreign.transitions import rest_text

STYLE = """
h1, li { overflow-wrap: anywhere; }
.wide svg { max-width: none; }
svg .group { font-weight: bold; }
pre { overflow-x: auto; }
fieldset { border: 0; margin: .8rem 0; padding: 0; }
legend { font-weight: bold; padding: 0; }
.filter { display: inline-block; margin: .2rem 1rem .2rem 0; white-space: nowrap; }
tbody td { vertical-align: top; }
td.value { white-space: nowrap; }
"""


def moves_text(moves: Sequence[JsonMove], most: int | None = SHOWN_MOVES) -> str:
    """Moves as `replay-env --moves` takes them, shortened if there are very many."""
    shown = moves[:most]
    words = [_word(move) for move in shown]
    text = json.dumps(list(shown)) if None in words else " ".join(map(str, words))
    return text if len(shown) == len(moves) else f"{text} ... ({len(moves)} moves)"


def _word(move: JsonMove) -> str | None:
    """A move as a word; None if it could be taken for something else."""
    if isinstance(move, (list, tuple)):
        parts = [None if isinstance(each, str) else _word(each) for each in move]
        tail = "," if len(parts) == 1 else ""
        return None if None in parts else f"({','.join(map(str, parts))}{tail})"
    if isinstance(move, str):
        return None if re.match(r"[-+(.\d]", move) or not move else shlex.quote(move)
    return None if isinstance(move, bool) else str(move)


def describe_visited(record: AuditRecord) -> str:
    """A sentence on what was visited."""
    if record["error"]:
        visited = describe_visited({**record, "error": None})
        return f"The audit could not be finished: {record['error']}. {visited}"
    positions = pluralize(record["positions"], "position", "positions")
    moves = pluralize(record["moves"], "move", "moves")
    if record["whole"]:
        where = " from the start that is counted here" if record["chance"] else ""
        others = "; so were those of the other starts that were judged" if record["starts"] else ""
        return f"All {positions} and {moves}{where} were visited{others}."
    if not record["moves"]:
        why = ": chance takes part in the moves" if record["chance"] == "moves" else ""
        return f"There is no table of positions{why}."
    rest = rest_text(blocked=record["blocked"], tried=record["tried"])
    return f"{positions.capitalize()} and {moves} were visited; {rest}."


def value_text(value: ValueRecord | None) -> str:
    """What perfect play leads to, for the side that moves first."""
    if value is None:
        return "not known"
    return value["kind"] if value["plies"] is None else f"{value['kind']} in {value['plies']}"


def protocol_text(record: AuditRecord) -> list[str]:
    """Sentences on how the environment was played, and on its starts, where there is something to say."""
    said, protocol = [], record.get("protocol", {})
    if protocol.get("turns") == "alternating":
        said.append("The sides alternate, whatever the environment says.")
    if protocol.get("rewards") == "first":
        said.append("All rewards are seen by the side that moves first.")
    if record["starts"]:
        values = ", ".join(value_text(each["value"]) for each in record["starts"])
        said.append(f"It was judged from {len(record['starts'])} starts, which are worth: {values}.")
    return said


def describe(report: Report) -> str:
    """The report of one environment as Markdown that also reads well as plain text."""
    record = report.record
    parts = [f"# Audit of {record['env']}", *_summarize(record), "## Findings"]
    for each in record["findings"]:
        known = " (known)" if each.get("known") else ""
        parts.append(f"- {each['severity']}, `{each['code']}`{known}: {each['text']}")
        if each["witness"]:
            parts[-1] += f"\n  Shown by: {moves_text(each['witness'])} (seed {each['seed']})"
    parts += [] if record["findings"] else ["None."]
    if report.unlisted:
        parts.append(
            "Illegal moves were not tried, because nothing lists all moves: that takes an action_space that"
            " is Discrete."
        )
    if report.judgement is not None:
        parts += measures_text(report.judgement.audit)
    return plain("\n\n".join(parts) + "\n")  # foreign code must not write to the terminal


def _summarize(record: AuditRecord) -> list[str]:
    return [
        describe_visited(record),
        f"Perfect play, for the side that moves first: {value_text(record['value'])}.",
        *protocol_text(record),
        f"Layers of the sandbox: {', '.join(record['layers']) or 'none'}.",
    ]


def page_name(what: str) -> str:
    """The file name of the page of an environment."""
    slug = re.sub(r"\W+", "-", what).strip("-")[-60:]
    return f"{slug}-{crc32(what.encode()):08x}.html"


def write_environment_page(report: Report, steps: Mapping[int, Sequence[StepRecord]], index: str = "") -> str:
    """The page of one environment; `index` is a link to all of a collection.

    `steps` has the witnesses move by move, by the numbers of their findings.
    """
    record = report.record
    title = f"Audit of {record['env']}"
    found = [_finding_html(each, steps.get(number, ())) for number, each in enumerate(record["findings"])]
    parts = [
        f'<p><a href="{escape(index)}">All environments</a></p>' if index else "",
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(each)}</p>" for each in _summarize(record)),
        "<h2>Findings</h2>",
        write_list(found) or "<p>None.</p>",
    ]
    if report.judgement is not None and report.judgement.audit.measures is not None:
        parts += measures_html(report.judgement.audit.case.game, report.judgement.audit.measures)
    return write_page(title, parts, STYLE)


def _finding_html(finding: FindingRecord, steps: Sequence[StepRecord]) -> Markup:
    more = f", seed {finding['seed']}" if finding["witness"] else ""
    if steps:
        lines = "\n\n".join(step_text(each) for each in steps)
        more += fold_away("Move by move", f"<pre>{escape(lines)}</pre>")
    text, code = finding["text"] + " (known)" * finding.get("known", False), finding["code"]
    return finding_html(finding["severity"], code, meaning(code), text, moves_text(finding["witness"]), more)


def step_text(step: StepRecord) -> str:
    """One step of a witness, for people to read."""
    move = step.get("move")
    head = "Start" if move is None else f"Move {moves_text([move])}"
    if "error" in step:
        return plain(f"{head}: {step['error']}")
    lines = [f"{head}: {step['said']}" if step["said"] else head]
    if step.get("picture"):
        lines.append(step["picture"].rstrip())
    if step.get("mover") is not None:
        lines.append(f"To move: {step['mover']}")
    legal = step.get("legal", ())
    lines.append(f"Legal moves: {legal if isinstance(legal, str) else moves_text(legal) or 'none'}")
    lines += [f"Noticed: {each}" for each in step.get("violations", ())]
    return plain("\n".join(lines))  # foreign code must not write to the terminal


def write_index(records: Sequence[AuditRecord]) -> str:
    """The index of a collection."""
    every = [found for each in records for found in each["findings"]]
    every.sort(key=lambda each: -SEVERITIES.index(each["severity"]))
    worst = {found["code"]: found["severity"] for found in every}
    tags = [_tags(each) for each in records]
    count = Counter(tag for each in tags for tag in each)
    codes = sorted(worst, key=lambda code: (SEVERITIES.index(worst[code]), -count[f"f-{code}"], code))
    filters = [(f"f-{code}", code, f"{worst[code]}s") for code in codes]
    filters += [(tag, tag[2:], "value") for tag in sorted(count) if tag.startswith("v-")]
    filters.append(("no-problem", "no problem", "others"))
    filters += [("unfinished", "could not be finished", "others")] if count["unfinished"] else []
    hidden = "\n".join(
        f"main:has(#{tag}:checked) tbody tr:not(.{tag}) {{ display: none; }}" for tag, _, _ in filters
    )
    boxes = ""
    for group, members in groupby(filters, key=lambda each: each[2]):
        inside = "".join(
            f'<span class="filter"><input type="checkbox" id="{tag}">'
            f' <label for="{tag}">{escape(label)} ({count[tag]})</label></span>\n'
            for tag, label, _ in members
        )
        boxes += f"<fieldset><legend>{group.capitalize()}</legend>\n{inside}</fieldset>\n"
    title = f"Audit of {len(records):,} environments"
    known = len(records) - count["v-unknown"]
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{count['no-problem']:,} have no problem. Values of {known:,} are known."
        " Tick codes to see only the environments that have all of them.</p>",
        "<h2>Distribution</h2>",
        draw_tally(
            "How many environments have each finding",
            [(code, count[f"f-{code}"], f"{worst[code]}s") for code in codes],
            len(records),
        ),
        "<h2>Environments</h2>",
        boxes,
        write_table(
            "Every environment, with a page of its own",
            ["environment", "value", "positions", "moves", "findings"],
            map(_row, records),
            [" ".join(each) for each in tags],
        ),
    ]
    return write_page(title, parts, f"{STYLE}{hidden}")


def _codes(record: AuditRecord) -> list[str]:
    return list(dict.fromkeys(found["code"] for found in record["findings"]))


def _tags(record: AuditRecord) -> list[str]:
    """The names of the filters that show a record."""
    tags = [f"f-{code}" for code in _codes(record)]
    tags.append("v-unknown" if record["value"] is None else f"v-{record['value']['kind']}")
    if record["error"] is not None:
        return [*tags, "unfinished"]
    clean = all(each["severity"] != "problem" for each in record["findings"])
    return [*tags, "no-problem"] if clean else tags


def _row(record: AuditRecord) -> list[str | TableCell]:
    more = "" if record["whole"] else "+"
    return [
        Markup(f'<a href="games/{page_name(record["env"])}">{escape(record["env"])}</a>'),
        TableCell(value_text(record["value"]), "value"),
        TableCell(f"{record['positions']:,}{more}", "number"),
        TableCell(f"{record['moves']:,}", "number"),
        "; ".join(filter(None, (", ".join(_codes(record)), record["error"]))),
    ]
