"""Other processes on the same database: what has happened there, and who is connected."""

import asyncio
import json
import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING

import sqlalchemy as sql

from perfectplay.tables.encoding import dumps
from perfectplay_server.limits import MOST_ATTENDED
from perfectplay_server.live.live_table import SILENT, Counts, LiveTable
from perfectplay_server.storage.database import first_line
from perfectplay_server.storage.writes import CHANNEL, Write

if TYPE_CHECKING:
    import psycopg

    from perfectplay_server.live.hub import Hub

logger = logging.getLogger("perfectplay_server")

AGAIN = 1.0
"""Seconds between attempts to reconnect."""
BEAT = 5.0
"""Seconds between two signs of life to other processes."""


@dataclass(eq=False)
class Peers:
    """The other processes. SQLite allows none, and then nothing is sent."""

    hub: "Hub"
    _name: str = field(default_factory=lambda: secrets.token_urlsafe(6))
    _attended: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)
    """Tables with a player connected to another process: when it last said so, and from where."""

    async def start(self) -> None:
        """Start to listen, to send signs of life, and to ask what the clocks of the others show."""
        if self.hub.store.shared:
            self.hub.tasks.spawn(self._listen(await _connect(self.hub.store.url)))
            self.hub.tasks.spawn(self._beat())
            self._send(self.notice("hello", ""))

    def notice(self, kind: str, table_id: str, **more: object) -> str:
        """The notice to send along with a write; empty if there are no peers."""
        if not self.hub.store.shared:
            return ""
        now = round(self.hub.clock.now(), 3)
        return dumps({"worker": self._name, "kind": kind, "table": table_id, "now": now, **more}).decode()

    def say(self, kind: str, live: LiveTable) -> None:
        """Tell the peers who is connected here: `present`, or `ask` to be told the same."""
        if self.hub.store.shared:
            told = {"counts": live.counts(), "attended": live.attended, "address": live.host_address}
            self._send(self.notice(kind, live.id, **told))

    def _send(self, notice: str) -> None:
        if not self.hub.tasks.closing:
            self.hub.tasks.spawn_quietly(self.hub.store.write(Write(notice=notice)))

    def receive(self, text: str) -> None:
        """Act on notices, one per line. Anything else that is sent on the channel is logged and ignored."""
        for line in text.split("\n"):
            try:
                notice = json.loads(line)
                peer, kind = notice["worker"], notice["kind"]
                live = self.hub.tables.get(notice["table"])
                counts = Counts(*notice.get("counts", ()))
                now = float(notice.get("now", 0.0))
            except (ValueError, TypeError, KeyError, AttributeError):
                logger.warning("malformed notice from another process: %.100r", line)
                continue
            if peer == self._name:
                continue
            if isfinite(now):
                self.hub.clock.hear(now)
            if kind == "hello":
                self._send(self.notice("clock", ""))
            if kind in ("present", "ask"):
                key = (peer, str(notice["table"]))
                self._attended.pop(key, None)
                if notice.get("attended"):
                    self._attended[key] = (monotonic(), str(notice.get("address", "")))
            if live is None:
                continue
            if kind == "moved":
                self.hub.tasks.spawn_quietly(self._move_seat(live))
            elif kind == "event":
                self.hub.tasks.spawn_quietly(self.hub.tables.catch_up(live))
            else:
                if live.note_peer(peer, counts, monotonic()):
                    live.tell_presence()
                if kind == "ask" and live.subscribers:
                    self.say("present", live)

    async def _move_seat(self, live: LiveTable) -> None:
        async with live.lock:
            if live.table is not None:
                await self.reseat(live)

    async def reseat(self, live: LiveTable) -> None:
        """A seat has moved: read who has it, and tell its old device and its new one. The lock is held."""
        live.owners = await self.hub.store.read(self.hub.store.owners, live.id)
        for subscriber in live.subscribers:
            seat = live.seat_owned_by(subscriber.owner)
            if seat != subscriber.seat:
                subscriber.seat = seat
                subscriber.send(dumps({"type": "table", "table": live.serialize(subscriber.owner)}))
        live.tell_presence()
        self.say("present", live)

    def find_attended(self) -> dict[str, str]:
        """The tables, open or running, with a player connected to this process or another, and from where.

        There may be more, but a database takes no more ids in one question.
        """
        now = monotonic()
        there = {table: address for (_, table), (at, address) in self._attended.items() if now - at < SILENT}
        here = ((live.id, live.host_address) for live in self.hub.tables.values() if live.attended)
        return dict(islice((there | dict(here)).items(), MOST_ATTENDED))

    async def _listen(self, connection: "psycopg.AsyncConnection[tuple[object, ...]]") -> None:
        import psycopg

        while True:
            try:
                async with connection:
                    async for notice in connection.notifies():
                        self.receive(notice.payload)
            except psycopg.Error as error:
                logger.error("Lost the connection to other processes: %s", first_line(error))
            except Exception:
                logger.exception("Lost the connection to other processes")
            while True:
                await asyncio.sleep(AGAIN)
                with suppress(psycopg.Error, OSError):
                    connection = await _connect(self.hub.store.url)
                    break
            for live in self.hub.tables.values():  # notices may have been missed
                self.hub.tasks.spawn_quietly(self.hub.tables.catch_up(live))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            self.beat()

    def beat(self) -> None:
        """Send a sign of life for every table with clients here, and drop peers that have sent none."""
        now = monotonic()
        self._attended = {key: told for key, told in self._attended.items() if now - told[0] < SILENT}
        for live in self.hub.tables.values():
            if live.drop_silent(now):
                live.tell_presence()
            if live.subscribers:
                self.say("present", live)


async def _connect(url: sql.URL) -> "psycopg.AsyncConnection[tuple[object, ...]]":
    import psycopg  # which takes long, and SQLite does not need it

    connection = await psycopg.AsyncConnection.connect(
        url.set(drivername="postgresql").render_as_string(hide_password=False),
        autocommit=True,
        connect_timeout=5,
        # It only listens: without these it would take hours to notice a lost connection.
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
    )
    await connection.execute(f"LISTEN {CHANNEL}")
    return connection
