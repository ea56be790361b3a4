"""The web server as a process: ended in the middle of things, without room, with clients that do nothing."""

import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Thread

import click
import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from perfectplay.cli import main
from perfectplay.tables import limits
from perfectplay_server.command import SERVE
from perfectplay_server.limits import FRAMES_PER_SECOND, HEAD_SECONDS, MOST_CHUNKS, SPARE_FILES
from perfectplay_server.settings import ServerSettings, options
from tests.conftest import Run
from tests.web.servers import Remote, Server, code_of, heard
from tools import options_table

MANY = ("--tables-per-minute", "10000", "--requests-per-second", "10000")

# Ends the server as a power cut would, at the write of event N: before it is on the disk, or right after.
KILLED = """
import os, signal
from perfectplay_server.storage.writer import Writer
committed = Writer.commit
def ended(self, writes):
    numbers = [row["number"] for write in writes for row in write.events]
    if {when!r} == "before" and {number} in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    answers = committed(self, writes)
    if {when!r} == "after" and {number} in numbers:
        os.kill(os.getpid(), signal.SIGKILL)
    return answers
Writer.commit = ended
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Server]:
    """A server for the tests that neither end it nor harm it."""
    with Server("--data", str(folder), *MANY, "--events-per-second", "100000") as server:
        yield server


@pytest.mark.parametrize("when", ["before", "after"])
def test_no_move_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path, when: str) -> None:
    """At every step of a game: killed while a move is written, started again, asked the same again.

    Each server makes up for the step at which the one before was killed, and is killed at the next.
    """
    steps = [
        (0, "move", "0"),
        (1, "move", "2"),
        (1, "offer", "takeback"),
        (0, "accept", "takeback"),
        (1, "move", "5"),
        (0, "move", "3"),
        (0, "offer", "rematch"),
        (1, "accept", "rematch"),
    ]
    first = 3  # the number of the first step: two have sat down before
    tokens: list[str] = []
    table = ""
    for number in range(first, first + len(steps) + 1):
        killed = KILLED.format(when=when, number=number)
        with Server("--data", str(tmp_path / "data"), before=killed) as server:
            if number == first:
                ann, bob = server.person(), server.person()
                made = ann.make("bit-flip:bits=6")
                assert bob.join(made).status_code == 200
                table, tokens = made["table"]["id"], [ann.token, bob.token]
            else:
                seat, kind, text = steps[number - first - 1]
                before = server.person().events(table)
                written = number if when == "after" else number - 1
                assert [event["number"] for event in before] == list(range(1, written))
                with server.person(tokens[seat]).socket(table, f"?after={number - 2}") as back:
                    answer = server.person(tokens[seat]).act(table, number - 1, kind, text)
                    assert answer.status_code == 200, answer.text
                    event = heard(back, "event")["event"]
                    found = (event["number"], event["seat"], event["kind"], event["text"])
                    assert found == (number - 1, seat, kind, text)
                    assert answer.json()["event"] == event
                after = server.person().events(table)
                assert [event["number"] for event in after] == list(range(1, number))
            if number < first + len(steps):
                seat, kind, text = steps[number - first]
                with server.person().socket(table, f"?after={number - 1}") as watcher:
                    with pytest.raises(httpx2.TransportError):
                        server.person(tokens[seat]).act(table, number, kind, text)
                    with pytest.raises(ConnectionClosed):  # and was never told that it had happened
                        heard(watcher, "event")


def test_what_does_not_fit_on_the_disk_has_not_happened(tmp_path: Path) -> None:
    # Python would leave compiled modules cut off, for everyone to stumble over; in child processes too.
    careful = {"PYTHONDONTWRITEBYTECODE": "1"}
    with Server("--data", str(tmp_path / "data"), environment=careful) as server:
        ann, bob = server.person(), server.person()
        made = ann.make("dual-direction")
        table = made["table"]["id"]
        bob.join(made)
        pid = server.process.pid
        with bob.socket(table, "?after=2") as watching:
            assert heard(watching, "ready")
            unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, unlimited[1]))
            for _ in range(3):
                answer = ann.act(table, 3, "move", "left")
                assert (answer.status_code, answer.json()["error"]) == (503, "unsaved")
            assert ann.post("/api/tables", {"game": "bit-flip"}).status_code == 503
            assert ann.get("/healthz").json()["error"] == "unsaved"
            assert ann.get(f"/api/tables/{table}").json()["next"] == 3
            resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
            assert ann.get("/healthz").status_code == 200
            assert ann.act(table, 3, "move", "right").status_code == 200
            assert heard(watching, "event")["event"]["text"] == "right"
        assert [event["text"] for event in ann.events(table)[2:]] == ["right"]


def test_a_stop_is_told_and_pages_can_come_back(tmp_path: Path) -> None:
    options = ("--data", str(tmp_path / "data"))
    with Server(*options) as server:
        ann = server.person()
        table = ann.make("bit-flip", opponent="perfect")["table"]["id"]
        with ann.socket(table) as socket:
            assert heard(socket, "table")
            assert ann.act(table, 3, "move", "4").status_code == 200
            code, complaints = server.stop()
            with pytest.raises(ConnectionClosed) as closed:
                heard(socket, "never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert (code, complaints) == (0, "")
    with Server(*options) as server, server.person(ann.token).socket(table, "?after=3") as socket:
        # The computer has moved before the stop, or does so now.
        assert heard(socket, "event")["event"]["number"] == 4


STUCK = """
from perfectplay.workers import thinker
made = thinker.Thinker.__init__
def stuck(self, seconds, most_waiting=200):
    made(self, seconds, most_waiting, "tests.web.stuck")
thinker.Thinker.__init__ = stuck
"""


@pytest.mark.parametrize("unfinished", ["body", "study"])
def test_a_stop_waits_for_nothing_that_is_unfinished(tmp_path: Path, unfinished: str) -> None:
    with Server("--data", str(tmp_path), before=STUCK) as server, ExitStack() as stack:
        whole = b'{"game":"bit-flip"}'
        head = b"POST /api/study HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        clients = [stack.enter_context(connected(server)) for _ in range(3)]
        for each in clients:
            each.sendall(head % len(whole) + (whole if unfinished == "study" else whole[:9]))
        for _ in range(3):  # by then the requests were read
            assert server.person().get("/healthz").status_code == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.ended() == ""
        answers = [received(each) for each in clients]
        assert all(b'"busy"' in answer if unfinished == "study" else not answer for answer in answers)


def test_a_database_that_was_deleted_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    with Server("--data", str(folder)) as server:
        ann, bob = server.person(), server.person()
        made = ann.make("bit-flip")
        table = made["table"]["id"]
        assert bob.join(made).status_code == 200
        folder.rename(tmp_path / "gone")
        assert code_of(ann.act(table, 3, "move", "4")) == (503, "unsaved")
        assert server.person(ann.token).get("/healthz").status_code == 503
        folder.mkdir()
        (folder / "tables.sqlite3").touch()
        assert code_of(ann.act(table, 3, "move", "4")) == (503, "unsaved")
        shutil.rmtree(folder)
        (tmp_path / "gone").rename(folder)
        assert ann.act(table, 3, "move", "4").status_code == 200
        complaints = server.stop()[1]
    assert "No such file" in complaints
    assert "replaced" in complaints
    assert "Traceback" not in complaints


@pytest.mark.skipif(sys.platform == "win32", reason="files have no mode there")
def test_nobody_else_can_read_the_database(tmp_path: Path) -> None:
    def modes() -> dict[str, int]:
        return {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("tables*")}

    private = {f"tables.sqlite3{suffix}": 0o600 for suffix in ("", "-wal", "-shm")}
    with Server("--data", str(tmp_path)) as server:
        server.person().make()
        assert modes() == private
        server.kill()
    for path in tmp_path.glob("tables*"):
        path.chmod(0o644)  # as an older release left it
    with Server("--data", str(tmp_path)) as server:
        server.person().make()
        assert modes() == private


def test_a_client_that_takes_nothing_is_dropped_and_harms_nobody(running: Server) -> None:
    ann, bob = running.person(), running.person()
    made = ann.make("bit-flip:bits=200")
    table = made["table"]["id"]
    bob.join(made)
    host, port = running.address.removeprefix("http://").split(":")
    lazy = socket.create_connection((host, int(port)))
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    with ann.socket(table) as at_seat:
        number = 3
        while heard(at_seat, "present")["watching"] != 1:
            pass
        dropped = False
        while not dropped:
            kind = "offer" if number % 2 else "decline"
            person = ann if number % 2 else bob
            assert person.act(table, number, kind, "abandon").status_code == 200
            assert heard(at_seat, "event")["event"]["number"] == number
            number += 1
            assert number < 5000, "it is still connected"
            dropped = ann.get(f"/api/tables/{table}").json()["watching"] == 0
    lazy.close()


def connected(server: Server, source: str = "127.0.0.1") -> socket.socket:
    """A bare connection from an address of this machine.

    It times out sooner than any request of a server that has the usual limits.
    """
    host, port = server.address.removeprefix("http://").split(":")
    return socket.create_connection(
        (host, int(port)), timeout=HEAD_SECONDS * 3 / 4, source_address=(source, 0)
    )


def received(connection: socket.socket) -> bytes:
    """All that comes until the connection is closed."""
    found = b""
    with suppress(ConnectionResetError):
        while more := connection.recv(65_536):
            found += more
    return found


ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
HASTY = "from perfectplay_server import limits; limits.BODY_SECONDS = limits.HEAD_SECONDS = 1"


def test_half_a_request_holds_nobody_up_and_is_not_waited_for(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path / "data"), before=HASTY) as server:
        halves = []
        for half in (
            b"",
            b"GET /",
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{",
        ):
            halves.append(connected(server))
            halves[-1].sendall(half)
        assert server.person().make()["table"]["status"] == "open"
        answers = [received(each) for each in halves]
        assert answers[:2] == [b"", b""]
        assert answers[2].startswith(b"HTTP/1.1 408 ")
        for each in halves:
            each.close()


def test_a_slow_request_after_the_first_is_not_waited_for(tmp_path: Path) -> None:
    whole = ASKED + b"\r\n"
    with Server("--data", str(tmp_path / "data"), before=HASTY) as server, ExitStack() as stack:
        ann = server.person()
        quiet = stack.enter_context(ann.socket(ann.make()["table"]["id"]))
        slow = []
        for first, rest in (
            (whole, b"G"),
            (whole, ASKED),
            (ASKED + b"Content-Length: 50\r\n\r\n", b"x"),
            (whole + whole, b"GET /api/games"),
        ):
            slow.append(stack.enter_context(connected(server)))
            slow[-1].sendall(first)
            assert slow[-1].recv(65_536).startswith(b"HTTP/1.1 200 ")
            slow[-1].sendall(rest)
        for each in slow:
            assert b"HTTP/1.1 4" not in received(each)
        quiet.send('{"do": "ping"}')  # a client that has asked for something is left alone
        heard(quiet, "pong")


def test_an_address_has_only_so_many_connections(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path / "data"), "--connections-per-address", "3") as server:
        made = server.person().make()
        with ExitStack() as stack:
            watching = [stack.enter_context(server.person().socket(made["table"]["id"])) for _ in range(2)]
            held = stack.enter_context(connected(server))
            held.sendall(ASKED + b"\r\n")
            assert held.recv(65_536).startswith(b"HTTP/1.1 200 ")
            with connected(server) as refused:
                assert received(refused) == b""
            with connected(server, "127.0.0.2") as other:
                other.sendall(ASKED + b"Connection: close\r\n\r\n")
                assert received(other).startswith(b"HTTP/1.1 200 ")
            watching[0].close()
            held.close()
            # Gone, they make room for as many again; until the server has noticed, one is refused.
            answers = [b""]
            while not answers[-1]:
                assert len(answers) < 1000
                with connected(server) as again, suppress(ConnectionError):
                    again.sendall(ASKED + b"Connection: close\r\n\r\n")
                    answers.append(received(again))
            assert answers[-1].startswith(b"HTTP/1.1 200 ")
        code, complaints = server.stop()
        assert (code, complaints) == (0, "WARNING 127.0.0.1 has reached its limit of 3 connections\n")


def test_no_client_is_accepted_where_no_file_is_left_for_it(tmp_path: Path) -> None:
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))"
    with Server("--data", str(tmp_path / "data"), before=few) as server, ExitStack() as stack:
        first = stack.enter_context(connected(server))
        crowd = [stack.enter_context(connected(server, f"127.0.0.{1 + n % 9}")) for n in range(300)]
        # All files for clients are in use, and what was asked before is answered and saved.
        wish = b'{"game": "bit-flip"}'
        first.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (len(wish), wish)
        )
        assert first.recv(65_536).startswith(b"HTTP/1.1 201 ")
        assert len(list(Path(f"/proc/{server.process.pid}/fd").iterdir())) <= 256 - SPARE_FILES + 20
        with connected(server, "127.0.0.77") as refused:
            assert received(refused) == b""
        for each in crowd:
            each.close()
        answers = [b""]
        while not answers[-1]:  # until the server has noticed that they are gone
            assert len(answers) < 1000
            with connected(server, "127.0.0.77") as late, suppress(ConnectionError):
                late.sendall(ASKED + b"Connection: close\r\n\r\n")
                answers.append(received(late))
        assert answers[-1].startswith(b"HTTP/1.1 200 ")
        code, complaints = server.stop()
        assert code == 0
        assert complaints == "ERROR too many connections; new clients are refused\n"


def test_messages_are_understood_however_they_are_cut(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path / "data")) as server:
        table = server.person().make("bit-flip")["table"]["id"]
        host, port = server.address.removeprefix("http://").split(":")
        ping = b'{"do": "ping"}'
        whole, first, rest, other = (
            bytes((head, 0x80 | len(text), 1, 2, 3, 4))
            + bytes(c ^ (1, 2, 3, 4)[n % 4] for n, c in enumerate(text))
            for head, text in ((0x81, ping), (0x01, ping[:5]), (0x80, ping[5:]), (0x89, b"!"))
        )
        with socket.create_connection((host, int(port)), timeout=30) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # each part is sent by itself
            client.sendall(
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            heard, pongs = b"", 0
            while b'"type":"present"' not in heard:
                heard += client.recv(65_536)
            for sent, more in (
                ((whole,), 1),
                ((whole[:4], whole[4:]), 1),
                ((whole + whole,), 2),
                ((first, other, rest), 1),
                ((whole, whole[:9], whole[9:] + whole), 3),
            ):
                for each in sent:
                    client.sendall(each)
                pongs += more
                while heard.count(b'"type":"pong"') < pongs:
                    heard += client.recv(65_536)
            for each in (first, whole):  # another message in the middle of one is an error
                client.sendall(each)
            while found := client.recv(65_536):
                heard += found
            assert heard.count(b'"type":"pong"') == pongs
        assert server.stop() == (0, "")


def test_a_denied_socket_is_nothing_to_complain_about(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path / "data")) as server:
        for headers in ({}, {"Origin": "http://evil.test"}):
            address = server.address.replace("http://", "ws://")
            with pytest.raises(InvalidStatus) as denied:
                connect(f"{address}/api/tables/none/socket", additional_headers=headers)
            assert denied.value.response.headers["X-Content-Type-Options"] == "nosniff"
        assert server.stop() == (0, "")


def test_a_player_whose_machine_is_gone_is_missed(tmp_path: Path) -> None:
    """A connection that nobody ends and nobody answers on."""
    hasty = "import perfectplay_server.serve as s; s.PINGS = 2"
    with Server("--data", str(tmp_path / "data"), before=hasty) as server:
        ann, bob = server.person(), server.person()
        made = ann.make("bit-flip")
        table = made["table"]["id"]
        bob.join(made)
        host, port = server.address.removeprefix("http://").split(":")
        with ann.socket(table) as at_seat, socket.create_connection((host, int(port))) as silent:
            silent.sendall(
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
                f"Authorization: Bearer {bob.token}\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            for there in (True, False):
                while heard(at_seat, "present")["present"] != [True, there]:
                    pass


def test_as_many_may_connect_as_the_machine_allows(tmp_path: Path) -> None:
    """More than the 1024 files that a process may have open unless it asks for more."""
    few = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (256, r.getrlimit(r.RLIMIT_NOFILE)[1]))"
    with Server("--data", str(tmp_path / "data"), before=few) as server:
        soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        assert soft == (65_536 if hard == resource.RLIM_INFINITY else min(65_536, hard))


def test_many_moves_at_once_are_all_kept(running: Server) -> None:
    people = [running.person() for _ in range(8)]
    tables = [
        person.make("dual-direction:positions=99", opponent="random")["table"]["id"] for person in people
    ]

    def play(person: Remote, table: str) -> None:
        with person.socket(table, "?after=2") as watching:
            for number in range(3, 43, 2):
                assert person.act(table, number, "move", "left").status_code == 200
                assert heard(watching, "event")["event"]["number"] == number
                assert heard(watching, "event")["event"]["number"] == number + 1

    threads = [Thread(target=play, args=each) for each in zip(people, tables, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for person, table in zip(people, tables, strict=True):
        assert [event["number"] for event in person.events(table)] == list(range(1, 43))


# The command.


def test_a_new_process_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    """Not forked from one that has everything imported, as the others here are."""
    command = [sys.executable, "-m", "perfectplay", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(
        [*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        assert httpx2.get(f"{address}healthz").json()["ok"]
        process.send_signal(signal.SIGINT)
        assert process.communicate()[1] == ""
    assert process.returncode == 0


def test_it_says_where_it_listens(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path / "data")) as server:
        assert server.address.startswith("http://127.0.0.1:")
        assert "Only this machine can reach it" in server.process.stdout.readline()
        assert httpx2.get(f"{server.address}/healthz").json()["ok"]
    with Server("--data", str(tmp_path / "data"), "--host", "0.0.0.0") as server:
        assert "Anyone who can reach this machine" in server.process.stdout.readline()
        assert "0.0.0.0" not in server.address  # nobody else could use that address
        assert httpx2.get(f"{server.address}/healthz").json()["ok"]


def test_its_tables_are_in_the_data_folder_of_the_user(home: Path) -> None:
    with Server() as server:
        server.person().make()
    assert (home / "perfectplay" / "web" / "tables.sqlite3").is_file()


@pytest.mark.usefixtures("running")
def test_a_folder_is_served_once(folder: Path, run: Run) -> None:
    done = run("serve", "--port", "0", "--data", str(folder))
    assert done.returncode == 2
    assert done.stderr.startswith("perfectplay: another server is using ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--workers", "2"), "workers=2: must be 1, unless --database names a PostgreSQL database"),
        (("--database", "mysql://x/y"), "database: must be postgresql://USER:PASSWORD@HOST/NAME"),
        (("--database", "sqlite:///y"), "database: must be postgresql://USER:PASSWORD@HOST/NAME"),
        (("--database", "postgresql://127.0.0.1:1/x"), "the database cannot be used: connection failed"),
        (("--allowed-host", "http://x:1/"), "allowed-host=http://x:1/: must be a name such as games.example"),
        (("--host", "no.such.host.invalid"), "cannot listen on no.such.host.invalid port 0: "),
        (("--data", "x", "--database", "sqlite:///y"), "--data and --database exclude each other"),
    ],
)
def test_what_cannot_work_is_said_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "perfectplay_server.serve.allow_connections", lambda: None
    )  # that of this process stays
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO()))
    monkeypatch.setattr(sys, "argv", ["perfectplay", "serve", "--port", "0", *options])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert said.err.startswith(f"perfectplay: {message}")
    assert said.err.count("\n") == 1


def test_every_setting_has_the_same_default_as_its_option() -> None:
    usual = asdict(ServerSettings())
    context = click.Context(SERVE)
    options = {option.name: option.get_default(context) for option in SERVE.params if option.name in usual}
    del options["database"]  # by default a folder
    assert len(options) == 15
    assert options == {name: usual[name] for name in options}
    assert len(SERVE.params) == len({param.name for param in SERVE.params})


@pytest.mark.parametrize(
    ("option", "value"),
    [(name, str(least - 1)) for name, each in options() if (least := each.metadata["least"]) is not None]
    + [("--open-days", "nan"), ("--idle-days", "inf"), ("--most-tables", "1.5")],
)
def test_a_setting_out_of_its_bounds_is_refused(option: str, value: str) -> None:
    with pytest.raises(click.BadParameter) as raised:
        SERVE.make_context("serve", [option, value])
    assert raised.value.param is not None
    assert raised.value.param.opts == [option]


def test_the_docs_have_the_table_of_options() -> None:
    """If this fails, `make golden` writes it anew."""
    page = options_table.PAGE.read_text()
    assert options_table.update(page) == page


def test_the_page_has_the_fixed_limits() -> None:
    page = options_table.PAGE.read_text()
    move, game = (limits.SHORTEST_MOVE, limits.LONGEST_MOVE), (limits.SHORTEST_GAME, limits.LONGEST_GAME)
    for row in (
        f"games at one table; events, after which a game can only be ended | {limits.MOST_GAMES}; {limits.MOST_EVENTS}",
        f"seconds of a clock: per move; per game; added for each move | {move[0]} to {move[1]:,};"
        f" {game[0]} to {game[1]:,}; at most {limits.LONGEST_INCREMENT}",
        f"seconds that a table may let a player be away | {limits.SHORTEST_AWAY} to {limits.LONGEST_AWAY:,}",
        f"memory of a worker process, where the system can limit it | {limits.MOST_MEMORY // 2**30} GiB",
        f"bytes of a message; of one with the moves of a game | {limits.LONGEST_MESSAGE}; {limits.LONGEST_MOVES:,}",
        "frames of any kind per second over one socket, and pieces of 256 bytes |"
        f" {FRAMES_PER_SECOND}, and {2 * FRAMES_PER_SECOND} at once, then it is disconnected",
        f"public tables of one address that wait for an opponent | {ServerSettings().waiting_per_address}",
        f"chunks of the body of a request | {MOST_CHUNKS}",
        f"characters of a name; a move; a spec | {limits.LONGEST_NAME}; {limits.LONGEST_TEXT}; {limits.LONGEST_TABLE_SPEC}",
    ):
        assert f"\n| {row} |\n" in page, row


def test_a_port_that_is_taken_is_said_to_be(running: Server, run: Run, tmp_path: Path) -> None:
    port = running.address.rpartition(":")[2]
    done = run("serve", "--port", port, "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == f"perfectplay: cannot listen on 127.0.0.1 port {port}: Address already in use\n"


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path / "data")) as server:
        person = server.person()
        for game in ("bit-flip", "bit-flip:bits=3"):
            table = person.make(game, opponent="perfect", seat=1)["table"]["id"]
            with person.socket(table, "?after=2") as socket:
                heard(socket, "event")
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        assert len(children) == 3
        server.kill()
    for child in children:
        # They read their end from a pipe that nobody holds any more.
        subprocess.run(["tail", f"--pid={child}", "-f", "/dev/null"], timeout=30, check=True)
