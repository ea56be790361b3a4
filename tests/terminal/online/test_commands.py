"""What can be typed at a web table."""

import os
import threading
from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.core import dialogue
from perfectplay.online.client import read_link
from perfectplay.online.seat_tokens import keep_token, read_token
from perfectplay.terminal import session
from perfectplay.terminal.command_parser import SHORT
from perfectplay.terminal.console import Console
from perfectplay.terminal.line import online
from perfectplay.terminal.line.online import play_online
from perfectplay.terminal.messages import ONLINE_HELP
from tests.conftest import Run
from tests.terminal.online.opponents import PATIENCE, Opponent, both_are_there, of, sit, until
from tests.terminal.terminals import Terminal, drawn, folds_below_its_column
from tests.web.servers import Server


def test_the_words_that_no_move_may_have_are_all_commands() -> None:
    assert {*session.COMMANDS.words, *online.COMMANDS.words, *SHORT} == dialogue.COMMANDS
    assert {*session.COMMANDS.with_rest, *online.COMMANDS.with_rest} == dialogue.COMMANDS_WITH_MORE


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
        for word in ("claim", "close"):
            terminal.type(word)
            terminal.expect(r"must be away, or silent on their turn, for 300\s+seconds first\.")
        terminal.type("offer abandon")
        terminal.expect(r"Bob \(you\) offers to end the game unfinished.")
        ann.act("decline", "abandon")
        terminal.expect("Ann declined the offer to end the game.")
        ann.act("offer", "takeback")
        terminal.expect("Ann offers to take back the last move. Type accept or decline.")
        terminal.type("decline")
        terminal.expect(r"Bob \(you\) declined the takeback.")
        ann.act("offer", "takeback")
        terminal.expect("Type accept or decline.")
        terminal.type("accept")
        terminal.expect(r"Bob \(you\) accepted the takeback.\s+Positions: .*\s+Bits: +\[0\] \[0\]")
        ann.act("move", "3")
        terminal.type("resign")
        terminal.expect(r"resign \(y/n\)\? ")
        terminal.child.sendline("n")
        terminal.type("resign")
        terminal.expect(r"resign \(y/n\)\? ")
        terminal.child.sendline("y")
        terminal.expect(r"Ann won\. Bob \(you\) resigned\.")
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
        terminal.expect(r"Bob \(you\) accepted the offer to end the game.")
        terminal.type("quit")
        terminal.until_end()
    assert terminal.child.exitstatus == 0


def test_a_game_against_a_computer_is_ended_by_one_yes(server: Server) -> None:
    ann = Opponent(server, "dual-direction", opponent="random")
    keep_token(read_link(ann.link), ann.person.token)
    with Terminal("play", "--table", ann.link) as terminal:
        for answer in ("n", "y"):
            terminal.type("offer abandon")
            terminal.expect(r"end the game unfinished \(y/n\)\? ")
            assert ann.events("offer") == []
            terminal.child.sendline(answer)
        terminal.expect("Unfinished. The game was abandoned.")


def test_after_an_abandoned_game_a_rematch_is_offered_as_after_any(server: Server) -> None:
    ann = Opponent(server, "bit-flip:bits=5")
    with sit(ann) as terminal:
        ann.act("move", "1")
        terminal.type("offer abandon")
        terminal.expect(r"Bob \(you\) offers to end the game unfinished.")
        ann.act("accept", "abandon")
        terminal.expect("Ann accepted the offer to end the game.")
        terminal.expect("Unfinished. The game was abandoned.")
        terminal.expect(r"Score: Ann 0, Bob \(you\) 0.")
        terminal.expect(f"The game with all its moves:\\s+{ann.link}/g/1\r")
        terminal.expect(r"What next \(offer rematch, review or quit\)\? $")
        terminal.child.sendline("quit")
        assert "Your seat is kept." in terminal.until_end()
    # Who comes back later is told the same.
    with Terminal("play", "--table", ann.link) as terminal:
        terminal.expect("Bit Flip is over. Last: Player 1, 1.")
        terminal.expect("Unfinished. The game was abandoned.")
        terminal.expect(r"What next \(offer rematch, review or quit\)\? $")
        terminal.child.sendline("y")
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
        terminal.expect("Unfinished. The move limit of 200 was reached.")


def test_a_table_that_is_closed_ends_the_program_and_the_seat(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path), "--away-seconds", "0") as server:
        ann = Opponent(server, "bit-flip:bits=5")
        with sit(ann) as terminal:
            terminal.child.sendline("close")
            screen = terminal.until_end()
    assert "The table is closed, and its game is left unfinished: " in screen
    assert terminal.child.exitstatus == 0
    assert read_token(read_link(ann.link)) is None


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
        ("abandon", "Type offer abandon to end the game unfinished, if the other player agrees."),
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
        terminal.expect(r"Ann accepted the takeback")
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
        terminal.expect("Ann accepted the takeback.")
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
from perfectplay_server.live.actions import Actions
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
            terminal.expect("Ann offers to end the game unfinished")
            terminal.expect("You flipped bit at position 3.")
            assert ann.events()[2:] == [(0, "move", "1"), (0, "offer", "abandon"), (1, "move", "3")]
