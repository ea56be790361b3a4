"""Moves what SQLite has logged into the database file, without holding up the moves that follow."""

from concurrent.futures import Executor, Future

from perfectplay.core.errors import MissingExtraError

try:
    import sqlalchemy as sql
except ImportError as error:
    raise MissingExtraError("sqlalchemy", "web") from error

COMMITS = 200
"""Transactions after which the log is moved."""


class Checkpoints:
    """Checkpoints of a database, most of the work of which is done beside the writer.

    SQLite would do all of it in one of the transactions, and every move would wait for that.
    """

    def __init__(self, engine: sql.Engine, beside: Executor) -> None:
        self._engine = engine
        self._beside = beside
        self._commits = 0
        self._moving: Future[None] | None = None

    def committed(self) -> None:
        """Count a transaction. The writer calls this after each, and before the next begins."""
        self._commits += 1
        if self._moving is None:
            if self._commits >= COMMITS:
                self._moving = self._beside.submit(self._move)
        elif self._moving.done():
            self._moving, self._commits = None, 0
            # The rest has been logged meanwhile and is little; then the log starts from its beginning again.
            self._move()

    def _move(self) -> None:
        connection = self._engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").close()
        finally:
            connection.close()
