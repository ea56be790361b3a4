"""The ends of players' time: a timer for each table where it may run out soon."""

import asyncio
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from perfectplay.web.live.live_table import LiveTable

if TYPE_CHECKING:
    from perfectplay.web.live.actions import Actions


@dataclass(eq=False)
class FlagFall:
    """Ends games when the time of the player to move has run out.

    Only time-outs within the next two rounds of maintenance have a timer. Maintenance finds the others in the
    database: those further away, those of a server that was restarted, and those of a process that died. If
    two processes end the same game, the database accepts one of the two events.
    """

    actions: "Actions"
    _timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)

    @property
    def horizon(self) -> float:
        """For how many seconds ahead there are timers."""
        return 2 * self.actions.settings.sweep_seconds

    def watch(self, live: LiveTable) -> None:
        """Have a timer for a table, if time may run out there soon."""
        seconds = live.until_flag_fall(monotonic())
        if seconds is None or seconds > self.horizon or self.actions.tasks.closing:
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
        async with self.actions.tables.open(table_id) as live:
            seconds = live.until_flag_fall(monotonic())
            turn, number = live.loaded.turn, live.loaded.next
            if seconds is None or seconds > 0:
                return self.watch(live)
        # If something happens first, the number is taken and the game continues.
        await self.actions.act(table_id, turn, number, "time")

    def _ring(self, table_id: str) -> None:
        del self._timers[table_id]
        if not self.actions.tasks.closing:
            self.actions.tasks.spawn_quietly(self.check(table_id))
