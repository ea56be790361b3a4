"""What is written to the database, and the statements that write it."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy.engine.interfaces import DBAPICursor

from perfectplay.tables.events import Event
from perfectplay_server.limits import LONGEST_NOTICE, TABLES_PER_ROUND
from perfectplay_server.storage.schema import LOCK, events, server, tables

CHANNEL = "perfectplay"
"""The channel on which processes notify each other."""

_ADD_EVENT = sql.insert(events)
_TOUCH = sql.update(tables).where(tables.c.id == sql.bindparam("table_id"))
_BEAT = sql.update(server).values(
    beats=server.c.beats + 1,
    # Another process may have been running for longer.
    seconds=sql.case((server.c.seconds < sql.bindparam("now"), sql.bindparam("now")), else_=server.c.seconds),
)


Columns = dict[str, Any]


class Drop(NamedTuple):
    """Finished tables to delete: those at which nothing has happened since `before`."""

    before: float
    begun: bool | None = None
    """Only tables at which a game was (True) or was not (False) begun; None: all."""
    kept: int = 0
    """Keep at least this many tables in all."""
    most: int = TABLES_PER_ROUND


@dataclass(slots=True)
class Write:
    """What is written together or not at all."""

    table: Columns | None = None
    events: list[Columns] = field(default_factory=list)
    touch: Columns | None = None
    beat: float | None = None
    """The clock of this server, written together with one more beat."""
    drop: Drop | None = None
    dropped: Sequence[str] = ()
    """The tables that were deleted, once it is written."""
    notice: str = ""
    saved: "asyncio.Future[bool] | None" = None


def event_columns(table: str, event: Event, owner: str | None = None) -> Columns:
    """An event as a row."""
    return {"table_id": table, **event._asdict(), "owner": owner}


def execute(connection: sql.Connection, writes: list[Write], *, notify: bool) -> None:
    """Write everything in a transaction; with `notify`, tell other processes, which PostgreSQL may have."""
    if made := [write.table for write in writes if write.table is not None]:
        connection.execute(sql.insert(tables), made)
    execute_moves(connection.connection.cursor(), connection.dialect, writes, notify=notify)
    if beats := [write.beat for write in writes if write.beat is not None]:
        connection.execute(_BEAT, {"now": max(beats)})
    for write in writes:
        if write.drop is not None:
            write.dropped = _drop_tables(connection, write.drop, shared=notify)


def execute_moves(cursor: DBAPICursor, dialect: sql.Dialect, writes: list[Write], *, notify: bool) -> None:
    """Write what a move consists of: events, what follows from them, and notices.

    The driver does so alone: SQLAlchemy would take longer than the rest of a move.
    """
    # In the same order everywhere: two processes that write to the same tables never wait in a circle.
    if happened := [row for write in writes for row in write.events]:
        happened.sort(key=itemgetter("table_id", "number"))
        cursor.executemany(_as_text(_ADD_EVENT, dialect, tuple(happened[0])), happened)
    if touched := [write.touch for write in writes if write.touch is not None]:
        touched.sort(key=itemgetter("table_id"))
        cursor.executemany(_as_text(_TOUCH, dialect, tuple(touched[0])), touched)
    if notify:
        for text in join_notices(write.notice for write in writes if write.notice):
            cursor.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))


@cache
def _as_text(statement: sql.UpdateBase, dialect: sql.Dialect, columns: tuple[str, ...]) -> str:
    return str(statement.compile(dialect=dialect, column_keys=list(columns)))


def _drop_tables(connection: sql.Connection, drop: Drop, *, shared: bool) -> list[str]:
    if shared:  # one process at a time counts and drops
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(LOCK)))
    most = drop.most
    if drop.kept:
        count = connection.execute(sql.select(sql.func.count()).select_from(tables)).scalar_one()
        most = max(0, min(most, count - drop.kept))
    over = tables.c.status.in_(("over", "closed"))
    chosen = sql.select(tables.c.id).where(over, tables.c.touched < drop.before)
    if drop.begun is not None:
        begun = sql.and_(tables.c.name0.is_not(None), tables.c.name1.is_not(None))
        chosen = chosen.where(begun if drop.begun else sql.not_(begun))
    gone = sql.delete(tables).where(tables.c.id.in_(chosen.order_by(tables.c.touched).limit(most)))
    return list(connection.execute(gone.returning(tables.c.id)).scalars())


def join_notices(notices: Iterable[str]) -> list[str]:
    """Notices, joined into as few texts as possible, each short enough to be sent."""
    lines: list[str] = []
    for notice in notices:
        if lines and len(lines[-1]) + len(notice) < LONGEST_NOTICE:
            lines[-1] += f"\n{notice}"
        else:
            lines.append(notice)
    return lines
