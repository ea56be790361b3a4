"""What happens at a table by itself: forced passes, and the answers of computer players to offers."""

from time import time

from perfectplay.core.outcome import other
from perfectplay.web.events import Event
from perfectplay.web.limits import MOST_EVENTS
from perfectplay.web.table import Table


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
