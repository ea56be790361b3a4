"""Seats that are kept, taken and watched."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from perfectplay.online.client import TableLink, read_link
from perfectplay.online.seat_tokens import keep_token, read_token, seat_file
from tests.conftest import Run
from tests.terminal.online.opponents import PATIENCE, Opponent, ending, sit
from tests.terminal.terminals import Terminal
from tests.web.servers import Server


def test_a_seat_is_kept_for_its_holder_alone(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        ann.act("move", "1")
        terminal.type("quit")
        assert f"To return to it: perfectplay play --table\n{ann.link}\n" in terminal.until_end()
    assert terminal.child.exitstatus == 0
    file = seat_file(read_link(ann.join))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    token = json.loads(file.read_text())["token"]
    assert server.person(token).get(f"/api/tables/{ann.table}").json()["seat"] == 1
    for link in (ann.link, ann.join):
        with Terminal("play", "--table", link) as terminal:
            terminal.expect(r"Bit Flip is in progress. Last: Player 1, 1.")
            terminal.type("quit")
            terminal.until_end()
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.type("3")
        terminal.expect("You flipped bit at position 3.")
    assert ann.events("move") == [(0, "move", "1"), (1, "move", "3")]


def test_a_kept_token_that_the_server_does_not_know_is_replaced(server: Server) -> None:
    """It was never used, or the server has lost its data."""
    ann = Opponent(server, "bit-flip:bits=5")
    link = read_link(ann.join)
    keep_token(link, "x" * 86)
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.expect("You are watching.")
    assert read_token(link) is None
    keep_token(link, "x" * 86)
    with Terminal("play", "--table", ann.join) as terminal:
        terminal.expect("Type help for commands.")
    token = read_token(link)
    assert token is not None
    assert server.person(token).get(f"/api/tables/{ann.table}").json()["seat"] == 1


def test_who_sits_already_is_told_under_which_name(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        ann.act("move", "1")
        assert "You sit here as" not in terminal.until_quiet_prompt_or_end()
    for name, told in (("Eve", 1), (" Bob ", 0), ("", 0)):
        for link in (ann.link, ann.join):
            with Terminal("play", "--table", link, "--name", name) as terminal:
                assert terminal.until_quiet_prompt_or_end().count("You sit here as Bob.\n") == told


def test_a_seat_that_is_taken_is_refused_and_nothing_kept(server: Server, run: Run) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    assert server.person().post(
        f"/api/tables/{ann.table}/join", {"code": ann.join.rpartition("/")[2], "name": "Eve"}
    )
    done = run("play", "--table", ann.join)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"perfectplay: {ann.server} says: this seat is taken\n"
    assert not seat_file(read_link(ann.join)).exists()


def test_the_link_of_a_table_is_for_watching(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5", opponent="random")
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.expect("Waiting for Ann")
        terminal.child.sendline("1")
        terminal.expect("You are watching; help lists what you can type.")
        terminal.child.sendline("resign")
        terminal.expect("You are watching; only the players can do that.")
        ann.act("move", "1")
        terminal.expect("Player 1 flipped bit at position 1.")
        terminal.expect("Player 2 flipped bit at position [34].")
        terminal.expect(r"Score: Ann 0, Computer \(random\) 1\.")
        terminal.type("quit")
        assert "You have left the table." in terminal.until_end()
    assert not seat_file(read_link(ann.link)).exists()


@pytest.mark.parametrize("typed", ["", "quit\n"])
def test_a_watcher_in_a_pipe_leaves_by_quit_and_at_the_end_of_input(server: Server, typed: str) -> None:
    ann = Opponent(server, "bit-flip:bits=3", opponent="random")
    watcher = subprocess.Popen(
        [sys.executable, "-m", "perfectplay", "play", "--table", ann.link],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with ending(watcher):
        assert watcher.stdin is not None
        assert watcher.stdout is not None
        if typed:
            watcher.stdin.write(typed)
            watcher.stdin.flush()
        else:
            watcher.stdin.close()
            watcher.stdin = None  # as communicate leaves it
        assert watcher.wait(PATIENCE) == 0
        said = watcher.stdout.read()
        assert said.endswith("You have left the table.\n")


def test_ctrl_c_leaves_and_the_seat_is_kept(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        terminal.child.sendintr()
        assert "Your seat is kept." in terminal.until_end()
    assert terminal.child.exitstatus == 130


def test_a_seat_that_cannot_be_kept_is_said_and_played(server: Server, home: Path) -> None:
    (home / "perfectplay").mkdir()
    (home / "perfectplay" / "seats").write_text("no folder")
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        ann.act("move", "1")
        terminal.type("3")
        terminal.expect("You flipped bit at position 3.")
    assert "You lose it when this program ends." in terminal.output.replace("\r\n", " ")


def test_a_seat_of_another_server_is_another_one() -> None:
    one, two = TableLink("http://one.example", "t1"), TableLink("http://two.example", "t1")
    keep_token(one, "a" * 86)
    assert read_token(two) is None
    keep_token(one, "b" * 86)
    assert read_token(one) == "b" * 86
    seat_file(one).write_text("{")
    assert read_token(one) is None
