"""All settings of a server: the options of `perfectplay serve`, and numbers that only tests change."""

import json
from collections.abc import Iterator
from dataclasses import Field, asdict, dataclass, field, fields
from typing import Any, Self

DAY = 86_400.0


def _option(default: Any, text: str, least: int | None = None, **more: str) -> Any:
    """A setting with an option of the same name; `text` is its help, `least` its lower bound."""
    return field(default=default, metadata={"help": text, "least": least, **more})


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a server. Those with a help text are options of `perfectplay serve`."""

    database: str = ""
    behind_proxy: bool = _option(
        False, "Trust X-Forwarded-Proto and X-Forwarded-For, which a proxy in front of the server sets."
    )
    allowed_hosts: tuple[str, ...] = _option(
        (),
        "An additional host name of the server, such as games.example; may be repeated.",
        option="--allowed-host",
        metavar="NAME",
    )
    most_tables: int = _option(
        10_000, "Tables that may be open or running. Ten times as many are kept in all.", 1
    )
    tables_per_minute: int = _option(
        30, "New tables per minute from one address. It may try to take twice as many seats.", 1
    )
    tables_per_day: int = _option(500, "New tables per day from one address.", 1)
    custom_games_per_minute: int = _option(
        10, "New custom games per minute that one address may study, or play against the computer.", 1
    )
    requests_per_second: int = _option(
        100,
        "Requests and new sockets per second from one address; twice as many at once."
        " For the files of the pages: twice as many per second, twenty times as many at once.",
        1,
    )
    events_per_second: int = _option(
        20, "Moves, offers and answers per second from one seat; twice as many at once.", 1
    )
    sockets_per_table: int = _option(100, "Sockets of spectators at one table. Each seat has 10 more.", 1)
    sockets_per_address: int = _option(2000, "Open sockets of one address.", 1)
    connections_per_address: int = _option(
        2000, "Open connections of one address, including sockets. Those of a proxy are not limited.", 1
    )
    away_seconds: float = _option(
        300.0,
        "Seconds that a player may be away, or silent on their turn, before the other may claim the game:"
        " at tables without a clock, and unless the table has its own limit.",
        0,
    )
    open_days: float = _option(1.0, "Days that a table waits for a second player.", 0)
    idle_days: float = _option(
        14.0, "Days that a running game waits for a move; then it is closed as unfinished.", 0
    )
    keep_days: float | None = _option(
        None, "Days to keep a finished game; by default, as long as there is room.", 0
    )
    waiting_per_address: int = 5
    """Public tables of one client address that may wait for an opponent."""
    studies_per_minute: int = 120
    """Positions that one client address may study."""
    pictures_per_minute: int = 60
    """Pictures of positions that are drawn for one client address."""
    think_seconds: float = 20.0
    """How long a computer player may take."""
    study_seconds: float = 5.0
    """How long a study of a custom game may take."""
    forget_seconds: float = 60.0
    """How long a table that nobody looks at stays in memory."""
    sweep_seconds: float = 30.0
    """How often maintenance looks for tables that have expired, or wait for a computer player."""

    def dumps(self) -> str:
        """The settings as text, for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> Self:
        """The settings that `dumps` wrote."""
        known = json.loads(text)
        return cls(**{**known, "allowed_hosts": tuple(known["allowed_hosts"])})


def options() -> Iterator[tuple[str, Field[Any]]]:
    """The options of `perfectplay serve` that are settings, in the order of its help: the name of each, and
    the setting, whose metadata has its help, and the lower bound of a number.
    """
    for each in fields(ServerSettings):
        if each.metadata:
            yield each.metadata.get("option", f"--{each.name.replace('_', '-')}"), each
