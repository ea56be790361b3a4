"""What comes out of the sandbox, checked for its size and form.

A message is a line of JSON: a tag, and what belongs to it. Hostile code shares the process that sends it.
"""

import json
from math import isfinite
from typing import NamedTuple, NoReturn

from perfectplay.core.errors import PerfectplayError
from perfectplay_foreign.adapter import Move, Moves
from perfectplay_foreign.findings import CODES
from perfectplay_foreign.limits import (
    BYTES_PER_MOVE,
    BYTES_PER_PART,
    DEEPEST_MOVE,
    LONGEST_TEXT,
    LONGEST_WITNESS,
    MOST_NOTICED,
    SMALLEST_MESSAGE,
)
from perfectplay_foreign.protocol import plain
from perfectplay_foreign.records import Found, StepRecord
from perfectplay_foreign.transitions import TransitionTable


class UnfinishedError(PerfectplayError):
    """A job that failed through no fault of the environment."""


class GarbledError(UnfinishedError):
    """A message that our own code does not send: foreign code has written to our socket."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the answer is garbled ({what})")


class Examined(NamedTuple):
    """The result of an examination."""

    findings: list[Found]
    dropped: list[str]
    """The codes of findings whose witnesses did not replay."""
    table: TransitionTable | None
    cut_short: str
    """What ran out before everything was tried: time or memory; empty if nothing did."""
    unlisted: bool
    """Whether illegal moves could not be tried, because nothing lists all moves."""


def longest(moves: int) -> int:
    """How many bytes a message may have if at most `moves` moves may be tried."""
    return SMALLEST_MESSAGE + BYTES_PER_MOVE * moves


def parse(line: bytes, most: int) -> tuple[str, object]:
    """The tag of a message of at most `most` bytes, and its content."""
    if len(line) > most or line.count(b"[") + line.count(b"{") > most // BYTES_PER_PART:
        raise GarbledError("too long")
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_no_number)
        if rb"\ud" in line.lower():  # perhaps half a character, which cannot be written down
            message = json.loads(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise GarbledError(type(error).__name__) from error
    if not isinstance(message, list) or len(message) != 2 or not isinstance(message[0], str):
        raise GarbledError("no tag")
    return message[0], message[1]


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def read_text(data: object, most: int = LONGEST_TEXT) -> str:
    """Text that can be shown on a terminal."""
    if not isinstance(data, str):
        raise GarbledError("no text")
    return plain(data[:most])


def read_moves(data: object) -> Moves:
    """The moves of a witness."""
    if not isinstance(data, list) or len(data) > LONGEST_WITNESS:
        raise GarbledError("a witness is too long or missing")
    return tuple(map(_read_move, data))


def _read_move(data: object, deepest: int = DEEPEST_MOVE) -> Move:
    if isinstance(data, list) and deepest:
        return tuple(_read_move(each, deepest - 1) for each in data)
    if isinstance(data, str):
        return data[:LONGEST_TEXT]
    if not isinstance(data, (int, float)) or not isfinite(data):
        raise GarbledError("a move is not a number")
    return data


def read_finding(data: object) -> Found:
    """A finding."""
    match data:
        case {
            "code": str(code),
            "severity": ("problem" | "warning" | "note") as severity,
            "text": str(text),
            "seed": int(seed),
            "witness": moves,
            "beside": beside,
        } if code in CODES:
            other = None if beside is None else read_moves(beside)
            return Found(code, severity, read_text(text, 2_000), seed, read_moves(moves), other)
    raise GarbledError("no such finding")


def read_examined(data: object, limit: int) -> Examined:
    """The result of an examination in which at most `limit` moves could be tried."""
    match data:
        case {
            "findings": list(found),
            "dropped": list(dropped),
            "table": table,
            "cut_short": str(cut_short),
            "unlisted": bool(unlisted),
        } if max(len(found), len(dropped)) <= len(CODES):
            return Examined(
                [read_finding(each) for each in found],
                [read_text(each, 100) for each in dropped],
                None if table is None else _read_table(table, limit),
                read_text(cut_short, 100),
                unlisted,
            )
    raise GarbledError("no result")


def _read_table(data: object, limit: int) -> TransitionTable:
    try:
        if not isinstance(data, dict):
            raise TypeError
        for each in data["names"]:
            _read_move(each)
        table = TransitionTable.from_dict(data)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise GarbledError("no table") from error
    if table.visited and table.offsets[-2] >= limit:
        raise GarbledError("more moves than were asked for")
    if len(table.sides) > len(table.targets) + 1:  # each but the start was reached by a move
        raise GarbledError("more positions than moves")
    return table


def read_replayed(data: object) -> list[Found | bool]:
    """For each witness that was to be replayed: a finding, or whether it holds."""
    if not isinstance(data, list):
        raise GarbledError("no list")
    return [read_finding(each) if isinstance(each, dict) else each is True for each in data]


def read_steps(data: object) -> list[StepRecord]:
    """What happens move by move."""
    if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
        raise GarbledError("no steps")
    return [_read_step(each) for each in data]


def _read_step(data: dict[str, object]) -> StepRecord:
    noticed, move, legal = data.get("violations", []), data.get("move"), data.get("legal")
    if not isinstance(noticed, list) or not isinstance(legal, list | str | None):
        raise GarbledError("no step")
    step: StepRecord = {
        "move": None if move is None else _read_move(move),
        "said": read_text(data.get("said", "")),
        "violations": [read_text(each) for each in noticed[:MOST_NOTICED]],
    }
    if legal is not None:
        step["legal"] = read_text(legal) if isinstance(legal, str) else [*map(_read_move, legal)]
    for name in ("mover", "picture", "error", "unknown"):
        if data.get(name) is not None:
            step[name] = read_text(data[name])
    return step
