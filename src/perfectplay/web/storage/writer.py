"""The thread that writes to the database.

It takes everything that waits, writes it in one transaction and reports back when that is on the disk,
so that many tables share one wait for the disk.
"""

import asyncio
import logging
import sqlite3
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep

from perfectplay.core.errors import MissingExtraError
from perfectplay.web.storage.checkpoints import Checkpoints
from perfectplay.web.storage.database import DatabaseFile, UnsavedError, first_line
from perfectplay.web.storage.writes import Write, execute, execute_moves

try:
    import sqlalchemy as sql
    from sqlalchemy.exc import IntegrityError, SQLAlchemyError
except ImportError as error:
    raise MissingExtraError("sqlalchemy", "web") from error

logger = logging.getLogger("perfectplay.web")

PACE = 0.006
"""Seconds between two transactions, at least: what comes meanwhile shares a wait for the disk."""


class Writer:
    """Writes what is queued. With `shared`, other processes use the database too, and are notified."""

    def __init__(self, engine: sql.Engine, checkpoints: Checkpoints | None, *, shared: bool) -> None:
        self._engine = engine
        self._checkpoints = checkpoints
        self._shared = shared
        self._driver = engine.dialect.loaded_dbapi
        self._file = None if shared else DatabaseFile(engine.url)
        self._queue: SimpleQueue[Write | None] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = Thread(target=self._write_all, name="writer", daemon=True)

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start to write, and to report to this loop what was written."""
        self._loop = loop
        self._thread.start()

    def close(self) -> None:
        """Write everything that waits, and end the thread."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def write(self, write: Write) -> "asyncio.Future[bool]":
        """Queue a write. The future is True once it is on the disk, False if another process was first."""
        assert self._loop is not None
        future: asyncio.Future[bool] = self._loop.create_future()
        write.saved = future
        self._queue.put(write)
        return future

    def _write_all(self) -> None:
        ended = False
        while not ended:
            batch = [self._queue.get()]
            begun = monotonic()
            while not self._queue.empty():
                batch.append(self._queue.get())
            ended = None in batch
            writes = [write for write in batch if write is not None]
            if writes:
                answers = self._written(writes)
                assert self._loop is not None
                with suppress(RuntimeError):  # a stopped loop takes no answers
                    self._loop.call_soon_threadsafe(_answer, writes, answers)
                if self._checkpoints is not None:
                    self._checkpoint(self._checkpoints)
            if not ended:
                # Asleep rather than waiting for the queue, so that the next move need not wake this thread.
                sleep(max(0.0, begun + PACE - monotonic()))

    def _checkpoint(self, checkpoints: Checkpoints) -> None:
        try:
            checkpoints.committed()
        except (SQLAlchemyError, sqlite3.Error) as error:  # nothing is lost: the next one makes up for it
            logger.error("no checkpoint: %s", first_line(error))

    def _written(self, writes: list[Write]) -> list[bool | UnsavedError]:
        try:
            if self._file is not None:
                self._file.check()
            try:
                self._write_together(writes)
                return [True] * len(writes)
            except (IntegrityError, self._driver.IntegrityError):
                return self._written_singly(writes)
        except (SQLAlchemyError, self._driver.Error, OSError) as error:
            logger.error("not saved: %s", first_line(error))
            return [UnsavedError(first_line(error))] * len(writes)
        except Exception as error:
            # Whatever it was, the callers get an answer, and this thread goes on.
            logger.exception("not saved")
            return [UnsavedError(first_line(error))] * len(writes)

    def _write_together(self, writes: list[Write]) -> None:
        if not all(write.is_move for write in writes):
            with self._engine.begin() as connection:
                execute(connection, writes, notify=self._shared)
            return
        moves = self._engine.raw_connection()
        try:
            cursor = moves.cursor()
            if not self._shared:
                cursor.execute("BEGIN")
            execute_moves(cursor, self._engine.dialect, writes, notify=self._shared)
            moves.commit()
        except self._driver.OperationalError:
            if self._shared:
                moves.invalidate()  # it may be lost, and then taking back would fail as well
            raise
        finally:
            moves.close()  # takes back what is not committed

    def _written_singly(self, writes: list[Write]) -> list[bool | UnsavedError]:
        """Write each by itself in one transaction, because another process was first with one of them."""
        answers: list[bool | UnsavedError] = []
        with self._engine.begin() as connection:
            for write in writes:
                try:
                    with connection.begin_nested():
                        execute(connection, [write], notify=self._shared)
                    answers.append(True)
                except (IntegrityError, self._driver.IntegrityError):
                    answers.append(False)
        return answers


def _answer(writes: list[Write], answers: list[bool | UnsavedError]) -> None:
    for write, answer in zip(writes, answers, strict=True):
        future = write.saved
        if future is None or future.done():
            continue
        if isinstance(answer, UnsavedError):
            future.set_exception(answer)
        else:
            future.set_result(answer)
