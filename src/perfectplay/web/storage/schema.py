"""The tables of the database, and the migrations that bring an older database up to date."""

import secrets
from collections.abc import Callable, Sequence
from time import time
from typing import Any

from perfectplay.core.errors import MissingExtraError, PerfectplayError

try:
    import sqlalchemy as sql
except ImportError as error:
    raise MissingExtraError("sqlalchemy", "web") from error

LOCK = 7_265_773
"""The advisory lock that PostgreSQL holds while the database is migrated, or tables are dropped."""
MATCHING = 7_265_774
"""The one that a process holds while it brings someone together with whoever waits."""
TOKENS = "tokens"
"""The name of the key that signs tokens: the same in every process, and after a restart."""


class DatabaseError(PerfectplayError):
    """The database cannot be used at all."""


metadata = sql.MetaData()


def _tables_1(metadata: sql.MetaData, *more: sql.Column[Any]) -> sql.Table:
    """The tables as version 1 has them, with columns that later versions add."""
    return sql.Table(
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
        *more,
        sql.Index("tables_by_status", "status", "touched"),
    )


def _events_1(metadata: sql.MetaData, *more: sql.Column[Any]) -> sql.Table:
    """The events as version 1 has them, with columns that later versions add."""
    owner = sql.Column("owner", sql.Text)
    return sql.Table(
        "events",
        metadata,
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("at", sql.Double, nullable=False),
        sql.Column("seat", sql.SmallInteger),
        sql.Column("kind", sql.Text, nullable=False),
        sql.Column("text", sql.Text, nullable=False),
        sql.Column("game", sql.Integer, nullable=False),
        owner,
        *more,
        sql.Index(
            "events_by_owner",
            owner,
            sqlite_where=owner.is_not(None),
            postgresql_where=owner.is_not(None),
        ),
        sqlite_with_rowid=False,
    )


tables = _tables_1(
    metadata,
    sql.Column("clock", sql.Text),
    sql.Column("away_limit", sql.Double),
    # When the time of the player to move runs out, by the clock that all servers share.
    sql.Column("flag_fall", sql.Double),
)
events = _events_1(metadata, sql.Column("ms", sql.Integer, nullable=False, server_default="0"))
keys = sql.Table(
    "keys",
    metadata,
    sql.Column("name", sql.Text, primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)
transfers = sql.Table(
    "transfers",
    metadata,
    # At most one code for each seat; a new one replaces it.
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True, autoincrement=False),
    sql.Column("digest", sql.Text, nullable=False, unique=True),
    sql.Column("expires", sql.Double, nullable=False),
)
server = sql.Table(
    "server",
    metadata,
    # A single row: how many test writes were made, and the clock that all servers here share.
    sql.Column("beats", sql.BigInteger, nullable=False),
    sql.Column("seconds", sql.Double, nullable=False),
)


# A migration creates its tables from the definitions above. When a later version changes one of them,
# the older one stays spelled out as it was: a database is never made in one leap.


def _version_1(connection: sql.Connection) -> None:
    first = sql.MetaData()
    _tables_1(first)
    _events_1(first)
    first.create_all(connection)


def _version_2(connection: sql.Connection) -> None:
    keys.create(connection)
    connection.execute(sql.insert(keys), {"name": TOKENS, "value": secrets.token_urlsafe(32)})


def _version_3(connection: sql.Connection) -> None:
    server.create(connection)
    newest = connection.execute(sql.select(sql.func.max(tables.c.touched))).scalar()
    now = time() if newest is None else newest
    connection.execute(sql.insert(server), {"beats": 0, "seconds": now})
    # These times came from a clock that may have been wrong: no game is closed because of them.
    live = tables.c.status.in_(("open", "running"))
    connection.execute(sql.update(tables).where(live).values(touched=now))


def _version_4(connection: sql.Connection) -> None:
    for column in ("clock TEXT", "away_limit DOUBLE PRECISION", "flag_fall DOUBLE PRECISION"):
        connection.exec_driver_sql(f"ALTER TABLE tables ADD COLUMN {column}")
    connection.exec_driver_sql("UPDATE tables SET away_limit = 300")
    connection.exec_driver_sql("ALTER TABLE events ADD COLUMN ms INTEGER NOT NULL DEFAULT 0")


def _version_5(connection: sql.Connection) -> None:
    transfers.create(connection)


Migration = Callable[[sql.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (_version_1, _version_2, _version_3, _version_4, _version_5)
"""The first creates version 1 of an empty database, the second turns version 1 into 2, and so on."""


def migrate(connection: sql.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring a database up to date in one transaction, one process at a time."""
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(LOCK)))
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS version (number INTEGER NOT NULL)")
        if connection.dialect.name == "sqlite":
            # Takes the write lock before anything is decided.
            connection.exec_driver_sql("UPDATE version SET number = number")
        found = connection.exec_driver_sql("SELECT number FROM version").scalar()
        version = 0 if found is None else int(found)
        if version > len(migrations):
            raise DatabaseError(
                f"the database has version {version}, from a newer release; this release knows"
                f" version {len(migrations)}"
            )
        for migration in migrations[version:]:
            migration(connection)
        if found is None:
            connection.exec_driver_sql(f"INSERT INTO version (number) VALUES ({len(migrations)})")
        elif version < len(migrations):
            connection.exec_driver_sql(f"UPDATE version SET number = {len(migrations)}")
