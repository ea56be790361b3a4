"""The database: tables and their events. An event has happened if and only if it is written here.

It writes by the thread of `writer`; a few others read.
"""

import asyncio
import math
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, NamedTuple, ParamSpec, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError

from perfectplay.tables.events import Event
from perfectplay_server.limits import TABLES_PER_ROUND
from perfectplay_server.storage.database import connect, first_line, make_engine, parse_url
from perfectplay_server.storage.schema import (
    MATCHING,
    MIGRATIONS,
    DatabaseError,
    Migration,
    events,
    keys,
    migrate,
    server,
    tables,
)
from perfectplay_server.storage.writer import Checkpoints, Writer
from perfectplay_server.storage.writes import Columns

READERS = 4
P = ParamSpec("P")
T = TypeVar("T")


class StoredTable(NamedTuple):
    """A table as it is stored: its row, the owners of its seats, and all its events."""

    row: Columns
    owners: tuple[str | None, str | None]
    events: list[Event]


class Store(Writer):
    """A database that is open. Its reading methods block: call them by `read`."""

    def __init__(self, url: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self.url = parse_url(url)
        self.shared = self.url.get_backend_name() == "postgresql"
        engine = make_engine(self.url)
        try:
            with engine.connect() as connection:
                migrate(connection, migrations)
        except DBAPIError as error:
            engine.dispose()
            raise DatabaseError(f"the database cannot be used: {first_line(error)}") from error
        self._readers = ThreadPoolExecutor(READERS, "reader")
        super().__init__(engine, None if self.shared else Checkpoints(engine, self._readers))

    def close(self) -> None:
        """Write everything that waits, and disconnect."""
        super().close()
        self._readers.shutdown()
        self.engine.dispose()

    async def read(self, reading: Callable[P, T], *arguments: P.args, **settings: P.kwargs) -> T:
        """Call one of the blocking methods below in another thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, lambda: reading(*arguments, **settings))

    # Reading.

    def _all(self, chosen: sql.Select[Any]) -> list[sql.Row[Any]]:
        with connect(self.engine) as connection:
            return list(connection.execute(chosen))

    def _dicts(self, chosen: sql.Select[Any]) -> list[Columns]:
        return [dict(row._mapping) for row in self._all(chosen)]

    def _ids(self, *where: sql.ColumnElement[bool], most: int | None = None) -> list[str]:
        """The tables for which all of this holds, those touched longest ago first."""
        chosen = sql.select(tables.c.id).where(*where).order_by(tables.c.touched)
        return [row.id for row in self._all(chosen.limit(most))]

    def key(self, name: str) -> str:
        """A secret key of this server."""
        return str(self._all(sql.select(keys.c.value).where(keys.c.name == name))[0].value)

    def load(self, table: str) -> StoredTable | None:
        """A table with all its events."""
        with connect(self.engine) as connection:
            row = connection.execute(sql.select(tables).where(tables.c.id == table)).one_or_none()
            if row is None:
                return None
            found = connection.execute(
                sql.select(events).where(events.c.table_id == table).order_by(events.c.number)
            ).all()
        owners = {each.seat: each.owner for each in found if each.kind == "sit"}
        happened = [_event(each) for each in found]
        return StoredTable(dict(row._mapping), (owners.get(0), owners.get(1)), happened)

    def events(
        self, table: str, *, after: int = 0, game: int | None = None, most: int | None = None
    ) -> list[Event]:
        """Events of a table in their order, after number `after`, of one game or of all."""
        chosen = sql.select(events).where(events.c.table_id == table, events.c.number > after)
        if game is not None:
            chosen = chosen.where(events.c.game == game)
        return [_event(row) for row in self._all(chosen.order_by(events.c.number).limit(most))]

    def match_turn(self) -> ExitStack:
        """Wait until no other process brings people together; closing the stack lets others do so."""
        with ExitStack() as stack:
            if self.shared:
                connection = stack.enter_context(connect(self.engine))
                # A process that hangs must not keep everyone else from playing.
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 10000")
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MATCHING)))
            return stack.pop_all()

    def owners(self, table: str) -> tuple[str | None, str | None]:
        """The owners of the two seats."""
        seats = sql.and_(events.c.table_id == table, events.c.kind == "sit")
        found = {row.seat: row.owner for row in self._all(sql.select(events).where(seats))}
        return found.get(0), found.get(1)

    def list_public(
        self, status: str, since: float, most: int, among: Collection[str] | None = None
    ) -> list[Columns]:
        """Public tables of a status at which something has happened since a time, the newest first.

        With `among`, only those with one of these ids.
        """
        chosen = sql.select(tables).where(
            tables.c.status == status, tables.c.public.is_(True), tables.c.touched >= since
        )
        if among is not None:
            chosen = chosen.where(tables.c.id.in_(among))
        return self._dicts(chosen.order_by(tables.c.touched.desc()).limit(most))

    def games_of(self, owner: str, before: tuple[float, str] | None, most: int) -> list[Columns]:
        """Tables where `owner` has a seat, the newest first, from behind a `touched` and an id.

        The column `seat` has the seat, `at` the time of the last event.
        """
        every, newest = events.alias(), events.alias()
        last = sql.select(sql.func.max(every.c.number)).where(every.c.table_id == tables.c.id)
        is_newest = sql.and_(newest.c.table_id == tables.c.id, newest.c.number == last.scalar_subquery())
        chosen = (
            _seats_of(owner, newest.c.at)
            .join(newest, is_newest)
            .order_by(tables.c.touched.desc(), tables.c.id.desc())
        )
        if before is not None:
            chosen = chosen.where(sql.tuple_(tables.c.touched, tables.c.id) < sql.tuple_(*before))
        return self._dicts(chosen.limit(most))

    def seats(self, owner: str, most: int) -> list[Columns]:
        """Tables where `owner` has a seat, in the column `seat`: live ones first, then the newest."""
        live_first = tables.c.status.in_(("open", "running")).desc()
        return self._dicts(_seats_of(owner).order_by(live_first, tables.c.touched.desc()).limit(most))

    def find_running_table(self, owner: str, game: str) -> str | None:
        """A running table where `owner` plays the game of this name against a person, with any settings."""
        chosen = (
            _seats_of(owner)
            .where(tables.c.status == "running", tables.c.player0.is_(None), tables.c.player1.is_(None))
            .where(sql.or_(tables.c.game == game, tables.c.game.startswith(f"{game}:", autoescape=True)))
        )
        return next((row.id for row in self._all(chosen.limit(1))), None)

    def count_live(self) -> int:
        """How many tables are open or running."""
        live = tables.c.status.in_(("open", "running"))
        return int(self._all(sql.select(sql.func.count()).select_from(tables).where(live))[0][0])

    def find_due(self, before: float) -> list[str]:
        """Tables where a computer player is to move, and nothing has happened since a time."""
        return self._ids(tables.c.status == "running", tables.c.due.is_(True), tables.c.touched <= before)

    def find_flag_falls(self, before: float) -> list[str]:
        """Tables where the time of a person to move runs out before a time."""
        return self._ids(tables.c.status == "running", tables.c.flag_fall < before)

    def find_unmoved(self, now: float, before: float, attended: Collection[str]) -> list[tuple[str, str]]:
        """Tables with their status that nobody has moved at, touched or attends since a time, oldest first.

        People who play without having moved may be away for as long as their table says.
        """
        begun = sql.and_(
            tables.c.status == "running",
            tables.c.touched + tables.c.away_limit < now,  # which it has only without a clock
            tables.c.plies == 0,
            tables.c.score0 + tables.c.score1 == 0,
        )
        chosen = sql.select(tables.c.id, tables.c.status).where(
            tables.c.touched < before,
            sql.or_(tables.c.status == "open", begun),
            tables.c.id.not_in(attended),
        )
        return [
            (row.id, row.status)
            for row in self._all(chosen.order_by(tables.c.touched).limit(TABLES_PER_ROUND))
        ]

    def find_forgotten(self, before: float) -> list[str]:
        """Games against the computer that nobody has touched since a time, the oldest first."""
        computer = sql.or_(tables.c.player0.is_not(None), tables.c.player1.is_not(None))
        return self._ids(
            tables.c.status == "running", computer, tables.c.touched < before, most=TABLES_PER_ROUND
        )

    def find_untouched(self, status: str, before: float, most: int = TABLES_PER_ROUND) -> list[str]:
        """Tables of a status at which nothing has happened since a time, the oldest first."""
        return self._ids(tables.c.status == status, tables.c.touched < before, most=most)

    def read_last_event(self, table: str) -> float:
        """When something last happened at a table; infinity if there is no such table."""
        found = self._all(sql.select(tables.c.touched).where(tables.c.id == table))
        return found[0].touched if found else math.inf

    def newest(self) -> float:
        """When something last happened at a running table; 0 if there is none."""
        chosen = sql.select(sql.func.max(tables.c.touched)).where(tables.c.status == "running")
        return self._all(chosen)[0][0] or 0.0

    def beats(self) -> tuple[int, float]:
        """How many beats have been written, and the clock of all servers."""
        with connect(self.engine) as connection:
            row = connection.execute(sql.select(server)).one()
            return row.beats, row.seconds


def _seats_of(owner: str, *more: sql.ColumnElement[Any]) -> sql.Select[Any]:
    chosen = sql.select(tables, events.c.seat, *more)
    return chosen.join(events, events.c.table_id == tables.c.id).where(events.c.owner == owner)


def _event(row: Any) -> Event:
    return Event(row.number, row.at, row.seat, row.kind, row.text, row.game, row.ms)
