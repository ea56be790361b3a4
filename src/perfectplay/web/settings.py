"""What can be set about a server, in one place for the command line, its processes and the tests."""

import json
from dataclasses import asdict, dataclass
from typing import Self

DAY = 86_400.0

LONGEST_MESSAGE = 4096
"""Bytes of a message or request."""
LONGEST_MOVES = 65_536
"""Bytes of a request that carries the moves of a whole game."""
LONGEST_NAME = 40
LONGEST_TEXT = 100
LONGEST_SPEC = 64
MOST_MISSED = 100
"""Events that are sent one by one to who comes back; after more, the table is sent instead."""


@dataclass(frozen=True)
class Settings:
    """Limits and times of a server; docs/serving.md tells what each is for."""

    database: str = ""
    behind_proxy: bool = False
    allowed_hosts: tuple[str, ...] = ()
    """What this server is called, besides its addresses and the names of this machine alone."""
    most_tables: int = 10_000
    """Open and running tables. Ten times as many may be kept in all."""
    tables_per_minute: int = 30
    """Tables that one client address may make."""
    tables_per_day: int = 500
    """The same over a whole day, so that no address can make all there may be."""
    requests_per_second: int = 100
    """Requests and new sockets of one client address, twice as many at once."""
    events_per_second: int = 20
    """Events of one seat, twice as many at once."""
    studies_per_minute: int = 120
    """Positions that one client address may study."""
    custom_games_per_minute: int = 10
    """Custom games that one client address may newly study, or play against the computer."""
    sockets_per_table: int = 100
    sockets_per_address: int = 2000
    connections_per_address: int = 2000
    """Connections of one client address, sockets among them; those of a proxy are not limited."""
    away_seconds: float = 60.0
    """How long a player is gone before the other may close the table."""
    open_days: float = 1.0
    """How long a table waits for a second player."""
    idle_days: float = 14.0
    """How long a running game waits for the next move."""
    keep_days: float | None = None
    """How long a finished game is kept; None: as long as there is room for it."""
    think_seconds: float = 20.0
    """How long a computer player may take."""
    study_seconds: float = 5.0
    """How long a study of a custom game may take."""
    forget_seconds: float = 60.0
    """How long a table that nobody looks at stays in memory."""
    sweep_seconds: float = 30.0
    """How often tables are looked through for those that have expired, or wait for a computer player."""

    def dumps(self) -> str:
        """The settings as text, for another process.

        >>> Settings.loads(Settings(most_tables=3).dumps()).most_tables
        3
        """
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> Self:
        """The settings that `dumps` wrote."""
        known = json.loads(text)
        return cls(**{**known, "allowed_hosts": tuple(known["allowed_hosts"])})
