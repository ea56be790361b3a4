"""The web server on PostgreSQL: several processes, a player on each, and a database that goes away."""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Barrier

import httpx2
import psycopg
import pytest
from websockets.exceptions import InvalidStatus

import perfectplay as pp
from perfectplay.tables.time_control import TimeControl
from perfectplay_server.live.hub import Hub
from perfectplay_server.settings import ServerSettings
from perfectplay_server.storage.store import Store
from tests.extras import leave_out
from tests.web.hubs import started
from tests.web.servers import Remote, Server, heard

FOUND = shutil.which("initdb")
PLACES = [Path(FOUND).parent] if FOUND else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
if not PLACES:
    leave_out("PostgreSQL", "postgresql")


class Postgres:
    """A PostgreSQL of our own, on loopback."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        # It refuses to run as the superuser.
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self.folder = Path(tempfile.mkdtemp(prefix="perfectplay-postgres-"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        data = str(self.folder / "data")
        self.run("initdb", "-D", data, "-U", "me", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()

    def run(self, program: str, *arguments: str) -> None:
        user = {"user": self.user, "group": self.user} if os.geteuid() == 0 else {}
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
            **user,  # type: ignore[call-overload]
        )
        assert done.returncode == 0, f"{program} failed"

    def start(self) -> None:
        # No test cuts the power, and a write that only the system has outlives the end of PostgreSQL.
        options = f"-c fsync=off -c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder}"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop")

    def database(self, name: str) -> str:
        """The address of a new database."""
        with psycopg.connect(
            f"postgresql://me@127.0.0.1:{self.port}/postgres", autocommit=True
        ) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return f"postgresql://me@127.0.0.1:{self.port}/{name}"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres(PLACES[-1])
    yield server
    server.stop()
    shutil.rmtree(server.folder)


@contextmanager
def two_on(address: str) -> Iterator[tuple[Server, Server]]:
    """Two servers that share a database."""
    options = ("--database", address, "--tables-per-minute", "1000")
    with Server(*options) as one, Server(*options) as other:
        yield one, other


@pytest.fixture(scope="module")
def two_servers(postgres: Postgres) -> Iterator[tuple[Server, Server]]:
    """For the tests that neither end a server nor cut its connections; each has tables of its own."""
    with two_on(postgres.database("shared")) as servers:
        yield servers


def at_once(
    first: Callable[[Remote], httpx2.Response],
    second: Callable[[Remote], httpx2.Response],
    people: Sequence[Remote],
) -> list[httpx2.Response]:
    """What two people are answered who ask at the same moment."""
    barrier = Barrier(2)

    def ask(call: Callable[[Remote], httpx2.Response], person: Remote) -> httpx2.Response:
        barrier.wait()
        return call(person)

    with ThreadPoolExecutor(2) as threads:
        return list(threads.map(ask, (first, second), people))


def seated(first: Server, second: Server, game: str = "bit-flip") -> tuple[Remote, Remote, str]:
    """Two people at a table, each through a server of their own, and the table's id."""
    ann, bob = first.person(), second.person()
    made = ann.make(game)
    assert bob.join(made).status_code == 200
    return ann, bob, made["table"]["id"]


@pytest.mark.parametrize("spec", pp.names())
def test_two_people_play_through_two_processes(two_servers: tuple[Server, Server], spec: str) -> None:
    people = [server.person() for server in two_servers]
    made = people[0].make(spec)
    table = made["table"]["id"]
    with people[0].socket(table) as first:
        assert heard(first, "table")["table"]["status"] == "open"
        assert people[1].join(made).status_code == 200
        assert heard(first, "event")["event"]["text"] == "Bob"
        with people[1].socket(table) as second:
            sockets = (first, second)
            data = heard(second, "table")["table"]
            position, number, status = data["position"], data["next"], data["status"]
            while status == "running" and number < 40:
                seat = position["seat"]
                answer = people[seat].act(table, number, "move", position["legal"][0])
                assert answer.status_code == 200, answer.text
                told = [heard(each, "event") for each in sockets]
                assert [each["event"]["number"] for each in told] == [number, number]
                position, status, number = told[0]["position"], told[0]["table"]["status"], number + 1
                while number < told[0]["table"]["next"]:  # what follows by itself
                    told = [heard(each, "event") for each in sockets]
                    position, status, number = told[0]["position"], told[0]["table"]["status"], number + 1
    assert people[0].events(table) == people[1].events(table)


def test_a_database_that_ends_in_the_middle_of_a_write_leaves_no_traceback() -> None:
    postgres = Postgres(PLACES[-1])
    try:
        address = postgres.database("ending")
        with Server("--database", address) as server, ThreadPoolExecutor(1) as threads:
            ann, _, table = seated(server, server)
            with psycopg.connect(address) as other, psycopg.connect(address, autocommit=True) as watching:
                other.execute("LOCK TABLE events")
                moving = threads.submit(ann.act, table, 3, "move", "4")
                waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
                while watching.execute(waiting).fetchone() == (0,):
                    pass
                postgres.stop()
                assert moving.result().status_code == 503
                other.close()
            complaints = server.stop()[1]
    finally:
        shutil.rmtree(postgres.folder)
    assert "Not saved" in complaints
    assert "Traceback" not in complaints


def test_they_see_who_is_there(two_servers: tuple[Server, Server]) -> None:
    ann, bob, table = seated(*two_servers)
    with ann.socket(table) as first:
        with bob.socket(table) as second:
            while heard(first, "present")["present"] != [True, True]:
                pass
            while heard(second, "present")["present"] != [True, True]:
                pass
            answer = bob.act(table, 3, "claim")
            assert (answer.status_code, answer.json()["error"]) == (409, "present")
        while heard(first, "present")["present"] != [True, False]:
            pass


def test_of_two_who_want_the_same_seat_one_gets_it(two_servers: tuple[Server, Server]) -> None:
    ann = two_servers[0].person()
    for _ in range(5):
        made = ann.make("bit-flip")
        rivals = [server.person() for server in two_servers]
        answers = at_once(partial(Remote.join, made=made), partial(Remote.join, made=made), rivals)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert next(answer for answer in answers if answer.status_code == 409).json()["error"] == "taken"
        seats = [rival.get(f"/api/tables/{made['table']['id']}").json()["seat"] for rival in rivals]
        assert sorted(seats, key=str) == [1, None]


def test_of_two_moves_of_one_number_one_happens(two_servers: tuple[Server, Server]) -> None:
    """The same player through two processes at once: one move, and both processes know which."""
    ann, bob = two_servers[0].person(), two_servers[1].person()
    same = two_servers[1].person(ann.token)
    assert same.get("/api/seats").status_code == 200  # a token that the other process has issued
    made = ann.make("bit-flip:bits=60")
    table = made["table"]["id"]
    bob.join(made)
    for number in range(3, 23):
        people = (ann, same) if number % 2 else (two_servers[0].person(bob.token), bob)
        texts = ann.get(f"/api/tables/{table}").json()["position"]["legal"][:2]
        calls = [partial(Remote.act, table=table, number=number, kind="move", text=text) for text in texts]
        answers = at_once(calls[0], calls[1], people)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert next(answer for answer in answers if answer.status_code == 409).json()["error"] == "number"
        happened = next(answer for answer in answers if answer.status_code == 200).json()["event"]
        assert ann.events(table)[-1] == bob.events(table)[-1] == happened


@pytest.mark.parametrize(
    "path", ["", "/events", "/games/1/record", "/games/1/study/0", "/games/1/positions/0"]
)
def test_a_table_that_no_database_can_hold_is_missing(two_servers: tuple[Server, Server], path: str) -> None:
    """PostgreSQL knows no text with a zero character."""
    assert two_servers[0].person().get(f"/api/tables/%00{path}").status_code == 404


def test_nothing_can_be_done_at_a_table_that_no_database_can_hold(two_servers: tuple[Server, Server]) -> None:
    ann = two_servers[0].person()
    assert ann.act("a%00", 1, "move", "4").status_code == 404
    assert ann.post("/api/tables/%00/join", {"code": "x"}).status_code == 404
    assert ann.post("/api/tables/%00/games/1/play-on", {"ply": 0}).status_code == 404
    with pytest.raises(InvalidStatus) as denied:
        ann.socket("%00").__enter__()
    assert denied.value.response.status_code == 404
    for wish in (
        {"game": "bit-flip\0"},
        {"game": "bit-flip", "name": "\0"},
        {"game": "bit-flip", "opponent": "\0"},
    ):
        assert ann.post("/api/tables", wish).status_code == 400
    made = ann.make("bit-flip")
    assert ann.join({**made, "join": "\0"}).status_code == 400
    assert ann.join(made, name="\0").status_code == 400
    assert ann.act(made["table"]["id"], 2, "move", "\0").status_code == 400


def test_a_process_that_is_killed_is_made_up_for(postgres: Postgres) -> None:
    with two_on(postgres.database("killed")) as (one, other):
        ann, bob, table = seated(one, other)
        assert ann.act(table, 3, "move", "4").status_code == 200
        one.kill()
        moved = other.person(ann.token)
        assert bob.act(table, 4, "move", "0").status_code == 200
        assert moved.act(table, 3, "move", "4").json()["event"]["number"] == 3
        assert moved.act(table, 5, "move", "9").status_code == 200


def test_whatever_else_is_said_on_the_channel_moves_are_heard_of(postgres: Postgres) -> None:
    address = postgres.database("channel")
    with two_on(address) as (one, other):
        ann, bob, table = seated(one, other)
        with bob.socket(table, "?after=2") as watching:
            assert heard(watching, "ready")
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute("NOTIFY perfectplay, 'hello'")
            assert ann.act(table, 3, "move", "4").status_code == 200
            assert heard(watching, "event")["event"]["number"] == 3
        assert other.stop()[0] == 0


def test_what_happened_while_nothing_was_heard_is_made_up_for(postgres: Postgres) -> None:
    """The connection that listens is cut; what happens before it is back is told all the same."""
    address = postgres.database("deaf")
    with two_on(address) as (one, other):
        ann, bob, table = seated(one, other)
        with bob.socket(table, "?after=2") as watching:
            assert heard(watching, "ready")
            with psycopg.connect(address, autocommit=True) as connection:
                listening = "datname = current_database() AND query LIKE 'LISTEN%'"
                cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {listening}"
                assert len(connection.execute(cut.encode()).fetchall()) == 2
                assert ann.act(table, 3, "move", "4").status_code == 200
            assert heard(watching, "event")["event"]["number"] == 3


def test_a_database_that_goes_away_and_comes_back(postgres: Postgres) -> None:
    with Server("--database", postgres.database("away")) as server:
        ann, bob, table = seated(server, server)
        with bob.socket(table, "?after=2") as watching:
            assert heard(watching, "ready")
            postgres.stop()
            answer = ann.act(table, 3, "move", "4")
            assert (answer.status_code, answer.json()["error"]) == (503, "unsaved")
            assert ann.get(f"/api/tables/{table}").status_code == 503
            assert ann.get("/healthz").status_code == 503
            postgres.start()
            assert ann.act(table, 3, "move", "0").status_code == 200
            assert heard(watching, "event")["event"]["text"] == "0"
        assert [event["text"] for event in ann.events(table)[2:]] == ["0"]
        assert ann.get("/healthz").status_code == 200


def test_a_database_that_keeps_nothing_is_not_healthy(postgres: Postgres) -> None:
    address = postgres.database("unhealthy")
    with Server("--database", address) as server, psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE RULE lost AS ON UPDATE TO server DO INSTEAD NOTHING")
        assert server.person().get("/healthz").status_code == 503
        connection.execute("DROP RULE lost ON server")
        assert server.person().get("/healthz").status_code == 200
        beats = connection.execute("SELECT count(*), max(beats) FROM server").fetchone()
        assert beats is not None
        assert (beats[0], beats[1] >= 1) == (1, True)


def test_several_workers_are_one_server(postgres: Postgres) -> None:
    with Server("--database", postgres.database("workers"), "--workers", "2") as server:
        ann, bob, table = seated(server, server)
        # Whichever process each of these reaches, they are all told.
        sockets = [bob.socket(table, "?after=2") for _ in range(8)]
        opened = [each.__enter__() for each in sockets]
        assert ann.act(table, 3, "move", "4").status_code == 200
        assert [heard(each, "event")["event"]["number"] for each in opened] == [3] * 8
        for each in opened:
            each.__exit__(None, None, None)
        code, complaints = server.stop()
        assert (code, complaints) == (0, "")


# Clocks.


def process(address: str) -> AbstractAsyncContextManager[Hub]:
    """All tables of one of several processes, in which nothing happens by itself."""
    return started(Hub(Store(address), ServerSettings(database=address)))


def test_two_processes_agree_on_the_time_of_players(postgres: Postgres) -> None:
    address = postgres.database("clocks")

    async def play() -> None:
        async with process(address) as one:
            one.clock.set(one.clock.now() + 1000)  # which it has not written yet
            async with process(address) as two:
                async with asyncio.timeout(30):
                    while two.clock.now() < one.clock.now() - 1:
                        await asyncio.sleep(0.01)
                control = TimeControl("game", 60)
                live = await one.make(
                    "bit-flip", seat=0, opponent=None, name="Ann", public=True, owner="ann", control=control
                )
                await two.join(live.id, code=live.code, name="Bob", owner="bob")
                await one.show(live.id, None)
                live.since -= 20  # she thinks for twenty seconds
                other = two.tables.get(live.id)
                assert other is not None
                other.since -= 20
                await two.request(live.id, "ann", 3, "move", "4", address="")
                data = await one.show(live.id, None)
                assert data["left"] == other.loaded.left
                assert 35_000 < other.loaded.left[0] <= 40_000
                del two.tables[live.id]  # read anew, it has the same time
                again = await two.show(live.id, None)
                assert again["ran"] == pytest.approx((await one.show(live.id, None))["ran"], abs=1000)

    asyncio.run(play())


def test_time_runs_out_once_in_two_processes(postgres: Postgres) -> None:
    address = postgres.database("flags")

    async def play() -> None:
        async with process(address) as one, process(address) as two:
            control = TimeControl("move", 60)
            live = await one.make(
                "bit-flip", seat=0, opponent=None, name="Ann", public=True, owner="ann", control=control
            )
            await one.join(live.id, code=live.code, name="Bob", owner="bob")
            await two.show(live.id, None)
            for hub in (one, two):
                found = hub.tables.get(live.id)
                assert found is not None
                found.since -= 61
                hub.clock.set(hub.clock.now() + 61)
            await asyncio.gather(*(hub.maintenance.watch_clocks() for hub in (one, two)))
            for hub in (one, two):
                kinds = [event.kind for event in await hub.events(live.id, None, 0)]
                assert kinds == ["sit", "sit", "time"]
                assert (await hub.show(live.id, None))["score"] == (0, 1)

    asyncio.run(play())


# Presence and seats.


def listed_as(server: Server, table: str) -> str | None:
    """The public list of a server that has a table."""
    found = httpx2.get(f"{server.address}/api/tables", timeout=30).json()
    return next((name for name, briefs in found.items() if table in {each["id"] for each in briefs}), None)


def wait_until_listed(server: Server, table: str, name: str | None) -> None:
    """Until a notice has come from the other process."""
    for _ in range(2000):
        if listed_as(server, table) == name:
            return
    assert listed_as(server, table) == name


def test_who_waits_is_known_to_every_process(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    ann = one.person()
    made = ann.make("bit-flip:bits=9", public=True, name="Ann")
    table = made["table"]["id"]
    with ann.socket(table) as socket:
        heard(socket, "table")
        for server in two_servers:  # the other one has never opened the table
            wait_until_listed(server, table, "open")
        joined = other.person().post("/api/play", {"game": "bit-flip:bits=9"})
        assert (joined.status_code, joined.json()["table"]["id"]) == (200, table)
        for server in two_servers:
            wait_until_listed(server, table, "running")
    for server in two_servers:
        wait_until_listed(server, table, None)


def test_two_who_ask_for_anyone_at_the_same_moment_meet(two_servers: tuple[Server, Server]) -> None:
    for bits in range(20, 26):  # a game of their own each time
        ask = partial(Remote.post, path="/api/play", data={"game": f"bit-flip:bits={bits}"})
        people = [server.person() for server in two_servers]
        assert all(person.token for person in people)  # nobody has to ask for one first
        answers = at_once(ask, ask, people)
        assert sorted(answer.status_code for answer in answers) == [200, 201]
        assert len({answer.json()["table"]["id"] for answer in answers}) == 1


def test_a_seat_moves_once_through_two_processes(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    ann, bob, table = seated(one, other, "bit-flip:bits=5")
    with ExitStack() as stack:
        sockets = [stack.enter_context(server.person(ann.token).socket(table)) for server in two_servers]
        for old in sockets:
            assert heard(old, "table")["table"]["seat"] == 0
        code = ann.post(f"/api/tables/{table}/transfer", {}).json()["code"]
        devices = [one.person(), other.person()]

        def claim(person: Remote) -> httpx2.Response:
            return person.post("/api/transfers", {"code": code})

        answers = at_once(claim, claim, devices)
        assert sorted(answer.status_code for answer in answers) == [200, 403]
        # The process that did not move it hears of it a moment later.
        for old in sockets:
            assert heard(old, "table")["table"]["seat"] is None
    phone = devices[[answer.status_code for answer in answers].index(200)]
    for server in two_servers:
        assert server.person(ann.token).act(table, 3, "move", "0").status_code == 403
        assert server.person(phone.token).table(table)["seat"] == 0
    assert other.person(phone.token).act(table, 3, "move", "0").status_code == 200
    assert bob.act(table, 4, "move", "2").status_code == 200
