"""The network delay that players get back on their clocks: how it is measured, and how much of it counts."""

from dataclasses import dataclass

from perfectplay.web.limits import MOST_LAG


@dataclass(slots=True, eq=False, kw_only=True)
class LagMeter:
    """Measures the delay of a client, which sends every mark back at once.

    >>> meter = LagMeter()
    >>> mark = meter.next_mark(now=10.0)
    >>> meter.note_echo(mark, now=10.25)
    >>> meter.lag
    0.25
    """

    lag: float = 0.0
    """Seconds that a message takes to the client and back, smoothed; 0 if it was never measured."""
    mark: int = 0
    """The number of the last mark."""
    marked: float = 0.0
    """When it was sent; 0 once it has come back."""

    def next_mark(self, now: float) -> int:
        """The mark that is sent now."""
        self.mark += 1
        self.marked = now
        return self.mark

    def note_echo(self, mark: object, now: float) -> None:
        """The client has sent a mark back; each counts once."""
        if mark == self.mark and self.marked:
            trip = min(now - self.marked, MOST_LAG)
            self.lag = trip if not self.lag else (self.lag + trip) / 2
            self.marked = 0.0
