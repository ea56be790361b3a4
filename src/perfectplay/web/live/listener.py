"""Listening to other processes on the same database, by LISTEN and NOTIFY of PostgreSQL."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

import psycopg
import sqlalchemy as sql

from perfectplay.web.storage.writes import CHANNEL

logger = logging.getLogger("perfectplay.web")

AGAIN = 1.0
"""Seconds between attempts to reconnect."""


class Listener:
    """Calls `receive` with every notice, and `resume` when some may have been missed."""

    def __init__(self, url: sql.URL, receive: Callable[[str], None], resume: Callable[[], None]) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._receive = receive
        self._resume = resume
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to listen."""
        connection = await self._connect()
        self._task = asyncio.create_task(self._listen(connection))

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _connect(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        connection = await psycopg.AsyncConnection.connect(
            self._address,
            autocommit=True,
            connect_timeout=5,
            # It only listens: without these it would take hours to notice a lost connection.
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
        )
        await connection.execute(f"LISTEN {CHANNEL}")
        return connection

    async def _listen(self, connection: psycopg.AsyncConnection[tuple[object, ...]]) -> None:
        while True:
            try:
                async with connection:
                    async for notice in connection.notifies():
                        self._receive(notice.payload)
            except psycopg.Error as error:
                logger.error("Lost the connection to other processes: %s", str(error).strip().split("\n")[0])
            except Exception:
                logger.exception("Lost the connection to other processes")
            while True:
                await asyncio.sleep(AGAIN)
                with suppress(psycopg.Error, OSError):
                    connection = await self._connect()
                    break
            self._resume()
