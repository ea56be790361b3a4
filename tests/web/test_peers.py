"""Other processes on the same database."""

import asyncio
import json
from pathlib import Path

import pytest

from perfectplay_server.live.live_table import SILENT, Counts, LiveTable
from tests.web.hubs import Patch, listening, running, seated, told


def test_a_process_that_says_nothing_more_is_missed(tmp_path: Path, monkeypatch: Patch) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub)
            subscriber = await listening(hub, live, "ann")
            notice = {"worker": "w", "kind": "present", "table": live.id, "counts": [0, 1, 2]}
            hub.peers.receive(json.dumps(notice))
            assert [each["present"] for each in told(subscriber)] == [[True, True]]
            assert live.presence()["watching"] == 2
            hub.peers.beat()
            assert told(subscriber) == []
            at, counts = live.elsewhere["w"]
            live.elsewhere = {"w": (at - SILENT, counts)}
            hub.peers.beat()
            assert [each["present"] for each in told(subscriber)] == [[True, False]]

    asyncio.run(play())


def test_processes_are_counted_together() -> None:
    async def count() -> None:
        live = LiveTable("t", 0.0)
        assert live.note_peer("a", Counts(1, 0, 2), 5.0)
        assert live.note_peer("b", Counts(0, 1, 1), 6.0)
        assert not live.note_peer("b", Counts(0, 1, 1), 7.0)
        assert (live.all_counts(), live.seen) == (Counts(1, 1, 3), [5.0, 7.0])
        assert live.note_peer("b", Counts(), 8.0)  # they have gone now
        assert (live.all_counts(), live.seen, list(live.elsewhere)) == (
            Counts(1, 0, 2),
            [5.0, 8.0],
            ["a"],
        )
        assert not live.drop_silent(5.0 + SILENT - 1)
        assert live.drop_silent(5.0 + SILENT)
        assert live.elsewhere == {}

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
            hub.peers.receive(f"{notice}\n{json.dumps(good)}")
            assert [each["present"] for each in told(subscriber)] == [[True, False]]

    asyncio.run(hear())
    assert "malformed notice from another process" in caplog.text
