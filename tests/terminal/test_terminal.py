"""Line mode: what a player types, and what is said back."""

import os
import re
import signal
import termios
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.terminal.terminals import Terminal, drawn


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("dual-direction", "l", "Moved left to position 5."),
        ("dual-direction", "LEFT", "Moved left to position 5."),
        ("dual-direction", "  Right ", "Moved right to position 7."),
        ("race-to-the-center", " 2 ", "Player 1 moves to position 2."),
        ("bit-flip", "\t4 ", "You flipped bit at position 4."),
        ("inversion-race", "left", "Player A moves to cell 4."),
        ("inversion-race", "R", "Player A moves to cell 6."),
        ("mirror-match", " 3 \nb", "Updated Sequence: 3"),
        ("mirror-match", "3\nEnd", "Updated Sequence: 3"),
        ("mirror-match", "3\nBEGINNING", "Updated Sequence: 3"),
    ],
)
def test_moves_are_read_as_a_person_types_them(game: str, typed: str, said: str, run: Run) -> None:
    done = run("play", game, typed=lines(typed))
    assert f"{said}\n" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        (
            "bit-flip",
            ["4", "5"],
            '"5": Bit 5 is next to bit 4, already 1. Allowed: 0, 1, 2, 6, 7, 8 or 9.',
        ),
        ("bit-flip", ["10"], '"10" is not a move here. Allowed: 0, 1, 2, 3, 4, 5, 6, 7, 8 or 9.'),
        ("dual-direction", ["up"], '"up" is not a move here. Allowed: left or right.'),
        ("dual-direction", [""], '"" is not a move here. Allowed: left or right.'),
        (
            "race-to-the-center",
            ["2", "1", "2", "1", "2"],
            '"2": A marker may not move past the center, and from position 4 it is 1 away. Allowed: 1.',
        ),
        ("inversion-race", ["1", "1"], '"1": Cell 4 is occupied. Allowed: 2 (right).'),
        ("inversion-race", ["up"], '"up" is not a move here. Allowed: 1 (left) or 2 (right).'),
        ("mirror-match", ["3", "X"], '"X" is not a place. Allowed: B or E.'),
    ],
)
def test_a_refused_move_says_what_why_and_what_is_allowed(
    game: str, typed: list[str], said: str, run: Run
) -> None:
    done = run("play", game, typed=lines(*typed))
    assert f"{said}\n" in done.stdout
    # The question is put again, without the lines before it.
    assert re.search(re.escape(said) + r"\n[^\n]*[?:] \n", done.stdout)


@pytest.mark.parametrize("line", ["", "10", "0", "x", "3 E", "03", "three", "\x1b[2J", "\x00", "B", "pass"])
def test_an_invalid_number_forfeits_and_nothing_more_is_asked(line: str, run: Run) -> None:
    done = run("play", "mirror-match", typed=lines("4", "E", line))
    assert "Invalid number. Player 2 forfeits the turn.\n\n[Player 1's Turn]\nCurrent Sequence: 4\n" in (
        done.stdout
    )
    assert done.stdout.count("Place at the") == 1
    assert "\x1b" not in done.stdout
    assert "\x00" not in done.stdout


def test_forgiving_asks_again(run: Run) -> None:
    done = run("play", "mirror-match", "--forgiving", typed=lines("10", "4", "E"))
    assert '"10" is not a number from 1 to 9. Choose again.\nChoose a number (1-9): 4\n' in done.stdout
    assert "forfeits" not in done.stdout


def test_disqualification_is_announced(run: Run) -> None:
    done = run("play", "mirror-match:disqualify_after=2", typed=lines("0", "4", "E", "0"))
    assert (
        "Invalid number. Player 1 forfeits the turn.\n"
        "Player 2 won. Player 1 lost by disqualification after 2 invalid turns in a row.\n" in done.stdout
    )


def test_a_pass_by_choice_is_offered_and_taken_where_it_is_a_move(run: Run) -> None:
    done = run("play", "mirror-match:forfeit=move", typed=lines("moves", "Pass"))
    assert "Type pass to give up your turn by choice." in done.stdout
    assert "9 then E, pass\n" in done.stdout
    assert "Player 1 passes.\n" in done.stdout


def test_the_lines_that_the_samples_leave_out(run: Run) -> None:
    race = run("play", "race-to-the-center", typed=lines("1", "2", "2", "2", "2", "1")).stdout
    assert (
        "Player 1 moves to position 5.\nPlayer 1 has reached the center.\n\n"
        "Player 2's turn. You are at position 6. Move 1 or 2 positions? 1\n"
        "Player 2 moves to position 5.\nPlayer 2 has reached the center and wins the game!\n" in race
    )
    flips = run("play", "bit-flip", typed=lines("4", "1", "7", "9")).stdout
    assert (
        "Player 1 has no valid moves and must pass.\n"
        "Player 2 wins as they were the last to perform a valid move.\n" in flips
    )
    dual = run("play", "dual-direction:start=10", typed=lines("right")).stdout
    assert "Moved right to position 11.\n\nPlayer 2's goal is reached: Player 2 wins the game!\n" in dual
    for steps, asked in {"1-1": "Move 1 position? ", "1-3": "Move 1, 2 or 3 positions? "}.items():
        assert asked in run("play", f"race-to-the-center:steps={steps}").stdout


def test_the_words_of_inversion_race(run: Run) -> None:
    blocked = run("play", "inversion-race:start=10", typed=lines("1", "1", "1", "2")).stdout
    assert (
        "2. Move right to cell 11 (off the board)\n\nCell 11 is off the board.\nEnter your choice (1): 1\n"
        in (blocked)
    )
    assert (
        "Player A moves to cell 9.\n\nPlayer B has no legal moves and must pass.\n\nPlayer A (Marker"
        in blocked
    )
    inverted = run("play", "inversion-race", typed=lines("2", "1", "2")).stdout
    assert (
        "Player A moves to cell 7.\nInversion! The goal is now cell 10.\n"
        "Cells:   0 1 2 3 4 5 6 7 8 9 10\nMarkers:         B     A\nGoal: Cell 10\nInversion: True\n"
        in inverted
    )
    assert "Your goal is cell 10." in inverted
    leap = run("play", "inversion-race:passing=leapfrog", typed=lines("1", "1")).stdout
    assert "1. Jump left to cell 3\n" in leap
    assert "Player B moves to cell 3.\nInversion! The goal is now cell 10.\n" in leap
    won = run("play", "inversion-race:start=1", typed=lines("1")).stdout
    assert "Player A moves to cell 0.\nPlayer A reaches cell 0 and wins the game!\n" in won


def test_commands_answer_at_every_prompt_and_cost_nothing(run: Run) -> None:
    commands = ["help", "?", "rules", "board", "moves", "save", "undo", "abandon"]
    done = run("play", "mirror-match", typed=lines(*commands, "4", *commands, "4", "E"))
    assert done.stdout.count("Type a move, or one of these:\n") == 4
    assert done.stdout.count("# Mirror Match\n") == 2
    assert done.stdout.count("Moves: 1 then B, 2 then B,") == 2
    assert done.stdout.count("There is no move to take back yet.\n") == 1
    assert done.stdout.count("Taken back: 4.\n") == 1
    assert done.stdout.count("A game can be abandoned once a position has occurred 3 times") == 2
    assert "will be kept in" in done.stdout
    assert "Updated Sequence: 4\n" in done.stdout
    assert "forfeits" not in done.stdout


def test_board_draws_the_position_and_may_do_so_each_turn(run: Run) -> None:
    number_line = (
        "Number Line: 1 2 3 4 5 6 7 8 9 10 11\n                     *\nPlayer 1 Goal: Position 1\n"
        "Player 2 Goal: Position 11\n"
    )
    assert number_line in drawn(run("play", "dual-direction", typed=lines("left", "board")).stdout)
    assert number_line in drawn(run("play", "dual-direction", "--board", typed=lines("left")).stdout)
    race = drawn(run("play", "race-to-the-center", typed=lines("2", "board")).stdout)
    assert (
        "Positions: 0  1  2  3  4  5  6  7  8  9  10\nMarkers:         P1                      P2\n"
        "Center: Position 5\n" in race
    )


def test_undo_goes_back_to_the_players_own_last_move(run: Run) -> None:
    against = run("play", "bit-flip", "--p2", "random", "--seed", "1", typed=lines("4", "undo", "0"))
    assert (
        "Available positions to flip: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\n" in against.stdout.split("Taken back")[1]
    )


def test_save_says_where_and_writes_copies(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "a copy.txt"
    done = run(
        "play", "bit-flip", typed=lines("4", "save", f"save {copy}", f'save "{copy}"', "save /no/where.txt")
    )
    assert "Every move is saved as it is made, in " in done.stdout
    assert f"A copy is in {copy}\n" in done.stdout
    assert f"{copy} exists already and was not changed.\n" in done.stdout
    assert "Cannot write /no/where.txt: No such file or directory\n" in done.stdout
    assert "1. Player 1: 4" in copy.read_text()


def test_resign_ends_the_game(run: Run) -> None:
    done = run("play", "bit-flip", typed=lines("4", "resign"))
    assert "Player 1 won. Player 2 resigned.\n" in done.stdout
    assert "The record is kept in" in done.stdout


def test_abandon_is_agreed_between_people(run: Run) -> None:
    to_and_fro = ["left", "right"] * 2
    both = run("play", "dual-direction", typed=lines(*to_and_fro, "abandon", "left", "abandon"))
    at_once = run("play", "dual-direction", typed=lines(*to_and_fro, "abandon", "abandon"))
    for done in (both, at_once):
        assert "Player 1 offers to end the game unfinished." in done.stdout
        assert "Unfinished. The game was abandoned.\n" in done.stdout
    declined = run("play", "dual-direction", typed=lines(*to_and_fro, "abandon", "left", "right", "abandon"))
    assert declined.stdout.count("offers to end the game") == 2
    assert "unfinished:" not in declined.stdout


def test_the_computer_agrees_to_abandon(run: Run) -> None:
    typed = lines(*["left", "right"] * 20)
    done = run(
        "play", "dual-direction:positions=99", "--p2", "random", "--seed", "3", typed=typed + "abandon\n"
    )
    assert "Player 2 agrees.\n" in done.stdout
    assert "The game was abandoned" in done.stdout


def test_quit_and_the_end_of_input_leave_the_game_unfinished_and_saved(run: Run) -> None:
    for typed in (lines("left", "quit", "right"), "left\n", "left"):
        done = run("play", "dual-direction", typed=typed)
        assert done.returncode == 0
        assert done.stdout.endswith("The game is saved. To continue it: perfectplay resume\n")
        assert done.stdout.count("Moved") == 1
    assert run("play", "dual-direction").stdout.endswith("No move was made, so nothing was saved.\n")
    assert "forfeits" not in run("play", "mirror-match", typed="").stdout


def test_a_ply_limit_stops_the_game(run: Run) -> None:
    done = run("play", "dual-direction", "--max-plies", "2", typed=lines("left", "right", "left"))
    assert "Unfinished. The move limit of 2 was reached.\n" in done.stdout
    assert done.stdout.count("Moved") == 2


def test_a_series_has_a_score_and_a_champion(run: Run) -> None:
    done = run("play", "bit-flip:bits=1", "--games", "3", typed=lines("0", "0", "0"))
    said = done.stdout
    assert "Game 1 of 3: Player 1 goes first.\n" in said
    assert "Game 2 of 3: Player 2 goes first.\n" in said
    assert "Score after game 2 of 3: Player 1: 1, Player 2: 1.\n" in said
    assert "Player 1 is the champion, 2 to 1.\n" in said
    tied = run("play", "bit-flip:bits=1", "--games", "2", typed=lines("0", "0")).stdout
    assert "The series is tied, 1 to 1.\n" in tied
    same = run("play", "bit-flip:bits=1", "--games", "2", "--no-alternate", typed=lines("0", "0")).stdout
    assert "Player 1 is the champion, 2 to 0.\n" in same
    seats = run(
        "play", "race-to-the-center:positions=3", "--games", "2", typed=lines("1", "1", "1", "1")
    ).stdout
    assert "Game 2 of 2: person 2 is Player 1, person 1 is Player 2; Player 1 goes first.\n" in seats
    starter = "inversion-race:passing=leapfrog,first=B"
    lost = run("play", starter, "--games", "2", typed=lines("resign")).stdout
    assert "Score after game 1 of 2: Player A 1, Player B 0.\n" in lost


def test_first_seats_the_players_where_player_1_always_starts(run: Run) -> None:
    for typed in ("1", "2"):
        done = run(
            "play", "race-to-the-center", "--first", "2", "--p2", "random", "--seed", "1", typed=f"{typed}\n"
        )
        assert "The computer (random) is Player 1, you are Player 2; Player 1 goes first.\n" in done.stdout
        # The computer sits as Player 1, and what is typed is Player 2's answer.
        assert re.search(rf"Player 1's turn\. .*\? [12]\n.*\n\nPlayer 2's turn.*\? {typed}\n", done.stdout)
        assert done.stdout.count("Player 1's turn") == 2
    flips = run("play", "bit-flip", "--first", "2", typed="1\n")
    assert "Player 2, you will go first." in flips.stdout


def test_a_toss_is_seeded_and_shown(run: Run) -> None:
    shown = {
        seed: re.search(
            r"The toss: Player (1|2) goes first\.",
            run("play", "bit-flip", "--first", "random", "--seed", seed).stdout,
        )
        for seed in ("1", "2", "3", "4", "5", "6")
    }
    winners = {seed: found[1] for seed, found in shown.items() if found}
    assert len(winners) == 6
    assert set(winners.values()) == {"1", "2"}
    done = run("play", "bit-flip", "--first", "random", "--seed", "1")
    assert f"Player {1 + (winners['1'] == 'second')}, you will go first." in done.stdout


def test_a_seed_is_shown_and_obeyed(run: Run) -> None:
    args = ("play", "bit-flip", "--p1", "random", "--p2", "random")
    done = run(*args)
    [seed] = re.findall(r"Seed: (\d+)\n", done.stdout)
    again = run(*args, "--seed", seed)
    moves = r"flip: (\d+)\n"
    assert re.findall(moves, done.stdout) == re.findall(moves, again.stdout)
    assert any(
        re.findall(moves, run(*args, "--seed", str(n)).stdout) != re.findall(moves, done.stdout)
        for n in (1, 2, 3)
    )


def test_two_computers_stop(run: Run) -> None:
    done = run("play", "mirror-match:shortest=50", "--p1", "random", "--p2", "random", "--seed", "1")
    assert "Two computers play: each game stops after 1000 moves.\n" in done.stdout
    assert "Unfinished. The move limit of 1,000 was reached." in done.stdout


@pytest.mark.parametrize(
    "name", ["bit-flip", "dual-direction", "inversion-race", "mirror-match", "race-to-the-center"]
)
def test_at_40_columns_nothing_is_wider(name: str) -> None:
    with Terminal("play", name, columns=40) as terminal:
        for line in ("help", "board", "moves", "rules", "1"):
            terminal.type(line)
        screen = terminal.until_quiet_prompt_or_end()
    # What was typed is the terminal's own to place; a Markdown word may be a long one.
    wide = [line for line in screen.split("\n") if len(line) > 40 and " " in line.strip()]
    assert wide == []


def test_a_wide_row_is_folded_into_bands() -> None:
    with Terminal("play", "bit-flip", columns=40) as terminal:
        screen = terminal.until_quiet_prompt_or_end()
    assert (
        "Positions: [0] [1] [2] [3] [4] [5] [6]\nBits:      [0] [0] [0] [0] [0] [0] [0]\n"
        "Positions: [7] [8] [9]\nBits:      [0] [0] [0]\n" in screen
    )


@pytest.mark.parametrize(
    "env",
    [
        {"TERM": "dumb"},
        {"NO_COLOR": "1"},
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        {},
    ],
)
def test_a_game_is_plain_lines_on_every_terminal(env: dict[str, str]) -> None:
    with Terminal("play", "inversion-race", env=env) as terminal:
        terminal.type("1")
        terminal.type("quit")
        screen = terminal.until_end()
    assert "\x1b" not in screen
    assert "\r" not in screen
    assert "\b" not in screen
    assert screen.isascii()
    assert "Player A moves to cell 4." in screen


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (b"x" * 1_000_000 + b"\nleft\n", '" (1000000 characters) is not a move here'),
        (b"\x00\x01\nleft\n", r'"\x00\x01" is not a move here'),
        (b"\xff\xfe\nleft\n", r'"\xff\xfe" is not a move here'),
        (b"\x1b[31mred\x1b[0m\nleft\n", r'"\x1b[31mred\x1b[0m" is not a move here'),
        ("\u202eleft\n\u4f60\u597d\nleft\n".encode(), r'"\u202eleft" is not a move here'),
        (b"\r\nleft\r\n", '"" is not a move here'),
    ],
    ids=["million characters", "NUL", "invalid UTF-8", "terminal escapes", "unprintable", "CR LF"],
)
def test_rubbish_is_refused_and_shown_escaped(typed: bytes, shown: str, run: Run) -> None:
    done = run("play", "dual-direction", typed=typed)
    assert done.returncode == 0
    assert done.stderr == ""
    assert shown in done.stdout
    assert "Moved left to position 5." in done.stdout
    assert all(c.isprintable() or c == "\n" for c in done.stdout)
    assert len(done.stdout) < 3000


def test_a_game_file_is_played_saved_and_resumed(run: Run, tmp_path: Path) -> None:
    game = ROOT / "examples" / "tic_tac_toe.py"
    done = run("play", str(game), typed=lines("5", "5", "1"), cwd=tmp_path)
    assert '"5": Square 5 is taken. Allowed: 1, 2, 3, 4, 6, 7, 8 or 9.' in done.stdout
    done = run("resume", typed=lines("2", "9", "8"), cwd=tmp_path)
    assert "X wins: three in a row.\n" in done.stdout
    [record] = re.findall(r"The record is kept in (.*)\n", done.stdout)
    refused = run("replay", record)
    assert refused.returncode == 2
    assert "if you trust it, name it with --game FILE" in refused.stderr
    assert "Result: X wins: three in a row" in run("replay", record, "--game", str(game)).stdout


def test_lines_are_edited_with_arrows_and_history() -> None:
    with Terminal("play", "bit-flip:bits=9", "--line", env={"PERFECTPLAY_LINE": ""}, fresh=True) as terminal:
        terminal.type("board")
        terminal.type("14\x1b[D\x7f")  # left, and the 1 goes
        terminal.expect("You flipped bit at position 4")
        terminal.type("\x1b[A\x1b[A")  # the line before the last: board
        terminal.expect("Bits: ")
        terminal.type("0")
        terminal.expect("You flipped bit at position 0")
        terminal.expect(Terminal.PROMPT)
        terminal.child.sendeof()
        assert "The game is saved." in terminal.until_end()


def await_idle(pid: int) -> None:
    """Until a process waits for keys. Stopped just before that, it would go on only after the next key."""
    state = Path(f"/proc/{pid}/stat")
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "S":
        pass


def test_a_line_goes_on_after_the_program_was_stopped() -> None:
    with Terminal("play", "bit-flip:bits=9", "--line", env={"PERFECTPLAY_LINE": ""}, fresh=True) as terminal:
        terminal.expect(Terminal.PROMPT)
        editing = termios.tcgetattr(terminal.child.child_fd)
        terminal.child.send("4")
        terminal.expect("4")
        assert terminal.child.pid is not None
        await_idle(terminal.child.pid)
        os.kill(terminal.child.pid, signal.SIGSTOP)
        os.waitpid(terminal.child.pid, os.WUNTRACED)
        as_a_shell = termios.tcgetattr(terminal.child.child_fd)
        as_a_shell[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(terminal.child.child_fd, termios.TCSANOW, as_a_shell)
        os.kill(terminal.child.pid, signal.SIGCONT)
        terminal.expect("flip: 4$")
        assert termios.tcgetattr(terminal.child.child_fd) == editing
        terminal.child.sendline("")
        terminal.expect("You flipped bit at position 4")
