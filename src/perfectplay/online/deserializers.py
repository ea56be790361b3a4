"""Tables and events from the JSON data of a server, which is not trusted to be what `schemas` describes."""

from typing import Any, NamedTuple

from perfectplay.core.errors import PerfectplayError
from perfectplay.online.client import Server
from perfectplay.tables.events import Event, Seat
from perfectplay.tables.table import Table
from perfectplay.tables.time_control import TimeControl
from perfectplay.tables.validation import bounded_game


class SeenTable(NamedTuple):
    """A table as a client sees it: its own seat, the players present, and the table."""

    seat: Seat | None
    present: list[bool]
    table: Table
    """The table before its first event."""
    next: int
    """The number of its next event."""


def read_table(server: Server, table_id: str, data: Any) -> SeenTable:
    """A table that a server describes. Raises PerfectplayError for a game that is not known here."""
    try:
        seat, (one, two), players = data["seat"], data["present"], data["players"]
        table = Table(
            table_id,
            bounded_game(str(data["game"])),
            players=(players[0], players[1]),
            control=_read_clock(data.get("clock")),
        )
        following = data["next"]
    except PerfectplayError:
        raise
    except (KeyError, IndexError, TypeError, ValueError):
        raise server.unexpected_answer() from None
    if seat not in (0, 1, None) or not isinstance(following, int):
        raise server.unexpected_answer()
    return SeenTable(seat, [bool(one), bool(two)], table, following)


def read_event(server: Server, data: Any) -> Event:
    """An event that a server reports."""
    try:
        number, seat, kind, text = (data[name] for name in ("number", "seat", "kind", "text"))
        event = Event(number, 0.0, seat, kind, text, ms=data.get("ms", 0))
    except (KeyError, TypeError):
        raise server.unexpected_answer() from None
    if event.seat not in (0, 1, None) or not isinstance(event.number, int):
        raise server.unexpected_answer()
    if not isinstance(event.text, str) or not isinstance(event.kind, str):
        raise server.unexpected_answer()
    if not isinstance(event.ms, int):
        raise server.unexpected_answer()
    return event


def _read_clock(data: Any) -> TimeControl | None:
    if data is None:
        return None
    if data["per"] not in ("move", "game"):
        raise ValueError
    return TimeControl(data["per"], int(data["seconds"]), int(data["increment"]))
