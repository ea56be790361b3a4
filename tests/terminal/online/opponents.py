"""An opponent at a web table, and the messages of its socket."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection

from tests.terminal.terminals import Terminal
from tests.web.servers import Remote, Server

PATIENCE = 30
"""Seconds for a message or the end of a program, after which a test fails."""


GENEROUS = ("--tables-per-minute", "10000", "--requests-per-second", "10000", "--events-per-second", "1000")


class Opponent:
    """The player who made a table, sits at seat 0, and sees what happens there."""

    def __init__(self, server: Server, game: str, **wishes: Any) -> None:
        self.person: Remote = server.person()
        made = self.person.make(game, name="Ann", **wishes)
        self.table: str = made["table"]["id"]
        self.server = server.address
        self.join = f"{server.address}/join/{self.table}/{made['join']}"
        self.link = f"{server.address}/t/{self.table}"

    def shape(self) -> dict[str, Any]:
        found: dict[str, Any] = self.person.get(f"/api/tables/{self.table}").json()
        return found

    def act(self, kind: str, text: str = "") -> None:
        answer = self.person.act(self.table, self.shape()["next"], kind, text)
        assert answer.status_code == 200, answer.text

    def events(self, *kinds: str) -> list[tuple[int, str, str]]:
        found = self.person.events(self.table)
        return [(e["seat"], e["kind"], e["text"]) for e in found if not kinds or e["kind"] in kinds]


Shape = dict[str, Any]


def until(socket: ClientConnection, kind: str, wanted: Callable[[Shape], bool] = bool) -> Shape:
    """The next message of a kind that is wanted. Neither silence nor other messages are waited out."""
    for _ in range(200):
        message: Shape = json.loads(socket.recv(timeout=PATIENCE))
        if message["type"] == kind and wanted(message):
            return message
    raise AssertionError(f"no such {kind} among 200 messages")


def both_are_there(message: Shape) -> bool:
    return bool(message["present"] == [True, True])


def of(what: str, value: object) -> Callable[[Shape], bool]:
    """Whether a message is about an event with such a `kind`, `text` or `seat`."""
    return lambda message: bool(message["event"][what] == value)


def later_than(ply: int) -> Callable[[Shape], bool]:
    """Whether a message comes after more than `ply` plies of a game."""
    return lambda message: bool(message["table"]["plies"] > ply)


def sit(opponent: Opponent, *options: str) -> Terminal:
    """A terminal that takes the free seat."""
    terminal = Terminal("play", "--table", opponent.join, "--name", "Bob", *options)
    terminal.expect("Waiting for Ann")
    return terminal


@contextmanager
def ending(process: "subprocess.Popen[str]") -> Iterator["subprocess.Popen[str]"]:
    """A process that ends with the test, however that does."""
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def restarted(server: Server, folder: Path) -> Server:
    """The same server again, at the same address."""
    server.kill()
    return Server("--data", str(folder), "--port", server.address.rpartition(":")[2], *GENEROUS)
