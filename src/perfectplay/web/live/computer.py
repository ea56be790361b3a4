"""The turns of computer players."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from perfectplay.core.errors import PerfectplayError
from perfectplay.tables.automatic import is_due
from perfectplay.tables.events import Event, RefusedError
from perfectplay.web.live.live_table import LiveTable
from perfectplay.web.live.table_cache import TableCache
from perfectplay.web.live.tasks import Tasks
from perfectplay.web.storage.database import MissingError, UnsavedError
from perfectplay.workers.thinker import BusyError, SlowError, Workers

logger = logging.getLogger("perfectplay.web")

AddEvent = Callable[[str, Event], Awaitable[Event]]
"""Adds an event to the table with this id, which sets its time."""
TRIES = 3
"""How often a computer player may be too slow before its table is closed."""


@dataclass(eq=False)
class ComputerPlayers:
    """Makes the moves of computer players, each in its own task."""

    workers: Workers
    tables: TableCache
    tasks: Tasks
    add: AddEvent

    def think(self, live: LiveTable) -> None:
        """Start choosing a move if it is a computer player's turn."""
        table = live.table
        if table is None or live.thinking is not None or self.tasks.closing or not is_due(table):
            return
        live.thinking = self.tasks.spawn(self._play(live))

    async def _play(self, live: LiveTable) -> None:
        slow = unsaved = 0
        thought = 0.0  # seconds; what it waits for others is not on its clock
        try:
            while True:
                async with self.tables.open(live.id) as found:
                    table = found.loaded
                    if found is not live or not is_due(table):
                        return
                    seat, number = table.turn, table.next
                    assert seat is not None
                    record, player = str(table.record()), table.players[seat]
                    assert player is not None
                try:
                    choice = await self.workers.choose(table.game, record, player, live.address)
                    ms = round(1000 * (thought + choice.seconds))
                    await self.add(live.id, Event(number, 0.0, seat, "move", choice.text, ms=ms))
                except (UnsavedError, BusyError):
                    unsaved += 1  # not the player's fault
                    await asyncio.sleep(min(30, 2**unsaved))
                except PerfectplayError as error:
                    if isinstance(error, RefusedError) and error.code in ("number", "time"):
                        continue  # something else has happened in the meantime, or it thought for too long
                    slow += 1
                    logger.error("table %s: %s", live.id, error)
                    thought += error.seconds if isinstance(error, SlowError) else 0.0
                    if table.control is not None and 1000 * thought >= table.left[seat]:
                        late = Event(number, 0.0, seat, "time", ms=table.left[seat])
                        with suppress(RefusedError):
                            await self.add(live.id, late)
                        return
                    if slow >= TRIES or not isinstance(error, SlowError):
                        close = Event(number, 0.0, None, "close", "the computer found no move")
                        with suppress(RefusedError):
                            await self.add(live.id, close)
                        return
        except (MissingError, UnsavedError):
            return  # maintenance tries again later
        finally:
            live.thinking = None
