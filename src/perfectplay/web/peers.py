"""Other processes on the same database: what happened there is let happen here, and who is there is told."""

import asyncio
import json
import logging
import secrets
from time import monotonic
from typing import TYPE_CHECKING

from perfectplay.web.listener import Listener
from perfectplay.web.live_table import Counts, LiveTable
from perfectplay.web.shapes import dumps
from perfectplay.web.store import Write

if TYPE_CHECKING:
    from perfectplay.web.hub import Hub

logger = logging.getLogger("perfectplay.web")

BEAT = 5.0
"""Seconds between two signs of life to other processes."""


class Peers:
    """The other processes, where there may be any: on SQLite there are none, and nothing is said."""

    def __init__(self, hub: "Hub") -> None:
        self.hub = hub
        self.worker = secrets.token_urlsafe(6)
        self._listener: Listener | None = None

    async def start(self) -> None:
        """Begin to listen, and to give signs of life."""
        store = self.hub.store
        if store.shared:
            self._listener = Listener(store.url, self.heard, self._heard_nothing)
            await self._listener.start()
            self.hub.spawn(self._beat())

    async def close(self) -> None:
        """Listen no more."""
        if self._listener is not None:
            await self._listener.close()

    def notice(self, kind: str, table_id: str, **more: object) -> str:
        """What to tell the others along with a write; nothing if there are none."""
        if not self.hub.store.shared:
            return ""
        return dumps({"worker": self.worker, "kind": kind, "table": table_id, **more})

    def say(self, kind: str, live: LiveTable) -> None:
        """Tell the others who is connected here: `present`, or `ask` to be told the same."""
        if self.hub.store.shared and not self.hub.closing:
            notice = self.notice(kind, live.id, counts=live.counts())
            self.hub.spawn_quietly(self.hub.store.write(Write(notice=notice)))

    def heard(self, text: str) -> None:
        """Some notices, a line each. Anything else that is sent on the channel is passed over."""
        for line in text.split("\n"):
            try:
                notice = json.loads(line)
                worker, kind = notice["worker"], notice["kind"]
                live = self.hub.live_tables.get(notice["table"])
                counts = Counts(*notice.get("counts", ()))
            except (ValueError, TypeError, KeyError, AttributeError):
                logger.warning("a notice that makes no sense: %.100r", line)
                continue
            if worker == self.worker or live is None:
                continue
            if kind == "event":
                self.hub.spawn_quietly(self.hub.catch_up(live))
                continue
            if live.heard_of(worker, counts, monotonic()):
                self.hub.tell_presence(live)
            if kind == "ask" and live.subscribers:
                self.say("present", live)

    def _heard_nothing(self) -> None:
        """Notices may have been missed: every table in memory is looked up."""
        for live in list(self.hub.live_tables.values()):
            self.hub.spawn_quietly(self.hub.catch_up(live))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            self.beat()

    def beat(self) -> None:
        """Give a sign of life for every table that someone here is at, and miss those who give none."""
        now = monotonic()
        for live in list(self.hub.live_tables.values()):
            if live.miss_silent(now):
                self.hub.tell_presence(live)
            if live.subscribers:
                self.say("present", live)
