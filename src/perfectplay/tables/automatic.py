"""What happens at a table by itself: its first events, forced passes, computer players' answers to offers."""

from collections.abc import Iterator
from time import time

from perfectplay.core.outcome import other
from perfectplay.tables.events import Event, Seat
from perfectplay.tables.limits import MOST_EVENTS
from perfectplay.tables.table import Table
from perfectplay.tables.validation import Plies


def is_due(table: Table) -> bool:
    """Whether a computer player is to move."""
    turn = table.turn
    return turn is not None and table.players[turn] is not None and table.next <= MOST_EVENTS


def next_automatic(table: Table) -> Event | None:
    """The event that follows at once: a forced pass, or a computer player's answer to an offer."""
    if table.next > MOST_EVENTS:
        return None
    if table.must_pass:
        assert table.match is not None
        return Event(table.next, time(), table.turn, "move", table.match.legal()[0])
    for what, seat in table.offers.items():
        if table.players[other(seat)] is not None:
            return Event(table.next, time(), other(seat), "accept", what)
    return None


def first_events(table: Table, seat: Seat, name: str, guest: str | None, plies: Plies) -> Iterator[Event]:
    """Begin a new table, and yield each event once it has happened.

    A player sits down at `seat`, and at the other one a `guest`, if there is one already; then `plies` are
    played, and whatever follows by itself.
    """
    yield table.add(Event(1, time(), seat, "sit", name))
    if guest is not None:
        yield table.add(Event(2, time(), other(seat), "sit", guest))
    for kind, text in plies:
        yield table.add(Event(table.next, time(), table.turn, kind, text))
    while (follows := next_automatic(table)) is not None:
        yield table.add(follows)
