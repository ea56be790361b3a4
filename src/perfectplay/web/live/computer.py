"""The turns of computer players."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perfectplay.core.errors import PerfectplayError
from perfectplay.tables.automatic import is_due
from perfectplay.tables.events import RefusedError
from perfectplay.web.live.live_table import LiveTable
from perfectplay.web.storage.database import MissingError, UnsavedError
from perfectplay.workers.thinker import BusyError, SlowError

if TYPE_CHECKING:
    from perfectplay.web.live.actions import Actions

logger = logging.getLogger("perfectplay.web")

NO_MOVE = "the computer found no move"
TRIES = 3
"""How often a computer player may be too slow before its table is closed."""


@dataclass(eq=False)
class ComputerPlayers:
    """Makes the moves of computer players, each in its own task."""

    actions: "Actions"

    def think(self, live: LiveTable) -> None:
        """Start choosing a move if it is a computer player's turn."""
        table = live.table
        if table is None or live.thinking is not None or self.actions.tasks.closing or not is_due(table):
            return
        live.thinking = self.actions.tasks.spawn(self._play(live))

    async def _play(self, live: LiveTable) -> None:
        actions, slow, unsaved = self.actions, 0, 0
        thought = 0.0  # seconds; what it waits for others is not on its clock
        try:
            while True:
                async with actions.tables.open(live.id) as found:
                    table = found.loaded
                    if found is not live or not is_due(table):
                        return
                    seat, number = table.turn, table.next
                    assert seat is not None
                    record, player = str(table.record()), table.players[seat]
                    assert player is not None
                try:
                    choice = await actions.workers.choose(table.game, record, player, live.address)
                    ms = round(1000 * (thought + choice.seconds))
                    await actions.act(live.id, seat, number, "move", choice.text, ms=ms)
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
                                await actions.act(live.id, seat, number, "time", ms=table.left[seat])
                            else:
                                await actions.act(live.id, None, number, "close", NO_MOVE)
                        return
        except (MissingError, UnsavedError):
            return  # maintenance tries again later
        finally:
            live.thinking = None
