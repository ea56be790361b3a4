"""The delay of the network, which players get back on their clocks up to a limit."""

from dataclasses import dataclass

GIVEN_BACK = 0.5
"""Seconds of measured network delay that a player gets back for each move."""


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
            trip = min(now - self.sent, GIVEN_BACK)
            self.seconds = trip if not self.seconds else (self.seconds + trip) / 2
            self.sent = 0.0
