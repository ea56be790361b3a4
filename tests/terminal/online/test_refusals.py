"""What cannot work is said in one line."""

import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import click
import pytest

from perfectplay.core.errors import BadParameterError, install_command
from perfectplay.online import client
from perfectplay.online.client import TableLink, read_link
from perfectplay.online.seat_tokens import keep_token
from perfectplay_server.command import SERVE
from tests.conftest import Run
from tests.terminal.online.opponents import PATIENCE, Opponent
from tests.web.servers import Server


@pytest.mark.parametrize(
    "url",
    [
        "",
        "bit-flip",
        "http://localhost",
        "http://localhost/",
        "http://localhost/t/",
        "http://localhost/join/abc",
        "http://localhost/t/abc/extra",
        "http://localhost:port/t/abc",
        "http://[localhost/t/abc",
        "http://user:word@localhost/t/abc",
        "http:///t/abc",
        "ftp://localhost/t/abc",
        "file:///t/abc",
        "http://localhost/t/a%0db",
        "http://localhost/t/" + "x" * 33,
    ],
)
def test_an_address_that_leads_to_no_table_is_refused(url: str) -> None:
    with pytest.raises(BadParameterError, match=r"table=.*: must be the address of a table"):
        read_link(url)


@pytest.mark.parametrize("url", ["https://HOST.example/t/aB-_9", "https://host.example/t/aB-_9/g/2?x=1#y"])
def test_an_address_that_leads_to_a_table_is_read(url: str) -> None:
    assert read_link(url) == TableLink("https://host.example", "aB-_9")


def one_line(done: "subprocess.CompletedProcess[str]", start: str) -> None:
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"perfectplay: {start}")
    assert done.stderr.count("\n") == 1


def test_what_is_wrong_is_said_in_one_line(server: Server, run: Run) -> None:
    one_line(run("play", "--table", "nowhere"), "table=nowhere: must be the address of a table")
    one_line(
        run("play", "--table", "http://127.0.0.1:1/t/abc"), "cannot reach http://127.0.0.1:1: Connection"
    )
    missing = f"{server.address} says: there is no such table"
    one_line(run("play", "--table", f"{server.address}/t/abc"), missing)
    one_line(run("play", "--table", f"{server.address}/join/abc/def"), missing)
    ann = Opponent(server, "bit-flip")
    one_line(
        run("play", "--table", f"{ann.server}/join/{ann.table}/wrong"), f"{server.address} says: this link"
    )
    one_line(run("play", "--table", ann.join, "--name", "x" * 41), f"{server.address} says: name")
    one_line(run("play", "--table", ann.link, "bit-flip"), "--table and GAME exclude each other")
    one_line(run("play", "--table", ann.link, "--seed", "1"), "--table and --seed exclude each other")
    one_line(run("play", "bit-flip", "--name", "Ann"), "--name needs --table")
    one_line(run("play"), "Missing argument 'GAME'")


@pytest.mark.parametrize("option", ["--away-seconds", "--open-days", "--idle-days", "--keep-days"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e400", "-1", "soon"])
def test_no_server_is_started_for_a_time_that_is_none(option: str, value: str, run: Run) -> None:
    one_line(run("serve", "--port", "0", "--no-open", option, value), f"Invalid value for '{option}': ")


def test_every_option_of_the_server_is_explained() -> None:
    for option in SERVE.params:
        assert isinstance(option, click.Option)
        assert len((option.help or "").split()) > 3, option.name


class Elsewhere(BaseHTTPRequestHandler):
    """Some other server; it remembers what it was told."""

    tokens: list[str | None]
    status = 200
    body = b"<html>"
    timeout = PATIENCE

    def do_GET(self) -> None:
        self.tokens.append(self.headers.get("Authorization"))
        self.send_response(self.status)
        if self.status == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>"),
        (200, b"[]"),
        (200, b"null"),
        (200, b'{"seat": 7, "present": [1, 1], "players": [null, null], "game": "bit-flip"}'),
        (200, b'{"seat": 1, "present": [1], "players": [null], "game": "bit-flip"}'),
        (200, b"[" * 100_000),
        (302, b""),
        (404, b"<html>"),
    ],
)
def test_another_kind_of_server_is_recognized(status: int, body: bytes, run: Run) -> None:
    handler = type("Handler", (Elsewhere,), {"status": status, "body": body, "tokens": []})
    with HTTPServer(("127.0.0.1", 0), handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{web.server_port}"
        keep_token(TableLink(address, "abc"), "t" * 86)
        one_line(
            run("play", "--table", f"{address}/t/abc"), f"{address} does not answer like a perfectplay server"
        )
        web.shutdown()
    assert handler.tokens == [f"Bearer {'t' * 86}"]  # type: ignore[attr-defined] # and not where it was sent on


@pytest.mark.parametrize(
    "body", [b"[]", b"null", b"{}", b'{"token": 7}', b'{"token": "a b"}', b'{"token": "%s"}' % (b"x" * 43)]
)
def test_a_token_that_makes_no_sense_is_not_taken(body: bytes) -> None:
    handler = type("Handler", (Elsewhere,), {"body": body, "tokens": [], "do_POST": Elsewhere.do_GET})
    with HTTPServer(("127.0.0.1", 0), handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        other = client.Server(f"http://127.0.0.1:{web.server_port}", None)
        with pytest.raises(client.OnlineError, match="does not answer like a perfectplay server"):
            other.take_token()
        web.shutdown()
    assert other.headers == {}


def test_without_the_extra_one_line_says_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['websockets'] = None; sys.argv[0] = 'perfectplay';"
        "from perfectplay.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "play", "--table", "http://127.0.0.1:1/t/abc"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    one_line(
        done,
        f"websockets is not installed; add it with: {install_command('web')}",
    )
