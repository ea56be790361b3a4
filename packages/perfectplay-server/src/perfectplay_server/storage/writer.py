"""The thread that writes to the database.

It takes everything that waits, writes it in one transaction and reports back when that is on the disk,
so that many tables share one wait for the disk.
"""

import asyncio
import errno
import logging
import math
import os
import sqlite3
from concurrent.futures import Executor, Future
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from perfectplay_server.storage.database import UnsavedError, first_line
from perfectplay_server.storage.writes import Write, execute

logger = logging.getLogger("perfectplay_server")

PACE = 0.006
"""Seconds between two transactions, at least: what comes meanwhile shares a wait for the disk."""
COMMITS = 200
"""Transactions after which SQLite's log is moved into the database file."""


class Checkpoints:
    """Moves SQLite's log into the database file, most of it beside the writer.

    SQLite would do all of it in one of the transactions, and every move would wait for that.
    """

    def __init__(self, engine: sql.Engine, beside: Executor) -> None:
        self._engine = engine
        self._beside = beside
        self._commits = 0
        self._moving: Future[None] | None = None

    def count_commit(self) -> None:
        """Count a transaction. The writer calls this after each, and before the next begins."""
        self._commits += 1
        if self._moving is None:
            if self._commits >= COMMITS:
                self._moving = self._beside.submit(self.move_log)
        elif self._moving.done():
            self._moving, self._commits = None, 0
            # The rest has been logged meanwhile and is little; then the log starts from its beginning again.
            self.move_log()

    def move_log(self) -> None:
        """Move as much as no reader holds back."""
        with closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").close()


class Writer:
    """Writes what is queued."""

    shared: bool
    """Whether other processes may use the database at the same time; then they are notified."""

    def __init__(self, engine: sql.Engine, checkpoints: Checkpoints | None) -> None:
        self.engine = engine
        self.written = -math.inf
        """When something was last queued."""
        self._checkpoints = checkpoints
        self._driver = engine.dialect.loaded_dbapi
        self._file = None if self.shared else Path(engine.url.database or "")
        self._opened = None if self._file is None else self._file.stat()
        self._queue: SimpleQueue[Write | None] = SimpleQueue()
        self._thread = Thread(target=self._write_all, name="writer", daemon=True)

    def start(self) -> None:
        """Start to write what is queued, and to answer the loops it came from."""
        self._thread.start()

    def close(self) -> None:
        """Write everything that waits, and end the thread."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def write(self, write: Write) -> "asyncio.Future[bool]":
        """Queue a write. The future is True once it is on the disk, False if another process was first."""
        self.written = monotonic()
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
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
                answers = self.commit(writes)
                saved = writes[0].saved
                assert saved is not None
                with suppress(RuntimeError):  # a stopped loop takes no answers
                    saved.get_loop().call_soon_threadsafe(_answer, writes, answers)
                if self._checkpoints is not None:
                    try:
                        self._checkpoints.count_commit()
                    except (SQLAlchemyError, sqlite3.Error) as error:  # the next one makes up for it
                        logger.error("Checkpoint failed: %s", first_line(error))
            if not ended:
                # Asleep rather than waiting for the queue, so that the next move need not wake this thread.
                sleep(max(0.0, begun + PACE - monotonic()))

    def commit(self, writes: list[Write]) -> list[bool | UnsavedError]:
        """Write everything in one transaction; return the answer to each."""
        try:
            # SQLite would write on to a deleted file.
            if self._file and self._opened and not os.path.samestat(self._file.stat(), self._opened):
                raise OSError(errno.ESTALE, "the database was replaced by another file")
            try:
                with self.engine.begin() as connection:
                    execute(connection, writes, notify=self.shared)
                return [True] * len(writes)
            except (IntegrityError, self._driver.IntegrityError):
                return self._write_singly(writes)
        except Exception as error:
            # Whatever it was, the callers get an answer, and this thread continues.
            usual = isinstance(error, (SQLAlchemyError, self._driver.Error, OSError))
            logger.error("Not saved: %s", first_line(error), exc_info=not usual)
            return [UnsavedError(first_line(error))] * len(writes)

    def _write_singly(self, writes: list[Write]) -> list[bool | UnsavedError]:
        """Write each by itself in one transaction, because another process was first with one of them."""
        answers: list[bool | UnsavedError] = []
        with self.engine.begin() as connection:
            for write in writes:
                try:
                    with connection.begin_nested():
                        execute(connection, [write], notify=self.shared)
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
