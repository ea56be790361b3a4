"""Tables and events from the JSON data of a server, which is not trusted to be what `schemas` describes."""

from typing import Any, cast

from perfectplay.online.client import Server
from perfectplay.tables.events import Event, EventKind, Seat
from perfectplay.tables.table import Table
from perfectplay.tables.time_control import TimeControl
from perfectplay.tables.validation import load_small_game


def read_table(server: Server, table_id: str, data: Any) -> tuple[Seat | None, list[bool], Table, int]:
    """The client's own seat, the players present, a table before its first event, and its next event.

    Raises PerfectplayError for a game that is not known here.
    """
    match data:
        case {
            "seat": (0 | 1 | None) as seat,
            "present": [one, two],
            "players": [(str() | None) as first, (str() | None) as second],
            "game": str(spec),
            "clock": clock,
            "next": int(following),
        }:
            control = _read_clock(server, clock)
            table = Table(table_id, load_small_game(spec), players=(first, second), control=control)
            return seat, [bool(one), bool(two)], table, following
    raise server.unexpected_answer()


def read_event(server: Server, data: Any) -> Event:
    """An event that a server reports."""
    match data:
        case {
            "number": int(number),
            "seat": (0 | 1 | None) as seat,
            "kind": str(kind),
            "text": str(text),
            "ms": int(ms),
        }:
            # Its kind is checked by the table, like everything else about it.
            return Event(number, 0.0, seat, cast("EventKind", kind), text, ms=ms)
    raise server.unexpected_answer()


def _read_clock(server: Server, data: Any) -> TimeControl | None:
    match data:
        case None:
            return None
        case {"per": ("move" | "game") as per, "seconds": int(seconds), "increment": int(increment)}:
            return TimeControl(per, seconds, increment)
    raise server.unexpected_answer()
