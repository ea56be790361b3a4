"""The delay of the network: how it is measured, and how much of it a player's clock gets back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from perfectplay.tables.events import CHOSEN, Event
from perfectplay.web.limits import MOST_LAG

if TYPE_CHECKING:
    from perfectplay.web.live.live_table import LiveTable


def milliseconds(seconds: float) -> int:
    """Seconds as milliseconds that fit the 31 bits the database has for them."""
    return min(max(0, round(1000 * seconds)), 2**31 - 1)


@dataclass(slots=True)
class LagMeter:
    """Measures how long a message takes to a client and back."""

    seconds: float = 0.0
    """Smoothed; 0 if it was never measured."""
    mark: int = 0
    """The number of the last mark."""
    sent: float = 0.0
    """When it was sent; 0 once it has come back."""

    def pong(self, now: float) -> bytes:
        """A mark, as the answer to a ping. The client sends it back at once: that shows the delay."""
        self.mark += 1
        self.sent = now
        return b'{"type":"pong","mark":%d}' % self.mark

    def note_echo(self, mark: object, now: float) -> None:
        """The client has sent a mark back; each counts once."""
        if mark == self.mark and self.sent:
            trip = min(now - self.sent, MOST_LAG)
            self.seconds = trip if not self.seconds else (self.seconds + trip) / 2
            self.sent = 0.0


def allowance(live: "LiveTable") -> float:
    """Seconds of network delay that the player to move may still get back."""
    return MOST_LAG - live.given


def measure_elapsed(live: "LiveTable", asked: float, lag: float = 0.0) -> int:
    """Milliseconds from the last event to a request, without the time that it took on the network."""
    return milliseconds(asked - live.since - min(lag, allowance(live)))


def charge(live: "LiveTable", event: Event, asked: float, lag: float) -> int:
    """The milliseconds that the player to move used up to an event."""
    table = live.loaded
    turn = table.turn
    if turn is None or event.kind == "close":
        return 0
    if table.players[turn] is not None:
        return event.ms  # a computer player says itself for how long it thought
    if event.kind == "time":
        return min(measure_elapsed(live, asked), table.left[turn])
    if event.seat == turn and event.kind in CHOSEN:
        return measure_elapsed(live, asked, lag)
    spent, left = measure_elapsed(live, asked), table.left[turn]
    # A move may still be on its way, as with a flag.
    on_its_way = table.control is not None and spent < left + 1000 * allowance(live)
    return min(spent, left - 1) if on_its_way else spent


def until_flag_fall(live: "LiveTable", now: float) -> float | None:
    """Seconds until the time of a person to move has run out for sure; None if no clock runs."""
    table = live.loaded
    turn = table.turn
    if table.control is None or turn is None or table.players[turn] is not None:
        return None
    # A move may still be on its way, and a part of that is given back.
    return table.left[turn] / 1000 + allowance(live) - (now - live.since)
