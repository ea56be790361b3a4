"""The tables in memory: what happens when things happen at once, are slow, or go wrong in the middle."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import Any

import pytest

from perfectplay.core.errors import PerfectplayError
from perfectplay.web import actions, automatic, schema, server_clock, thinker, upkeep, worker
from perfectplay.web import hub as hubs
from perfectplay.web import table as tables
from perfectplay.web.admission import bounded_game
from perfectplay.web.computer import ComputerPlayers
from perfectplay.web.database import UnsavedError, sqlite_url
from perfectplay.web.events import Event, RefusedError, Seat
from perfectplay.web.hub import Hub
from perfectplay.web.live_table import MOST_QUEUED, SILENT, Counts, LiveTable, MissingError, Subscriber
from perfectplay.web.serializers import News
from perfectplay.web.settings import MOST_MISSED, Settings
from perfectplay.web.store import Store
from perfectplay.web.table import Table
from perfectplay.web.thinker import BusyError, Choice, SlowError, Thinker, Workers
from perfectplay.web.writes import Write, event_row
from tests.web.servers import settings
from tests.web.test_store import table_row

Patch = pytest.MonkeyPatch
YEAR = 365 * 86_400


@asynccontextmanager
async def running(folder: Path, *, kept_up: bool = False, **changes: Any) -> AsyncIterator[Hub]:
    """All tables of a process, without a server; nothing happens by itself unless they are `kept_up`."""
    hub = Hub(Store(sqlite_url(folder)), settings(folder, **changes))
    if not kept_up:
        hub.upkeep.run = partial(asyncio.sleep, 0)  # type: ignore[method-assign]
    await hub.start()
    try:
        yield hub
    finally:
        await hub.close()


async def seated(hub: Hub, game: str = "bit-flip", opponent: str | None = None) -> LiveTable:
    """A table where Ann, who has the first seat, plays Bob or a computer."""
    live = await hub.make(game, seat=0, opponent=opponent, name="Ann", public=True, holder="ann")
    if opponent is None:
        await hub.join(live.id, code=live.code, name="Bob", holder="bob")
    return live


async def listening(hub: Hub, live: LiveTable, holder: str | None = None) -> Subscriber:
    """Someone who is connected and knows everything so far."""
    subscriber = Subscriber(None, lambda: None)
    await hub.connect(live.id, holder, None, subscriber)
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
    """Let everything happen that waits for nothing."""
    for _ in range(50):
        await asyncio.sleep(0)


# At once.


def test_nothing_is_seen_before_it_is_written(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live)

            async def look() -> int:
                async with hub.tables.open(live.id) as found:
                    return found.loaded.next

            with held(hub, monkeypatch) as free:
                moving = asyncio.create_task(hub.actions.act(live.id, 0, 3, "move", "4"))
                await pause()
                looking = asyncio.create_task(look())
                await pause()
                assert (moving.done(), looking.done(), told(subscriber)) == (False, False, [])
                free.set()
                assert (await looking, await next_event(subscriber)) == (4, 3)

    asyncio.run(play())


def test_what_was_asked_for_happens_even_if_who_asked_is_gone(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live)
            with held(hub, monkeypatch):
                moving = asyncio.create_task(hub.actions.act(live.id, 0, 3, "move", "4"))
                await pause()
                moving.cancel()
                await pause()
            assert await next_event(subscriber) == 3
            assert live.loaded.next == 4

    asyncio.run(play())


def test_a_stop_waits_for_what_was_accepted(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> str:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            ended = []

            async def close() -> None:
                ended.append("players")

            monkeypatch.setattr(hub.workers, "close", close)
            with held(hub, monkeypatch):
                moving = asyncio.create_task(hub.actions.act(live.id, 0, 3, "move", "4"))
                await pause()
                stopping = asyncio.create_task(hub.close())
                await pause()
                assert ended == []  # which comes after all that was accepted
            await stopping
            assert ended == ["players"]
            assert (await moving).text == "4"
            return live.id

    table = asyncio.run(play())
    store = Store(sqlite_url(tmp_path))
    assert [event.kind for event in store.events(table)] == ["sit", "sit", "move"]
    store.close()


def test_who_comes_second_is_told_so(tmp_path: Path, monkeypatch: Patch) -> None:
    """As on a database that another process has written to a moment before."""

    async def play() -> None:
        async with running(tmp_path) as hub:
            made = await hub.make("bit-flip", seat=0, opponent=None, name="Ann", public=True, holder="ann")
            live = await seated(hub)
            with monkeypatch.context() as patch:
                patch.setattr(hub.store, "write", lambda _: asyncio.ensure_future(asyncio.sleep(0, False)))
                with pytest.raises(RefusedError) as late:
                    await hub.actions.act(live.id, 0, 3, "move", "4")
                with pytest.raises(RefusedError) as taken:
                    await hub.join(made.id, code=made.code, name="Bob", holder="bob")
            assert (late.value.code, taken.value.code) == ("number", "taken")
            # Memory is as the disk is.
            assert (live.loaded.next, made.loaded.next, made.holders) == (3, 2, ("ann", None))

    asyncio.run(play())


# Wrong in the middle.


def test_what_was_written_is_told_even_if_the_answer_got_lost(tmp_path: Path, monkeypatch: Patch) -> None:
    async def lose(answer: Answer) -> bool:
        await answer()
        raise UnsavedError("the connection is gone")

    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live, "bob")
            with monkeypatch.context() as patch:
                writes(hub, patch, lose)
                with pytest.raises(UnsavedError):
                    await hub.actions.act(live.id, 0, 3, "move", "4")
            assert await next_event(subscriber) == 3
            # Asked again, it has happened.
            assert (await hub.actions.act(live.id, 0, 3, "move", "4")).number == 3

    asyncio.run(play())


def test_an_error_between_leaves_no_gap(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live)

            def fail(*_: object) -> str:
                raise RuntimeError("no message")

            with monkeypatch.context() as patch:
                patch.setattr(actions, "next_automatic", fail)
                with pytest.raises(RuntimeError):
                    await hub.actions.act(live.id, 0, 3, "move", "4")
            # It was never written, and has not happened.
            assert (await hub.actions.act(live.id, 0, 3, "move", "5")).text == "5"
            assert await next_event(subscriber) == 3
            events = await hub.store.read(hub.store.events, live.id)
            assert [(event.number, event.text) for event in events[2:]] == [(3, "5")]

    asyncio.run(play())


def test_a_table_whose_game_is_gone_harms_no_other(
    tmp_path: Path, monkeypatch: Patch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            row = table_row("gone", game="gone-game", status="running", due=True, turn=0, touched=0.5)
            await hub.store.write(Write(table=row))
            torn = [event_row("torn", Event(number, 0.5, 0, "sit", "Ann")) for number in (1, 3)]
            await hub.store.write(Write(table=table_row("torn"), events=torn))
            live = await seated(hub)
            for table_id in ("gone", "torn"):
                with pytest.raises(MissingError):
                    async with hub.tables.open(table_id):
                        pass
            real = hub.clock.now
            monkeypatch.setattr(hub.clock, "now", lambda: real() + YEAR)
            await hub.upkeep.wake(hub.clock.now())
            await hub.upkeep.expire()
            assert live.loaded.closed == "nobody moved for a long time"
            assert hub.tables.get("gone") is None

    asyncio.run(play())
    assert 'table gone cannot be replayed: unknown game "gone-game"' in caplog.text
    assert "table torn cannot be replayed: event 3: this would be event 3" in caplog.text


def test_what_goes_wrong_with_one_table_harms_no_other(
    tmp_path: Path, monkeypatch: Patch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> int:
        async with running(tmp_path) as hub:
            tried = []

            def think(live: LiveTable) -> None:
                tried.append(live.id)
                raise RuntimeError("what is this?")

            with monkeypatch.context() as patch:
                patch.setattr(hub.actions.computers, "think", lambda live: None)
                for _ in range(3):
                    live = await seated(hub, opponent="random")
                    await hub.actions.act(live.id, 0, 3, "move", "4")
            monkeypatch.setattr(hub.actions.computers, "think", think)
            await hub.upkeep.wake(hub.clock.now())
            return len(set(tried))

    assert asyncio.run(play()) == 3
    assert "what is this?" in caplog.text


def test_looking_after_the_tables_goes_on_whatever_happens(
    tmp_path: Path, monkeypatch: Patch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with running(tmp_path, kept_up=True, sweep_seconds=0) as hub:
            failures, swept = [RuntimeError("what is this?"), UnsavedError("no answer")], asyncio.Event()

            async def expire() -> None:
                if failures:
                    raise failures.pop()
                swept.set()

            monkeypatch.setattr(hub.upkeep, "expire", expire)
            await asyncio.wait_for(swept.wait(), 30)

    asyncio.run(play())
    assert "what is this?" in caplog.text
    assert "the database does not answer: no answer" in caplog.text


def test_a_table_that_has_just_been_used_does_not_expire(tmp_path: Path, monkeypatch: Patch) -> None:
    """It was found to be old, and something has happened to it since."""

    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            monkeypatch.setattr(hub.store, "untouched", lambda *_: [live.id])
            await hub.upkeep.expire()
            assert live.loaded.status == "running"

    asyncio.run(play())


@pytest.mark.parametrize("days", [(-400, 0), (400, 0), (400, -400)])
def test_a_machine_that_starts_with_a_wrong_clock_closes_no_game(
    tmp_path: Path, monkeypatch: Patch, days: tuple[int, int]
) -> None:
    """A move is made each time; what was touched by the wrong clock must not look old by the right one."""
    real = time
    made: list[str] = []

    async def play(number: int) -> None:
        async with running(tmp_path) as hub:
            if not made:
                made.append((await seated(hub, "dual-direction")).id)
            await hub.upkeep.expire()
            if number % 2:
                await hub.actions.act(made[0], 0, number, "move", "left")
            else:
                await hub.actions.act(made[0], 1, number, "move", "right")
            await hub.upkeep.expire()
            async with hub.tables.open(made[0]) as live:
                assert live.loaded.status == "running"

    for number, jump in enumerate((0, *days, 0), start=3):
        for module in (hubs, actions, automatic, schema):
            monkeypatch.setattr(module, "time", lambda jump=jump: real() + jump * 86_400)
        asyncio.run(play(number))


def test_time_passes_while_servers_run(tmp_path: Path, monkeypatch: Patch) -> None:
    """Nobody moves for eight days, and again for eight days after a restart."""
    made: list[str] = []

    async def play(closed: str | None) -> None:
        async with running(tmp_path) as hub:
            if not made:
                made.append((await seated(hub)).id)
            began, passed = hub.clock.now(), monotonic() + 8 * 86_400
            with monkeypatch.context() as patch:
                patch.setattr(server_clock, "monotonic", lambda: passed)
                assert hub.clock.now() - began == pytest.approx(8 * 86_400, abs=60)
                await hub.upkeep.expire()
                await hub.clock.beat()
            async with hub.tables.open(made[0]) as live:
                assert live.loaded.closed == closed

    asyncio.run(play(None))
    asyncio.run(play("nobody moved for a long time"))


def test_a_process_goes_by_the_clock_that_is_farthest_ahead(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            ahead = hub.clock.now() + 1000
            await hub.store.write(Write(beat=ahead))
            assert hub.clock.now() < ahead
            await hub.clock.beat()
            assert ahead <= hub.clock.now() < ahead + 500

    asyncio.run(play())


def test_upkeep_keeps_the_clock(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path, kept_up=True, sweep_seconds=0) as hub:
            async with asyncio.timeout(30):
                while (await hub.store.read(hub.store.beats))[0] < 2:
                    await asyncio.sleep(0)

    asyncio.run(play())


def test_a_computer_left_waiting_is_asked_at_once_though_the_clock_was_not_kept(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """A server that was killed had moves written since it last wrote its clock."""

    async def killed() -> None:
        async with running(tmp_path) as hub:
            hub.clock.set(hub.clock.now() + 20)
            monkeypatch.setattr(hub.actions.computers, "think", lambda _: None)
            await seated(hub, opponent="random")
            await hub.actions.act(next(iter(hub.tables)).id, 0, 3, "move", "4")

    async def started() -> None:
        waking: asyncio.Queue[LiveTable] = asyncio.Queue()
        monkeypatch.setattr(ComputerPlayers, "think", lambda _, live: waking.put_nowait(live))
        async with running(tmp_path, kept_up=True, sweep_seconds=10_000):
            live = await asyncio.wait_for(waking.get(), 30)
            assert live.loaded.next == 4

    asyncio.run(killed())
    asyncio.run(started())


# Health.


def test_many_who_ask_for_health_share_one_write(tmp_path: Path, monkeypatch: Patch) -> None:
    now = [100.0]
    monkeypatch.setattr(server_clock, "monotonic", lambda: now[0])

    async def play() -> None:
        async with running(tmp_path) as hub:

            async def asked() -> int:
                await asyncio.gather(*(hub.check_health() for _ in range(50)))
                return (await hub.store.read(hub.store.beats))[0]

            assert [await asked(), await asked()] == [1, 1]
            now[0] += server_clock.HEALTH_SECONDS
            assert [await asked(), await asked()] == [2, 2]

    asyncio.run(play())


def test_a_database_that_keeps_nothing_is_not_healthy(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
                connection.execute(
                    "CREATE TRIGGER lost BEFORE UPDATE ON server BEGIN SELECT RAISE(IGNORE); END"
                )
            with pytest.raises(UnsavedError, match="does not return what was written"):
                await hub.check_health()
            with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
                connection.execute("DROP TRIGGER lost")
            await hub.check_health()  # at once

    asyncio.run(play())


def test_a_database_that_does_not_answer_is_not_healthy(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(server_clock, "PATIENCE", 0.0)

    async def play() -> None:
        async with running(tmp_path) as hub:
            with held(hub, monkeypatch), pytest.raises(UnsavedError, match="did not answer in time"):
                await hub.check_health()

    asyncio.run(play())


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path, most_tables=2) as hub:
            monkeypatch.setattr(upkeep, "KEPT", 1)
            over = {"status": "over", "name1": "Bob"}
            rows = [table_row(name, touched=at, **over) for at, name in enumerate(["oldest", "old", "new"])]
            rows.append(table_row("never begun", touched=hub.clock.now() - 60, status="closed"))
            for row in rows:
                await hub.store.write(Write(table=row))
            await hub.upkeep.expire()
            left = [row["id"] for row in rows if await hub.store.read(hub.store.load, row["id"]) is not None]
            assert left == ["old", "new"]

    asyncio.run(play())


def test_what_someone_is_connected_to_is_not_forgotten(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path, forget_seconds=-1) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live)
            hub.upkeep.forget()
            assert hub.tables.get(live.id) is live
            hub.disconnect(live, subscriber)
            hub.upkeep.forget()
            assert hub.tables.get(live.id) is None

    asyncio.run(play())


# Computer players.


def test_a_computer_is_not_asked_at_a_table_that_is_full(tmp_path: Path, monkeypatch: Patch) -> None:
    for module in (tables, automatic):
        monkeypatch.setattr(module, "MOST_EVENTS", 3)

    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, opponent="random")
            await hub.actions.act(live.id, 0, 3, "move", "4")
            assert (live.loaded.turn, live.thinking) == (1, None)
            assert await hub.store.read(hub.store.due, hub.clock.now()) == []

    asyncio.run(play())


def test_a_computer_whose_move_is_refused_is_not_asked_for_ever(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> int:
        async with running(tmp_path) as hub:
            asked = 0

            async def choose(*_: object) -> Choice:
                nonlocal asked
                asked += 1
                assert asked < 10
                return Choice("nonsense", 0.0)

            monkeypatch.setattr(hub.workers, "choose", choose)
            live = await seated(hub, opponent="random")
            await hub.actions.act(live.id, 0, 3, "move", "4")
            thinking = live.thinking
            assert thinking is not None
            await asyncio.wait_for(thinking, 30)
            assert live.loaded.closed == "the computer found no move"
            return asked

    assert asyncio.run(play()) == 1


@pytest.mark.parametrize(
    ("failures", "asked", "closed"),
    [
        ([SlowError("slow")] * 2, 3, None),
        ([SlowError("slow")] * 3, 3, "the computer found no move"),
        ([BusyError(), UnsavedError("no answer"), BusyError(), SlowError("slow")], 5, None),
    ],
)
def test_a_computer_that_is_slow_is_asked_three_times(
    tmp_path: Path, monkeypatch: Patch, failures: list[Exception], asked: int, closed: str | None
) -> None:
    """A server that is busy or cannot save is not the computer player's failure."""
    monkeypatch.setattr(asyncio, "sleep", lambda _, sleep=asyncio.sleep: sleep(0))

    async def play() -> None:
        async with running(tmp_path) as hub:
            left, count = list(failures), 0

            async def choose(*_: object) -> Choice:
                nonlocal count
                count += 1
                if left:
                    raise left.pop(0)
                return Choice("5", 0.0)

            monkeypatch.setattr(hub.workers, "choose", choose)
            live = await seated(hub, opponent="random")
            await hub.actions.act(live.id, 0, 3, "move", "0")
            assert live.thinking is not None
            await asyncio.wait_for(live.thinking, 30)
            assert (count, live.loaded.closed) == (asked, closed)
            assert live.loaded.turn == (0 if closed is None else None)

    asyncio.run(play())


# Worker processes.


class Recorder(Thinker):
    """A thinker without a process: it notes what it is asked, and answers when it is let."""

    def __init__(self, most_waiting: int = 200) -> None:
        super().__init__(30, most_waiting)
        self.asked: list[str] = []
        self.free = asyncio.Event()
        self.error = ""

    async def _asked(self, line: bytes) -> dict[str, Any]:
        self.asked.append(json.loads(line)["do"])
        await self.free.wait()
        return {"error": self.error} if self.error else {"text": "4", "seconds": 0.0}


def test_addresses_take_turns_and_cheap_questions_go_first() -> None:
    async def ask() -> list[str]:
        thinker = Recorder()
        questions = [("a1", "a", 1), ("a2", "a", 1), ("a3", "a", 1), ("b1", "b", 1), ("c1", "c", 2)]
        questions += [("a cheap", "a", 0), ("b2", "b", 1)]
        tasks = [
            asyncio.create_task(thinker.ask({"do": name}, address, rank)) for name, address, rank in questions
        ]
        await pause()
        assert thinker.asked == ["a1"]  # one at a time
        thinker.free.set()
        await asyncio.gather(*tasks)
        return thinker.asked

    assert asyncio.run(ask()) == ["a1", "a cheap", "a2", "b1", "a3", "b2", "c1"]


def test_who_asks_most_gives_way_when_too_many_wait() -> None:
    async def ask() -> list[str]:
        thinker = Recorder(most_waiting=3)
        names = ["a0", "a1", "a2", "a3", "b1", "c1", "d1"]  # the first is being answered
        tasks = [asyncio.create_task(thinker.ask({"do": name}, name[0])) for name in names]
        await pause()
        thinker.free.set()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        refused = [name for name, answer in zip(names, answers, strict=True) if isinstance(answer, BusyError)]
        assert refused == ["a2", "a3", "d1"]
        return thinker.asked

    assert asyncio.run(ask()) == ["a0", "a1", "b1", "c1"]


def test_a_question_that_is_given_up_before_its_turn_is_never_asked() -> None:
    async def ask() -> list[str]:
        thinker = Recorder(most_waiting=2)
        tasks = [asyncio.create_task(thinker.ask({"do": name}, "a")) for name in ("1", "2", "3")]
        await pause()
        tasks[1].cancel()
        await pause()
        tasks.append(asyncio.create_task(thinker.ask({"do": "4"}, "a")))  # there is room for it
        await pause()
        tasks[0].cancel()  # the one that is being answered: the next one's turn comes
        tasks[2].cancel()  # whose caller gives up at the same moment
        thinker.free.set()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(answer) for answer in answers] == [asyncio.CancelledError] * 3 + [dict]
        return thinker.asked

    assert asyncio.run(ask()) == ["1", "4"]


def recorded(settings: Settings) -> Workers:
    """Workers without processes, which answer at once."""
    workers = Workers(settings)
    for name in ("standard", "players", "students"):
        recorder = Recorder()
        recorder.free.set()
        setattr(workers, name, recorder)
    return workers


def asked(workers: Workers) -> dict[str, list[str]]:
    """What each process was asked."""
    every = {"standard": workers.standard, "players": workers.players, "students": workers.students}
    return {name: each.asked for name, each in every.items() if isinstance(each, Recorder)}


def test_standard_games_never_wait_for_custom_ones() -> None:
    async def ask() -> dict[str, list[str]]:
        workers = recorded(Settings())
        for spec in ("bit-flip", "bit-flip:bits=3", "bit-flip:bits=10"):
            game = bounded_game(spec)
            await workers.choose(game, "record", "perfect", "a")
            await workers.study(game, {"do": "study"}, "a")
            await workers.admit(game, "a")
        return asked(workers)

    # Ten bits are the default, so that the last one is the first one.
    assert asyncio.run(ask()) == {
        "standard": ["choose", "study", "check", "choose", "study"],
        "players": ["choose"],
        "students": ["study", "check"],
    }


def test_small_games_are_studied_first_and_checks_before_those() -> None:
    async def ask() -> list[str]:
        workers = recorded(Settings())
        students = workers.students
        assert isinstance(students, Recorder)
        students.free.clear()
        small, large = bounded_game("mirror-match:digits=8"), bounded_game("mirror-match:digits=100")
        tasks: list[asyncio.Task[Any]] = [
            asyncio.create_task(workers.study(game, {"do": name}, name))
            for name, game in (("first", large), ("large", large), ("small", small))
        ]
        tasks.append(asyncio.create_task(workers.admit(large, "b")))
        await pause()
        students.free.set()
        await asyncio.gather(*tasks)
        return students.asked

    assert asyncio.run(ask()) == ["first", "check", "small", "large"]


def test_what_was_checked_is_remembered(monkeypatch: Patch) -> None:
    monkeypatch.setattr(thinker, "MOST_ADMISSIONS", 2)

    async def ask() -> None:
        workers = recorded(Settings())
        students = workers.students
        assert isinstance(students, Recorder)
        one, two, three = (bounded_game(f"bit-flip:bits={bits}") for bits in (3, 4, 5))
        students.error = "too large"
        for _ in range(2):  # that a game is refused is remembered as well
            with pytest.raises(PerfectplayError, match="too large"):
                await workers.admit(one, "a")
        students.error = ""
        for game, questions in ((two, 2), (one, 2), (three, 3), (one, 3), (two, 4)):
            with suppress(PerfectplayError):
                await workers.admit(game, "b")
            assert len(students.asked) == questions, game.spec

    asyncio.run(ask())


def test_a_check_that_was_too_slow_is_made_again(monkeypatch: Patch) -> None:
    async def ask() -> None:
        workers = recorded(Settings())
        failures: list[Exception] = [SlowError("slow"), BusyError()]

        async def answer(*_: object) -> dict[str, Any]:
            if failures:
                raise failures.pop(0)
            return {}

        monkeypatch.setattr(workers.students, "ask", answer)
        game = bounded_game("bit-flip:bits=3")
        for error in (SlowError, BusyError):
            with pytest.raises(error):
                await workers.admit(game, "a")
        await workers.admit(game, "a")

    asyncio.run(ask())


def test_moves_of_computers_are_queued_under_the_address_of_the_player(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    async def play() -> list[str]:
        async with running(tmp_path) as hub:
            found = []

            async def choose(game: object, record: str, player: str, address: str) -> Choice:
                found.append(address)
                return Choice("4" if len(found) == 1 else "6", 0.0)

            monkeypatch.setattr(hub.workers, "choose", choose)
            live = await hub.make(
                "bit-flip", seat=1, opponent="perfect", name="Ann", public=True, holder="ann", address="a"
            )
            assert live.thinking is not None
            await live.thinking
            await hub.actions.act(live.id, 1, 4, "move", "0", address="b")
            assert live.thinking is not None
            await live.thinking
            return found

    assert asyncio.run(play()) == ["a", "b"]


def test_questions_do_not_pile_up() -> None:
    async def ask() -> None:
        thinker = Thinker(30, most_waiting=1, program="tests.web.stuck")
        waiting = [asyncio.create_task(thinker.ask({"do": "nothing"})) for _ in range(2)]
        await pause()
        with pytest.raises(BusyError):
            await thinker.ask({"do": "nothing"})
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await thinker.close()

    asyncio.run(ask())


def test_a_question_that_is_given_up_leaves_no_answer_behind() -> None:
    async def ask() -> None:
        thinker = Thinker(30)
        await thinker.ask({"do": "check", "game": "bit-flip"})  # the process is there
        given_up = asyncio.create_task(thinker.ask({"do": "check", "game": "bit-flip:bits=3"}))
        await pause()
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        with pytest.raises(PerfectplayError, match="must be a game with no number over 200"):
            await thinker.ask({"do": "check", "game": "bit-flip:bits=201"})
        await thinker.close()

    asyncio.run(ask())


def test_a_game_of_too_many_positions_is_not_solved(monkeypatch: Patch) -> None:
    game = bounded_game("inversion-race:cells=61")
    monkeypatch.setattr(worker, "MOST_POSITIONS", 100)
    text = "inversion-race:cells=61 has more than 100 positions, too many for this server to solve"
    assert worker.answer({"do": "check", "game": game.spec}) == {"error": text}
    assert worker.answer({"do": "solo", "game": game.spec, "moves": [], "ply": 0, "number": 1}) == {
        "error": text
    }


def test_the_process_that_thinks_has_only_so_much_memory() -> None:
    async def limit() -> str:
        thinker = Thinker(30)
        await thinker.ask({"do": "check", "game": "bit-flip"})
        assert thinker._process is not None
        found = Path(f"/proc/{thinker._process.pid}/limits").read_text()
        await thinker.close()
        return next(line for line in found.splitlines() if line.startswith("Max address space"))

    assert asyncio.run(limit()).split()[3:5] == [str(worker.MOST_MEMORY)] * 2


# Who is there.


def test_a_client_that_takes_nothing_is_given_up() -> None:
    async def send() -> None:
        dropped = []
        subscriber = Subscriber(None, lambda: dropped.append(True))
        for _ in range(MOST_QUEUED):
            subscriber.send(b"x")
        assert not dropped
        subscriber.send(b"x")
        subscriber.send(b"x")
        assert (dropped, subscriber.dropped, subscriber.queue.qsize()) == ([True], True, MOST_QUEUED)

    asyncio.run(send())


def test_what_waits_is_sent_before_what_comes_later() -> None:
    async def send() -> None:
        subscriber = Subscriber(None, lambda: None)
        written: list[bytes] = []
        takes = True

        def write(text: bytes) -> bool:
            if takes:
                written.append(text)
            return takes

        subscriber.send(b"1")  # before the connection is open
        subscriber.write = write
        subscriber.send(b"2")
        assert [subscriber.queue.get_nowait() for _ in range(2)] == [b"1", b"2"]
        subscriber.sending = True
        subscriber.send(b"3")
        subscriber.sending = False
        assert (subscriber.queue.get_nowait(), written) == (b"3", [])
        subscriber.send(b"4")
        takes = False
        subscriber.send(b"5")
        takes = True
        subscriber.send(b"6")
        assert written == [b"4"]
        assert [subscriber.queue.get_nowait() for _ in range(2)] == [b"5", b"6"]

    asyncio.run(send())


def test_who_comes_back_costs_only_what_was_missed(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, "dual-direction")
            for number in range(3, 103):
                seat: Seat = 0 if number % 2 else 1
                text = "left" if number % 4 in (3, 2) else "right"
                await hub.actions.act(live.id, seat, number, "move", text)
            asked = []
            for what, name in ((Table, "add"), (Store, "load"), (Store, "events"), (News, "text")):
                real = getattr(what, name)

                def counted(*given: Any, real: Any = real, name: str = name, **more: Any) -> Any:
                    asked.append(name)
                    return real(*given, **more)

                monkeypatch.setattr(what, name, counted)
            for missed in (0, 2, MOST_MISSED):
                subscriber = Subscriber(None, lambda: None)
                await hub.connect(live.id, "ann", 102 - missed, subscriber)
                numbers = [each["event"]["number"] for each in told(subscriber) if each["type"] == "event"]
                assert numbers == list(range(103 - missed, 103))
                assert asked == ["text"] * missed
                asked.clear()
            hub.tables.remove(live.id)
            await hub.show(live.id, "ann")  # read again, and then the same
            asked.clear()
            again = Subscriber(None, lambda: None)
            await hub.connect(live.id, "ann", 100, again)
            assert asked == ["text"] * 2
            assert [each["event"]["number"] for each in told(again) if each["type"] == "event"] == [101, 102]

    asyncio.run(play())


def test_garbage_is_collected_when_nobody_is_held_up(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            collected: list[int] = []
            monkeypatch.setattr("gc.collect", lambda: collected.append(1))
            live = await seated(hub)
            hub.disconnect(live, await listening(hub, live))
            hub.store.written = monotonic()
            hub.upkeep.collect_garbage()
            assert collected == []
            hub.tables.disconnected = upkeep.MOST_GONE
            hub.upkeep.collect_garbage()
            assert (collected, hub.tables.disconnected) == ([1], 0)
            hub.store.written -= 2 * upkeep.QUIET
            hub.upkeep.collect_garbage()
            assert collected == [1]
            hub.disconnect(live, await listening(hub, live))
            hub.upkeep.collect_garbage()
            assert collected == [1, 1]

    asyncio.run(play())


def test_a_process_that_says_nothing_more_is_missed(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live, "ann")
            notice = {"worker": "w", "kind": "present", "table": live.id, "counts": [0, 1, 2]}
            hub.peers.heard(json.dumps(notice))
            assert [each["present"] for each in told(subscriber)] == [[True, True]]
            assert live.presence()["watching"] == 2
            hub.peers.beat()
            assert told(subscriber) == []
            at, counts = (live.elsewhere or {})["w"]
            live.elsewhere = {"w": (at - SILENT, counts)}
            hub.peers.beat()
            assert [each["present"] for each in told(subscriber)] == [[True, False]]

    asyncio.run(play())


def test_processes_are_counted_together() -> None:
    async def count() -> None:
        live = LiveTable("t", 0.0)
        assert live.heard_of("a", Counts(1, 0, 2), 5.0)
        assert live.heard_of("b", Counts(0, 1, 1), 6.0)
        assert not live.heard_of("b", Counts(0, 1, 1), 7.0)
        assert (live.all_counts(), live.seen) == (Counts(1, 1, 3), [5.0, 7.0])
        assert live.heard_of("b", Counts(), 8.0)  # they have gone now
        assert (live.all_counts(), live.seen, list(live.elsewhere or {})) == (
            Counts(1, 0, 2),
            [5.0, 8.0],
            ["a"],
        )
        assert not live.miss_silent(5.0 + SILENT - 1)
        assert live.miss_silent(5.0 + SILENT)
        assert live.elsewhere is None

    asyncio.run(count())


@pytest.mark.parametrize(
    "notice", ["hello", "[]", "{}", '{"worker":"w","kind":"present","table":[]}', "7", ""]
)
def test_a_notice_that_makes_no_sense_is_passed_over(
    tmp_path: Path, notice: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def hear() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live)
            good = {"worker": "w", "kind": "present", "table": live.id, "counts": [1, 0, 0]}
            hub.peers.heard(f"{notice}\n{json.dumps(good)}")
            assert [each["present"] for each in told(subscriber)] == [[True, False]]

    asyncio.run(hear())
    assert "malformed notice from another process" in caplog.text
