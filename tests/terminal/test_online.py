"""A web table from the terminal, and from the example bot, at a server that is a process of its own."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import click
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

import perfectplay as pp
from perfectplay.cli import serve
from perfectplay.core.errors import BadParameterError
from perfectplay.terminal.console import Console
from perfectplay.terminal.messages import ONLINE_HELP
from perfectplay.terminal.online import play_online
from perfectplay.web import client
from perfectplay.web.client import Link, UnreachableError, read_link
from perfectplay.web.seat_tokens import keep_token, kept_token, seat_file
from tests.conftest import ROOT, Run
from tests.terminal.terminals import Terminal, drawn, folds_below_its_column
from tests.web.servers import Remote, Server

PATIENCE = 30
"""Seconds for a message or the end of a program, after which a test fails."""
GENEROUS = ("--tables-per-minute", "10000", "--requests-per-second", "10000", "--events-per-second", "1000")


class Opponent:
    """Who made a table, sits at seat 0, and sees what happens at it."""

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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("tables")), *GENEROUS) as found:
        yield found


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
    """Whether a message comes after more than so many plies of a game."""
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


# Whole games


@pytest.mark.parametrize("name", pp.names())
def test_a_game_of_each_kind_is_played_over_a_link(name: str, server: Server) -> None:
    ann = Opponent(server, name)
    game = pp.load(name)
    with ann.person.socket(ann.table) as socket, sit(ann) as terminal:
        until(socket, "table")
        for ply in range(6):
            position = ann.shape()["position"]
            if position["result"] is not None:
                break
            if position["seat"] == 0:
                ann.act("move", position["legal"][-1])
            else:
                state = game.parse_state(position["state"])
                action = game.parse_action(state, position["legal"][-1])
                for answer in game.dialogue().answers(state, action):
                    terminal.type(answer)
            until(socket, "event", later_than(ply))
        if ann.shape()["status"] == "running":
            ann.act("resign")
        terminal.type("quit")
        screen = terminal.until_end()
    moves = ann.events("move")
    assert {seat for seat, _, _ in moves} == {0, 1}
    match = pp.Match(game)
    dialogue = game.dialogue()
    dialogue.width = 80
    assert "\n".join(dialogue.greeting(match.state)) in screen
    for _, _, text in moves:
        before = match.state
        action = game.parse_action(before, text)
        match.play(action)
        assert "\n".join(dialogue.confirm(before, action, match.state)) in screen
    winner = "Bob (you)" if match.result is None else game.side_names[match.result.winner or 0]
    assert f"{winner} " in screen.partition("Score: Ann ")[0].splitlines()[-1]
    assert terminal.child.exitstatus == 0


def test_the_opponents_turn_is_shown_as_line_mode_shows_it(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        ann.act("move", "1")
        screen = terminal.until_quiet_prompt_or_end()
    dialogue = pp.load("bit-flip:bits=5").dialogue()
    start = dialogue.game.initial()
    seats = "Ann is Player 1, Bob (you) is Player 2; Player 1 goes first."
    opening = (
        "Type help for commands.",
        "",
        seats,
        "",
        *dialogue.greeting(start),
        "",
        "Waiting for Ann.",
        "",
    )
    question = dialogue.question(start)
    after = dialogue.game.apply(start, 1)
    turn = (*question.lines, f"{question.text}1", *dialogue.confirm(start, 1, after), "")
    own = dialogue.question(after)
    assert screen == drawn("\n".join((*opening, *turn, *own.lines, own.text)))


def test_piped_lines_answer_questions_and_their_end_leaves(server: Server, run: Run) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    done: list[subprocess.CompletedProcess[str]] = []
    with ann.person.socket(ann.table) as socket:
        player = threading.Thread(
            target=lambda: done.append(run("play", "--table", ann.join, typed="7\n3\n")), daemon=True
        )
        player.start()
        until(socket, "present", both_are_there)
        ann.act("move", "1")
        until(socket, "event", of("text", "3"))
        player.join(2 * PATIENCE)
    assert done[0].returncode == 0, done[0].stderr
    # Before Ann has moved nothing is asked, so that no line is lost.
    assert '"7" is not a move here' in done[0].stdout
    assert done[0].stdout.index("Waiting for Ann") < done[0].stdout.index('"7" is not')
    assert ann.events("move") == [(0, "move", "1"), (1, "move", "3")]
    assert ann.shape()["names"] == ["Ann", "Guest"]


# What is typed


def test_commands_at_a_table(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with ann.person.socket(ann.table) as socket, sit(ann) as terminal:
        terminal.child.sendline("help")  # nothing is asked now, and yet it is heard
        terminal.expect("quit, q +leave; your seat is kept")
        terminal.child.sendline("3")
        terminal.expect("You are not asked for a move now; help lists what you can type.")
        ann.act("move", "1")
        terminal.type("moves")
        terminal.expect("Moves of Player 2: 3, 4")
        terminal.type("board")
        terminal.expect(r"Positions: \[0\]")
        terminal.type("2")
        terminal.expect('"2": Bit 2 is next to bit 1, already 1. Allowed: 3 or 4.')
        terminal.type("offer takeback")
        terminal.expect(r"You have no move to take back\.")
        terminal.type("offer tea")
        terminal.expect("Type offer takeback, offer abandon or offer rematch.")
        terminal.type("accept")
        terminal.expect("The other player offers nothing.")
        terminal.type("close")
        terminal.expect("The other player must be gone for 60 seconds first.")
        terminal.type("offer abandon")
        terminal.expect(r"Bob \(you\) offers to leave the game unfinished.")
        ann.act("decline", "abandon")
        terminal.expect("Ann does not agree to leaving the game unfinished.")
        ann.act("offer", "takeback")
        terminal.expect("Ann offers to take back the last move. Type accept or decline.")
        terminal.type("decline")
        terminal.expect(r"Bob \(you\) does not agree to the takeback.")
        ann.act("offer", "takeback")
        terminal.expect("Type accept or decline.")
        terminal.type("accept")
        terminal.expect(r"Bob \(you\) agrees to the takeback.\s+Positions: .*\s+Bits: +\[0\] \[0\]")
        ann.act("move", "3")
        terminal.type("resign")
        terminal.expect(r"Bob \(you\) resigns\. Ann wins!")
        terminal.expect(r"Score: Ann 1, Bob \(you\) 0.")
        terminal.type("offer rematch")
        until(socket, "event", of("text", "rematch"))
        ann.act("accept", "rematch")
        terminal.expect(r"Game 2: Ann is Player 1, Bob \(you\) is Player 2; Player 2 goes first.")
        terminal.type("0")
        until(socket, "event", of("text", "0"))
        ann.act("offer", "abandon")
        terminal.expect("Type accept or decline.")
        terminal.child.sendline("accept")
        terminal.expect(r"Bob \(you\) agrees to leaving the game unfinished.")
        terminal.type("quit")
        terminal.until_end()
    assert terminal.child.exitstatus == 0


def test_after_an_abandoned_game_a_rematch_is_offered_as_after_any(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        ann.act("move", "1")
        terminal.type("offer abandon")
        terminal.expect(r"Bob \(you\) offers to leave the game unfinished.")
        ann.act("accept", "abandon")
        terminal.expect("Ann agrees to leaving the game unfinished.")
        terminal.expect("The game is left unfinished: both players agreed to abandon it.")
        terminal.expect(r"Score: Ann 0, Bob \(you\) 0.")
        terminal.expect(f"The game with all its moves:\\s+{ann.link}/g/1\r")
        terminal.expect(r"What next \(offer rematch or quit\)\? $")
        terminal.child.sendline("quit")
        assert "Your seat is kept." in terminal.until_end()
    # Who comes back later is told the same.
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.expect("Bit Flip is over. Last: Player 1, 1.")
        terminal.expect("The game is left unfinished: both players agreed to abandon it.")
        terminal.expect(r"What next \(offer rematch or quit\)\? $")
        terminal.child.sendline("offer rematch")
        terminal.expect(r"Bob \(you\) offers a rematch.")
        ann.act("accept", "rematch")
        terminal.expect(r"Game 2: Ann is Player 1, Bob \(you\) is Player 2; Player 2 goes first.")
        terminal.type("3")
        terminal.expect("You flipped bit at position 3.")


def test_a_game_that_reaches_the_limit_of_plies_is_said_to_be_unfinished(server: Server) -> None:
    ann, bob = Opponent(server, "mirror-match"), server.person()
    assert bob.join({"table": {"id": ann.table}, "join": ann.join.rpartition("/")[2]}).status_code == 200
    for ply in range(200):
        who = (ann.person, bob)[ply % 2]
        assert who.act(ann.table, ply + 3, "move", f"{1 + ply % 9} E").status_code == 200
    # Who comes later is told, too.
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.expect("The game is left unfinished: the limit of 200 plies is reached.")


def test_a_table_that_is_closed_ends_the_program_and_the_seat(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path), "--away-seconds", "0") as server:
        ann = Opponent(server, "bit-flip:bits=5")
        with sit(ann) as terminal:
            terminal.child.sendline("close")
            screen = terminal.until_end()
    assert "The table is closed, and its game is left unfinished: " in screen
    assert terminal.child.exitstatus == 0
    assert kept_token(read_link(ann.link)) is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hint", "There are no hints in a game against somebody else."),
        ("Why", "There are no hints in a game against somebody else."),
        ("why 4 E", "There are no hints in a game against somebody else."),
        ("undo", "Type offer takeback to take a move back, if the other player agrees."),
        ("u", "Type offer takeback to take a move back, if the other player agrees."),
        ("redo", "To repeat a move that was taken back, type it again."),
        ("save", "The server keeps the table; there is nothing to save."),
        ("save my-game.txt", "The server keeps the table; there is nothing to save."),
        ("abandon", "Type offer abandon to leave the game unfinished, if the other player agrees."),
    ],
)
def test_commands_of_line_mode_are_answered_by_what_there_is_instead(
    line: str, said: str, server: Server
) -> None:
    # In Mirror Match a line that is nothing else costs the turn.
    ann = Opponent(server, "mirror-match")
    with sit(ann) as terminal:
        terminal.child.sendline(line)  # also when it is not one's turn
        terminal.expect(f"{said}\r")
        ann.act("move", "4 E")
        terminal.type(line)
        terminal.expect(f"\n{said}\r\n")
        terminal.type("4")
        terminal.type("E")
        terminal.expect("Waiting for Ann")
    assert ann.events("move", "forfeit") == [(0, "move", "4 E"), (1, "move", "4 E")]


def test_help_folds_below_its_own_column() -> None:
    assert folds_below_its_column(ONLINE_HELP)


def test_h_and_q_are_help_and_quit_and_undo_takes_back_the_number(server: Server) -> None:
    ann = Opponent(server, "mirror-match")
    with sit(ann) as terminal:
        ann.act("move", "4 E")
        terminal.type("h")
        terminal.expect("Type a move when it is your turn")
        terminal.type("history")
        terminal.expect("\n1\\. Player 1: 4 E\r\n")
        for word in ("undo", "u"):
            terminal.type("7")
            terminal.type(word)
            terminal.expect(r"Taken back: 7\.\s+Choose a number \(1-9\)")
        terminal.type("5")
        terminal.type("q")
        assert "Your seat is kept." in terminal.until_end()
    assert ann.events("move", "forfeit") == [(0, "move", "4 E")]


def test_a_slip_is_asked_about_before_it_costs_the_turn(server: Server) -> None:
    ann = Opponent(server, "mirror-match")
    with sit(ann) as terminal:
        terminal.child.sendline("hlep")  # also when it is not one's turn
        terminal.expect(r"Did you mean help \(y/n\)\? $")
        terminal.child.sendline("what?")
        terminal.expect(r"Did you mean help \(y/n\)\? $")
        terminal.child.sendline("y")
        terminal.expect("Type a move when it is your turn")
        ann.act("move", "4 E")
        for slip, answer, said in (
            ("hnit", "y", "There are no hints"),
            ("hitn", "board", "Current Sequence: 4"),
            ("ofer takeback", "yes", "You have no move to take back"),
        ):
            terminal.type(slip)
            terminal.expect(r"Did you mean \w+ \(y/n\)\? $")
            terminal.child.sendline(answer)
            terminal.expect(said)
        terminal.type("5")
        terminal.type("udno")
        terminal.type("y")
        terminal.expect(r"Taken back: 5\.")
        assert ann.events("move", "forfeit") == [(0, "move", "4 E")]
        terminal.type("hnit")
        terminal.type("n")
        terminal.expect(r"Invalid number\. Player 2 forfeits the turn\.")
    assert ann.events("move", "forfeit")[1][:2] == (1, "forfeit")


def test_a_slip_counts_for_the_turn_that_it_was_typed_in(server: Server) -> None:
    ann = Opponent(server, "mirror-match")
    with sit(ann) as terminal:
        ann.act("move", "4 E")
        terminal.type("5")
        terminal.type("E")
        terminal.expect("Waiting for Ann")
        ann.act("move", "6 E")
        terminal.type("offer takeback")
        terminal.expect("offers to take back the last move")
        terminal.type("hnit")
        terminal.expect(r"Did you mean hint \(y/n\)\? $")
        ann.act("accept", "takeback")
        terminal.expect(r"Ann agrees to the takeback")
        terminal.type("n")
        terminal.expect("That came too late: something else has happened.")
        terminal.type("5")
        terminal.type("B")
        terminal.expect("Waiting for Ann")
    assert ann.events("move", "forfeit")[-1] == (1, "move", "5 B")


def test_a_pipe_is_never_asked_about_a_slip(server: Server, run: Run) -> None:
    ann = Opponent(server, "mirror-match:first=2,disqualify_after=1")
    done = run("play", "--table", ann.join, typed="hnit\n")
    assert "Did you mean" not in done.stdout
    assert [seat for seat, _, _ in ann.events("forfeit")] == [1]


def test_the_board_is_drawn_once_before_a_turn(server: Server) -> None:
    for name, label in (("bit-flip", "Positions:"), ("dual-direction", "Number Line:")):
        ann = Opponent(server, name)
        with sit(ann, "--board") as terminal:
            shown = len(terminal.output)
            ann.act("move", ann.shape()["position"]["legal"][0])
            terminal.expect(Terminal.PROMPT)
            assert terminal.output[shown:].count(label) == 1


def test_a_watcher_is_told_of_no_offers(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5", opponent="random")
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.expect("Waiting for Ann")
        terminal.child.sendline("undo")
        terminal.expect("You are watching; help lists what you can type.")


def test_a_word_that_is_a_move_of_the_game_stays_a_move(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = type(pp.load("bit-flip"))
    parse = rules.parse_action
    monkeypatch.setattr(rules, "parse_action", lambda self, *a: 3 if a[1] == "undo" else parse(self, *a))
    ann = Opponent(server, "bit-flip:bits=5")
    said = tmp_path / "said"
    ours, theirs = os.pipe()

    def play() -> None:
        with os.fdopen(ours, encoding="utf-8") as stdin, said.open("w", encoding="utf-8") as stdout:
            play_online(Console(stdin, stdout), ann.join)

    with ann.person.socket(ann.table) as socket:
        player = threading.Thread(target=play, daemon=True)
        player.start()
        until(socket, "present", both_are_there)
        ann.act("move", "1")
        os.write(theirs, b"undo\n")
        os.close(theirs)
        player.join(PATIENCE)
    assert ann.events("move") == [(0, "move", "1"), (1, "move", "3")]
    assert "offer takeback" not in said.read_text()


@pytest.mark.parametrize("name", pp.names())
def test_the_board_is_drawn_once_when_a_game_goes_on(name: str, server: Server) -> None:
    ann = Opponent(server, name)
    with sit(ann) as terminal:
        ann.act("move", ann.shape()["position"]["legal"][0])
        terminal.type("quit")
        terminal.until_end()
    game = pp.load(name)
    dialogue = game.dialogue()
    dialogue.width = 80
    board = "\n".join(dialogue.board(game.parse_state(ann.shape()["position"]["state"])))
    for options in ((), ("--board",)):
        with Terminal("play", "--table", ann.link, *options) as terminal:
            screen = terminal.until_quiet_prompt_or_end()
            assert screen.count(drawn(board)) == 1, screen


def test_the_board_is_drawn_once_after_a_takeback(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=9")
    with sit(ann, "--board") as terminal:
        ann.act("move", "1")
        terminal.type("3")
        terminal.expect("Waiting for Ann")
        terminal.child.sendline("offer takeback")
        terminal.expect(r"Bob \(you\) offers to take back the last move.")
        ann.act("accept", "takeback")
        terminal.expect("Ann agrees to the takeback.")
        shown = len(terminal.output)
        terminal.expect(Terminal.PROMPT)
    assert terminal.output[shown:].count("Bits:") == 1


@pytest.mark.parametrize("line", ["", "10", "3 E", "\x1b[2J", "9" * 300])
def test_an_invalid_number_forfeits_the_turn(line: str, server: Server) -> None:
    ann = Opponent(server, "mirror-match")
    with sit(ann) as terminal:
        ann.act("move", "4 E")
        terminal.type(line)
        terminal.expect(r"Invalid number. Player 2 forfeits the turn.")
    assert [kind for _, kind, _ in ann.events()] == ["sit", "sit", "move", "forfeit"]
    assert ann.shape()["position"]["state"] == "4 1"


def test_a_forfeit_of_the_opponent_is_shown(server: Server) -> None:
    ann = Opponent(server, "mirror-match")
    with sit(ann) as terminal:
        ann.act("move", "10")
        terminal.expect(r"Choose a number \(1-9\): 10\s+Invalid number. Player 1 forfeits the turn.")


def test_a_move_that_something_came_before_is_sent_again(tmp_path: Path) -> None:
    # The server lets an offer of Ann's happen just before Bob's first move, which has then an old number.
    before = """
from perfectplay.web.actions import Actions
act, once = Actions.act, []
async def late(self, table, seat, number, kind, text, **more):
    if seat == 1 and kind == "move" and not once:
        once.append(1)
        await act(self, table, 0, number, "offer", "abandon")
    return await act(self, table, seat, number, kind, text, **more)
Actions.act = late
"""
    with Server("--data", str(tmp_path), before=before) as server:
        ann = Opponent(server, "bit-flip:bits=5")
        with sit(ann) as terminal:
            ann.act("move", "1")
            terminal.type("3")
            terminal.expect("Ann offers to leave the game unfinished")
            terminal.expect("You flipped bit at position 3.")
            assert ann.events()[2:] == [(0, "move", "1"), (0, "offer", "abandon"), (1, "move", "3")]


# Seats


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
    keep_token(link, "x" * 43)
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.expect("You are watching.")
    assert kept_token(link) is None
    keep_token(link, "x" * 43)
    with Terminal("play", "--table", ann.join) as terminal:
        terminal.expect("Type help for commands.")
    token = kept_token(link)
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
        terminal.expect("You flipped bit at position 1.")
        terminal.expect("You flipped bit at position [34].")
        terminal.expect("Score: Ann 0, Computer, random 1.")
        terminal.type("quit")
        assert "You have left the table." in terminal.until_end()
    assert not seat_file(read_link(ann.link)).exists()


def test_a_watcher_whose_input_has_ended_stays_until_the_game_is_over(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=3", opponent="random")
    watcher = subprocess.Popen(
        [sys.executable, "-m", "perfectplay", "play", "--table", ann.link],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    with ending(watcher), ann.person.socket(ann.table) as socket:
        until(socket, "present", lambda message: message["watching"] > 0)
        ann.act("move", "1")
        said, _ = watcher.communicate(timeout=PATIENCE)
    assert "Player 1 wins" in said
    assert watcher.returncode == 0


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
    one, two = Link("http://one.example", "t1"), Link("http://two.example", "t1")
    keep_token(one, "a" * 43)
    assert kept_token(two) is None
    keep_token(one, "b" * 43)
    assert kept_token(one) == "b" * 43
    seat_file(one).write_text("{")
    assert kept_token(one) is None


# Connections


def restarted(server: Server, folder: Path) -> Server:
    """The same server again, at the same address."""
    server.kill()
    return Server("--data", str(folder), "--port", server.address.rpartition(":")[2], *GENEROUS)


def test_a_server_that_comes_back_finds_the_game_where_it_was(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as first:
        ann = Opponent(first, "bit-flip:bits=9")
        with sit(ann) as terminal:
            ann.act("move", "1")
            terminal.expect(Terminal.PROMPT)
            first.kill()
            terminal.expect("The connection is lost; trying again.")
            terminal.child.sendline("3")
            terminal.expect("You are not asked for a move now")
            with restarted(first, tmp_path):
                terminal.expect("Connected again.")
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
            terminal.expect("The connection is lost; trying again.")
            with Server("--data", str(tmp_path)) as elsewhere:
                ann.person.address = elsewhere.address
                ann.act("move", "1")
                ann.act("offer", "abandon")
            ann.person.address = first.address
            with restarted(first, tmp_path):
                terminal.expect("Connected again.")
                terminal.expect("You flipped bit at position 1.")
                terminal.expect("Ann offers to leave the game unfinished.")
                terminal.type("3")
                terminal.expect("You flipped bit at position 3.")


def test_after_too_much_was_missed_the_table_is_shown_anew(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as first:
        ann = Opponent(first, "bit-flip:bits=9")
        with sit(ann) as terminal:
            first.kill()
            terminal.expect("The connection is lost; trying again.")
            bob = kept_token(read_link(ann.join))
            with Server("--data", str(tmp_path), *GENEROUS) as elsewhere:
                ann.person.address = elsewhere.address
                other = elsewhere.person(bob)
                ann.act("move", "1")
                for number in range(4, 108, 2):
                    assert ann.person.act(ann.table, number, "offer", "abandon").status_code == 200
                    assert other.act(ann.table, number + 1, "decline", "abandon").status_code == 200
            ann.person.address = first.address
            with restarted(first, tmp_path):
                terminal.expect("Connected again.")
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
                terminal.expect("Connected again.")
                ann.act("move", "1")
                terminal.expect("You flipped bit at position 1.")
                with restarted(second, backup):
                    terminal.expect("Connected again.")
                    terminal.expect("Welcome to Bit Flip!")
                    terminal.expect("Waiting for Ann")
                    ann.act("move", "5")
                    terminal.expect("You flipped bit at position 5.")
                    terminal.type("1")
                    terminal.expect("You flipped bit at position 1.")


DIES_BEFORE = """
import os
from perfectplay.web.actions import Actions
act = Actions.act
async def dying(self, table, seat, number, kind, text, **more):
    if (seat, kind) == (1, "move"):
        os._exit(9)
    return await act(self, table, seat, number, kind, text, **more)
Actions.act = dying
"""
DIES_AFTER = """
import os
from perfectplay.web.live_table import LiveTable
tell = LiveTable.tell
def dying(self, *messages):
    if any('"seat":1,"kind":"move"' in message for message in messages):
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
            terminal.expect("The connection is lost; trying again.")
            first.kill()
            with Server("--data", str(tmp_path)) as elsewhere:
                ann.person.address = elsewhere.address
                assert ann.events("move") == moves[: 1 + made]  # the server ended where it was meant to
            ann.person.address = first.address
            with restarted(first, tmp_path):
                terminal.expect("Connected again.")
                terminal.expect("You flipped bit at position 3.")
                terminal.expect("Waiting for Ann")
                assert ann.events("move") == moves


def test_a_server_that_stays_away_is_given_up(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path / "tables")) as server:
        ann = Opponent(server, "bit-flip:bits=5")
        ours, theirs = os.pipe()
        problem: list[Exception] = []

        def play(said: Path) -> None:
            with os.fdopen(ours, encoding="utf-8") as stdin, said.open("w", encoding="utf-8") as stdout:
                try:
                    play_online(Console(stdin, stdout), ann.join, patience=0)
                except UnreachableError as error:
                    problem.append(error)

        with ann.person.socket(ann.table) as socket:
            player = threading.Thread(target=play, args=(tmp_path / "said",), daemon=True)
            player.start()
            until(socket, "present", both_are_there)
            server.kill()
            player.join(PATIENCE)
        os.close(theirs)
    # Refused, or cut off in the middle: which of the two, is chance.
    assert str(problem[0]).startswith(f"cannot reach {ann.server}: ")
    go_on = f"return to it by: perfectplay play --table {ann.server}/t/{ann.table}"
    assert str(problem[0]).endswith(f"; your table is kept there, {go_on}")
    assert (tmp_path / "said").read_text().endswith("The connection is lost; trying again.\n")
    assert kept_token(read_link(ann.join)) is not None


# What cannot work


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
    assert read_link(url) == Link("https://host.example", "aB-_9")


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
    one_line(run("play", "--table", ann.link, "bit-flip"), "--table goes only with --name and --board")
    one_line(run("play", "--table", ann.link, "--seed", "1"), "--table goes only with --name and --board")
    one_line(run("play", "bit-flip", "--name", "Ann"), "--name goes with --table")
    one_line(run("play"), "Missing argument 'GAME'")


@pytest.mark.parametrize("option", ["--away-seconds", "--open-days", "--idle-days", "--keep-days"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e400", "-1", "soon"])
def test_no_server_is_started_for_a_time_that_is_none(option: str, value: str, run: Run) -> None:
    one_line(run("serve", "--port", "0", "--no-open", option, value), f"Invalid value for '{option}': ")


def test_every_option_of_the_server_is_explained() -> None:
    for option in serve.params:
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
def test_another_kind_of_server_is_recognised(status: int, body: bytes, run: Run) -> None:
    handler = type("Handler", (Elsewhere,), {"status": status, "body": body, "tokens": []})
    with HTTPServer(("127.0.0.1", 0), handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{web.server_port}"
        keep_token(Link(address, "abc"), "t" * 43)
        one_line(
            run("play", "--table", f"{address}/t/abc"), f"{address} does not answer like a perfectplay server"
        )
        web.shutdown()
    assert handler.tokens == [f"Bearer {'t' * 43}"]  # type: ignore[attr-defined] # and not where it was sent on


@pytest.mark.parametrize("body", [b"[]", b"null", b"{}", b'{"token": 7}', b'{"token": "a b"}'])
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
    one_line(done, "websockets is not installed; install it with: pip install 'perfectplay[web]'")


# The example bot


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
        "The connection is lost; trying again.",
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
    before = "from perfectplay.web.actions import Actions\nActions._why_closed = lambda *_: 'closed by Ann'"
    with Server("--data", str(tmp_path), before=before) as server:
        ann = Opponent(server, "bit-flip:bits=5")
        with ann.person.socket(ann.table) as socket, ending(start_bot(ann.join)) as bot:
            until(socket, "present", both_are_there)
            ann.act("close")
            said, complaints = bot.communicate(timeout=PATIENCE)
    assert (bot.returncode, complaints) == (0, "")
    assert said.splitlines()[1:] == ["Game 1: unfinished: closed by Ann. Score: Ann 0, Bot (random) 0."]


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
        (ann.join, ("--player", "level:99"), "strength=99: must be"),
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


# What the page says of the socket

PAGE = (ROOT / "docs" / "online.md").read_text("utf-8")


def test_the_page_names_every_message_of_the_socket(server: Server) -> None:
    described = server.person().get("/api/openapi.json").json()
    schemas = described["components"]["schemas"]
    socket = described["paths"]["/api/tables/{table_id}/socket"]["get"]["x-websocket"]
    for direction, schema, word in (("sends", "Sent", "type"), ("takes", "Asked", "do")):
        assert socket[direction]["$ref"].endswith(f"/{schema}")
        assert f"`{schema}`" in PAGE
        names = [each["$ref"].rpartition("/")[2] for each in schemas[schema]["anyOf"]]
        assert len(names) > 1
        for name in names:
            kind = schemas[name]["properties"][word]["const"]
            assert re.search(rf"^\| `{kind}` \| .+ \|$", PAGE, re.MULTILINE), kind


def test_the_page_is_right_about_the_socket(server: Server) -> None:
    ann = Opponent(server, "bit-flip", opponent="random")
    with ann.person.socket(ann.table) as socket:
        whole = until(socket, "table")["table"]
        assert {"seat", "id", "position"} <= whole.keys()
        ann.act("move", "0")
        changed = until(socket, "event")["table"]
        assert changed.keys() < whole.keys() - {"seat", "id", "position"}
        socket.send('{"do": "ping"}')
        assert until(socket, "pong") == {"type": "pong"}
        socket.send(" " * 4094 + "{}")
        assert until(socket, "answer")["error"] == "bad"
        socket.send(" " * 4095 + "{}")
        assert ended(socket) == 1009
    with ann.person.socket(ann.table) as socket:
        with suppress(ConnectionClosed):
            for _ in range(200):
                socket.send('{"do": "ping"}')
        assert ended(socket) == 1008


def ended(socket: ClientConnection) -> int | None:
    """The code with which a socket was closed."""
    with pytest.raises(ConnectionClosed) as closed:
        until(socket, "nothing")
    return None if closed.value.rcvd is None else closed.value.rcvd.code
