"""What comes out of the sandbox, checked for its size and shape.

A message is a line of JSON: a tag, and what belongs to it. Hostile code shares the process that sends it.
"""

import json
from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from perfectplay.core.errors import PerfectplayError
from perfectplay.foreign.findings import CODES, ORDER
from perfectplay.foreign.protocol import plain
from perfectplay.foreign.transitions import TransitionTable

SMALLEST_LIMIT, BYTES_PER_MOVE = 16 << 20, 64
"""How long a message may be: pictures and findings of any game, and the moves that may be tried."""
BYTES_PER_PART = 40
"""How many bytes there must be for each list and object: `[]` takes far more memory than it is long."""
LONGEST_TEXT, LONGEST_WITNESS, DEEPEST_MOVE, MOST_NOTICED = 5_000, 20_000, 8, 100
STEP_TEXTS = ("said", "error", "unknown", "mover", "picture")
"""The parts of a step that are text, if they are there."""


class UnfinishedError(PerfectplayError):
    """A job that failed through no fault of the environment."""


class GarbledError(UnfinishedError):
    """A message that our own code does not send: foreign code has written to our socket."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the answer is garbled ({what})")


class Examined(NamedTuple):
    """The result of an examination."""

    findings: list[dict[str, Any]]
    dropped: list[str]
    """The codes of findings whose witnesses did not replay."""
    table: TransitionTable | None
    cut_short: str
    """What ran out before everything was tried: time or memory; empty if nothing did."""


def longest(moves: int) -> int:
    """How many bytes a message may have if so many moves may be tried."""
    return SMALLEST_LIMIT + BYTES_PER_MOVE * moves


def opened(line: bytes, most: int) -> tuple[str, Any]:
    """The tag of a message of at most so many bytes, and what belongs to it.

    >>> opened(b'["beat", [1, 2]]', longest(100))
    ('beat', [1, 2])
    >>> opened(b'{"beat": 0}', longest(100))
    Traceback (most recent call last):
    perfectplay.foreign.sandbox.messages.GarbledError: the answer is garbled (no tag)
    """
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


def _is(kind: type | tuple[type, ...], data: Any) -> Any:
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is int):
        raise GarbledError("a part has another type")
    return data


def text(data: Any, most: int = LONGEST_TEXT) -> str:
    """Text that can be shown on a terminal."""
    return plain(str(_is(str, data))[:most])


def counts(data: Any) -> tuple[int, int]:
    """How many positions and moves were visited so far."""
    if len(_is(list, data)) != 2 or any(_is(int, each) < 0 for each in data):
        raise GarbledError("no counts")
    return data[0], data[1]


def moves(data: Any) -> list[Any]:
    """The moves of a witness.

    >>> moves([0, [1, "a"]])
    [0, [1, 'a']]
    """
    if len(_is(list, data)) > LONGEST_WITNESS:
        raise GarbledError("a witness is too long")
    return [move(each) for each in data]


def place(seed: Any, data: Any) -> tuple[int, tuple[Any, ...]]:
    """A point in a game: its seed, and the moves that lead there."""
    return _is(int, seed), tuple(moves(data))


def move(data: Any, deepest: int = DEEPEST_MOVE) -> Any:
    """A move: a number, text, or a list of these."""
    if isinstance(data, list) and deepest:
        return [move(each, deepest - 1) for each in data]
    if isinstance(_is((int, float, str), data), float) and not isfinite(data):
        raise GarbledError("a move is not a number")
    return data[:LONGEST_TEXT] if isinstance(data, str) else data


def finding(data: Any) -> dict[str, Any]:
    """A finding."""
    code = CODES.get(_is(str, _part(data, "code")))
    severity, beside = _part(data, "severity"), _part(data, "beside")
    if code is None or severity not in ORDER:
        raise GarbledError("no such finding")
    return {
        "code": code.name,
        "severity": severity,
        "text": text(_part(data, "text"), 2_000),
        "seed": _is(int, _part(data, "seed")),
        "witness": moves(_part(data, "witness")),
        "beside": None if beside is None else moves(beside),
    }


def _part(data: Any, name: str) -> Any:
    try:
        return _is(dict, data)[name]
    except KeyError as error:
        raise GarbledError(f"no {name}") from error


def examined(data: Any, limit: int) -> Examined:
    """The result of an examination in which so many moves could be tried."""
    found, dropped, table = (_part(data, name) for name in ("findings", "dropped", "table"))
    if max(len(_is(list, found)), len(_is(list, dropped))) > len(CODES):
        raise GarbledError("too many findings")
    return Examined(
        [finding(each) for each in found],
        [text(each, 100) for each in dropped],
        None if table is None else _table(table, limit),
        text(_part(data, "cut_short"), 100),
    )


def _table(data: Any, limit: int) -> TransitionTable:
    for each in _is(list, _part(data, "names")):
        move(each)
    try:
        table = TransitionTable.from_dict(data)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise GarbledError("no table") from error
    if table.visited and table.offsets[-2] >= limit:
        raise GarbledError("more moves than were asked for")
    if len(table.sides) > len(table.targets) + 1:  # each but the start was reached by a move
        raise GarbledError("more positions than moves")
    return table


def replayed(data: Any) -> list[Any]:
    """For each witness that was to be replayed: a finding, or whether it holds."""
    return [finding(each) if isinstance(each, dict) else each is True for each in _is(list, data)]


def steps(data: Any) -> list[dict[str, Any]]:
    """What happens move by move.

    >>> steps([{"move": None, "said": "", "legal": [0, 1], "violations": []}])
    [{'move': None, 'said': '', 'violations': [], 'legal': [0, 1]}]
    """
    return [_step(each) for each in _is(list, data)]


def _step(data: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {"move": None, "said": "", "violations": []}
    for name, value in _is(dict, data).items():
        if name in STEP_TEXTS:
            shown[name] = None if value is None else text(value)
        elif name == "move":
            shown[name] = None if value is None else move(value)
        elif name == "legal":
            shown[name] = text(value) if isinstance(value, str) else [move(each) for each in _is(list, value)]
        elif name == "violations":
            shown[name] = [text(each) for each in _is(list, value)[:MOST_NOTICED]]
    return shown


def times(data: Any) -> dict[str, float]:
    """Numbers by name, as the benchmarks ask for them."""
    return {text(name): _is((int, float), value) for name, value in _is(dict, data).items()}


ANSWERS: dict[str, Callable[[Any], Any]] = {"steps": steps, "compare": times}
"""How the answers to other jobs than an examination are checked."""
