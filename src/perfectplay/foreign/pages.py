"""Pages about environments: one for each, and an index with filters that need no script."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from zlib import crc32

from perfectplay.audit.page import finding_html, measures_html
from perfectplay.foreign.audit import Report, meaning
from perfectplay.foreign.protocol import plain
from perfectplay.foreign.records import ORDER, AuditRecord, FindingRecord, StepRecord
from perfectplay.foreign.report import moves_text, value_text, visited_text
from perfectplay.render.charts import draw_tally
from perfectplay.render.html import Markup, TableCell, fold_away, write_list, write_page, write_table

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
    found = [_finding(each, steps.get(number, ())) for number, each in enumerate(record["findings"])]
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


def _finding(finding: FindingRecord, steps: Sequence[StepRecord]) -> Markup:
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
