"""The audit of one environment: examined in the sandbox, judged outside it, and written down as a record."""

import time
from collections import ChainMap
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from perfectplay.audit.findings import MEANINGS, SEVERITIES
from perfectplay.core.errors import PerfectplayError
from perfectplay_foreign.environment_game import EnvironmentGame
from perfectplay_foreign.findings import CODES
from perfectplay_foreign.judge import Judgement
from perfectplay_foreign.measures import measure
from perfectplay_foreign.records import (
    CHANCES,
    AuditRecord,
    FindingRecord,
    Found,
    StartRecord,
    TimeRecord,
    empty_record,
    rank,
)
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.job import MissingLibraryError, SandboxJob
from perfectplay_foreign.sandbox.messages import GarbledError, UnfinishedError
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest

ENDED = {
    "hang": "a call does not return",
    "memory": "a call takes more memory than is allowed",
    "killed": "a call ends the process",
}
RAN_OUT = {"time": "time ran out", "memory": "memory ran out"}
TRIES = 10
"""How often a witness is played again that ends the process: some do so only by chance."""
STARTS = {"random-setup", "seed-ignored"}
"""With these findings, an environment has several starts."""
DRAWN = {"random-step", "not-repeatable"}
"""With one of these, chance takes part in its moves."""


class Report(NamedTuple):
    """The outcome of an audit: the record and, if there are any, the judgement of its table and its page."""

    record: AuditRecord
    judgement: Judgement | None = None
    ended: bool = False
    """Whether the process ended before everything was replayed."""
    unlisted: bool = False
    """Whether illegal moves could not be tried, because nothing lists all moves."""
    times: TimeRecord | None = None
    page: str = ""


def meaning(code: str) -> str:
    """What a code means, whoever found it."""
    return CODES[code].meaning if code in CODES else MEANINGS.get(code, "")


def audit_environment(what: str, options: AuditOptions, server: ForkServer) -> Report:
    """Audit one environment. Whatever it does, a record comes back.

    Raises ParseError if the name is unknown, and MissingLibraryError if a library is not installed.
    """
    begun, times = time.monotonic(), TimeRecord(env=what, seconds=0, cpu=0, memory=0)
    report = _audit_start(what, options, server, times)
    several = any(each["code"] in STARTS for each in report.record["findings"])
    if options.starts > 1 and report.judgement is not None and several:
        seeds = range(options.seed + 1, options.seed + options.starts)
        others = [_audit_start(what, replace(options, seed=seed), server, times) for seed in seeds]
        merge_starts(report.record, options.seed, [each.record for each in others])
    report.record["protocol"] = options.protocol
    times["seconds"], times["cpu"] = round(time.monotonic() - begun, 3), round(times["cpu"], 2)
    return report._replace(times=times)


def merge_starts(record: AuditRecord, seed: int, others: Sequence[AuditRecord]) -> None:
    """Add what other starts have shown. A finding without a witness must hold at every start."""
    found = [record, *others]
    merged = ChainMap(*({_subject(each): each for each in start["findings"]} for start in found))
    shared = set.intersection(*map(set, merged.maps))
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
    value, others_are = record["value"], [each["value"] for each in others]
    if any((each and each["kind"]) != (value and value["kind"]) for each in others_are):
        record["value"] = None
    elif value is not None and any(each != value for each in others_are):
        record["value"] = {**value, "plies": None}


def _subject(found: FindingRecord) -> tuple[str, str]:
    """What a finding is about: its code and, if it says what one side never does, which side."""
    sides = () if found["witness"] else EnvironmentGame().side_names
    return found["code"], next((name for name in sides if found["text"].startswith(name)), "")


def _audit_start(what: str, options: AuditOptions, server: ForkServer, times: TimeRecord) -> Report:
    """Audit one start of an environment, with more moves where that pays."""
    report = Report(empty_record(what))
    try:
        report = _audit(what, options, server, times)
        if options.deepen is not None and options.deepen > options.moves and _pays(report):
            deeper = _audit(what, replace(options, moves=options.deepen), server, times)
            if not deeper.ended:
                return deeper
            _add_found(report.record, deeper.record)
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


def _audit(what: str, options: AuditOptions, server: ForkServer, times: TimeRecord) -> Report:
    """Examine an environment in the sandbox, judge its table here, and replay there what that has shown."""
    judgement, replayed = None, list[Found | bool]()
    with server.start(JobRequest(what, options)) as job:
        examined = job.wait().examined
        if examined is not None and examined.table is not None:
            judgement = Judgement(what, examined.table, options.seed)
            replayed = job.replay(judgement.suspects)
    times["cpu"], times["memory"] = times["cpu"] + job.used, max(times["memory"], job.peak)
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
    if report.ended or report.record["error"] is not None or found is None:
        return False
    return found.value is None and not found.case.whole


def _add_found(record: AuditRecord, deeper: AuditRecord) -> None:
    """Add what was found before the process of a deeper audit ended."""
    codes = {each["code"] for each in deeper["findings"]}
    kept = [each for each in record["findings"] if each["code"] not in codes]
    record["findings"] = deeper["findings"] + kept
    record["dropped"], record["error"] = deeper["dropped"], deeper["error"]


def _locate_end(record: AuditRecord, job: SandboxJob, server: ForkServer) -> None:
    """Find out where a process ended: once more, reporting each move, and then the witness alone."""
    what, options = job.request.what, job.options
    if job.ended not in ENDED:
        record["error"] = RAN_OUT["time"]
        record["positions"], record["moves"] = job.visited
        return
    careful = server.run(JobRequest(what, options, careful=True))
    record["positions"], record["moves"] = careful.visited
    why = careful.ended if careful.ended in ENDED else job.ended
    seed, witness = careful.at or (options.seed, ())
    alone = JobRequest(what, replace(options, seed=seed), steps=witness)
    if not any(server.run(alone).ended in ENDED for _ in range(TRIES)):
        record["error"] = f"{ENDED[why]}, but not when the same moves were played again"
        record["dropped"].append(why)
        return
    found = Found(why, "problem", f"Before the first move, {ENDED[why]}.", seed, witness).record()
    if witness:
        last = found["witness"][-1]
        found["text"] = f"After {len(witness) - 1} moves, the move {last}: {ENDED[why]}."
    record["findings"].append(found)
