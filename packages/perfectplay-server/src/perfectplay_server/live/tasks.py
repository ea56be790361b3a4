"""Background work of the server, and requests that are finished even after the client has gone."""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from perfectplay.tables.events import RefusedError
from perfectplay_server.storage.database import MissingError, UnsavedError

logger = logging.getLogger("perfectplay_server")

T = TypeVar("T")


class Tasks:
    """The server's background tasks."""

    def __init__(self) -> None:
        self.closing = False
        self._background: set[asyncio.Task[None]] = set()
        """May be canceled at any time."""
        self._requested: set[asyncio.Task[Any]] = set()
        """Always run to their end."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run something in the background. An error is logged."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._finish)
        return task

    def spawn_quietly(self, work: Awaitable[object]) -> None:
        """Run something in the background that may fail, because maintenance makes up for it later."""

        async def run() -> None:
            with suppress(UnsavedError, MissingError, RefusedError):
                await work

        self.spawn(run())

    async def complete(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something to its end, even if the caller is canceled."""
        task = asyncio.ensure_future(work)
        self._requested.add(task)
        task.add_done_callback(self._requested.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Cancel what runs in the background, and wait for the rest."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, *self._requested, return_exceptions=True)

    def _finish(self, task: "asyncio.Task[None]") -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("Background task failed", exc_info=error)
