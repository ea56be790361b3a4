"""Lists of tables: those open to everyone, and a client's own tables and games."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, cast

from perfectplay.core.errors import BadParameterError, PerfectplayError
from perfectplay.tables.serializers import serialize_board
from perfectplay.tables.time_control import read_control
from perfectplay.tables.validation import load_small_game
from perfectplay_server import limits, schemas
from perfectplay_server.storage import restore
from perfectplay_server.storage.database import MissingError
from perfectplay_server.storage.writes import Columns
from perfectplay_server.throttling import TooFastError, one_of

if TYPE_CHECKING:
    from perfectplay.tables.schemas import ClockSchema
    from perfectplay_server.live.hub import Hub

logger = logging.getLogger("perfectplay_server")

RECENT = 3600.0
"""Seconds without a move after which a running game is no longer listed."""
FADING = 600.0
"""Seconds for which a finished game is still listed."""
ARRIVAL = 10.0
"""Seconds in which the maker of a new table is expected to connect to it."""


@dataclass(eq=False)
class Lobby:
    """The tables that are listed, and who waits at them."""

    hub: "Hub"
    _matching: asyncio.Lock = field(default_factory=asyncio.Lock)
    _making: Counter[str] = field(default_factory=Counter)
    turns: dict[str, float] = field(default_factory=dict)
    """When someone was last brought to a client of an address, the latest last."""

    def __post_init__(self) -> None:
        self._boards = lru_cache(limits.MOST_BOARDS)(self._read_boards)

    @asynccontextmanager
    async def matching(self) -> AsyncIterator[None]:
        """For one at a time, in all processes: of two who look for an opponent, one finds the other."""
        async with self._matching:
            turn = await self.hub.store.read(self.hub.store.match_turn)
            try:
                yield
            finally:
                await self.hub.store.read(turn.close)

    async def public_tables(self) -> schemas.ListSchema:
        """The public tables that wait for a player, those being played at, and those just finished.

        Open and running tables are listed only while one of their players is connected.
        """
        now, attended = self.hub.clock.now(), self.hub.peers.find_attended()
        waiting = self._few_of_each(await self._list_public("open", 0.0, limits.MOST_WAITING, attended))
        running = await self._list_public("running", now - RECENT, limits.LISTED, attended)
        finished = await self._list_public("over", now - FADING, limits.FINISHED_LISTED)
        return {
            "open": [brief for _, brief in _briefs(waiting[: limits.LISTED])],
            "running": [brief for _, brief in _briefs(running)],
            "finished": [brief for _, brief in _briefs(finished)],
        }

    @contextmanager
    def room(self, address: str) -> Iterator[None]:
        """Have a client make a public table; TooFastError if too many of its address wait already."""
        most, now = self.hub.settings.waiting_per_address, monotonic()
        waiting = sum(
            live.public and live.host_address == address and (live.attended or now - live.since < ARRIVAL)
            for live in self.hub.tables.values()
            if live.table is not None and live.table.status == "open"
        )
        with one_of(self._making, address, most - waiting) as allowed:
            if not allowed:
                text = (
                    f"{most} public tables from your address are waiting for an opponent; close one of them"
                )
                raise TooFastError(text, ARRIVAL)
            yield

    async def list_waiting(self) -> list[tuple[Columns, str]]:
        """The public tables whose makers wait there or are about to, each with the address of its maker.

        Addresses take turns, so that nobody gets everyone; of one address, the oldest comes first.
        """
        attended = self.hub.peers.find_attended()
        waiting = await self._list_public("open", 0.0, limits.MOST_WAITING, attended)
        arriving = await self._list_public("open", self.hub.clock.now() - ARRIVAL, limits.MOST_WAITING)
        rows = {row["id"]: row for row in (*waiting, *arriving)}

        def address_at(table_id: str) -> str:
            live = self.hub.tables.get(table_id)
            return attended.get(table_id, "" if live is None else live.address)

        found = [(row, address_at(row["id"])) for row in rows.values()]
        return sorted(found, key=lambda each: (self.turns.get(each[1], 0.0), each[0]["touched"]))

    def had_turn(self, address: str) -> None:
        """Somebody was brought to a client of this address: all others come first now."""
        self.turns.pop(address, None)
        self.turns[address] = monotonic()
        if len(self.turns) > limits.MOST_WAITING:
            del self.turns[next(iter(self.turns))]

    async def own_tables(self, owner: str) -> list[schemas.OwnSchema]:
        """The tables where `owner` has a seat, live ones first."""
        rows = await self.hub.store.read(self.hub.store.seats, owner, limits.OWN_LISTED)
        return [_own(row, brief) for row, brief in _briefs(rows)]

    async def own_games(self, owner: str, after: str | None) -> schemas.OwnGamesSchema:
        """All games of `owner`, newest first, after the place in their list that a page before has named."""
        rows = await self.hub.store.read(
            self.hub.store.games_of, owner, _place(after), limits.GAMES_PER_PAGE + 1
        )
        games: list[schemas.OwnGameSchema] = []
        for row, brief in _briefs(rows[: limits.GAMES_PER_PAGE]):
            with suppress(MissingError):  # it has just been deleted
                newest, *earlier = await self.hub.store.read(self._boards, row["id"], row["touched"])
                own = _own(row, brief)
                games.append({**own, **newest, "at": row["at"]})
                games += [{**own, "turn": None, "status": "over", **board} for board in earlier]
        last = rows[limits.GAMES_PER_PAGE - 1] if len(rows) > limits.GAMES_PER_PAGE else None
        return {"games": games, "next": None if last is None else f"{last['touched']!r},{last['id']}"}

    def _read_boards(self, table_id: str, touched: float) -> list[schemas.BoardSchema]:
        """How the games of a table were left, the newest first; `touched` says which state is meant."""
        table, stored, _ = restore.replay(self.hub.store, table_id)
        ended = {event.game: event.at for event in stored.events}
        first = max(0, table.games - limits.GAMES_PER_TABLE)
        earlier = (
            restore.old_game(self.hub.store, table, number) for number in range(table.games - 1, first, -1)
        )
        return [{**serialize_board(each), "at": ended.get(each.games, 0.0)} for each in (table, *earlier)]

    def _few_of_each(self, rows: Iterable[Columns]) -> list[Columns]:
        """The first tables of each address: it could make more than may wait, then come to all."""
        hosts, counted, kept = self.hub.peers.find_attended(), Counter[str](), []
        for row in rows:
            host = hosts.get(row["id"], "")
            counted[host] += 1
            if counted[host] <= self.hub.settings.waiting_per_address:
                kept.append(row)
        return kept

    async def _list_public(
        self, status: str, since: float, most: int, among: Collection[str] | None = None
    ) -> list[Columns]:
        if among is not None and not among:
            return []
        return await self.hub.store.read(self.hub.store.list_public, status, since, most, among)


def _briefs(rows: Iterable[Columns]) -> list[tuple[Columns, schemas.BriefSchema]]:
    found = ((row, _brief(row)) for row in rows)
    return [(row, brief) for row, brief in found if brief is not None]


def _brief(row: Columns) -> schemas.BriefSchema | None:
    """A row as a table in a list; None if its game is no longer installed."""
    try:
        game, control = load_small_game(row["game"]), read_control(row["clock"])
    except PerfectplayError as error:
        # The other tables are still shown.
        logger.error("table %s cannot be listed: %s", row["id"], error)
        return None
    brief: schemas.BriefSchema = {
        "id": row["id"],
        "game": row["game"],
        "title": game.title,
        "names": [row["name0"], row["name1"]],
        "score": [row["score0"], row["score1"]],
        "status": row["status"],
        "plies": row["plies"],
        "clock": control and cast("ClockSchema", control._asdict()),
    }
    if row["status"] == "open":
        brief["join"] = row["code"]
    return brief


def _own(row: Columns, brief: schemas.BriefSchema) -> schemas.OwnSchema:
    return {**brief, "seat": row["seat"], "turn": row["turn"]}


def _place(text: str | None) -> tuple[float, str] | None:
    if text is None:
        return None
    touched, _, table = text.partition(",")
    try:
        return float(touched), table
    except ValueError:
        raise BadParameterError("after", text, "the `next` of the page before") from None
