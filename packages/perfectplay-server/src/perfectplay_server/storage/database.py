"""Connecting to the database: its address, its settings, and its errors as ours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from perfectplay.core.errors import MissingExtraError
from perfectplay_server.storage.schema import DatabaseError

NO_DATABASE = "database: must be postgresql://USER:PASSWORD@HOST/NAME"


class MissingError(Exception):
    """There is no such table, or no such game at it."""


class UnsavedError(Exception):
    """The database did not answer. The event may or may not have been written."""


@contextmanager
def connect(engine: sql.Engine) -> Iterator[sql.Connection]:
    """A connection to read from; UnsavedError if the database fails."""
    try:
        connection = engine.connect()
        try:
            yield connection
        finally:
            with suppress(SQLAlchemyError):
                connection.close()
    except SQLAlchemyError as error:
        raise UnsavedError(first_line(error)) from error


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


def parse_url(url: str) -> sql.URL:
    """The URL with the driver to use; DatabaseError unless it names SQLite or PostgreSQL.

    >>> parse_url("postgresql://me@db/tables").drivername
    'postgresql+psycopg'
    """
    try:
        made = sql.make_url(url)
    except ArgumentError:
        made = None
    backend = "" if made is None else made.get_backend_name()
    if made is None or backend not in ("sqlite", "postgresql"):
        raise DatabaseError(NO_DATABASE)
    return made.set(drivername="postgresql+psycopg") if backend == "postgresql" else made


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
    def _set_up_connection(connection: Any, _: object) -> None:
        # The driver leaves transactions alone, so that savepoints work.
        connection.isolation_level = None
        # Checkpoints are made by `writer`.
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "wal_autocheckpoint=0"):
            connection.execute(f"PRAGMA {setting}").close()

    @sql.event.listens_for(engine, "begin")
    def _begin(connection: sql.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def first_line(error: Exception) -> str:
    """The first line of a database error, which may be long."""
    original = getattr(error, "orig", None) or error
    return str(original).strip().split("\n")[0] or type(original).__name__
