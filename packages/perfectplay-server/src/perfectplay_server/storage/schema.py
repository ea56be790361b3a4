"""The tables of the database, and the migrations that bring an older one up to date."""

import secrets
from collections.abc import Callable, Sequence
from time import time

import sqlalchemy as sql

from perfectplay.core.errors import PerfectplayError

LOCK = 7_265_773
"""The advisory lock that PostgreSQL holds while the database is migrated, or tables are dropped."""
MATCHING = 7_265_774
"""The one that a process holds while it brings someone together with whoever waits."""
TOKENS = "tokens"
"""The name of the key that signs tokens: the same in every process, and after a restart."""


class DatabaseError(PerfectplayError):
    """The database cannot be used at all."""


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
    sql.Column("clock", sql.Text),
    sql.Column("away_limit", sql.Double),
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
    # When the time of the player to move runs out, by the clock that all servers share.
    sql.Column("flag_fall", sql.Double),
    sql.Index("tables_by_status", "status", "touched"),
)
_owner = sql.Column("owner", sql.Text)
events = sql.Table(
    "events",
    metadata,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("at", sql.Double, nullable=False),
    sql.Column("seat", sql.SmallInteger),
    sql.Column("kind", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("game", sql.Integer, nullable=False),
    sql.Column("ms", sql.Integer, nullable=False),
    _owner,
    sql.Index(
        "events_by_owner", _owner, sqlite_where=_owner.is_not(None), postgresql_where=_owner.is_not(None)
    ),
    sqlite_with_rowid=False,
)
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


def _create(connection: sql.Connection) -> None:
    metadata.create_all(connection)
    connection.execute(sql.insert(keys), {"name": TOKENS, "value": secrets.token_urlsafe(32)})
    connection.execute(sql.insert(server), {"beats": 0, "seconds": time()})


Migration = Callable[[sql.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (_create,)
"""The first makes version 1 of an empty database. A second one would turn version 1 into 2, and so on; then
the first has to create the tables as version 1 has them."""


def migrate(connection: sql.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring a database up to date in one transaction, one process at a time."""
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(LOCK)))
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS version (number INTEGER NOT NULL)")
        if connection.dialect.name == "sqlite":
            # Takes the write lock before anything is decided.
            connection.exec_driver_sql("UPDATE version SET number = number")
        version = connection.exec_driver_sql("SELECT number FROM version").scalar() or 0
        if version > len(migrations):
            raise DatabaseError(
                f"the database has version {version}, from a newer release; this release knows"
                f" version {len(migrations)}"
            )
        for number, migration in enumerate(migrations[version:], version + 1):
            migration(connection)
            connection.exec_driver_sql("DELETE FROM version")
            connection.exec_driver_sql(f"INSERT INTO version (number) VALUES ({number})")
