"""Servers that stop, come back, or stay away."""

import os
import shutil
import threading
from pathlib import Path
from time import monotonic, sleep

import pytest

from perfectplay.online.client import UnreachableError, read_link
from perfectplay.online.seat_tokens import read_token
from perfectplay.terminal.console import Console
from perfectplay.terminal.line.online import play_online
from tests.terminal.online.opponents import (
    PATIENCE,
    Opponent,
    both_are_there,
    restarted,
    sit,
    until,
)
from tests.terminal.terminals import Terminal
from tests.web.servers import Person, Server, client


def test_a_server_that_comes_back_finds_the_game_where_it_was(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as first:
        ann = Opponent(first, "bit-flip:bits=9")
        with sit(ann) as terminal:
            ann.act("move", "1")
            terminal.expect(Terminal.PROMPT)
            first.kill()
            terminal.expect("Connection lost. Trying to reconnect.")
            terminal.child.sendline("3")
            terminal.expect("You are not asked for a move now")
            with restarted(first, tmp_path):
                terminal.expect("Reconnected.")
                terminal.type("3")
                terminal.expect("You flipped bit at position 3.")
                ann.act("move", "5")
                terminal.type("7")
                terminal.expect("You flipped bit at position 7.")
                assert [text for _, _, text in ann.events("move")] == ["1", "3", "5", "7"]


def test_what_was_missed_is_told_in_order(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as first:
        ann = Opponent(first, "bit-flip:bits=9")
        with sit(ann) as terminal:
            first.kill()
            terminal.expect("Connection lost. Trying to reconnect.")
            with client(tmp_path) as elsewhere:
                other = Person(elsewhere, ann.person.token)
                assert other.act(ann.table, 3, "move", "1").status_code == 200
                assert other.act(ann.table, 4, "offer", "abandon").status_code == 200
            with restarted(first, tmp_path):
                terminal.expect("Reconnected.")
                terminal.expect("Player 1 flipped bit at position 1.")
                terminal.expect("Ann offers to end the game unfinished.")
                terminal.type("3")
                terminal.expect("You flipped bit at position 3.")


def test_after_too_much_was_missed_the_table_is_shown_anew(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as first:
        ann = Opponent(first, "bit-flip:bits=9")
        with sit(ann) as terminal:
            first.kill()
            terminal.expect("Connection lost. Trying to reconnect.")
            with client(tmp_path) as elsewhere:
                other = Person(elsewhere, ann.person.token)
                bob = Person(elsewhere, read_token(read_link(ann.join)))
                assert other.act(ann.table, 3, "move", "1").status_code == 200
                for number in range(4, 108, 2):
                    assert other.act(ann.table, number, "offer", "abandon").status_code == 200
                    assert bob.act(ann.table, number + 1, "decline", "abandon").status_code == 200
            with restarted(first, tmp_path):
                terminal.expect("Reconnected.")
                terminal.expect("Bit Flip is in progress. Last: Player 1, 1.")
                terminal.type("3")
                terminal.expect("You flipped bit at position 3.")
        assert "declines" not in terminal.output


def test_a_server_that_has_lost_moves_is_followed(tmp_path: Path) -> None:
    tables, backup = tmp_path / "tables", tmp_path / "backup"
    with Server("--data", str(tables)) as first:
        ann = Opponent(first, "bit-flip:bits=9")
        with sit(ann) as terminal:
            first.kill()
            shutil.copytree(tables, backup)
            with restarted(first, tables) as second:
                terminal.expect("Reconnected.")
                ann.act("move", "1")
                terminal.expect("Player 1 flipped bit at position 1.")
                with restarted(second, backup):
                    terminal.expect("Reconnected.")
                    terminal.expect("Welcome to Bit Flip!")
                    terminal.expect("Waiting for Ann")
                    ann.act("move", "5")
                    terminal.expect("Player 1 flipped bit at position 5.")
                    terminal.type("1")
                    terminal.expect("You flipped bit at position 1.")


DIES_BEFORE = """
import os
from perfectplay_server.live.actions import Actions
act = Actions.act
async def dying(self, table, seat, number, kind, text, **more):
    if (seat, kind) == (1, "move"):
        os._exit(9)
    return await act(self, table, seat, number, kind, text, **more)
Actions.act = dying
"""


DIES_AFTER = """
import os
from perfectplay_server.live.live_table import LiveTable
tell = LiveTable.tell
def dying(self, *messages):
    if any(b'"seat":1,"kind":"move"' in message for message in messages):
        os._exit(9)
    tell(self, *messages)
LiveTable.tell = dying
"""


@pytest.mark.parametrize(
    ("dies", "made"), [(DIES_BEFORE, False), (DIES_AFTER, True)], ids=["before", "after"]
)
def test_a_move_that_got_no_answer_is_made_once(dies: str, made: bool, tmp_path: Path) -> None:
    moves = [(0, "move", "1"), (1, "move", "3")]
    with Server("--data", str(tmp_path), before=dies) as first:
        ann = Opponent(first, "bit-flip:bits=9")
        with sit(ann) as terminal:
            ann.act("move", "1")
            terminal.type("3")
            terminal.expect("Connection lost. Trying to reconnect.")
            first.kill()
            with client(tmp_path) as elsewhere:  # the server ended where it was meant to
                events = Person(elsewhere, ann.person.token).events(ann.table)
                assert [event["text"] for event in events if event["kind"] == "move"] == ["1", "3"][
                    : 1 + made
                ]
            with restarted(first, tmp_path):
                terminal.expect("Reconnected.")
                terminal.expect("You flipped bit at position 3.")
                terminal.expect("Waiting for Ann")
                assert ann.events("move") == moves


def test_a_server_that_stays_away_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.online.remote_table.PATIENCE", 0)
    with Server("--data", str(tmp_path / "tables")) as server:
        ann = Opponent(server, "bit-flip:bits=5")
        ours, theirs = os.pipe()
        problem: list[Exception] = []

        def play(said: Path) -> None:
            with os.fdopen(ours, encoding="utf-8") as stdin, said.open("w", encoding="utf-8") as stdout:
                try:
                    play_online(Console(stdin, stdout), ann.join)
                except UnreachableError as error:
                    problem.append(error)

        with ann.person.socket(ann.table) as socket:
            player = threading.Thread(target=play, args=(tmp_path / "said",), daemon=True)
            player.start()
            until(socket, "present", both_are_there)
            given_up = monotonic() + PATIENCE
            while "Waiting for Ann" not in (tmp_path / "said").read_text() and monotonic() < given_up:
                sleep(0.01)
            server.kill()
            player.join(PATIENCE)
        os.close(theirs)
    # Refused, or cut off in the middle: which of the two, is chance.
    assert str(problem[0]).startswith(f"cannot reach {ann.server}: ")
    go_on = f"return to it by: perfectplay play --table {ann.server}/t/{ann.table}"
    assert str(problem[0]).endswith(f"; your table is kept there, {go_on}")
    assert (tmp_path / "said").read_text().endswith("Connection lost. Trying to reconnect.\n")
    assert read_token(read_link(ann.join)) is not None
