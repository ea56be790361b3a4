"""A hub for tests: tables, clients and writes that a test can hold back."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from perfectplay_server.live.hub import Hub
from perfectplay_server.live.live_table import LiveTable, Subscriber
from perfectplay_server.storage.database import sqlite_url
from perfectplay_server.storage.store import Store
from tests.web.servers import settings

Patch = pytest.MonkeyPatch
YEAR = 365 * 86_400


@asynccontextmanager
async def running(folder: Path, *, upkeep: bool = False, **changes: Any) -> AsyncIterator[Hub]:
    """All tables of a process, without a server; nothing happens by itself unless they are `upkeep`."""
    async with started(Hub(Store(sqlite_url(folder)), settings(folder, **changes)), upkeep=upkeep) as hub:
        yield hub


@asynccontextmanager
async def started(hub: Hub, *, upkeep: bool = False) -> AsyncIterator[Hub]:
    """A hub that is closed in the end."""
    if not upkeep:
        hub.maintenance.run = partial(asyncio.sleep, 0)  # type: ignore[method-assign]
    await hub.start()
    try:
        yield hub
    finally:
        await hub.close()


async def seated(hub: Hub, game: str = "bit-flip", opponent: str | None = None) -> LiveTable:
    """A table where Ann, who has the first seat, plays Bob or a computer."""
    live = await hub.make(game, seat=0, opponent=opponent, name="Ann", public=True, owner="ann")
    if opponent is None:
        await hub.join(live.id, code=live.code, name="Bob", owner="bob")
    return live


async def listening(hub: Hub, live: LiveTable, owner: str | None = None) -> Subscriber:
    """Someone who is connected and knows everything so far."""
    subscriber = Subscriber(None, lambda: None)
    await hub.connect(live.id, owner, None, subscriber)
    told(subscriber)
    return subscriber


def told(subscriber: Subscriber) -> list[dict[str, Any]]:
    """What someone was told since they were last asked."""
    found = []
    while not subscriber.queue.empty():
        found.append(json.loads(subscriber.queue.get_nowait()))
    return found


async def next_event(subscriber: Subscriber) -> int:
    """The number of the next event that someone is told."""
    while True:
        message = json.loads(await asyncio.wait_for(subscriber.queue.get(), 30))
        if message["type"] == "event":
            return int(message["event"]["number"])


Answer = Callable[[], Awaitable[bool]]


def writes(hub: Hub, monkeypatch: Patch, how: Callable[[Answer], Coroutine[Any, Any, bool]]) -> None:
    """Have every write made in another way, given how it is made in truth."""
    real = hub.store.write
    monkeypatch.setattr(hub.store, "write", lambda write: asyncio.ensure_future(how(lambda: real(write))))


@contextmanager
def held(hub: Hub, monkeypatch: Patch) -> Iterator[asyncio.Event]:
    """Nothing is written until this is set, at the end if not before."""
    free = asyncio.Event()

    async def wait(answer: Answer) -> bool:
        await free.wait()
        return await answer()

    writes(hub, monkeypatch, wait)
    try:
        yield free
    finally:
        free.set()


async def pause() -> None:
    """Let everything happen that waits for nothing, however many steps that takes."""
    # Up to Python 3.14, a loop tells what is about to run in no other way.
    loop: Any = asyncio.get_running_loop()
    while loop._ready:
        await asyncio.sleep(0)
