"""Players' clocks: under lag, over restarts, when machine clocks jump, and when the time runs out."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.tables import automatic
from perfectplay.tables.events import Event, EventKind, RefusedError
from perfectplay.tables.table import Table
from perfectplay.tables.time_control import TimeControl
from perfectplay.tables.validation import load_small_game
from perfectplay.workers.thinker import SlowError
from perfectplay_server.live import actions, live_table, server_clock, table_cache, turns
from perfectplay_server.live import hub as hubs
from perfectplay_server.live.hub import Hub
from perfectplay_server.live.lag import GIVEN_BACK
from perfectplay_server.live.live_table import LiveTable, Subscriber
from perfectplay_server.live.workers import Choice
from tests.web.hubs import listening, next_event, running, told
from tests.web.servers import Person, TestClient, client, code_of, hub_of, next_of, two

BLITZ = TimeControl("game", 60, 2)
EACH = TimeControl("move", 10)
YEAR = 365 * 86_400.0


class Ticks:
    """The time that passes in this process: only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> Ticks:
    found = Ticks()
    for module in (hubs, actions, turns, live_table, server_clock, table_cache):
        monkeypatch.setattr(module, "monotonic", found)
    return found


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


async def seated(hub: Hub, control: TimeControl, opponent: str | None = None) -> LiveTable:
    """A table where Ann, who has the first seat, plays Bob or a computer by the clock."""
    live = await hub.make(
        "dual-direction", seat=0, opponent=opponent, name="Ann", public=True, owner="ann", control=control
    )
    if opponent is None:
        await hub.join(live.id, code=live.code, name="Bob", owner="bob")
    return live


async def moves(hub: Hub, live: LiveTable, owner: str, text: str, **how: Any) -> Event:
    number = live.loaded.next
    return await hub.request(live.id, owner, number, "move", text, address="", **how)


async def events(hub: Hub, live: LiveTable) -> list[Event]:
    return await hub.events(live.id, None, 0)


# Time used.


def test_each_player_has_a_clock_of_their_own(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, BLITZ)
            ticks.now += 10
            assert (await moves(hub, live, "ann", "left")).ms == 10_000
            assert live.loaded.left == [52_000, 60_000]
            ticks.now += 5.25
            await hub.request(live.id, "ann", 4, "offer", "takeback", address="")
            assert live.loaded.left == [52_000, 54_750]
            ticks.now += 1
            await moves(hub, live, "bob", "right")
            assert live.loaded.left == [52_000, 55_750]
            assert live.serialize(None)["ran"] == 0
            ticks.now += 3
            data = live.serialize(None)
            assert (data["left"], data["ran"]) == ([52_000, 55_750], 3_000)
            # The events alone say how much time is left: no clock is needed to replay them.
            fresh = Table(live.id, live.loaded.game, seed=live.loaded.seed, control=BLITZ)
            assert fresh.replay(await events(hub, live)).left == [52_000, 55_750]

    run(play())


def test_time_per_move_starts_anew(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, EACH)
            for owner, text in (("ann", "left"), ("bob", "right"), ("ann", "left")):
                ticks.now += 9.9
                await moves(hub, live, owner, text)
                assert live.loaded.left == [10_000, 10_000]
            ticks.now += 9.9
            await hub.request(live.id, "ann", 6, "offer", "takeback", address="")
            assert live.loaded.left == [10_000, 100]
            await hub.request(live.id, "bob", 7, "accept", "takeback", address="")
            assert (live.loaded.left, live.loaded.turn) == ([10_000, 10_000], 0)

    run(play())


def test_a_forced_pass_costs_and_earns_nothing() -> None:
    table = Table("t", load_small_game("inversion-race:cells=5,start=4"), control=BLITZ)
    for event in (Event(1, 0, 0, "sit", "Ann"), Event(2, 0, 1, "sit", "Bob")):
        table.add(event)
    table.add(Event(3, 0, 0, "move", "left", ms=1000))
    table.add(Event(4, 0, 1, "move", "pass"))
    assert table.left == [61_000, 60_000]


def test_lag_is_given_back_up_to_a_limit(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, EACH)
            ann = await listening(hub, live, "ann")
            ticks.now += 0.3
            ann.lag.note_echo(1, ticks.now)  # the mark that was sent when she connected
            ticks.now += 5
            ann.lag.note_echo(1, ticks.now)  # counts once
            assert ann.lag.seconds == pytest.approx(0.3)
            ticks.now += 4.9  # 10.2 seconds in all, 0.3 of them on the network
            assert (await moves(hub, live, "ann", "left", subscriber=ann)).ms == 9_900
            far = Subscriber(None, lambda: None)
            far.lag.pong(ticks.now)
            far.lag.note_echo(1, ticks.now + 30)
            ticks.now += 10 + GIVEN_BACK
            with pytest.raises(RefusedError, match="your time has run out"):
                await moves(hub, live, "bob", "right", subscriber=far)
            assert [event.kind for event in await events(hub, live)][-1] == "time"

    run(play())


@pytest.mark.parametrize("last", [("move", "left"), ("resign", "")])
@pytest.mark.parametrize("asking", ["ann", "bob"], ids=["own", "of the other"])
def test_lag_is_given_back_once_for_a_move_whatever_happens_before(
    tmp_path: Path, ticks: Ticks, asking: str, last: tuple[EventKind, str]
) -> None:
    """Ann, who is far away, has ten seconds for her move, and at most half a second of delay."""

    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, EACH)
            for owner, text in (("ann", "left"), ("bob", "right")):
                await moves(hub, live, owner, text)
            ann = await listening(hub, live, "ann")
            ann.lag.seconds = GIVEN_BACK
            begun = ticks.now
            for after, offer in ((4, "takeback"), (10.2, "abandon")):
                ticks.now = begun + after
                number = live.loaded.next
                await hub.request(
                    live.id,
                    asking,
                    number,
                    "offer",
                    offer,
                    address="",
                    subscriber=ann if asking == "ann" else None,
                )
            assert live.until_flag_fall(ticks.now) == pytest.approx(10 + GIVEN_BACK - 10.2, abs=0.002)
            ticks.now = begun + 10.6
            with pytest.raises(RefusedError, match="your time has run out"):
                await hub.request(live.id, "ann", live.loaded.next, *last, address="", subscriber=ann)

    run(play())


def test_lag_of_a_move_is_given_back_after_an_offer(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, BLITZ)
            ann = await listening(hub, live, "ann")
            ann.lag.seconds = 0.4
            for _ in range(2):
                left = live.loaded.left[0]
                ticks.now += 4
                await hub.request(
                    live.id, "ann", live.loaded.next, "offer", "abandon", address="", subscriber=ann
                )
                ticks.now += 1
                await moves(hub, live, "ann", "left", subscriber=ann)
                assert live.loaded.left[0] == left - 4_600 + 2_000
                await moves(hub, live, "bob", "right")

    run(play())


def test_what_was_given_back_is_forgotten_when_another_process_begins_a_turn(
    tmp_path: Path, ticks: Ticks
) -> None:
    async def play() -> None:
        async with running(tmp_path) as one, running(tmp_path) as other:
            live = await seated(one, EACH)
            await one.request(live.id, "ann", 3, "resign", "", address="")
            ticks.now += 100  # on nobody's clock
            await one.request(live.id, "ann", 4, "offer", "rematch", address="")
            await other.request(live.id, "bob", 5, "accept", "rematch", address="")
            await one.tables.catch_up(live)
            assert live.loaded.games == 2
            assert live.allowance == GIVEN_BACK
            live.given, live.table = 0.3, None
            await one.tables.catch_up(live)
            assert live.allowance == GIVEN_BACK

    run(play())


def test_a_client_that_sends_marks_back_is_measured(server: TestClient) -> None:
    ann, _, table = two(server, clock={"per": "move", "seconds": 30})
    live = hub_of(server).tables.get(table)
    assert live is not None
    with ann.socket(table) as socket:
        socket.send_json({"do": "echo", "mark": next_of(socket, "pong")["mark"]})
        socket.send_json({"do": "echo", "mark": "what"})
        socket.send_json({"do": "ping"})
        assert next_of(socket, "pong")["mark"] == 2
        assert 0 < live.subscribers[0].lag.seconds < GIVEN_BACK


# The end of the time.


def test_the_flag_falls_once_and_not_early(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, BLITZ)
            watching = await listening(hub, live)
            ticks.now += 60 + GIVEN_BACK - 0.01
            await hub.maintenance.watch_clocks()
            assert live.loaded.status == "running"
            ticks.now += 0.02
            await asyncio.gather(hub.flag_fall.check(live.id), hub.maintenance.watch_clocks())
            await hub.maintenance.watch_clocks()
            found = [each["event"] for each in told(watching) if each["type"] == "event"]
            assert [(each["kind"], each["seat"], each["ms"]) for each in found] == [("time", 0, 60_000)]
            assert (live.loaded.left, live.loaded.score) == ([0, 60_000], (0, 1))
            record = str(live.loaded.record())
            assert record.startswith("perfectplay record 1\n")
            assert record.endswith("Player 1: time\nresult: Player 2 wins: time")
            pp.Match.replay(pp.read_records(record)[0], live.loaded.game)

    run(play())


def test_a_timer_rings_when_the_time_is_over(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, EACH)
            ticks.now += 10.4999  # of 10.5: the timer itself runs by the clock of the event loop
            hub.flag_fall.watch(live)
            ticks.now += 1
            watching = await listening(hub, live)
            await next_event(watching)
            assert live.loaded.score == (0, 1)

    run(play())


def test_a_game_that_cannot_be_won_any_more_stays_unfinished() -> None:
    game = load_small_game("race-to-the-center")
    table = Table("t", game, control=EACH)
    for event in (Event(1, 0, 0, "sit", "Ann"), Event(2, 0, 1, "sit", "Bob")):
        table.add(event)
    table.match = pp.Match(game, start=game.parse_state("5 6 2"))
    table.add(Event(3, 0, 1, "time", ms=10_000))
    assert (table.status, table.score) == ("over", (0, 0))
    assert table.record().result == "unfinished: time"


def test_time_runs_out_with_nobody_there_and_after_a_restart(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, BLITZ)
            ticks.now += 20
            await moves(hub, live, "ann", "left")
            ticks.now += 30
        ticks.now += 100_000  # while no server runs, no time passes
        async with running(tmp_path) as hub:
            data = await hub.show(live.id, None)
            assert (data["left"], data["ran"]) == ([42_000, 60_000], 30_000)
            del hub.tables[live.id]
            ticks.now += 30 + GIVEN_BACK
            await hub.maintenance.watch_clocks()
            assert [event.kind for event in await events(hub, live)][-1] == "time"

    run(play())


def test_a_killed_server_costs_nobody_time(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, BLITZ)
            ticks.now += 20
            await moves(hub, live, "ann", "left")
            ticks.now += 30
            hub.tasks.closing = True  # as if it had no time to write what its clock shows
        async with running(tmp_path) as hub:
            data = await hub.show(live.id, None)
            assert (data["left"], data["ran"]) == ([42_000, 60_000], 0)
            ticks.now += 15
            bob = next(each for each in hub.tables.values())
            assert (await moves(hub, bob, "bob", "right")).ms == 15_000

    run(play())


@pytest.mark.parametrize("jump", [-YEAR, YEAR])
def test_a_machine_clock_that_jumps_changes_nothing(
    tmp_path: Path, ticks: Ticks, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, BLITZ)
            for module in (actions, automatic):
                monkeypatch.setattr(module, "time", lambda: 1e9 + jump)
            ticks.now += 7
            await hub.maintenance.watch_clocks()
            assert (await moves(hub, live, "ann", "left")).ms == 7_000

    run(play())


def test_two_processes_end_a_game_once(tmp_path: Path, ticks: Ticks) -> None:
    async def play() -> None:
        async with running(tmp_path) as one, running(tmp_path) as two:
            live = await seated(one, EACH)
            await two.show(live.id, None)
            ticks.now += 10 + GIVEN_BACK
            await asyncio.gather(*(hub.maintenance.watch_clocks() for hub in (one, two)))
            assert [event.kind for event in await events(one, live)] == ["sit", "sit", "time"]
            for hub in (one, two):
                # Without notices, a process that came too late learns it from the file.
                del hub.tables[live.id]
                assert (await hub.show(live.id, None))["score"] == (0, 1)

    run(play())


def test_what_the_other_player_wants_after_the_time_is_over_ends_the_game_too(
    tmp_path: Path, ticks: Ticks
) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:
            live = await seated(hub, EACH)
            ticks.now += 10 + GIVEN_BACK - 0.1  # her move may still be on its way
            await hub.request(live.id, "bob", 3, "offer", "abandon", address="")
            assert live.loaded.left == [1, 10_000]
            ticks.now += GIVEN_BACK + 0.1
            with pytest.raises(RefusedError, match="the other player's time has run out"):
                await hub.request(live.id, "bob", 4, "resign", "", address="")
            assert live.loaded.score == (0, 1)
            with pytest.raises(RefusedError, match="event 4 has happened"):
                await hub.request(live.id, "ann", 4, "move", "left", address="")

    run(play())


# Computer players.


def test_a_computer_is_charged_for_thinking_and_not_for_waiting(
    tmp_path: Path, ticks: Ticks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:

            async def choose(*_: object) -> Choice:
                ticks.now += 500  # of which most was spent in the queue
                return Choice("right", 4.0)

            monkeypatch.setattr(hub.workers, "choose", choose)
            live = await seated(hub, BLITZ, "perfect")
            await moves(hub, live, "ann", "left")
            assert live.thinking is not None
            await live.thinking
            assert (live.loaded.left, live.loaded.turn) == ([62_000, 58_000], 0)
            assert await hub.store.read(hub.store.find_flag_falls, 1e12) == [
                live.id
            ]  # her clock runs, its did not

    run(play())


@pytest.mark.parametrize("slow", [False, True])
def test_a_computer_that_thinks_for_too_long_loses(
    tmp_path: Path, ticks: Ticks, monkeypatch: pytest.MonkeyPatch, slow: bool
) -> None:
    async def play() -> None:
        async with running(tmp_path) as hub:

            async def choose(*_: object) -> Choice:
                if slow:
                    raise SlowError("too slow", 20.0)
                return Choice("right", 10.0)

            monkeypatch.setattr(hub.workers, "choose", choose)
            live = await seated(hub, EACH, "perfect")
            await moves(hub, live, "ann", "left")
            assert live.thinking is not None
            await live.thinking
            assert (live.loaded.score, live.loaded.closed) == ((1, 0), None)
            last = (await events(hub, live))[-1]
            assert (last.kind, last.seat, last.ms) == ("time", 1, 10_000)

    run(play())


# What clients may ask for.


def test_a_clock_is_chosen_with_the_table(server: TestClient) -> None:
    wanted = {"per": "game", "seconds": 300, "increment": 5}
    ann, _, table = two(server, public=True, clock=wanted)
    data = ann.table(table)
    assert (data["clock"], data["away_limit"]) == (wanted, None)
    assert data["left"] == [300_000, 300_000]
    with ann.socket(table) as socket:  # tables of people who left are not listed
        assert next_of(socket, "table")
        assert ann.get("/api/tables").json()["running"][0]["clock"] == wanted
    assert code_of(ann.act(table, 3, "claim")) == (409, "clock")
    assert ann.events(table)[-1]["ms"] == 0
    plain = ann.make()["table"]
    assert (plain["clock"], plain["left"], plain["away_limit"]) == (None, None, 300.0)
    assert ann.get("/api/seats").json()["tables"][0]["clock"] is None


@pytest.mark.parametrize(
    ("wishes", "why"),
    [
        ({"clock": {"per": "move", "seconds": 4}}, "clock.seconds=4: must be 5 to 604,800 for a move"),
        (
            {"clock": {"per": "move", "seconds": 604_801}},
            "clock.seconds=604801: must be 5 to 604,800 for a move",
        ),
        ({"clock": {"per": "game", "seconds": 14}}, "clock.seconds=14: must be 15 to 86,400 for a game"),
        (
            {"clock": {"per": "game", "seconds": 86_401}},
            "clock.seconds=86401: must be 15 to 86,400 for a game",
        ),
        (
            {"clock": {"per": "game", "seconds": 60, "increment": 601}},
            "clock.increment=601: must be 0 to 600, and 0 for a clock per move",
        ),
        (
            {"clock": {"per": "move", "seconds": 60, "increment": 1}},
            "clock.increment=1: must be 0 to 600, and 0 for a clock per move",
        ),
        (
            {"clock": {"per": "move", "seconds": 60}, "away_limit": 60},
            "away_limit=60: must be null at a table with a clock",
        ),
        ({"away_limit": 29}, "away_limit=29: must be 30 to 1,209,600"),
        ({"away_limit": 1_209_601}, "away_limit=1209601: must be 30 to 1,209,600"),
    ],
)
def test_bounds(server: TestClient, wishes: dict[str, Any], why: str) -> None:
    answer = Person(server).post("/api/tables", {"game": "bit-flip", **wishes})
    assert (answer.status_code, answer.json()["text"]) == (400, why)


def test_a_table_without_a_clock_is_recorded_as_before(tmp_path: Path) -> None:
    with client(tmp_path) as server:
        ann, bob, table = two(server)
        ann.act(table, 3, "move", "0")
        bob.act(table, 4, "resign")
        record = ann.get(f"/api/tables/{table}/games/1/record").text
    assert record.startswith("perfectplay record 1\n")
    assert record.endswith("Player 2: resign\nresult: Player 1 wins: resignation\n")
