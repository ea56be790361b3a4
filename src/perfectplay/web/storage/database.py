"""Connecting to the database: its address, its settings, and its errors as ours."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from perfectplay.core.errors import MissingExtraError
from perfectplay.web.storage.schema import DatabaseError

try:
    import sqlalchemy as sql
    from sqlalchemy.exc import ArgumentError, SQLAlchemyError
except ImportError as error:
    raise MissingExtraError("sqlalchemy", "web") from error

NO_DATABASE = "database: must be postgresql://USER:PASSWORD@HOST/NAME"


class UnsavedError(Exception):
    """The database did not answer. What was asked for may or may not have been written."""


class ReadConnection:
    """A connection to read from, which raises UnsavedError when the database fails."""

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine

    def __enter__(self) -> sql.Connection:
        try:
            self._connection = self._engine.connect()
        except SQLAlchemyError as error:
            raise UnsavedError(first_line(error)) from error
        return self._connection

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with suppress(SQLAlchemyError):
            self._connection.close()
        if isinstance(error, SQLAlchemyError):
            raise UnsavedError(first_line(error)) from error


class DatabaseFile:
    """The file of an SQLite database: SQLite would write on to one that was deleted."""

    def __init__(self, url: sql.URL) -> None:
        self._path = Path(url.database or "")
        self._opened = self._path.stat()

    def check(self) -> None:
        """Raises OSError unless the file is where it was."""
        if not os.path.samestat(self._path.stat(), self._opened):
            raise OSError(errno.ESTALE, "the database was replaced by another file")


def keep_private(path: Path) -> None:
    """Let no other user read a database: it has the key that signs tokens. SQLite takes over its mode."""
    with suppress(OSError):  # of which SQLite complains
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):  # it is not there, or belongs to somebody else
            os.chmod(f"{path}{suffix}", 0o600)


def sqlite_url(folder: Path) -> str:
    """The URL of the SQLite database in a folder."""
    return sql.URL.create("sqlite", database=str(folder / "tables.sqlite3")).render_as_string()


def checked_url(url: str) -> sql.URL:
    """The URL with the driver to use; DatabaseError unless it names SQLite or PostgreSQL.

    >>> checked_url("postgresql://me@db/tables").drivername
    'postgresql+psycopg'
    """
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


def make_engine(url: sql.URL) -> sql.Engine:
    """An engine that writes durably, and gives up on a database that does not answer."""
    try:
        if url.get_backend_name() == "postgresql":
            settings = {
                "connect_timeout": 5,
                "tcp_user_timeout": 10_000,
                "options": "-c statement_timeout=10000 -c synchronous_commit=on",
            }
            return sql.create_engine(url, connect_args=settings, pool_pre_ping=True, pool_timeout=10)
        keep_private(Path(url.database or ""))
        engine = sql.create_engine(url, connect_args={"timeout": 5}, paramstyle="named")
    except ModuleNotFoundError as error:
        raise MissingExtraError("psycopg", "web") from error

    @sql.event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        # The driver leaves transactions alone, so that savepoints work.
        connection.isolation_level = None
        # Checkpoints are made by `checkpoints`.
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "wal_autocheckpoint=0"):
            connection.execute(f"PRAGMA {setting}").close()

    @sql.event.listens_for(engine, "begin")
    def _begun(connection: sql.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def first_line(error: Exception) -> str:
    """The first line of a database error, which may be long."""
    original = getattr(error, "orig", None) or error
    return str(original).strip().split("\n")[0] or type(original).__name__
