"""The database: tables and their events. What has been written here has happened, and nothing else has.

One thread writes. It takes everything that waits, writes it in one transaction and answers when that
is on the disk, so that many tables share one wait for the disk.
"""

import asyncio
import logging
import math
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import time
from typing import Any, NamedTuple

from perfectplay.core.errors import MissingExtraError, PerfectplayError
from perfectplay.web.table import Event

try:
    import sqlalchemy as sql
    from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
except ImportError as error:
    raise MissingExtraError("sqlalchemy", "web") from error

logger = logging.getLogger("perfectplay.web")

CHANNEL = "perfectplay"
NO_DATABASE = "database: must be postgresql://USER:PASSWORD@HOST/NAME"
LONGEST_NOTICE = 7000
"""Bytes of a notice to other processes; PostgreSQL takes fewer than 8000."""
LOCK = 7_265_773
"""The number of the advisory lock under which PostgreSQL is migrated, and tables are dropped."""
TOKENS = "tokens"
"""The key that tokens are signed with: the same in every process, and after a restart."""

metadata = sql.MetaData()
tables = sql.Table(
    "tables",
    metadata,
    sql.Column("id", sql.Text, primary_key=True),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("seed", sql.BigInteger, nullable=False),
    sql.Column("player0", sql.Text),
    sql.Column("player1", sql.Text),
    sql.Column("code", sql.Text, nullable=False),
    sql.Column("public", sql.Boolean, nullable=False),
    sql.Column("touched", sql.Double, nullable=False),
    # The rest follows from the events, and is kept for lists of tables.
    sql.Column("status", sql.Text, nullable=False),
    sql.Column("due", sql.Boolean, nullable=False),
    sql.Column("turn", sql.SmallInteger),
    sql.Column("name0", sql.Text),
    sql.Column("name1", sql.Text),
    sql.Column("score0", sql.Integer, nullable=False),
    sql.Column("score1", sql.Integer, nullable=False),
    sql.Column("plies", sql.Integer, nullable=False),
)
events = sql.Table(
    "events",
    metadata,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("at", sql.Double, nullable=False),
    sql.Column("seat", sql.SmallInteger),
    sql.Column("kind", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("game", sql.Integer, nullable=False),
    sql.Column("holder", sql.Text),
)
keys = sql.Table(
    "keys",
    metadata,
    sql.Column("name", sql.Text, primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)
server = sql.Table(
    "server",
    metadata,
    # Of one row: the writes made to see whether any can be made, and the clock of all servers here.
    sql.Column("beats", sql.BigInteger, nullable=False),
    sql.Column("seconds", sql.Double, nullable=False),
)
_ADD_TABLE = sql.insert(tables)
_ADD_EVENT = sql.insert(events)
_TOUCH = (
    sql.update(tables)
    .where(tables.c.id == sql.bindparam("table_id"))
    .values(
        {
            name: sql.bindparam(name)
            for name in ("touched", "status", "due", "turn", "name0", "name1", "score0", "score1", "plies")
        }
    )
)
_BEAT = sql.update(server).values(
    beats=server.c.beats + 1,
    # Another process may know better.
    seconds=sql.case((server.c.seconds < sql.bindparam("now"), sql.bindparam("now")), else_=server.c.seconds),
)


def _version_1(connection: sql.Connection) -> None:
    clustered = " WITHOUT ROWID" if connection.dialect.name == "sqlite" else ""
    for statement in (
        """CREATE TABLE tables (
            id TEXT PRIMARY KEY, game TEXT NOT NULL, seed BIGINT NOT NULL, player0 TEXT, player1 TEXT,
            code TEXT NOT NULL, public BOOLEAN NOT NULL, touched DOUBLE PRECISION NOT NULL,
            status TEXT NOT NULL, due BOOLEAN NOT NULL, turn SMALLINT, name0 TEXT, name1 TEXT,
            score0 INTEGER NOT NULL, score1 INTEGER NOT NULL, plies INTEGER NOT NULL)""",
        "CREATE INDEX tables_by_status ON tables (status, touched)",
        f"""CREATE TABLE events (
            table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, number INTEGER NOT NULL,
            at DOUBLE PRECISION NOT NULL, seat SMALLINT, kind TEXT NOT NULL, text TEXT NOT NULL,
            game INTEGER NOT NULL, holder TEXT, PRIMARY KEY (table_id, number)){clustered}""",
        "CREATE INDEX events_by_holder ON events (holder) WHERE holder IS NOT NULL",
    ):
        connection.exec_driver_sql(statement)


def _version_2(connection: sql.Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE keys (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute(sql.insert(keys), {"name": TOKENS, "value": secrets.token_urlsafe(32)})


def _version_3(connection: sql.Connection) -> None:
    connection.exec_driver_sql(
        "CREATE TABLE server (beats BIGINT NOT NULL, seconds DOUBLE PRECISION NOT NULL)"
    )
    newest = connection.exec_driver_sql("SELECT max(touched) FROM tables").scalar()
    connection.execute(
        sql.text("INSERT INTO server (beats, seconds) VALUES (0, :now)"),
        {"now": time() if newest is None else newest},
    )
    # These times came from a clock that may have been wrong: no game is closed because of them.
    connection.exec_driver_sql(
        "UPDATE tables SET touched = (SELECT seconds FROM server) WHERE status IN ('open', 'running')"
    )


Migration = Callable[[sql.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (_version_1, _version_2, _version_3)
"""What makes version 1 of the database from nothing, version 2 from version 1, and so on."""


class UnsavedError(Exception):
    """The database did not take or give something. What was asked for may or may not have been written."""


class DatabaseError(PerfectplayError):
    """A database that cannot be used at all."""


class Stored(NamedTuple):
    """A table as it is kept: how it was made, and all its events with who took each seat."""

    game: str
    seed: int
    players: tuple[str | None, str | None]
    code: str
    public: bool
    holders: tuple[str | None, str | None]
    events: list[Event]


Row = dict[str, Any]


class Drop(NamedTuple):
    """Finished tables that are kept no longer: those at which nothing has happened since a time."""

    before: float
    begun: bool | None = None
    """Only those at which a game was begun, or none was; None: all."""
    kept: int = 0
    """Only as many as are there beyond so many tables in all."""
    most: int = 200


@dataclass(slots=True)
class Write:
    """What is written together or not at all. Its answer is False if another process was first."""

    table: Row | None = None
    events: list[Row] = field(default_factory=list)
    touch: Row | None = None
    beat: float | None = None
    """The clock of this server: one more beat is counted."""
    drop: Drop | None = None
    dropped: Sequence[str] = ()
    """The tables that were dropped, once it is written."""
    notice: str = ""
    saved: "asyncio.Future[bool] | None" = None


def event_row(table: str, event: Event, holder: str | None = None) -> Row:
    """An event as a row."""
    return {"table_id": table, **event._asdict(), "holder": holder}


class Store:
    """A database that is open. Reading blocks, and belongs into another thread."""

    def __init__(self, url: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self.url = _checked(url)
        self.shared = self.url.get_backend_name() == "postgresql"
        """Whether other processes may use the database at the same time."""
        self.engine = _engine(self.url)
        try:
            with self.engine.connect() as connection:
                _migrate(connection, migrations)
        except DBAPIError as error:
            self.engine.dispose()
            raise DatabaseError(f"the database cannot be used: {_first_line(error)}") from error
        self._queue: SimpleQueue[Write | None] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writer = Thread(target=self._write_all, name="writer", daemon=True)

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to write, and to answer to this loop."""
        self._loop = loop
        self._writer.start()

    def close(self) -> None:
        """Write what waits, and let go of the database."""
        if self._writer.is_alive():
            self._queue.put(None)
            self._writer.join()
        self.engine.dispose()

    def write(self, write: Write) -> "asyncio.Future[bool]":
        """Have something written: True when it is on the disk, False if another process was first."""
        assert self._loop is not None
        future: asyncio.Future[bool] = self._loop.create_future()
        write.saved = future
        self._queue.put(write)
        return future

    # The writing thread.

    def _write_all(self) -> None:
        ended = False
        while not ended:
            batch = [self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get())
            ended = None in batch
            writes = [write for write in batch if write is not None]
            if writes:
                answers = self._written(writes)
                assert self._loop is not None
                with suppress(RuntimeError):  # a loop that has been stopped asks for no answers
                    self._loop.call_soon_threadsafe(_answer, writes, answers)

    def _written(self, writes: list[Write]) -> list[bool | UnsavedError]:
        try:
            try:
                with self.engine.begin() as connection:
                    self._execute(connection, writes)
                return [True] * len(writes)
            except IntegrityError:
                return self._written_singly(writes)
        except SQLAlchemyError as error:
            logger.error("not saved: %s", _first_line(error))
            return [UnsavedError(_first_line(error))] * len(writes)
        except Exception as error:
            # Whatever it was, those who wait are answered, and this thread goes on.
            logger.exception("not saved")
            return [UnsavedError(_first_line(error))] * len(writes)

    def _written_singly(self, writes: list[Write]) -> list[bool | UnsavedError]:
        """Still in one transaction, but each by itself: someone was first with one of them."""
        answers: list[bool | UnsavedError] = []
        with self.engine.begin() as connection:
            for write in writes:
                try:
                    with connection.begin_nested():
                        self._execute(connection, [write])
                    answers.append(True)
                except IntegrityError:
                    answers.append(False)
        return answers

    def _execute(self, connection: sql.Connection, writes: list[Write]) -> None:
        if made := [write.table for write in writes if write.table is not None]:
            connection.execute(_ADD_TABLE, made)
        # In the same order everywhere: two processes that write to the same tables never wait in a circle.
        if happened := [row for write in writes for row in write.events]:
            connection.execute(_ADD_EVENT, sorted(happened, key=itemgetter("table_id", "number")))
        if touched := [write.touch for write in writes if write.touch is not None]:
            connection.execute(_TOUCH, sorted(touched, key=itemgetter("table_id")))
        if beats := [write.beat for write in writes if write.beat is not None]:
            connection.execute(_BEAT, {"now": max(beats)})
        for write in writes:
            if write.drop is not None:
                write.dropped = self._dropped(connection, write.drop)
        if self.shared:
            for text in _joined(write.notice for write in writes if write.notice):
                connection.execute(sql.select(sql.func.pg_notify(CHANNEL, text)))

    def _dropped(self, connection: sql.Connection, drop: Drop) -> list[str]:
        if self.shared:  # one process at a time counts and drops
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(LOCK)))
        most = drop.most
        if drop.kept:
            count = connection.execute(sql.select(sql.func.count()).select_from(tables)).scalar_one()
            most = max(0, min(most, count - drop.kept))
        gone = sql.delete(tables).where(tables.c.id.in_(_to_drop(drop).limit(most)))
        return list(connection.execute(gone.returning(tables.c.id)).scalars())

    # What is read.

    def key(self, name: str) -> str:
        """A secret of this server."""
        with self._reading() as connection:
            found: str = connection.execute(sql.select(keys.c.value).where(keys.c.name == name)).scalar_one()
            return found

    def load(self, table: str) -> Stored | None:
        """A table with all its events."""
        with self._reading() as connection:
            row = connection.execute(sql.select(tables).where(tables.c.id == table)).one_or_none()
            if row is None:
                return None
            found = connection.execute(
                sql.select(events).where(events.c.table_id == table).order_by(events.c.number)
            ).all()
        holders: list[str | None] = [None, None]
        for each in found:
            if each.kind == "sit":
                holders[each.seat] = each.holder
        return Stored(
            row.game,
            row.seed,
            (row.player0, row.player1),
            row.code,
            bool(row.public),
            (holders[0], holders[1]),
            [_event(each) for each in found],
        )

    def events(
        self, table: str, *, after: int = 0, game: int | None = None, most: int = 1_000_000
    ) -> list[Event]:
        """Events of a table in their order: those after a number, of one game or of all."""
        chosen = sql.select(events).where(events.c.table_id == table, events.c.number > after)
        if game is not None:
            chosen = chosen.where(events.c.game == game)
        with self._reading() as connection:
            return [_event(row) for row in connection.execute(chosen.order_by(events.c.number).limit(most))]

    def holders(self, table: str) -> tuple[str | None, str | None]:
        """Who has taken the two seats."""
        chosen = sql.select(events.c.seat, events.c.holder).where(
            events.c.table_id == table, events.c.kind == "sit"
        )
        with self._reading() as connection:
            found = {row.seat: row.holder for row in connection.execute(chosen)}
        return found.get(0), found.get(1)

    def listed(self, status: str, since: float, most: int) -> list[Row]:
        """Public tables of a status at which something has happened since a time, the newest first."""
        chosen = sql.select(tables).where(
            tables.c.status == status, tables.c.public.is_(True), tables.c.touched >= since
        )
        with self._reading() as connection:
            rows = connection.execute(chosen.order_by(tables.c.touched.desc()).limit(most))
            return [dict(row._mapping) for row in rows]

    def seats(self, holder: str, most: int) -> list[Row]:
        """Tables where someone has a seat, which `seat` names: first those that go on, then the newest."""
        chosen = (
            sql.select(tables, events.c.seat)
            .join(events, events.c.table_id == tables.c.id)
            .where(events.c.holder == holder)
            .order_by(tables.c.status.in_(("open", "running")).desc(), tables.c.touched.desc())
        )
        with self._reading() as connection:
            return [dict(row._mapping) for row in connection.execute(chosen.limit(most))]

    def seated_at(self, holder: str) -> str | None:
        """A running table where someone has a seat."""
        chosen = (
            sql.select(tables.c.id)
            .join(events, events.c.table_id == tables.c.id)
            .where(events.c.holder == holder, tables.c.status == "running")
        )
        with self._reading() as connection:
            found: str | None = connection.execute(chosen.limit(1)).scalar()
            return found

    def live(self) -> int:
        """How many tables are open or running."""
        chosen = (
            sql.select(sql.func.count()).select_from(tables).where(tables.c.status.in_(("open", "running")))
        )
        with self._reading() as connection:
            return connection.execute(chosen).scalar_one()

    def due(self, before: float) -> list[str]:
        """Tables where a computer player is to move, and nothing has happened since a time."""
        with self._reading() as connection:
            chosen = sql.select(tables.c.id).where(
                tables.c.status == "running", tables.c.due.is_(True), tables.c.touched <= before
            )
            return list(connection.execute(chosen).scalars())

    def untouched(self, status: str, before: float, most: int = 200) -> list[str]:
        """Tables of a status at which nothing has happened since a time, the oldest first."""
        with self._reading() as connection:
            chosen = sql.select(tables.c.id).where(tables.c.status == status, tables.c.touched < before)
            return list(connection.execute(chosen.order_by(tables.c.touched).limit(most)).scalars())

    def touched(self, table: str) -> float:
        """When something has last happened at a table; never, if there is none."""
        with self._reading() as connection:
            found = connection.execute(sql.select(tables.c.touched).where(tables.c.id == table)).scalar()
            return math.inf if found is None else found

    def beats(self) -> tuple[int, float]:
        """How many beats have been written, and the clock of the server that is farthest ahead."""
        with self._reading() as connection:
            row = connection.execute(sql.select(server)).one()
            return row.beats, row.seconds

    def _reading(self) -> "_Reading":
        return _Reading(self.engine)


class _Reading:
    """A connection to read from, whose errors are ours."""

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine

    def __enter__(self) -> sql.Connection:
        try:
            self._connection = self._engine.connect()
        except SQLAlchemyError as error:
            raise UnsavedError(_first_line(error)) from error
        return self._connection

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with suppress(SQLAlchemyError):
            self._connection.close()
        if isinstance(error, SQLAlchemyError):
            raise UnsavedError(_first_line(error)) from error


def sqlite_url(folder: Path) -> str:
    """The database in a folder."""
    return sql.URL.create("sqlite", database=str(folder / "tables.sqlite3")).render_as_string()


def _to_drop(drop: Drop) -> sql.Select[Any]:
    over = tables.c.status.in_(("over", "closed"))
    chosen = sql.select(tables.c.id).where(over, tables.c.touched < drop.before)
    if drop.begun is not None:
        begun = sql.and_(tables.c.name0.is_not(None), tables.c.name1.is_not(None))
        chosen = chosen.where(begun if drop.begun else sql.not_(begun))
    return chosen.order_by(tables.c.touched)


def _event(row: Any) -> Event:
    return Event(row.number, row.at, row.seat, row.kind, row.text, row.game)


def _answer(writes: list[Write], answers: list[bool | UnsavedError]) -> None:
    for write, answer in zip(writes, answers, strict=True):
        future = write.saved
        if future is None or future.done():
            continue
        if isinstance(answer, UnsavedError):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def _joined(notices: Any) -> list[str]:
    """Notices in as few lines as possible, each short enough to be sent."""
    lines: list[str] = []
    for notice in notices:
        if lines and len(lines[-1]) + len(notice) < LONGEST_NOTICE:
            lines[-1] += f"\n{notice}"
        else:
            lines.append(notice)
    return lines


def _checked(url: str) -> sql.URL:
    try:
        made = sql.make_url(url)
    except ArgumentError:
        made = None
    backend = None if made is None else made.get_backend_name()
    if made is None or backend not in ("sqlite", "postgresql"):
        raise DatabaseError(NO_DATABASE)
    if backend == "postgresql":
        return made.set(drivername="postgresql+psycopg")
    return made


def _engine(url: sql.URL) -> sql.Engine:
    try:
        if url.get_backend_name() == "postgresql":
            settings = {
                "connect_timeout": 5,
                "tcp_user_timeout": 10_000,
                "options": "-c statement_timeout=10000 -c synchronous_commit=on",
            }
            return sql.create_engine(url, connect_args=settings, pool_pre_ping=True, pool_timeout=10)
        engine = sql.create_engine(url, connect_args={"timeout": 5})
    except ModuleNotFoundError as error:
        raise MissingExtraError("psycopg", "web") from error

    @sql.event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        # The driver leaves transactions alone, so that savepoints work.
        connection.isolation_level = None
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}").close()

    @sql.event.listens_for(engine, "begin")
    def _begun(connection: sql.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def _migrate(connection: sql.Connection, migrations: Sequence[Migration]) -> None:
    """Bring a database up to date, one process at a time and as a whole."""
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(LOCK)))
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS version (number INTEGER NOT NULL)")
        if connection.dialect.name == "sqlite":
            # Takes the lock for writing before anything is decided.
            connection.exec_driver_sql("UPDATE version SET number = number")
        found = connection.exec_driver_sql("SELECT number FROM version").scalar()
        version = 0 if found is None else int(found)
        if version > len(migrations):
            raise DatabaseError(
                f"the database is of version {version}, made by a newer release; this one knows"
                f" version {len(migrations)}"
            )
        for migration in migrations[version:]:
            migration(connection)
        if found is None:
            connection.exec_driver_sql(f"INSERT INTO version (number) VALUES ({len(migrations)})")
        elif version < len(migrations):
            connection.exec_driver_sql(f"UPDATE version SET number = {len(migrations)}")


def _first_line(error: Exception) -> str:
    original = getattr(error, "orig", None) or error
    return str(original).strip().split("\n")[0] or type(original).__name__
