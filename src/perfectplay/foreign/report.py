"""The record of an environment as text and as a page, and the index of a collection."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from zlib import crc32

from perfectplay.audit.page import finding_html, measures_html
from perfectplay.audit.report import SHOWN_MOVES, measures_text
from perfectplay.core.wording import pluralize
from perfectplay.foreign.adapter import JsonMove
from perfectplay.foreign.audit import Report, meaning
from perfectplay.foreign.protocol import plain
from perfectplay.foreign.records import ORDER, AuditRecord, FindingRecord, StepRecord, ValueRecord
from perfectplay.foreign.transitions import rest_text
from perfectplay.render.charts import draw_tally
from perfectplay.render.html import Markup, TableCell, fold_away, write_list, write_page, write_table


def moves_text(moves: Sequence[JsonMove], most: int | None = SHOWN_MOVES) -> str:
    """Moves as `replay-env --moves` takes them, shortened if there are very many.

    >>> moves_text([0, 2, [1, 3], "e4 e5"])
    "0 2 (1,3) 'e4 e5'"
    >>> moves_text([0, ["a", 1], "7"])
    '[0, ["a", 1], "7"]'
    """
    shown = moves[:most]
    words = [_word(move) for move in shown]
    plain = [word for word in words if word is not None]
    text = " ".join(plain) if len(plain) == len(words) else json.dumps(list(shown))
    return text if len(shown) == len(moves) else f"{text} ... ({len(moves)} moves)"


def _word(move: JsonMove) -> str | None:
    """A move as a word; None if it could be taken for something else."""
    if isinstance(move, list):
        parts = [None if isinstance(each, str) else _word(each) for each in move]
        inside = [part for part in parts if part is not None]
        tail = "," if len(parts) == 1 else ""
        return f"({','.join(inside)}{tail})" if len(inside) == len(parts) else None
    if isinstance(move, str):
        return None if re.match(r"[-+(.\d]", move) or not move else shlex.quote(move)
    return None if isinstance(move, bool) else str(move)


def visited_text(record: AuditRecord) -> str:
    """A sentence on what was visited."""
    if record["error"]:
        visited = visited_text({**record, "error": None})
        return f"The audit could not be finished: {record['error']}. {visited}"
    positions = pluralize(record["positions"], "position", "positions")
    moves = pluralize(record["moves"], "move", "moves")
    if record["whole"]:
        return f"All {positions} and {moves} were visited."
    if not record["moves"]:
        return "There is no table of positions."
    rest = rest_text(blocked=record.get("blocked", False), tried=record.get("tried", False))
    return f"{positions.capitalize()} and {moves} were visited; {rest}."


def value_text(value: ValueRecord | None) -> str:
    """What perfect play leads to, for the side that moves first.

    >>> value_text({"kind": "win", "plies": 5}), value_text(None)
    ('win in 5', 'not known')
    """
    if value is None:
        return "not known"
    return value["kind"] if value["plies"] is None else f"{value['kind']} in {value['plies']}"


def describe(report: Report) -> str:
    """The report of one environment as Markdown that also reads well as plain text."""
    record = report.record
    parts = [f"# Audit of {record['env']}", visited_text(record)]
    parts.append(f"Perfect play, for the side that moves first: {value_text(record['value'])}.")
    parts.append(f"Layers of the sandbox: {', '.join(record['layers']) or 'none'}.")
    parts.append("## Findings")
    parts += [_finding_text(each) for each in record["findings"]] or ["None."]
    if report.unlisted:
        parts.append(
            "Illegal moves were not tried, because nothing lists all moves: that takes an action_space that"
            " is Discrete."
        )
    if report.judgement is not None:
        parts += measures_text(report.judgement.audit)
    return plain("\n\n".join(parts) + "\n")  # foreign code must not write to the terminal


def _finding_text(finding: FindingRecord) -> str:
    shown = ""
    if finding["witness"]:
        shown = f"\n  Shown by: {moves_text(finding['witness'])} (seed {finding['seed']})"
    known = " (known)" if finding.get("known") else ""
    return f"- {finding['severity']}, `{finding['code']}`{known}: {finding['text']}{shown}"


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


def page_name(what: str) -> str:
    """The file name of the page of an environment.

    >>> page_name("envs/env_1.py")
    'envs-env_1-py-d3721061.html'
    """
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
        f"<p>{escape(visited_text(record))}</p>",
        f"<p>Perfect play, for the side that moves first: {value_text(record['value'])}.</p>",
        f"<p>Layers of the sandbox: {', '.join(map(escape, record['layers'])) or 'none'}.</p>",
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
    known = " (known)" if finding.get("known") else ""
    text = f"{finding['text']}{known}"
    code, witness = finding["code"], moves_text(finding["witness"])
    return finding_html(finding["severity"], code, meaning(code), text, witness, more)


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
    legal = step.get("legal")
    lines.append(f"Legal moves: {(moves_text(legal) or 'none') if isinstance(legal, list) else legal}")
    lines += [f"Noticed: {each}" for each in step.get("violations", ())]
    return plain("\n".join(lines))  # foreign code must not write to the terminal


def write_index(records: Sequence[AuditRecord]) -> str:
    """The index of a collection."""
    count = Counter(code for each in records for code in {found["code"] for found in each["findings"]})
    every = [found for each in records for found in each["findings"]]
    every.sort(key=lambda each: -ORDER.index(each["severity"]))
    worst = {found["code"]: found["severity"] for found in every}
    codes = sorted(count, key=lambda code: (ORDER.index(worst[code]), -count[code], code))
    kinds = Counter("unknown" if each["value"] is None else each["value"]["kind"] for each in records)
    filters = [(f"f-{code}", f"{code} ({count[code]})", f"{worst[code]}s") for code in codes]
    filters += [(f"v-{kind}", f"{kind} ({number})", "value") for kind, number in sorted(kinds.items())]
    clean, failed = (sum(name in _others(each) for each in records) for name in ("no-problem", "unfinished"))
    filters.append(("no-problem", f"no problem ({clean})", "others"))
    filters += [("unfinished", f"could not be finished ({failed})", "others")] if failed else []
    hidden = "\n".join(
        f"main:has(#{name}:checked) tbody tr:not(.{name}) {{ display: none; }}" for name, _, _ in filters
    )
    boxes = "".join(
        f"<fieldset><legend>{group.capitalize()}</legend>\n{''.join(map(_box, members))}</fieldset>\n"
        for group, members in groupby(filters, key=lambda each: each[2])
    )
    title = f"Audit of {len(records):,} environments"
    counts = [(code, count[code], f"{worst[code]}s") for code in codes]
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{clean:,} have no problem. Values of {len(records) - kinds['unknown']:,} are known."
        " Tick codes to see only the environments that have all of them.</p>",
        "<h2>Distribution</h2>",
        draw_tally("How many environments have each finding", counts, len(records)),
        "<h2>Environments</h2>",
        boxes,
        write_table(
            "Every environment, with a page of its own",
            ["environment", "value", "positions", "moves", "findings"],
            map(_row, records),
            [_classes(each) for each in records],
        ),
    ]
    return write_page(title, parts, f"{STYLE}{hidden}")


def _others(record: AuditRecord) -> list[str]:
    """What a record is besides its findings: finished without a problem, or not finished."""
    if record["error"] is not None:
        return ["unfinished"]
    return [] if any(each["severity"] == "problem" for each in record["findings"]) else ["no-problem"]


def _box(given: tuple[str, str, str]) -> str:
    name, label, _ = given
    box = f'<input type="checkbox" id="{name}"> <label for="{name}">{escape(label)}</label>'
    return f'<span class="filter">{box}</span>\n'


def _codes(record: AuditRecord) -> list[str]:
    return list(dict.fromkeys(found["code"] for found in record["findings"]))


def _classes(record: AuditRecord) -> str:
    """The names of the filters that show a record."""
    kind = "unknown" if record["value"] is None else record["value"]["kind"]
    return " ".join([*(f"f-{code}" for code in _codes(record)), f"v-{kind}", *_others(record)])


def _row(record: AuditRecord) -> list[str | TableCell]:
    more = "" if record["whole"] else "+"
    return [
        Markup(f'<a href="games/{page_name(record["env"])}">{escape(record["env"])}</a>'),
        TableCell(value_text(record["value"]), "value"),
        TableCell(f"{record['positions']:,}{more}", "number"),
        TableCell(f"{record['moves']:,}", "number"),
        "; ".join(filter(None, (", ".join(_codes(record)), record["error"]))),
    ]
