"""Everything that clients can ask for and do at tables. Routes and sockets use nothing else."""

import asyncio
import secrets
from contextlib import AsyncExitStack, suppress
from itertools import islice
from time import monotonic

from perfectplay.tables.automatic import first_events
from perfectplay.tables.encoding import dumps
from perfectplay.tables.events import Event, EventKind, RefusedError, Seat
from perfectplay.tables.schemas import TableSchema
from perfectplay.tables.serializers import event_news
from perfectplay.tables.table import Table
from perfectplay.tables.time_control import TimeControl
from perfectplay.tables.validation import Plies, computer_name, load_small_game
from perfectplay.workers.thinker import BusyError
from perfectplay_server.limits import EVENTS_PER_PAGE, SOCKETS_PER_SEAT
from perfectplay_server.live.actions import Actions, table_columns
from perfectplay_server.live.live_table import LiveTable, Subscriber
from perfectplay_server.live.lobby import Lobby
from perfectplay_server.live.maintenance import Maintenance
from perfectplay_server.live.peers import Peers
from perfectplay_server.live.server_clock import ServerClock
from perfectplay_server.live.table_cache import TableCache
from perfectplay_server.live.tasks import Tasks
from perfectplay_server.live.transfers import Transfers
from perfectplay_server.live.turns import ComputerPlayers, FlagFall
from perfectplay_server.live.workers import Workers
from perfectplay_server.settings import ServerSettings
from perfectplay_server.storage.database import MissingError, UnsavedError
from perfectplay_server.storage.restore import old_game
from perfectplay_server.storage.store import Store
from perfectplay_server.storage.writes import Write, event_columns
from perfectplay_server.throttling import RateLimit, TooFastError

LAST_BEAT = 2.0
"""Seconds that a server which stops may take to write what its clock shows."""


class Hub:
    """All tables of this process."""

    def __init__(self, store: Store, settings: ServerSettings) -> None:
        self.store = store
        self.settings = settings
        self.pace = RateLimit(settings.events_per_second, 2 * settings.events_per_second)
        self.tasks = Tasks()
        self.clock = ServerClock(store, self.tasks)
        self.workers = Workers(settings.think_seconds, settings.study_seconds)
        self.tables = TableCache(store, self.clock)
        self.peers = Peers(self)
        self.actions = Actions(self)
        self.computers = ComputerPlayers(self)
        self.flag_fall = FlagFall(self)
        self.maintenance = Maintenance(self)
        self.lobby = Lobby(self)
        self.transfers = Transfers(self)

    async def start(self) -> None:
        """Start to write, to listen to other processes, and to look after the tables."""
        self.store.start()
        await self.clock.start()
        await self.peers.start()
        self.tasks.spawn(self.maintenance.run())

    def stop(self) -> None:
        """Answer nothing any more that may take long: the server stops."""
        if not self.workers.closed:
            self.tasks.spawn(self.workers.close())

    async def close(self) -> None:
        """Finish what has been started, and stop everything."""
        beats = not self.tasks.closing
        self.tasks.closing = True
        self.flag_fall.close()
        # In reverse order; each runs even if an earlier one fails.
        async with AsyncExitStack() as stack:
            stack.push_async_callback(asyncio.to_thread, self.store.close)
            stack.push_async_callback(self.workers.close)
            stack.push_async_callback(self.tasks.close)
            if beats:  # so that the clocks of players continue where they are
                with suppress(UnsavedError, TimeoutError):
                    async with asyncio.timeout(LAST_BEAT):
                        await self.store.write(Write(beat=self.clock.now()))

    # Questions.

    async def show(self, table_id: str, owner: str | None) -> TableSchema:
        """A table as `owner` sees it."""
        async with self.tables.open(table_id) as live:
            _note_presence(live, owner)
            return live.serialize(owner)

    async def table(self, table_id: str) -> Table:
        """A table with its last game, to look at."""
        async with self.tables.open(table_id) as live:
            return live.loaded

    async def events(self, table_id: str, owner: str | None, after: int) -> list[Event]:
        """What has happened at a table after event `after`, at most EVENTS_PER_PAGE events."""
        async with self.tables.open(table_id) as live:
            _note_presence(live, owner)
            return await self.store.read(self.store.events, table_id, after=after, most=EVENTS_PER_PAGE)

    async def game(
        self, table_id: str, number: int, *, ply: int = 0, owner: str | None = None
    ) -> tuple[Table, Seat | None]:
        """A table as it was at the end of game `number`, and the seat of the client that asks.

        MissingError unless that game has reached `ply`.
        """
        async with self.tables.open(table_id) as live:
            table = live.loaded
            if not 1 <= number <= table.games:
                raise MissingError
            if number < table.games:
                table = await self.store.read(old_game, self.store, table, number)
            if table.match is None or ply > table.match.plies:
                raise MissingError
            return table, live.seat_owned_by(owner)

    def away_limit(self, chosen: float | None, control: TimeControl | None) -> float | None:
        """How long a player may be away from a new table, where its maker has or has not chosen that."""
        return self.settings.away_seconds if chosen is None and control is None else chosen

    # Requests.

    async def make(
        self,
        spec: str,
        *,
        seat: Seat | None,
        opponent: str | None,
        name: str,
        public: bool,
        owner: str,
        moves: Plies = (),
        address: str = "",
        control: TimeControl | None = None,
        away_limit: float | None = None,
    ) -> LiveTable:
        """Make a table where `owner` has a seat, at which `moves` have been played.

        `address` is the client's address.
        """
        full = await self.store.read(self.store.count_live) >= self.settings.most_tables
        if full and not await self.maintenance.close_forgotten():
            raise BusyError
        own: Seat = seat if seat is not None else 0 if secrets.randbelow(2) else 1
        players: tuple[str | None, str | None] = (None, opponent) if own == 0 else (opponent, None)
        table_id = secrets.token_urlsafe(9)
        live = LiveTable(table_id, monotonic())
        live.code, live.public, live.address = secrets.token_urlsafe(12), public, address
        live.owners = (owner, None) if own == 0 else (None, owner)
        table = live.table = Table(
            table_id,
            load_small_game(spec),
            seed=secrets.randbelow(10**9),
            players=players,
            control=control,
            away_limit=self.away_limit(away_limit, control),
        )
        guest = None if opponent is None else computer_name(opponent)
        happened: list[Event] = []
        for event in first_events(table, own, name, guest, moves):
            happened.append(event)
            live.recent.append(event_news(table, event))
        row = {
            **table_columns(table, self.clock.now()),
            "id": table_id,
            "game": table.game.spec,
            "seed": table.seed,
            "player0": players[0],
            "player1": players[1],
            "code": live.code,
            "public": public,
            "clock": None if control is None else str(control),
            "away_limit": table.away_limit,
        }
        rows = [event_columns(table_id, event, owner if event.number == 1 else None) for event in happened]
        await asyncio.shield(self.store.write(Write(table=row, events=rows)))
        live.told = table.next - 1
        self.tables[table_id] = live
        live.since = monotonic()
        self.computers.think(live)
        self.flag_fall.watch(live)
        return live

    async def join(self, table_id: str, *, code: str, name: str, owner: str) -> None:
        """Take the free seat of a table. RefusedError says why not."""
        async with self.tables.open(table_id) as live:
            if not secrets.compare_digest(live.code.encode(), code.encode()):
                raise RefusedError("code", "this link is not valid for the free seat")
            table = live.loaded
            held = live.seat_owned_by(owner)
            if held is not None and table.status == "open":
                raise RefusedError("own", "you already sit at this table; the link is for your opponent")
            if held is not None:
                return
            free: Seat = 0 if table.names[0] is None else 1
            number = table.next
        await self.actions.act(table_id, free, number, "sit", name, owner=owner)

    async def request(
        self,
        table_id: str,
        owner: str | None,
        number: int,
        kind: EventKind,
        text: str,
        *,
        address: str,
        subscriber: Subscriber | None = None,
    ) -> Event:
        """Do what a client asks for, if it has a seat and does not ask too often.

        `address` is the client's address, `subscriber` its socket if it has asked through one.
        """
        asked = monotonic()  # what follows may have to wait, at nobody's cost
        live = self.tables.get(table_id)
        seat = None if live is None else live.seat_owned_by(owner)
        if live is None or seat is None:
            async with self.tables.open(table_id, fresh=False) as live:
                if self.store.shared:
                    await self.tables.read_on(live)  # it may have sat down through another process
                seat = live.seat_owned_by(owner)
        if subscriber is not None:
            subscriber.seat = seat  # it may have sat down since it connected
        if seat is None:
            raise RefusedError("seat", "only seated players can do that")
        if wait := self.pace.wait((table_id, seat)):
            raise TooFastError("you are sending too fast; please wait a moment", wait)
        lag = 0.0 if subscriber is None else subscriber.lag.seconds
        return await self.actions.act(
            table_id, seat, number, kind, text, address=address, asked=asked, lag=lag
        )

    # Sockets.

    async def connect(
        self, table_id: str, owner: str | None, after: int | None, subscriber: Subscriber
    ) -> LiveTable:
        """Send a client the table, or the events after `after`, and from then on everything that happens."""
        async with self.tables.open(table_id) as live:
            subscriber.owner, subscriber.seat = owner, live.seat_owned_by(owner)
            # Counted separately, so that spectators never keep a player from connecting.
            most = self.settings.sockets_per_table if subscriber.seat is None else SOCKETS_PER_SEAT
            if sum(each.seat == subscriber.seat for each in live.subscribers) >= most:
                raise BusyError
            live.subscribers += (subscriber,)
            known = len(live.recent)
            missed = None if after is None else live.loaded.next - 1 - after
            if missed is None or not 0 <= missed <= known:
                subscriber.send(dumps({"type": "table", "table": live.serialize(owner)}))
            else:
                for news in islice(live.recent, known - missed, None):
                    subscriber.send(news.text())
            if after is not None:
                subscriber.send(dumps({"type": "ready", "seat": subscriber.seat}))
            if live.loaded.control is not None:
                subscriber.send(subscriber.lag.pong(monotonic()))
            live.tell_presence()
            self.peers.say("ask", live)
            return live

    def disconnect(self, live: LiveTable, subscriber: Subscriber) -> None:
        """Remove a client that has gone, and tell the others."""
        live.subscribers = tuple(each for each in live.subscribers if each is not subscriber)
        live.used = monotonic()
        self.tables.disconnected += 1
        if subscriber.seat is not None:
            live.seen[subscriber.seat] = live.used
        live.tell_presence()
        self.peers.say("present", live)


def _note_presence(live: LiveTable, owner: str | None) -> None:
    """A player who asks about the table counts as present, even without a socket."""
    seat = live.seat_owned_by(owner)
    if seat is not None:
        live.seen[seat] = monotonic()
