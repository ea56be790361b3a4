"""The record of an audit, as it is written to JSON, and the findings in it."""

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple, NotRequired, TypedDict, get_args

from perfectplay.audit.findings import SEVERITIES, Severity
from perfectplay_foreign.adapter import JsonMove, Moves
from perfectplay_foreign.measures import MeasureRecord

Chance = Literal["", "start", "moves"]
"""What random numbers decide: nothing, the start, or moves as well, so that there is no table."""
CHANCES: tuple[Chance, ...] = get_args(Chance)


class FindingRecord(TypedDict):
    """A finding: its witness is a seed and moves."""

    code: str
    severity: Severity
    text: str
    seed: int
    witness: list[JsonMove]
    beside: list[JsonMove] | None
    """The moves to a second position, where a finding is about two."""
    known: NotRequired[bool]
    """Whether it is in the baseline."""


class ValueRecord(TypedDict):
    """What perfect play leads to, for the side that moves first."""

    kind: str
    plies: int | None


class StartRecord(TypedDict):
    """What one start of an environment is worth."""

    seed: int
    value: ValueRecord | None
    positions: int
    whole: bool
    measures: MeasureRecord | None


class TimeRecord(TypedDict):
    """What an audit took, which differs in every run."""

    env: str
    seconds: float
    """On the clock."""
    cpu: float
    """Seconds of a processor in the sandbox."""
    memory: int
    """The most bytes that the environment held beyond what the imports took."""


class AuditRecord(TypedDict):
    """The audit of one environment."""

    env: str
    findings: list[FindingRecord]
    value: ValueRecord | None
    """With several starts: what all of them have in common."""
    measures: MeasureRecord | None
    """Of the first start."""
    starts: list[StartRecord]
    """Every start that was judged, if the environment has several."""
    positions: int
    moves: int
    whole: bool
    """With several starts: whether every position of each that was judged was visited."""
    chance: Chance
    blocked: bool
    """Whether errors of the environment kept the rest from being visited."""
    tried: bool
    """Whether moves were not listed but tried."""
    layers: list[str]
    """The layers of the sandbox that were active."""
    dropped: list[str]
    """The codes of findings whose witnesses did not replay."""
    error: str | None
    """Why the audit could not be finished."""
    limits: NotRequired[dict[str, object]]
    protocol: NotRequired[dict[str, object]]
    """Whose turn it is, who sees the rewards, and over how many starts an environment is judged."""


class StepRecord(TypedDict, total=False):
    """One step of a witness, as it is shown to people."""

    move: JsonMove | None
    said: str
    error: str
    unknown: str
    """Why something cannot be a move here."""
    legal: Sequence[JsonMove] | str
    """The legal moves, or the error that listing them raises."""
    mover: str | None
    picture: str
    violations: list[str]


class Found(NamedTuple):
    """A finding about an environment; its witness has replayed."""

    code: str
    severity: Severity
    text: str
    seed: int = 0
    witness: Moves = ()
    beside: Moves | None = None

    def weaken(self) -> "Found":
        """The same as a note: what it says never happens was not seen, but not everything was visited."""
        if self.severity == "note":
            return self
        return self._replace(severity="note", text=f"{self.text} Nothing is proved beyond what was visited.")

    def record(self) -> FindingRecord:
        """The finding as it comes back from JSON."""
        found: FindingRecord = json.loads(json.dumps(self._asdict()))
        return found


def rank(finding: Found) -> int:
    """Where a finding is listed: the worst come first."""
    return SEVERITIES.index(finding.severity)


def empty_record(what: str, error: str | None = None) -> AuditRecord:
    """A record that holds only a name and, perhaps, why there is no more."""
    return {
        "env": what,
        "findings": [],
        "value": None,
        "measures": None,
        "starts": [],
        "positions": 0,
        "moves": 0,
        "whole": False,
        "chance": "",
        "blocked": False,
        "tried": False,
        "layers": [],
        "dropped": [],
        "error": error,
    }
