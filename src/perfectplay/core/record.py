"""The text format of a played game, used for save files, golden files and logs.

    perfectplay record 1
    game: bit-flip
    p1: human
    p2: random
    seed: 7

    1. Player 1: 4 -> 0000100000 2
    2. Player 2: 1 -> 0100100000 1
    Player 1: resign
    result: Player 2 wins: resignation

docs/records.md explains every line. Later versions of this package read what this one writes.
A file holds one or more records, one after another; a series has several. The position after the
arrow and the events in braces are what the rules gave, and a replay checks them. Every record ends
with its result, so a truncated record can be detected.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from perfectplay.core.errors import RecordError
from perfectplay.core.formatting import quote
from perfectplay.core.limits import LONGEST_POSITION

OPENING = "perfectplay record 1"
IN_PROGRESS = "in progress"
ENTRIES = ("resign", "abandon", "time", "claim", "assisted")
"""Words for entries that are not plies."""
RESERVED = ("forfeit", *ENTRIES)
"""Words in a record for entries that are not moves; no game may use them as a move's text."""


class RecordLine(NamedTuple):
    """One line of a record: a ply with its number, or another entry without one."""

    ply: int | None
    side: str
    text: str
    position: str | None = None
    events: tuple[str, ...] = ()
    line: int = 0
    """The line number in the file the record was read from."""

    def __str__(self) -> str:
        number = "" if self.ply is None else f"{self.ply}. "
        shown = self.position is not None and len(self.position) <= LONGEST_POSITION
        position = f" -> {self.position}" if shown else ""
        events = f" {{{', '.join(self.events)}}}" if self.events else ""
        return f"{number}{self.side}: {self.text}{position}{events}"

    def compare(self, played: "RecordLine") -> None:
        """Raise RecordError if the position or the events differ from what the rules give."""
        if self.position is not None and self.position != played.position:
            raise RecordError(
                self.line,
                f"the position is given as {quote(self.position, 100)},"
                f" the rules give {quote(played.position or '', 100)}",
            )
        if self.events != played.events:
            given, found = (quote(", ".join(events) or "none") for events in (self.events, played.events))
            raise RecordError(self.line, f"the events are given as {given}, the rules give {found}")


class SeriesPlace(NamedTuple):
    """The place of a game in its series."""

    number: int = 1
    games: int = 1
    swapped: bool = False
    """p1 sits on side 1 and p2 on side 0."""
    alternate: bool = True


@dataclass(frozen=True)
class Record:
    """A played game as plain data. `str(record)` is its text and `read_records` reads it back.

    >>> import perfectplay as pp
    >>> match = pp.Match(pp.load("dual-direction"))
    >>> match.play("left")
    >>> print(match.record())
    perfectplay record 1
    game: dual-direction
    p1: human
    p2: human
    seed: 0
    <BLANKLINE>
    1. Player 1: left -> 5 2
    result: in progress
    """

    spec: str
    players: tuple[str, str] = ("human", "human")
    seed: int = 0
    max_plies: int | None = None
    forgiving: bool = False
    place: SeriesPlace = SeriesPlace()
    moves: tuple[RecordLine, ...] = ()
    result: str | None = None
    lines: tuple[int, int] = (1, 1)
    """The line numbers of the game and the result in the file the record was read from."""
    start: str | None = None
    """The text of the position in which the match began; None if it is the start of the game."""
    start_line: int = 1
    """The line number of the start position in the file."""
    player_lines: tuple[int, int] = (1, 1)
    """The line numbers of p1 and p2 in the file."""

    @property
    def seated(self) -> tuple[str, str]:
        """The specs of the players on side 0 and on side 1."""
        return self.players[::-1] if self.place.swapped else self.players

    def __str__(self) -> str:
        place = self.place
        header = {
            "game": self.spec,
            "p1": self.players[0],
            "p2": self.players[1],
            "seed": self.seed,
            "series": f"game {place.number} of {place.games}" if place != SeriesPlace() else None,
            "seats": "swapped" if place.swapped else None,
            "starts": None if place.alternate else "same",
            "max-plies": self.max_plies,
            "forgiving": "yes" if self.forgiving else None,
            "start": self.start,
        }
        lines = [f"{key}: {value}" for key, value in header.items() if value is not None]
        body = [str(move) for move in self.moves]
        return "\n".join([OPENING, *lines, "", *body, f"result: {self.result or IN_PROGRESS}"])


def read_records(text: str | Iterable[str]) -> tuple[Record, ...]:
    """Read all records in a text or its lines. RecordError names the first invalid line.

    Checks only the format: `Match.replay` checks the moves against the rules of the game.

    >>> import perfectplay as pp
    >>> match = pp.Match(pp.load("bit-flip"))
    >>> match.play("4")
    >>> [record] = read_records(str(match.record()))
    >>> record.spec, record.moves[0].text
    ('bit-flip', '4')
    """
    reader = _Reader(text.split("\n") if isinstance(text, str) else text)
    records = []
    while reader.skip_blank():
        records.append(reader.read_record())
    if not records:
        raise RecordError(1, f"this is not a record: it must start with {quote(OPENING)}")
    return tuple(records)


_NUMBER = r"[0-9]{1,18}"
_HEADER = {
    "game": r".+",
    "p1": r".+",
    "p2": r".+",
    "seed": _NUMBER,
    "series": rf"game {_NUMBER} of {_NUMBER}",
    "seats": r"swapped",
    "starts": r"same",
    "max-plies": _NUMBER,
    "forgiving": r"yes",
    "start": r".+",
}


class _Reader:
    """Reads numbered lines with one line of lookahead."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines: Iterator[str] = iter(lines)
        self.number = 0
        self.advance()

    def advance(self) -> None:
        line = next(self._lines, None)
        self.number += 1
        self.line = None if line is None else line.rstrip("\r\n")

    def skip_blank(self) -> bool:
        while self.line is not None and not self.line.strip():
            self.advance()
        return self.line is not None

    def fail(self, problem: str) -> NoReturn:
        raise RecordError(self.number, problem)

    def read_record(self) -> Record:
        if self.line != OPENING:
            version = re.fullmatch(r"perfectplay record ([0-9]{1,9})", self.line or "")
            if version:
                self.fail(f"format {version[1]} is not supported, only format 1")
            self.fail(f"a record must start with {quote(OPENING)}, not {quote(self.line or '')}")
        self.advance()
        header, lines = self._read_header()
        moves: list[RecordLine] = []
        while self.skip_blank():
            line = self.line or ""
            if line.startswith("result: "):
                break
            moves.append(self._read_move(line))
            self.advance()
        else:
            self.fail("the record is cut off: it must end with a result line")
        result = line.removeprefix("result: ")
        if not result:
            self.fail("the result line is empty")
        ended = self.number
        self.advance()
        number, games = re.findall(_NUMBER, header.get("series", "game 1 of 1"))
        return Record(
            header["game"],
            (header["p1"], header["p2"]),
            int(header["seed"]),
            max_plies=int(header["max-plies"]) if "max-plies" in header else None,
            forgiving="forgiving" in header,
            place=SeriesPlace(int(number), int(games), "seats" in header, "starts" not in header),
            moves=tuple(moves),
            result=None if result == IN_PROGRESS else result,
            lines=(lines["game"], ended),
            start=header.get("start"),
            start_line=lines.get("start", 1),
            player_lines=(lines["p1"], lines["p2"]),
        )

    def _read_header(self) -> tuple[dict[str, str], dict[str, int]]:
        """The values of the header, and the numbers of their lines."""
        header: dict[str, str] = {}
        lines: dict[str, int] = {}
        while self.line:
            key, colon, value = self.line.partition(": ")
            if not colon or key not in _HEADER or key in header:
                self.fail(f"{quote(self.line)} is not a valid header line, or repeats one")
            if not re.fullmatch(_HEADER[key], value) or not value.isprintable() or value != value.strip():
                self.fail(f"{key} cannot be {quote(value)}")
            header[key], lines[key] = value, self.number
            self.advance()
        missing = [key for key in ("game", "p1", "p2", "seed") if key not in header]
        if missing:
            self.fail(f"the header is missing the line {quote(missing[0] + ': ...')}")
        return header, lines

    def _read_move(self, line: str) -> RecordLine:
        parts = re.fullmatch(
            r"(?:([0-9]{1,18})\. )?([^:]+): (.+?)(?: -> (.*?))?(?: \{([^{}]+)\})?", line, re.DOTALL
        )
        if not parts:
            self.fail(f"{quote(line)} is not a move; a move looks like {quote('1. Player 1: left')}")
        ply, side, text, position, events = parts.groups()
        names = tuple(events.split(", ")) if events else ()
        return RecordLine(int(ply) if ply else None, side, text, position, names, self.number)
