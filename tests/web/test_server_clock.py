"""The server's own clock, and whether its database works."""

import asyncio
import sqlite3
from pathlib import Path
from time import monotonic, time

import pytest

from perfectplay.tables import automatic
from perfectplay_server.live import actions, server_clock
from perfectplay_server.live.live_table import LiveTable
from perfectplay_server.live.turns import ComputerPlayers
from perfectplay_server.storage import schema
from perfectplay_server.storage.database import UnsavedError
from perfectplay_server.storage.writes import Write
from tests.web.hubs import Patch, held, running, seated


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
            await hub.maintenance.expire()
            if number % 2:
                await hub.actions.act(made[0], 0, number, "move", "left")
            else:
                await hub.actions.act(made[0], 1, number, "move", "right")
            await hub.maintenance.expire()
            async with hub.tables.open(made[0]) as live:
                assert live.loaded.status == "running"

    for number, jump in enumerate((0, *days, 0), start=3):
        for module in (actions, automatic, schema):
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
                await hub.maintenance.expire()
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


def test_maintenance_stores_the_clock(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path, upkeep=True, sweep_seconds=0) as hub:
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
            monkeypatch.setattr(hub.computers, "think", lambda _: None)
            await seated(hub, opponent="random")
            await hub.actions.act(next(iter(hub.tables)), 0, 3, "move", "4")

    async def started() -> None:
        waking: asyncio.Queue[LiveTable] = asyncio.Queue()
        monkeypatch.setattr(ComputerPlayers, "think", lambda _, live: waking.put_nowait(live))
        async with running(tmp_path, upkeep=True, sweep_seconds=10_000):
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
                await asyncio.gather(*(hub.clock.check() for _ in range(50)))
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
                await hub.clock.check()
            with sqlite3.connect(tmp_path / "tables.sqlite3") as connection:
                connection.execute("DROP TRIGGER lost")
            await hub.clock.check()  # at once

    asyncio.run(play())


def test_a_database_that_does_not_answer_is_not_healthy(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(server_clock, "PATIENCE", 0.0)

    async def play() -> None:
        async with running(tmp_path) as hub:
            with held(hub, monkeypatch), pytest.raises(UnsavedError, match="did not answer in time"):
                await hub.clock.check()

    asyncio.run(play())
