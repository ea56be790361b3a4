"""A web server for tests: in this process, or as a process of its own that can be ended in any way."""

import json
import os
import re
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx2
from starlette.testclient import TestClient, WebSocketDenialResponse
from websockets.sync.client import ClientConnection, connect

from perfectplay_server.http.api import make_app
from perfectplay_server.http.identity import Tokens
from perfectplay_server.live.hub import Hub
from perfectplay_server.settings import ServerSettings
from perfectplay_server.storage.database import sqlite_url
from tests.forks import Forked

__all__ = [
    "Person",
    "Remote",
    "Server",
    "TestClient",
    "WebSocketDenialResponse",
    "client",
    "heard",
    "hub_of",
    "next_of",
    "settings",
    "two",
]

Shape = dict[str, Any]
GENEROUS = ServerSettings(
    tables_per_minute=100_000,
    tables_per_day=100_000,
    requests_per_second=100_000,
    events_per_second=100_000,
    studies_per_minute=100_000,
    allowed_hosts=("testserver",),
    custom_games_per_minute=100_000,
    waiting_per_address=100_000,
)


def settings(folder: Path, **changes: Any) -> ServerSettings:
    """Settings of a server that keeps its tables in a folder, and by default limits nothing."""
    known = {**json.loads(GENEROUS.dumps()), "database": sqlite_url(folder), **changes}
    return ServerSettings(**known)


@contextmanager
def client(folder: Path, **changes: Any) -> Iterator[TestClient]:
    """A client of a server in this process."""
    with TestClient(make_app(settings(folder, **changes)), base_url="http://testserver") as found:
        yield found


class Owner(ABC):
    """Someone with a token of their own, issued by the server when it is first needed."""

    def __init__(self, token: str | None) -> None:
        self._token = token

    @property
    def token(self) -> str:
        if self._token is None:
            self._token = self.issued()
        return self._token

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @abstractmethod
    def issued(self) -> str: ...

    @abstractmethod
    def get(self, path: str) -> httpx2.Response: ...

    @abstractmethod
    def post(self, path: str, data: Shape) -> httpx2.Response: ...

    def make(self, game: str = "bit-flip:bits=3", **wishes: Any) -> Shape:
        answer = self.post("/api/tables", {"game": game, "seat": 0, **wishes})
        assert answer.status_code == 201, answer.text
        made: Shape = answer.json()
        return made

    def join(self, made: Shape, name: str = "Bob") -> httpx2.Response:
        path = f"/api/tables/{made['table']['id']}/join"
        return self.post(path, {"code": made["join"], "name": name})

    def act(self, table: str, number: int, kind: str, text: str = "") -> httpx2.Response:
        return self.post(f"/api/tables/{table}/events", {"number": number, "kind": kind, "text": text})

    def table(self, table: str) -> Shape:
        found: Shape = self.get(f"/api/tables/{table}").json()
        return found

    def events(self, table: str) -> list[Shape]:
        found: list[Shape] = self.get(f"/api/tables/{table}/events").json()
        return found


def hub_of(server: TestClient) -> Hub:
    """The hub of a server in this process."""
    hub: Hub = server.app.state.hub  # type: ignore[attr-defined]
    return hub


class Person(Owner):
    """Someone at a server in this process."""

    def __init__(self, server: TestClient, token: str | None = None) -> None:
        super().__init__(token)
        self.server = server

    def issued(self) -> str:
        tokens: Tokens = self.server.app.state.tokens  # type: ignore[attr-defined]
        return tokens.new()

    def get(self, path: str) -> httpx2.Response:
        self.server.cookies.clear()
        found: httpx2.Response = self.server.get(path, headers=self.headers)
        return found

    def post(self, path: str, data: Shape, **headers: str) -> httpx2.Response:
        self.server.cookies.clear()
        found: httpx2.Response = self.server.post(path, json=data, headers={**self.headers, **headers})
        return found

    def socket(self, table: str, query: str = "") -> Any:
        self.server.cookies.clear()
        return self.server.websocket_connect(f"/api/tables/{table}/socket{query}", headers=self.headers)


def two(server: TestClient, game: str = "bit-flip:bits=3", **wishes: Any) -> tuple[Person, Person, str]:
    """Two people at a table of a game, the first on seat 0, and the table's id."""
    ann, bob = Person(server), Person(server)
    made = ann.make(game, name="Ann", **wishes)
    assert bob.join(made).status_code == 200
    return ann, bob, made["table"]["id"]


def next_of(socket: Any, kind: str) -> Shape:
    """The next message of a kind; others are passed over."""
    while True:
        message: Shape = socket.receive_json()
        if message["type"] == kind:
            return message


class Server:
    """A server in a process of its own."""

    def __init__(self, *options: str, before: str = "", environment: Mapping[str, str] | None = None) -> None:
        """`before` is code that the process runs first, `environment` what it knows besides ours."""
        arguments = ["serve", "--port", "0", "--no-open", *options]
        self.process = Forked(arguments, before, {**os.environ, **(environment or {})})
        first = self.process.stdout.readline()
        found = re.search(r"http://\S+/", first)
        if found is None:
            raise RuntimeError(self.process.ended())
        self.address = found[0].rstrip("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.ended()

    def stop(self) -> tuple[int, str]:
        """End it as a person would; its exit code, and what it had to complain about."""
        self.process.send_signal(signal.SIGINT)
        complaints = self.process.ended()
        assert self.process.returncode is not None
        return self.process.returncode, complaints

    def person(self, token: str | None = None) -> "Remote":
        """Someone at this server."""
        return Remote(self.address, token)


class Remote(Owner):
    """Someone at a server that is another process."""

    def __init__(self, address: str, token: str | None) -> None:
        super().__init__(token)
        self.address = address

    def issued(self) -> str:
        answer = httpx2.post(f"{self.address}/api/tokens", timeout=30, verify=False)
        token: str = answer.json()["token"]
        return token

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(self.address + path, headers=self.headers, timeout=30, verify=False)

    def post(self, path: str, data: Shape) -> httpx2.Response:
        return httpx2.post(self.address + path, headers=self.headers, json=data, timeout=30, verify=False)

    def socket(self, table: str, query: str = "") -> ClientConnection:
        address = self.address.replace("http://", "ws://")
        return connect(f"{address}/api/tables/{table}/socket{query}", additional_headers=self.headers)


def heard(socket: ClientConnection, kind: str) -> Shape:
    """The next message of a kind; others are passed over."""
    while True:
        message: Shape = json.loads(socket.recv(timeout=30))
        if message["type"] == kind:
            return message


def code_of(answer: httpx2.Response) -> tuple[int, str]:
    """The status and the error of an answer."""
    return answer.status_code, answer.json()["error"]
