"""The example bot at a web table."""

import subprocess
import sys
from pathlib import Path

import pytest

import perfectplay as pp
from tests.conftest import ROOT
from tests.terminal.online.opponents import (
    PATIENCE,
    Opponent,
    both_are_there,
    ending,
    later_than,
    of,
    restarted,
    until,
)
from tests.web.servers import Server


def start_bot(link: str, *options: str) -> "subprocess.Popen[str]":
    """The example as a process."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "examples" / "web_bot.py"), link, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_example_bot_holds_a_seat(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as first:
        ann = Opponent(first, "bit-flip:bits=5")
        with ending(start_bot(ann.join, "--player", "perfect", "--games", "2")) as bot:
            with ann.person.socket(ann.table) as socket:
                until(socket, "present", both_are_there)
                ann.act("offer", "abandon")
                until(socket, "event", of("kind", "decline"))
                ann.act("move", "1")
                until(socket, "event", of("seat", 1))
            with restarted(first, tmp_path), ann.person.socket(ann.table) as socket:
                until(socket, "present", both_are_there)
                assert ann.shape()["status"] == "over"
                ann.act("offer", "rematch")
                message = until(socket, "event", of("kind", "move"))
                assert (message["table"]["games"], message["event"]["seat"]) == (2, 1)
                assert bot.poll() is None
                ann.act("resign")
                said, complaints = bot.communicate(timeout=PATIENCE)
                assert {seat for seat, _, _ in ann.events("decline", "accept")} == {1}
    assert (bot.returncode, complaints) == (0, "")
    assert said.splitlines() == [
        f"Bot (perfect) sits at {ann.link} as Player 2.",
        "Game 1: Player 2 wins: last flip. Score: Ann 0, Bot (perfect) 1.",
        "Connection lost. Trying to reconnect.",
        "Game 2: Player 2 wins: resignation. Score: Ann 0, Bot (perfect) 2.",
    ]


@pytest.mark.parametrize("name", pp.names())
def test_the_example_bot_plays_every_game_and_leaves(name: str, server: Server) -> None:
    ann = Opponent(server, name)
    with ann.person.socket(ann.table) as socket, ending(start_bot(ann.join, "--games", "2")) as bot:
        until(socket, "present", both_are_there)
        for number in (1, 2):
            for ply in range(50):
                position = ann.shape()["position"]
                if position["result"] is not None:
                    break
                if position["ply"] == ply and position["seat"] == 0:
                    if ply > 10:
                        ann.act("resign")
                        break
                    ann.act("move", position["legal"][0])
                until(socket, "event", later_than(ply))
            if number == 1:
                ann.act("offer", "rematch")
                until(socket, "event", of("kind", "accept"))
        said, complaints = bot.communicate(timeout=PATIENCE)
    assert (bot.returncode, complaints) == (0, "")
    assert [line.partition(":")[0] for line in said.splitlines()[1:]] == ["Game 1", "Game 2"]


def test_the_example_bot_leaves_a_table_that_is_closed(tmp_path: Path) -> None:
    # Here a table may be closed while both are there.
    before = "from perfectplay_server.live.live_table import LiveTable\nLiveTable.may_claim = lambda *_: True"
    with Server("--data", str(tmp_path), before=before) as server:
        ann = Opponent(server, "bit-flip:bits=5")
        with ann.person.socket(ann.table) as socket, ending(start_bot(ann.join)) as bot:
            until(socket, "present", both_are_there)
            ann.act("close")
            said, complaints = bot.communicate(timeout=PATIENCE)
    assert (bot.returncode, complaints) == (0, "")
    assert said.splitlines()[1:] == [
        "Game 1: unfinished: the other player left. Score: Ann 0, Bot (random) 0."
    ]


def test_the_example_bot_says_in_one_line_what_is_wrong(server: Server) -> None:
    ann = Opponent(server, "bit-flip")
    nowhere = "http://127.0.0.1:1"
    wrong = "table=nowhere: must be the address of a table"
    for link, options, start in (
        ("nowhere", (), wrong),
        (f"{nowhere}/join/abc/def", (), f"cannot reach {nowhere}: "),
        (f"{server.address}/join/abc/def", (), f"{server.address} says: there is no such table"),
        (f"{server.address}/join/{ann.table}/def", (), f"{server.address} says: this link"),
        (ann.link, (), f"{ann.link} is for watching"),
        (ann.join, ("--player", "perfct"), 'unknown player "perfct" (did you mean perfect?)'),
        (ann.join, ("--player", "level:99"), "level:99: must be"),
        (ann.join, ("--player", "human"), "human is not a computer player"),
        (ann.join, ("--games", "0"), "games=0: must be"),
    ):
        with ending(start_bot(link, *options)) as bot:
            said, complaints = bot.communicate(timeout=PATIENCE)
        assert (bot.returncode, said) == (1, "")
        assert complaints.startswith(start)
        assert complaints.count("\n") == 1
    assert ann.shape()["status"] == "open"  # none of them has taken the seat


def test_the_example_bot_does_not_take_a_seat_that_is_taken(server: Server) -> None:
    ann = Opponent(server, "dual-direction")
    with ann.person.socket(ann.table) as socket, ending(start_bot(ann.join)) as bot:
        until(socket, "present", both_are_there)
        ann.act("resign")
        assert ann.shape()["status"] == "over"
        with ending(start_bot(ann.join)) as second:
            complaint = f"{server.address} says: this seat is taken\n"
            assert second.communicate(timeout=PATIENCE) == ("", complaint)
            assert second.returncode == 1
        assert bot.poll() is None
