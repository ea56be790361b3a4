"""What is new at a table that is followed from here, as `RemoteTable.hear` returns it."""

from typing import Any, NamedTuple

from perfectplay.tables.events import Event, Seat


class Happened(NamedTuple):
    """An event at the table."""

    event: Event
    requested: bool
    """Whether it is what was requested from here."""
    forced: bool
    """Whether it is a pass that the server made because nothing else is legal."""
    before: Any
    """The position before it; None before the first game."""
    begins: bool
    """Whether a game begins with it."""
    ends: bool
    """Whether a game ends with it."""


class Reloaded(NamedTuple):
    """The table was brought up to date without the events one by one."""


class Presence(NamedTuple):
    """The seats whose players have left a running game, and those whose players are back."""

    left: tuple[Seat, ...]
    back: tuple[Seat, ...]


class Refused(NamedTuple):
    """The server refused a request."""

    why: str


class TooLate(NamedTuple):
    """A request was overtaken by something else, and would no longer mean the same."""

    why: str | None


class Lost(NamedTuple):
    """The connection is lost. `reconnect` restores it."""


TableNews = Happened | Reloaded | Presence | Refused | TooLate | Lost
