"""The record of an environment as text."""

import json
import re
import shlex
from collections.abc import Sequence

from perfectplay.audit.report import SHOWN_MOVES, measures_text
from perfectplay.core.wording import pluralize
from perfectplay.foreign.adapter import JsonMove
from perfectplay.foreign.audit import Report
from perfectplay.foreign.protocol import plain
from perfectplay.foreign.records import AuditRecord, FindingRecord, ValueRecord
from perfectplay.foreign.transitions import rest_text


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
    parts += [_finding(each) for each in record["findings"]] or ["None."]
    if report.unlisted:
        parts.append(
            "Illegal moves were not tried, because nothing lists all moves: that takes an action_space that"
            " is Discrete."
        )
    if report.judgement is not None:
        parts += measures_text(report.judgement.audit)
    return plain("\n\n".join(parts) + "\n")  # foreign code must not write to the terminal


def _finding(finding: FindingRecord) -> str:
    shown = ""
    if finding["witness"]:
        shown = f"\n  Shown by: {moves_text(finding['witness'])} (seed {finding['seed']})"
    known = " (known)" if finding.get("known") else ""
    return f"- {finding['severity']}, `{finding['code']}`{known}: {finding['text']}{shown}"
