"""Tables as the browser keeps them: what they were made with, and their events.

A game that came from a record is kept as the text of that record instead, so that it goes out again
exactly as it came in.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NotRequired, TypedDict

from perfectplay.core.errors import PerfectplayError, RecordError
from perfectplay.core.formatting import quote
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.record import OPENING, Record, read_records
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_player
from perfectplay.tables.events import Event, RefusedError
from perfectplay.tables.table import Table
from perfectplay.tables.validation import computer_name, load_small_game

UNFINISHED = "the record ends here"
"""Why a game from an unfinished record has ended."""


class Stored(TypedDict):
    """A table as the browser keeps it."""

    id: str
    game: str
    seed: int
    players: Sequence[str | None]
    """The specs of computer players; None is a person."""
    events: Sequence[Sequence[Any]]
    """The fields of each event, in order."""
    record: NotRequired[str]
    """The text of the game, if it came from a record; there are no events then."""


def pack_table(table: Table, events: Sequence[Event]) -> Stored:
    """A table in the form in which the browser keeps it."""
    return {
        "id": table.id,
        "game": table.game.spec,
        "seed": table.seed,
        "players": table.players,
        "events": [list(event) for event in events],
    }


def events_of(kept: Stored) -> list[Event]:
    """The events of a table that the browser has kept."""
    return [Event(*fields) for fields in kept["events"]]


def open_table(kept: Stored, number: int | None = None) -> Table:
    """A table after its events, or after those of its game `number`."""
    if "record" in kept:
        if number not in (None, 1):
            raise refuse_missing_game()
        return _of_record(kept["id"], read_records(kept["record"])[0])
    table = Table(
        kept["id"],
        load_small_game(kept["game"]),
        seed=kept["seed"],
        players=(kept["players"][0], kept["players"][1]),
    )
    events = events_of(kept)
    if number is not None:
        # The event that begins the next game belongs to that one.
        events = [event for event in events if event.game <= number]
    table.replay(events)
    if number is not None and (table.games != number or number < 1):
        raise refuse_missing_game()
    return table


def refuse_missing_game() -> RefusedError:
    """The refusal of a game that the browser does not have."""
    return RefusedError("missing", "there is no such game in this browser")


def record_of(kept: Stored, table: Table) -> Record:
    """The last game of an opened table as a record."""
    return read_records(kept["record"])[0] if "record" in kept else table.record()


def from_records(text: str) -> list[Stored]:
    """Each game of a text with records. The same record gets the same id, so that it is kept once.

    Raises PerfectplayError that says which game cannot be opened, and why.
    """
    found = []
    try:
        for record in read_records(text):
            table = _of_record(f"r{sha256(str(record).encode()).hexdigest()[:16]}", record)
            kept = pack_table(table, [])
            kept["record"] = str(record)
            found.append(kept)
    except RecordError as error:
        raise PerfectplayError(_unreadable(text, error)) from error
    return found


def _unreadable(text: str, error: RecordError) -> str:
    """What is wrong with a text of records, for someone who has not written it."""
    begun = [line for line in text.split("\n")[: error.line] if line.startswith("perfectplay record ")]
    if not begun:
        first = f"its first line must be {quote(OPENING)}"
        return f"this is not the record of a game, such as “Download the record” gives: {first}"
    return f"game {len(begun)} of this record cannot be opened. Line {error.line}: {error.problem}"


def _of_record(table_id: str, record: Record) -> Table:
    try:
        game = load_small_game(record.spec)
    except PerfectplayError as error:
        raise RecordError(record.lines[0], str(error)) from error
    seats = [_name(spec) for spec in record.players]
    players = tuple(None if name is None else spec for name, spec in zip(seats, record.players, strict=True))
    table = Table(table_id, game, seed=record.seed, players=(players[0], players[1]), names=seats)
    table.take(Match.replay(record, game), swapped=record.place.swapped)
    if table.status == "running":
        table.closed = UNFINISHED
    return table


def _name(spec: str) -> str | None:
    """The name of the player that a record names by its spec; None for a person."""
    try:
        player = load_player(spec)
    except PerfectplayError:
        return spec  # such as a program, which can be named here but not started
    return computer_name(spec) if isinstance(player, ComputerPlayer) else None


def own_seat(kept: Stored) -> Side:
    """The seat of the person at this screen; the first one if there are two people."""
    return 1 if kept["players"][0] is not None and kept["players"][1] is None else 0
