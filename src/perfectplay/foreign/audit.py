"""The audit of one environment: examined in the sandbox, judged outside it, and written down as a record."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from perfectplay.audit.findings import MEANINGS, SEVERITIES
from perfectplay.core.errors import PerfectplayError
from perfectplay.foreign.adapter import move_from_json
from perfectplay.foreign.environment_game import EnvironmentGame
from perfectplay.foreign.findings import CODES
from perfectplay.foreign.judge import Judgement
from perfectplay.foreign.measures import measure
from perfectplay.foreign.records import (
    CHANCES,
    AuditRecord,
    FindingRecord,
    Found,
    StartRecord,
    TimeRecord,
    empty_record,
    rank,
)
from perfectplay.foreign.sandbox.client import Server
from perfectplay.foreign.sandbox.job import Job, MissingLibraryError
from perfectplay.foreign.sandbox.messages import GarbledError, UnfinishedError
from perfectplay.foreign.sandbox.request import AuditOptions, JobRequest

ENDED = {
    "hang": "a call does not return",
    "memory": "a call takes more memory than is allowed",
    "killed": "a call ends the process",
}
RAN_OUT = {"time": "time ran out", "memory": "memory ran out"}


STARTS = {"random-setup", "seed-ignored"}
"""With these findings, an environment has several starts."""
DRAWN = {"random-step", "not-repeatable"}
"""With one of these, chance takes part in its moves."""


@dataclass
class Spent:
    """What the jobs of an audit took: seconds of a processor in all, and bytes at most."""

    cpu: float = 0.0
    memory: int = 0


class Report(NamedTuple):
    """The outcome of an audit: the record, and the judgement of its table if there is one."""

    record: AuditRecord
    judgement: Judgement | None = None
    ended: bool = False
    """Whether the process ended before everything was replayed."""
    unlisted: bool = False
    """Whether illegal moves could not be tried, because nothing lists all moves."""
    times: TimeRecord | None = None


def meaning(code: str) -> str:
    """What a code means, whoever found it."""
    return CODES[code].meaning if code in CODES else MEANINGS.get(code, "")


def audit_environment(what: str, options: AuditOptions, server: Server) -> Report:
    """Audit one environment. Whatever it does, a record comes back.

    Raises ParseError if the name is unknown, and MissingLibraryError if a library is not installed.
    """
    begun, spent = time.monotonic(), Spent()
    report = _audit_start(what, options, server, spent)
    several = any(each["code"] in STARTS for each in report.record["findings"])
    if options.starts > 1 and report.judgement is not None and several:
        seeds = range(options.seed + 1, options.seed + options.starts)
        others = [_audit_start(what, replace(options, seed=seed), server, spent) for seed in seeds]
        merge_starts(report.record, options.seed, [each.record for each in others])
    report.record["protocol"] = options.protocol
    seconds = round(time.monotonic() - begun, 3)
    times = TimeRecord(env=what, seconds=seconds, cpu=round(spent.cpu, 2), memory=spent.memory)
    return report._replace(times=times)


def merge_starts(record: AuditRecord, seed: int, others: Sequence[AuditRecord]) -> None:
    """Add what other starts have shown. What the auditor says without a witness must hold at every start."""
    found = [record, *others]
    shared = set.intersection(*({_subject(each) for each in start["findings"]} for start in found))
    merged = {_subject(each): each for start in reversed(found) for each in start["findings"]}
    always = {key for key, each in merged.items() if not each["witness"] and each["code"] not in CODES}
    kept = [each for key, each in merged.items() if key not in always - shared]
    for each in kept:
        if _subject(each) in always:  # its numbers may be others
            each["text"] += f" So it is at the start of seed {seed}; each other start has a finding like it."
    record["findings"] = sorted(kept, key=lambda each: SEVERITIES.index(each["severity"]))
    record["starts"] = [
        StartRecord(
            seed=seed + place,
            value=each["value"],
            positions=each["positions"],
            whole=each["whole"],
            measures=each["measures"],
        )
        for place, each in enumerate(found)
    ]
    record["dropped"] += [code for other in others for code in other["dropped"]]
    record["error"] = next((each["error"] for each in found if each["error"] is not None), None)
    record["whole"] = all(each["whole"] for each in found)
    record["chance"] = max((each["chance"] for each in found), key=CHANCES.index)
    kinds = {None if each["value"] is None else each["value"]["kind"] for each in found}
    plies = {None if each["value"] is None else each["value"]["plies"] for each in found}
    if len(kinds) > 1:
        record["value"] = None
    elif record["value"] is not None and len(plies) > 1:
        record["value"] = {**record["value"], "plies": None}


def _subject(found: FindingRecord) -> tuple[str, str]:
    """What a finding is about: its code and, if it says what one side never does, which side."""
    sides = () if found["witness"] else EnvironmentGame().side_names
    return found["code"], next((name for name in sides if found["text"].startswith(name)), "")


def _audit_start(what: str, options: AuditOptions, server: Server, spent: Spent) -> Report:
    """Audit one start of an environment, with more moves where that pays."""
    report = Report(empty_record(what))
    try:
        report = _audit(what, options, server, spent)
        if options.deepen is not None and options.deepen > options.moves and _pays(report):
            report = _deepen(report, _audit(what, replace(options, moves=options.deepen), server, spent))
    except MissingLibraryError:
        raise
    except UnfinishedError as error:
        report.record["error"] = str(error)
    except PerfectplayError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError, AssertionError) as error:
        # A table has the right form, but makes no sense: foreign code has written to our socket.
        report.record["error"] = str(GarbledError(type(error).__name__))
    return report


def _audit(what: str, options: AuditOptions, server: Server, spent: Spent) -> Report:
    """Examine an environment in the sandbox, judge its table here, and replay there what that has shown."""
    judgement, replayed = None, list[Found | bool]()
    with server.start(JobRequest(what, options)) as job:
        examined = job.wait().examined
        if examined is not None and examined.table is not None:
            judgement = Judgement(what, examined.table, options.seed)
            replayed = job.replay(judgement.suspects)
    spent.cpu, spent.memory = spent.cpu + job.cpu, max(spent.memory, job.peak)
    record = empty_record(what)
    record["layers"] = list(job.layers)
    if job.ended:
        _locate_end(record, job, server)
    if examined is None:
        return Report(record, ended=True)
    found, dropped = list(examined.findings), list(examined.dropped)
    if judgement is not None:
        table, value = judgement.table, judgement.value
        more, unshown = judgement.keep(replayed, found)
        found, dropped = found + more, dropped + unshown
        record["value"] = None if value is None else {"kind": value.kind, "plies": value.plies}
        record["measures"] = measure(judgement)
        record["positions"], record["moves"] = len(table.sides), len(table.actions)
        record["whole"], record["blocked"], record["tried"] = table.whole, table.blocked, table.tried
    record["findings"] += [each.record() for each in sorted(found, key=rank)]
    record["dropped"] += dropped
    codes = {each["code"] for each in record["findings"]}
    record["chance"] = "moves" if codes & DRAWN else "start" if codes & STARTS else ""
    if record["error"] is None and examined.cut_short:
        record["error"] = RAN_OUT.get(examined.cut_short, "something ran out")
    return Report(record, judgement, bool(job.ended), examined.unlisted)


def _pays(report: Report) -> bool:
    """Whether more moves may show the value: if time ran out, it would run out again."""
    found = report.judgement
    return (
        not report.ended
        and report.record["error"] is None
        and found is not None
        and found.value is None
        and not found.case.whole
    )


def _deepen(report: Report, deeper: Report) -> Report:
    """The deeper report or, if its process ended, the first one with what was found since."""
    if not deeper.ended:
        return deeper
    record, new = report.record, deeper.record
    codes = {each["code"] for each in new["findings"]}
    record["findings"] = new["findings"] + [each for each in record["findings"] if each["code"] not in codes]
    record["dropped"], record["error"] = new["dropped"], new["error"]
    return report


def _locate_end(record: AuditRecord, job: Job, server: Server) -> None:
    """Find out where a process ended: once more, reporting each move, and then the witness alone."""
    what, options = job.request.what, job.options
    if job.ended not in ENDED:
        record["error"] = RAN_OUT["time"]
        record["positions"], record["moves"] = job.visited
        return
    careful = server.run(JobRequest(what, options, careful=True))
    record["positions"], record["moves"] = careful.visited
    why = careful.ended if careful.ended in ENDED else job.ended
    seed, witness = careful.at or (options.seed, [])
    again = server.run(JobRequest(what, replace(options, seed=seed), steps=witness))
    if again.ended not in ENDED:
        record["error"] = f"{ENDED[why]}, but not when the same moves were played again"
        record["dropped"].append(why)
        return
    text = f"Before the first move, {ENDED[why]}."
    if witness:
        text = f"After {len(witness) - 1} moves, the move {witness[-1]}: {ENDED[why]}."
    found = Found(why, "problem", text, seed, tuple(map(move_from_json, witness)))
    record["findings"].append(found.record())
