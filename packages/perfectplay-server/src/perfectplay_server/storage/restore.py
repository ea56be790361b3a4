"""Reading a table from the database and replaying its events. All of this blocks: call it by `Store.read`."""

import logging

from perfectplay.core.errors import PerfectplayError
from perfectplay.tables.events import Event, RefusedError
from perfectplay.tables.limits import MOST_MISSED
from perfectplay.tables.serializers import News, event_news
from perfectplay.tables.table import Table
from perfectplay.tables.time_control import read_control
from perfectplay.tables.validation import load_small_game
from perfectplay_server.storage.database import MissingError
from perfectplay_server.storage.store import Store, StoredTable

logger = logging.getLogger("perfectplay_server")


def replay(store: Store, table_id: str, told: int | None = None) -> tuple[Table, StoredTable, list[News]]:
    """Replay a table, with messages for its newest events, and for all after number `told`."""
    table, stored = _read(store, table_id)
    known = len(stored.events) - MOST_MISSED
    if told is not None:
        known = min(told, known)
    news = []
    try:
        for event in stored.events:
            happened = table.add(event)
            if event.number > known:
                news.append(event_news(table, happened))
    except RefusedError as error:
        logger.error("table %s cannot be replayed: event %d: %s", table_id, event.number, error)
        raise MissingError from error
    return table, stored, news


def old_game(store: Store, table: Table, number: int) -> Table:
    """A table as it was at the end of an earlier game."""
    found = store.events(table.id, game=number)
    if not found:
        raise MissingError
    old = Table(table.id, table.game, table.seed, table.players, table.control, table.away_limit)
    old.names = list(table.names)
    old.begin(number)
    old.next = found[0].number + 1  # the event that began the game has just done so
    return old.replay(found[1:])


def find_repeat(store: Store, table_id: str, wanted: Event, next_number: int) -> Event:
    """The event that the same seat has made under the same number, if it is the one that is wanted."""
    number = wanted.number
    late = RefusedError("number", f"event {number} has happened; the next one is {next_number}")
    found = store.events(table_id, after=number - 1, most=1)
    if number < 1 or not found or found[0].seat != wanted.seat:
        raise late
    event = found[0]
    if wanted.kind == "close" and event.kind == "close":
        return event
    if (wanted.kind, wanted.text) != (event.kind, event.text):
        # A move can be written in several ways: replay the table to see whether it is the same one.
        table, stored = _read(store, table_id)
        try:
            again = table.replay(stored.events[: number - 1]).add(wanted)
        except RefusedError:
            raise late from None
        if again.kind != event.kind or (again.kind != "forfeit" and again.text != event.text):
            raise late
    return event


def _read(store: Store, table_id: str) -> tuple[Table, StoredTable]:
    """A table before its first event, and how it is stored."""
    stored = store.load(table_id)
    if stored is None:
        raise MissingError
    row = stored.row
    try:
        game, control = load_small_game(row["game"]), read_control(row["clock"])
    except PerfectplayError as error:
        logger.error("table %s cannot be replayed: %s", table_id, error)
        raise MissingError from error
    players = (row["player0"], row["player1"])
    return Table(table_id, game, row["seed"], players, control, row["away_limit"]), stored
