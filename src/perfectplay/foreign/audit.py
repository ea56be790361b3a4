"""The audit of one environment: examined in the sandbox, judged outside it, and written down as a record."""

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from perfectplay.audit.findings import MEANINGS, Finding
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action
from perfectplay.foreign.adapter import move_to_json
from perfectplay.foreign.findings import CODES, ORDER
from perfectplay.foreign.judge import Judgement, judge
from perfectplay.foreign.sandbox.client import AuditOptions, Server
from perfectplay.foreign.sandbox.job import Answer, MissingLibraryError
from perfectplay.foreign.sandbox.messages import GarbledError, UnfinishedError
from perfectplay.foreign.transitions import TransitionTable

ENDED = {
    "hang": "a call does not return",
    "memory": "a call takes more memory than is allowed",
    "killed": "a call ends the process",
}
RAN_OUT = {"time": "time ran out", "memory": "memory ran out"}


class Report(NamedTuple):
    """The outcome of an audit: the record, and the judgement of its table if there is one."""

    record: dict[str, Any]
    judgement: Judgement | None = None


def meaning(code: str) -> str:
    """What a code means, whoever found it."""
    return CODES[code].meaning if code in CODES else MEANINGS.get(code, "")


class TableJudge:
    """Turns a result into a judgement, and says which witnesses of it are to be replayed."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.judgement: Judgement | None = None
        self.asked: list[dict[str, Any]] = []
        self.kept: list[Finding | None] = []

    def __call__(self, table: TransitionTable | None) -> list[dict[str, Any]]:
        if table is not None:
            self.judgement = judge(self.what, table)
            for finding in self.judgement.audit.findings:
                self.kept.append(finding)
                moves, end = self._moves(finding.witness)
                self.asked.append({"code": None, "moves": moves, "end": end})
            self._same_looks(table)
        return self.asked

    def _moves(self, witness: Iterable[str]) -> tuple[list[Any], int]:
        """The moves of a witness, and where the table says that they lead."""
        assert self.judgement is not None
        game, table = self.judgement.audit.case.game, self.judgement.table
        moves, state = [], 0
        for text in witness:
            action: Action = game.parse_action(state, text)
            moves.append(move_to_json(table.names[action]))
            state = game.apply(state, action)
        return moves, 0 if state < len(table.sides) else table.ends[state - len(table.sides)]

    def _same_looks(self, table: TransitionTable) -> None:
        """Two positions that look the same and differ in value for the side to move."""
        assert self.judgement is not None
        case = self.judgement.audit.case
        first: dict[int, int] = {}
        for number in range(table.visited):
            value = case.value(number)
            if value is None:
                continue
            like = first.setdefault(table.looks[number], number)
            other = case.value(like)
            if other is not None and other.kind != value.kind:
                paths = [
                    [move_to_json(table.names[action]) for action in case.path(each)]
                    for each in (number, like)
                ]
                here, there = (_article(each.kind) for each in (value, other))
                claim = f"it is {here} for the side to move, and there {there}"
                self.kept.append(None)
                self.asked.append(
                    {"code": "observation-hides", "moves": paths[0], "beside": paths[1], "claim": claim}
                )
                return

    def findings(self, replayed: Any, seed: int) -> tuple[list[dict[str, Any]], list[str]]:
        """The findings whose witnesses replayed, and the codes of those that did not."""
        found, dropped = [], []
        for finding, asked, answer in zip(self.kept, self.asked, replayed or (), strict=False):
            if finding is None:
                found += [answer] if isinstance(answer, dict) else []
            elif answer is True:
                moves = asked["moves"]
                found.append({**finding._asdict(), "seed": seed, "witness": moves, "beside": None})
            else:
                dropped.append(finding.code)
        return found, dropped


def _article(kind: str) -> str:
    return kind if kind == "endless" else f"a {kind}"


def audit_environment(what: str, options: AuditOptions, server: Server) -> Report:
    """Audit one environment. Whatever it does, a record comes back.

    Raises ParseError if the name is unknown, and MissingLibraryError if a library is not installed.
    """
    begun = time.monotonic()
    record, known = empty_record(what), None
    try:
        judge = TableJudge(what)
        answer = server.run(what, options, judge)
        record, known = _record(what, options, server, answer, judge), judge.judgement
        if _pays(options, answer, judge):
            assert options.deepen is not None
            deeper, deep = TableJudge(what), replace(options, moves=options.deepen)
            more = server.run(what, deep, deeper)
            found = _record(what, deep, server, more, deeper)
            if not more.ended:
                record, known = found, deeper.judgement
            else:  # what was known before stands
                codes = {each["code"] for each in found["findings"]}
                found["findings"] += [each for each in record["findings"] if each["code"] not in codes]
                record |= {name: found[name] for name in ("findings", "dropped", "error")}
    except MissingLibraryError:
        raise
    except UnfinishedError as error:
        record["error"] = str(error)
    except PerfectplayError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError, AssertionError) as error:
        # A table has the right form, but makes no sense: foreign code has written to our socket.
        record["error"] = str(GarbledError(type(error).__name__))
    record["seconds"] = round(time.monotonic() - begun, 3)
    return Report(record, known)


def _pays(options: AuditOptions, answer: Answer, judge: TableJudge) -> bool:
    found = judge.judgement
    return (
        options.deepen is not None
        and options.deepen > options.moves
        and not answer.ended
        and not answer.done.cut_short  # it would be cut short again
        and found is not None
        and found.value is None
        and not found.audit.case.whole
    )


def empty_record(what: str) -> dict[str, Any]:
    """A record with nothing in it yet but the name."""
    return {
        "env": what,
        "findings": [],
        "value": None,
        "positions": 0,
        "moves": 0,
        "whole": False,
        "blocked": False,
        "tried": False,
        "layers": [],
        "dropped": [],
        "error": None,
    }


def _record(
    what: str, options: AuditOptions, server: Server, answer: Answer, judge: TableJudge
) -> dict[str, Any]:
    record = {**empty_record(what), "layers": list(answer.layers)}
    if answer.ended:
        record |= _interrupted(what, options, server, answer)
    if answer.done is None:
        return record
    found = answer.done.findings
    from_table, dropped = judge.findings(answer.replayed, options.seed)
    known = {each["code"] for each in found}
    found += [each for each in from_table if each["code"] not in known]
    record["findings"] += sorted(found, key=lambda each: ORDER.index(each["severity"]))
    record["dropped"] += [*answer.done.dropped, *dropped]
    if record["error"] is None and answer.done.cut_short:
        record["error"] = RAN_OUT.get(answer.done.cut_short, "something ran out")
    if judge.judgement is not None:
        table = judge.judgement.table
        value = judge.judgement.value
        record["value"] = None if value is None else {"kind": value.kind, "plies": value.plies}
        record["positions"], record["moves"], record["whole"] = (
            len(table.sides),
            len(table.actions),
            table.whole,
        )
        record["blocked"], record["tried"] = table.blocked, table.tried
    return record


def _interrupted(what: str, options: AuditOptions, server: Server, answer: Answer) -> dict[str, Any]:
    """Find out where a process ended: once more, telling each move, and then the witness alone."""
    if answer.ended not in ENDED:
        positions, moves = answer.visited
        return {"error": RAN_OUT["time"], "positions": positions, "moves": moves}
    careful = server.run(what, options, lambda table: [], careful=True)
    positions, moves = careful.visited
    visited = {"positions": positions, "moves": moves}
    why = careful.ended if careful.ended in ENDED else answer.ended
    seed, moves_made = careful.at or (options.seed, ())
    witness = list(moves_made)
    again = server.run(what, options, seed=seed, steps=witness)
    if again.ended not in ENDED:
        error = f"{ENDED[why]}, but not when the same moves were played again"
        return {"error": error, "dropped": [why], **visited}
    count = len(witness)
    where = f"After {count - 1} moves, the move {witness[-1]}" if count else "Before the first move"
    text = f"{where}: {ENDED[why]}." if count else f"{where}, {ENDED[why]}."
    finding = {"code": why, "severity": "problem", "text": text, "seed": seed, "witness": witness}
    return {"findings": [{**finding, "beside": None}], **visited}
