"""The tables in memory: what happens when things happen at once, are slow, or go wrong in the middle."""

import asyncio
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from perfectplay.tables import automatic
from perfectplay.tables import table as tables
from perfectplay.tables.events import Event, RefusedError, Seat
from perfectplay.tables.limits import MOST_MISSED
from perfectplay.tables.serializers import News
from perfectplay.tables.table import Table
from perfectplay.workers.thinker import BusyError, SlowError
from perfectplay_server.limits import MOST_GONE, MOST_QUEUED
from perfectplay_server.live import actions, maintenance
from perfectplay_server.live.live_table import LiveTable, Subscriber
from perfectplay_server.live.workers import Choice
from perfectplay_server.storage.database import MissingError, UnsavedError, sqlite_url
from perfectplay_server.storage.store import Store
from perfectplay_server.storage.writes import Write, event_columns
from tests.web.hubs import (
    YEAR,
    Answer,
    Patch,
    held,
    listening,
    next_event,
    pause,
    running,
    seated,
    told,
    writes,
)
from tests.web.test_store import table_row

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
            made = await hub.make("bit-flip", seat=0, opponent=None, name="Ann", public=True, owner="ann")
            live = await seated(hub)
            with monkeypatch.context() as patch:
                patch.setattr(hub.store, "write", lambda _: asyncio.ensure_future(asyncio.sleep(0, False)))
                with pytest.raises(RefusedError) as late:
                    await hub.actions.act(live.id, 0, 3, "move", "4")
                with pytest.raises(RefusedError) as taken:
                    await hub.join(made.id, code=made.code, name="Bob", owner="bob")
            assert (late.value.code, taken.value.code) == ("number", "taken")
            # Memory is as the disk is.
            assert (live.loaded.next, made.loaded.next, made.owners) == (3, 2, ("ann", None))

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
            torn = [event_columns("torn", Event(number, 0.5, 0, "sit", "Ann")) for number in (1, 3)]
            await hub.store.write(Write(table=table_row("torn"), events=torn))
            live = await seated(hub)
            for table_id in ("gone", "torn"):
                with pytest.raises(MissingError):
                    async with hub.tables.open(table_id):
                        pass
            real = hub.clock.now
            monkeypatch.setattr(hub.clock, "now", lambda: real() + YEAR)
            await hub.maintenance.wake(hub.clock.now())
            await hub.maintenance.expire()
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
                patch.setattr(hub.computers, "think", lambda live: None)
                for _ in range(3):
                    live = await seated(hub, opponent="random")
                    await hub.actions.act(live.id, 0, 3, "move", "4")
            monkeypatch.setattr(hub.computers, "think", think)
            await hub.maintenance.wake(hub.clock.now())
            return len(set(tried))

    assert asyncio.run(play()) == 3
    assert "what is this?" in caplog.text


def test_looking_after_the_tables_goes_on_whatever_happens(
    tmp_path: Path, monkeypatch: Patch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with running(tmp_path, upkeep=True, sweep_seconds=0) as hub:
            failures, swept = [RuntimeError("what is this?"), UnsavedError("no answer")], asyncio.Event()

            async def expire() -> None:
                if failures:
                    raise failures.pop()
                swept.set()

            monkeypatch.setattr(hub.maintenance, "expire", expire)
            await asyncio.wait_for(swept.wait(), 30)

    asyncio.run(play())
    assert "what is this?" in caplog.text
    assert "the database does not answer: no answer" in caplog.text


def test_a_table_that_has_just_been_used_does_not_expire(tmp_path: Path, monkeypatch: Patch) -> None:
    """It was found to be old, and something has happened to it since."""

    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            monkeypatch.setattr(hub.store, "find_untouched", lambda *_: [live.id])
            await hub.maintenance.expire()
            assert live.loaded.status == "running"

    asyncio.run(play())


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path, most_tables=2) as hub:
            monkeypatch.setattr(maintenance, "KEPT_TABLES", 1)
            over = {"status": "over", "name1": "Bob"}
            rows = [table_row(name, touched=at, **over) for at, name in enumerate(["oldest", "old", "new"])]
            rows.append(table_row("never begun", touched=hub.clock.now() - 60, status="closed"))
            for row in rows:
                await hub.store.write(Write(table=row))
            await hub.maintenance.expire()
            left = [row["id"] for row in rows if await hub.store.read(hub.store.load, row["id"]) is not None]
            assert left == ["old", "new"]

    asyncio.run(play())


def test_what_someone_is_connected_to_is_not_forgotten(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path, forget_seconds=-1) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live)
            hub.tables.forget(hub.settings.forget_seconds)
            assert hub.tables.get(live.id) is live
            hub.disconnect(live, subscriber)
            hub.tables.forget(hub.settings.forget_seconds)
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
            assert await hub.store.read(hub.store.find_due, hub.clock.now()) == []

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
            del hub.tables[live.id]
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
            hub.maintenance.collect_garbage()
            assert collected == []
            hub.tables.disconnected = MOST_GONE
            hub.maintenance.collect_garbage()
            assert (collected, hub.tables.disconnected) == ([1], 0)
            hub.store.written -= 2 * maintenance.QUIET
            hub.maintenance.collect_garbage()
            assert collected == [1]
            hub.disconnect(live, await listening(hub, live))
            hub.maintenance.collect_garbage()
            assert collected == [1, 1]

    asyncio.run(play())
