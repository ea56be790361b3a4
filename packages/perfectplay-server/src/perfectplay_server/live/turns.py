"""Turns that end by themselves: the moves of computer players, and time-outs."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from perfectplay.core.errors import PerfectplayError
from perfectplay.tables.automatic import is_due
from perfectplay.tables.events import RefusedError
from perfectplay.workers.thinker import BusyError, SlowError
from perfectplay_server.live.live_table import LiveTable
from perfectplay_server.storage.database import MissingError, UnsavedError

if TYPE_CHECKING:
    from perfectplay_server.live.hub import Hub

logger = logging.getLogger("perfectplay_server")

NO_MOVE = "the computer found no move"
TRIES = 3
"""How often a computer player may be too slow before its table is closed."""


@dataclass(eq=False)
class ComputerPlayers:
    """Makes the moves of computer players, each in its own task."""

    hub: "Hub"

    def think(self, live: LiveTable) -> None:
        """Start choosing a move if it is a computer player's turn."""
        table = live.table
        if table is None or live.thinking is not None or self.hub.tasks.closing or not is_due(table):
            return
        live.thinking = self.hub.tasks.spawn(self._play(live))

    async def _play(self, live: LiveTable) -> None:
        hub, slow, unsaved = self.hub, 0, 0
        thought = 0.0  # seconds; what it waits for others is not on its clock
        try:
            while True:
                async with hub.tables.open(live.id) as found:
                    table = found.loaded
                    if found is not live or not is_due(table):
                        return
                    seat, number = table.turn, table.next
                    assert seat is not None
                    record, player = str(table.record()), table.players[seat]
                    assert player is not None
                try:
                    choice = await hub.workers.choose(table.game, record, player, live.address)
                    ms = round(1000 * (thought + choice.seconds))
                    await hub.actions.act(live.id, seat, number, "move", choice.text, ms=ms)
                except (UnsavedError, BusyError):
                    unsaved += 1  # not the player's fault
                    await asyncio.sleep(min(30, 2**unsaved))
                except PerfectplayError as error:
                    if isinstance(error, RefusedError) and error.code in ("number", "time"):
                        continue  # something else has happened in the meantime, or it thought for too long
                    slow += 1
                    logger.error("table %s: %s", live.id, error)
                    thought += error.seconds if isinstance(error, SlowError) else 0.0
                    late = table.control is not None and 1000 * thought >= table.left[seat]
                    if late or slow >= TRIES or not isinstance(error, SlowError):
                        with suppress(RefusedError):
                            if late:
                                await hub.actions.act(live.id, seat, number, "time", ms=table.left[seat])
                            else:
                                await hub.actions.act(live.id, None, number, "close", NO_MOVE)
                        return
        except (MissingError, UnsavedError):
            return  # maintenance tries again later
        finally:
            live.thinking = None


@dataclass(eq=False)
class FlagFall:
    """Ends games when the time of the player to move has run out.

    Only time-outs within the next two rounds of maintenance have a timer. Maintenance finds the others in the
    database: those further away, those of a server that was restarted, and those of a process that died. If
    two processes end the same game, the database accepts one of the two events.
    """

    hub: "Hub"
    _timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)

    @property
    def horizon(self) -> float:
        """For how many seconds ahead there are timers."""
        return 2 * self.hub.settings.sweep_seconds

    def watch(self, live: LiveTable) -> None:
        """Have a timer for a table, if time may run out there soon."""
        seconds = live.until_flag_fall(monotonic())
        if seconds is None or seconds > self.horizon or self.hub.tasks.closing:
            return
        loop = asyncio.get_running_loop()
        timer = self._timers.get(live.id)
        if timer is not None:
            # A timer that is too early looks again: a move need not set a new one.
            if timer.when() <= loop.time() + seconds:
                return
            timer.cancel()
        self._timers[live.id] = loop.call_later(max(0.0, seconds), self._ring, live.id)

    def close(self) -> None:
        """Stop all timers."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    async def check(self, table_id: str) -> None:
        """End the game at a table if the time has run out there, and else look again when it may have."""
        async with self.hub.tables.open(table_id) as live:
            seconds = live.until_flag_fall(monotonic())
            turn, number = live.loaded.turn, live.loaded.next
            if seconds is None or seconds > 0:
                return self.watch(live)
        # If something happens first, the number is taken and the game continues.
        await self.hub.actions.act(table_id, turn, number, "time")

    def _ring(self, table_id: str) -> None:
        del self._timers[table_id]
        if not self.hub.tasks.closing:
            self.hub.tasks.spawn_quietly(self.check(table_id))
