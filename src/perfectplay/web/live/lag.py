"""The network delay that players get back on their clocks: how it is measured, and how much of it counts."""

from dataclasses import dataclass, field

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


@dataclass(slots=True, eq=False, kw_only=True)
class LagAllowance:
    """The delay that the player to move gets back.

    >>> table = LagAllowance()
    >>> table.since = 10.0
    >>> table.spent(asked=12.0, lag=0.2)
    1800
    """

    since: float = field(init=False)
    """When the last event happened."""
    given: float = 0.0
    """Seconds of delay that the player to move has got back since the last move."""

    @property
    def allowance(self) -> float:
        """Seconds of delay that the player to move may still get back."""
        return MOST_LAG - self.given

    def note_given(self, given: float, *, waits_on: bool) -> None:
        """Note how much delay was given back; nothing if the table no longer `waits_on` the same player."""
        self.given = given if waits_on else 0.0

    def spent(self, asked: float, lag: float = 0.0) -> int:
        """Milliseconds from the last event to a request, without the time that it took on the network."""
        return milliseconds(asked - self.since - min(lag, self.allowance))


def milliseconds(seconds: float) -> int:
    """Seconds as milliseconds that fit the 31 bits the database has for them.

    >>> milliseconds(1.5), milliseconds(-1.0)
    (1500, 0)
    """
    return min(max(0, round(1000 * seconds)), 2**31 - 1)
