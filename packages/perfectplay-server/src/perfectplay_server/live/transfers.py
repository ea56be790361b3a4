"""Moving a seat to another device: by a code that works once and expires."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sql

from perfectplay.tables.events import RefusedError, Seat
from perfectplay_server.storage.database import MissingError, connect
from perfectplay_server.storage.schema import events, transfers
from perfectplay_server.storage.writes import CHANNEL

if TYPE_CHECKING:
    from perfectplay_server.live.hub import Hub

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What a code is made of: nothing that looks like something else."""
HALF = 5
"""Letters in each of the two groups of a code, such as 7KQ2M-XR40C: 50 random bits."""
SECONDS = 600.0
"""How long a code works."""


def digest_of(code: str) -> str:
    """What the database stores of a code, however it was typed.

    >>> digest_of("7KQ2M-XR40C") == digest_of("7kq2m xr4oc")
    True
    """
    typed = "".join(each for each in code.upper() if each.isalnum())
    return hashlib.sha256(typed.translate(str.maketrans("OIL", "011")).encode()).hexdigest()


@dataclass(eq=False)
class Transfers:
    """The codes of all seats that are being moved."""

    hub: "Hub"

    async def offer(self, table_id: str, owner: str | None) -> str:
        """A code that moves the seat of `owner`, for `SECONDS`. An earlier code no longer works."""
        async with self.hub.tables.open(table_id) as live:
            seat = live.seat_owned_by(owner)
            if seat is None:
                raise RefusedError("seat", "only seated players can do that")
        one, two = ("".join(secrets.choice(LETTERS) for _ in range(HALF)) for _ in range(2))
        code = f"{one}-{two}"
        await self.hub.store.read(self._save, table_id, seat, code, self.hub.clock.now() + SECONDS)
        return code

    async def claim(self, code: str, owner: str) -> str:
        """Give `owner` the seat that a code moves, and return the id of its table."""
        found = await self.hub.store.read(self._find, code)
        if found is None:
            raise _invalid()
        # To the end, whatever becomes of the client: the code is used up once the seat has moved.
        await self.hub.tasks.complete(self._move(found, code, owner))
        return found

    async def _move(self, table_id: str, code: str, owner: str) -> None:
        # Under the lock, so that nobody moves pieces for a seat that is no longer theirs.
        async with self.hub.tables.open(table_id) as live:
            notice = self.hub.peers.notice("moved", table_id)
            await self.hub.store.read(self._claim, code, owner, self.hub.clock.now(), notice)
            await self.hub.peers.reseat(live)

    def _find(self, code: str) -> str | None:
        chosen = sql.select(transfers.c.table_id).where(transfers.c.digest == digest_of(code))
        with connect(self.hub.store.engine) as connection:
            table: str | None = connection.execute(chosen).scalar()
            return table

    # A seat moves too rarely to share a transaction with the moves of all tables.

    def _save(self, table_id: str, seat: Seat, code: str, expires: float) -> None:
        known = sql.and_(transfers.c.table_id == table_id, transfers.c.seat == seat)
        row = {"table_id": table_id, "seat": seat, "digest": digest_of(code), "expires": expires}
        with connect(self.hub.store.engine) as connection, connection.begin():
            connection.execute(sql.delete(transfers).where(known))
            connection.execute(sql.insert(transfers), row)

    def _claim(self, code: str, owner: str, now: float, notice: str) -> None:
        with connect(self.hub.store.engine) as connection, connection.begin():
            # Deleting comes first: of two devices with the same code, the database lets one through.
            used = sql.delete(transfers).where(transfers.c.digest == digest_of(code))
            found = connection.execute(used.returning(*transfers.c)).one_or_none()
            if found is None or found.expires < now:
                raise _invalid()
            seats = sql.and_(events.c.table_id == found.table_id, events.c.kind == "sit")
            held = sql.select(events.c.seat).where(seats, events.c.owner == owner)
            if connection.execute(held).first() is not None:
                # The transaction is undone, so that the code still works where it is meant to be used.
                text = "this device has a seat at the table already; open the link on another"
                raise RefusedError("own", text)
            moved = sql.update(events).where(seats, events.c.seat == found.seat).values(owner=owner)
            if connection.execute(moved).rowcount != 1:
                raise MissingError
            if notice:
                connection.execute(sql.select(sql.func.pg_notify(CHANNEL, notice)))


def _invalid() -> RefusedError:
    return RefusedError("code", "this code is not valid; it works once, for ten minutes")
