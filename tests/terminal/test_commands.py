"""What may be typed besides moves in line mode: commands, short forms, slips of the finger."""

import io
import re
import string
from contextlib import suppress
from typing import Any

import pytest

import perfectplay as pp
from perfectplay import saves
from perfectplay.terminal.command_parser import TypedCommand, is_slip
from perfectplay.terminal.console import Console, EndOfInput
from perfectplay.terminal.line.line_mode import LineMode, Quit
from perfectplay.terminal.messages import HELP
from perfectplay.terminal.saved_games import choose_game
from perfectplay.terminal.session import COMMANDS, Session
from tests.conftest import Run
from tests.core.listed_games import table_game
from tests.terminal.terminals import folds_below_its_column

NAMES = pp.names()


class Typist(io.StringIO):
    """Lines that somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


def played(
    game: str | pp.Game[Any],
    *typed: str,
    terminal: bool = False,
    players: tuple[str, str] = ("human", "human"),
    show_board: bool = False,
) -> tuple[str, pp.Match[Any]]:
    """What is said while lines are typed or, unless at a `terminal`, piped in; and the match."""
    lines = "".join(f"{line}\n" for line in typed)
    stdin, stdout = (Typist if terminal else io.StringIO)(lines), io.StringIO()
    series: pp.Series[Any] = pp.Series(
        pp.load(game) if isinstance(game, str) else game, players=players, seed=1
    )
    session = LineMode(Console(stdin, stdout), Session(series), show_board=show_board)
    with suppress(EndOfInput, Quit):
        session.run()
    return stdout.getvalue(), series.matches[-1]


def moves(match: pp.Match[Any]) -> list[str]:
    return [move.text for move in match.record().moves]


FIRST_MOVES = {name: pp.load(name).dialogue().answers(pp.load(name).initial(), 0) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("terminal", [True, False])
def test_h_q_and_u_are_help_quit_and_undo_at_every_question(name: str, terminal: bool) -> None:
    answers = FIRST_MOVES[name]
    for asked in range(len(answers)):
        said, match = played(name, *answers[:asked], "h", " H ", "?", "q", "rubbish", terminal=terminal)
        assert said.count(HELP[0]) == 3
        assert match.history == ()
    said, match = played(name, *answers, "u", terminal=terminal)
    assert (
        f"Taken back: {match.game.side_names[0]}'s {match.game.action_text(match.positions[0], 0)}.\n" in said
    )
    assert match.history == ()


def test_the_short_forms_come_before_the_moves_that_they_could_begin() -> None:
    game = table_game(
        {"start": {"up": "next", "hold": "next"}, "next": {"quick": "end"}}, {"end": 0}, {"next": 1}
    )
    said, match = played(game, "h", "up", "u", "hold", "q", "quick")
    assert HELP[0] in said
    assert "Taken back: Player 1's up.\n" in said
    assert moves(match) == ["hold"]


def test_every_command_of_the_help_is_one() -> None:
    assert " ".join(COMMANDS.words) == (
        "help rules board moves history hint why undo redo save resign abandon quit"
    )
    assert COMMANDS.with_rest == ("why", "save")
    for word in COMMANDS.words:
        said, match = played("mirror-match", word)
        noted = {"hint": ["assisted"], "why": ["assisted"], "resign": ["resign"]}
        assert [entry.kind for entry in match.history] == noted.get(word, []), word
        assert word in ("undo", "redo", "resign", "quit", "abandon", "help") or len(said.splitlines()) > 5


# Slips of the finger


def test_a_slip_is_a_letter_missing_added_or_changed_or_two_neighbors_swapped() -> None:
    letters = string.ascii_lowercase
    for word in COMMANDS.words:
        parts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        slips = {a + b[1:] for a, b in parts if b}
        slips |= {a + c + b for a, b in parts for c in letters}
        slips |= {a + c + b[1:] for a, b in parts if b for c in letters}
        slips |= {a + b[1] + b[0] + b[2:] for a, b in parts if len(b) > 1}
        slips.discard(word)
        assert all(is_slip(slip, word) for slip in slips)
        assert not is_slip(word, word)
    for typed in ("", "hi", "hitn1", "hxxt", "thni", "nhti", "hintss", "tinh"):
        assert not is_slip(typed, "hint"), typed


@pytest.mark.parametrize("name", NAMES)
def test_at_a_terminal_a_slip_is_asked_about(name: str) -> None:
    said, match = played(name, "hlep", "y", terminal=True)
    assert "Did you mean help (y/n)? Type a move, or one of these:\n" in said
    assert match.history == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_pipe_is_never_asked(name: str) -> None:
    said, match = played(name, "hnit", "y")
    assert "Did you mean" not in said
    lost = [entry.kind for entry in match.history]
    assert lost == (["forfeit", "forfeit"] if name == "mirror-match" else [])


def test_answered_with_n_a_slip_counts_as_typed() -> None:
    for answer in ("n", "No", " N "):
        said, match = played("mirror-match", "hnit", answer, terminal=True)
        assert "Did you mean hint (y/n)? Invalid number. Player 1 forfeits the turn.\n" in said
        assert [entry.kind for entry in match.history] == ["forfeit"]
    said, match = played("dual-direction", "hnit", "n", terminal=True)
    assert 'Did you mean hint (y/n)? "hnit" is not a move here. Allowed: left or right.\n' in said
    assert match.history == ()


def test_the_question_about_a_slip_is_asked_until_it_is_answered() -> None:
    said, match = played("mirror-match", "hnit", "", "5", "perhaps", "yes", terminal=True)
    assert said.count("Did you mean hint (y/n)? ") == 4
    assert "Did you mean hint (y/n)? A good move: " in said
    assert [entry.kind for entry in match.history] == ["assisted"]
    # A command is one there too, and the end of input costs nothing.
    for answers in (["q", "3"], ["QUIT", "3"], ["h", "q"], []):
        _, match = played("mirror-match", "quti", *answers, terminal=True)
        assert match.history == ()


def test_a_slip_at_a_second_question_is_asked_about_too() -> None:
    said, match = played("mirror-match", "4", "udno", "y", "5", "E", terminal=True)
    assert "Did you mean undo (y/n)? Taken back: 4.\n" in said
    assert moves(match) == ["5 E"]


def test_a_slip_before_what_a_command_takes_is_asked_about_too() -> None:
    said, match = played("mirror-match", "wyh 4 E", "y", terminal=True)
    assert "Did you mean why (y/n)? 4 at the end keeps the win." in said
    assert [entry.kind for entry in match.history] == ["assisted"]
    said, match = played("mirror-match", "hnit me", terminal=True)
    assert "Did you mean" not in said
    assert [entry.kind for entry in match.history] == ["forfeit"]


@pytest.mark.parametrize(
    "line", ["", "x", "10", "0", "3 E", "03", "three", "pass", "hi", "hintss", "b", "y", "n"]
)
def test_every_other_line_forfeits_at_a_terminal_too(line: str) -> None:
    said, match = played("mirror-match", line, terminal=True)
    assert "Did you mean" not in said
    assert [entry.kind for entry in match.history] == ["forfeit"]


def test_what_reads_as_a_move_is_never_asked_about() -> None:
    # "hin" is a move, "sav" is one that is not legal now, "resig" begins one, "whyy" is none.
    ways = {"hin": "next", "resigned": "next"}
    game = table_game(
        {"start": ways, "next": {"hin": "end", "a": "end", "sav": "end"}}, {"end": 0}, {"next": 1}
    )

    class Strict(type(game)):  # type: ignore[misc]
        def legal_actions(self, state: str) -> tuple[int, ...]:
            return tuple(super().legal_actions(state)[:2])

    for typed, found in (("hin", ["hin"]), ("resig", ["resigned"])):
        said, match = played(Strict(), typed, terminal=True)
        assert "Did you mean" not in said
        assert moves(match) == found
    said, match = played(Strict(), "hin", "sav", terminal=True)
    assert '"sav": sav is not legal here.' in said
    assert "Did you mean" not in said
    assert "Did you mean why (y/n)? " in played(Strict(), "whyy", terminal=True)[0]


# Undo, redo, history


def test_undo_at_a_second_question_takes_back_the_answer_to_the_first() -> None:
    said, match = played("mirror-match", "4", "E", "7", "undo", "8", "B")
    assert "Place at the (B)eginning or (E)nd? undo\nTaken back: 7.\nChoose a number (1-9): 8\n" in said
    assert moves(match) == ["4 E", "8 B"]
    said, match = played("mirror-match", "4", "E", "7", "undo", "undo", "5", "E")
    assert "Taken back: 7.\nChoose a number (1-9): undo\nTaken back: Player 1's 4 E.\n" in said
    assert moves(match) == ["5 E"]


def test_a_command_at_a_second_question_says_what_the_first_answer_was() -> None:
    said, match = played("mirror-match", "4", "hint", "why E", "E")
    assert said.count("You have chosen 4; undo takes it back.\nPlace at the (B)eginning or (E)nd? ") == 2
    assert "why E\n4 at the end keeps the win." in said
    assert moves(match) == ["assisted", "4 E"]


def test_undo_between_two_people_takes_back_the_last_ply() -> None:
    said, match = played("bit-flip", "4", "1", "undo", "0", "undo", "undo", "undo")
    assert "Taken back: Player 2's 1.\nPositions:" in said
    assert "Taken back: Player 2's 0.\n" in said
    assert "Taken back: Player 1's 4.\n" in said
    assert "There is no move to take back yet.\n" in said
    assert match.history == ()


def test_undo_against_a_computer_takes_back_ones_own_last_move() -> None:
    said, match = played("bit-flip:bits=20", "4", "history", "undo", "undo", players=("human", "random"))
    [reply] = re.findall(r"^2\. Player 2: (\d+)$", said, re.MULTILINE)
    assert f"Taken back: Player 1's 4 and Player 2's {reply}.\n" in said
    assert "You have not made a move yet that you could take back.\n" in said
    assert match.history == ()
    # The computer that goes first keeps its first move.
    said, match = played("bit-flip:bits=20", "9", "undo", "undo", players=("random", "human"))
    assert "Taken back: Player 2's 9 and Player 1's " in said
    assert "You have not made a move yet that you could take back.\n" in said
    assert match.plies == 1


def test_undo_goes_past_a_forced_pass_and_an_offer() -> None:
    said, match = played("inversion-race:start=10", "left", "undo")
    assert "Taken back: Player A's left and Player B's pass.\n" in said
    assert match.history == ()
    said, match = played("dual-direction", *["left", "right"] * 2, "abandon", "undo")
    assert "Taken back: Player 2's right.\n" in said
    assert match.plies == 3


def test_undo_names_a_forfeit() -> None:
    said, match = played("mirror-match", "x", "undo")
    assert "Taken back: Player 1's forfeit.\n" in said
    assert match.history == ()


def test_redo_makes_the_moves_again_until_there_is_a_new_one() -> None:
    said, match = played("bit-flip", "4", "1", "undo", "undo", "redo", "redo", "redo")
    assert "Redone: Player 1's 4.\nPositions:" in said
    assert "Redone: Player 2's 1.\nPositions:" in said
    assert "There is no move to redo.\n" in said
    assert moves(match) == ["4", "1"]
    said, match = played("bit-flip", "4", "undo", "5", "redo")
    assert "There is no move to redo.\n" in said
    assert moves(match) == ["5"]
    said, match = played("bit-flip:bits=20", "4", "undo", "redo", players=("human", "random"))
    assert f"Redone: Player 1's 4 and Player 2's {moves(match)[1]}.\n" in said
    assert match.plies == 2


def test_history_lists_the_moves_so_far() -> None:
    said, _ = played("inversion-race", "history", "2", "1", "2", "history")
    assert "No move has been made yet.\n" in said
    assert "1. Player A: right\n2. Player B: left\n3. Player A: right (inversion)\n" in said
    said, _ = played("mirror-match", "4", "E", "x", "3", "history")
    assert "? history\n1. Player 1: 4 E\n2. Player 2: forfeit\n" in said


# why MOVE


@pytest.mark.parametrize(
    ("name", "typed", "says"),
    [
        ("bit-flip", "why 4", "4 throws away the win."),
        ("mirror-match", "why 4 E", "4 at the end keeps the win."),
        ("mirror-match", "WHY 4 Then e", "4 at the end keeps the win."),
        ("dual-direction", "why l", "left "),
        ("race-to-the-center", "why 2", "2 "),
        ("inversion-race", "why 2", "right "),
    ],
)
def test_why_explains_the_move_that_is_named(name: str, typed: str, says: str) -> None:
    said, match = played(name, typed)
    assert f"{typed}\n{says}" in said
    assert [entry.kind for entry in match.history] == ["assisted"]


@pytest.mark.parametrize(
    ("name", "typed", "says"),
    [
        ("bit-flip", ["4", "why 5"], "Bit 5 is next to bit 4, already 1.\n"),
        ("bit-flip", ["why x"], '"x" is not a move here. Allowed: 0, 1, 2, 3, 4, 5, 6, 7, 8 or 9.\n'),
        (
            "mirror-match",
            ["why 10 E"],
            '"10 E" must begin with a number from 1 to 9, as a word of its own.\n',
        ),
    ],
)
def test_why_of_what_cannot_be_played_says_so_and_costs_nothing(
    name: str, typed: list[str], says: str
) -> None:
    said, match = played(name, *typed)
    assert f"{typed[-1]}\n{says}" in said
    assert match.plies == len(typed) - 1


# The board


@pytest.mark.parametrize("name", NAMES)
def test_the_board_is_drawn_once_before_each_turn(name: str) -> None:
    said, match = played(name, *FIRST_MOVES[name], show_board=True)
    dialogue = match.game.dialogue()
    for state in match.positions:
        board = "\n".join(dialogue.board(state))
        assert said.count(f"{board}\n") == 1


def test_the_board_is_drawn_once_after_an_undo_and_in_each_game() -> None:
    said, _ = played("bit-flip", "4", "undo", show_board=True)
    assert said.count("Bits:      [0] [0] [0] [0] [0] [0] [0] [0] [0] [0]\n") == 2
    said, _ = played("dual-direction", "left", "undo", "redo", show_board=True)
    assert said.count("Number Line: ") == 4
    assert said.count("\n                       *\n") == 2


def test_help_folds_below_its_own_column() -> None:
    assert folds_below_its_column(HELP)


def test_a_command_holds_its_words() -> None:
    assert COMMANDS.read("save  a  b.txt ") == TypedCommand("save", "a  b.txt")
    assert COMMANDS.read("why\t4") == TypedCommand("why", "4")
    assert COMMANDS.read("u 4") is None
    assert COMMANDS.read("") is None
    assert COMMANDS.nearest("") is None
    assert COMMANDS.nearest("hin t") is None


# Questions to a person at a terminal


def test_at_a_terminal_resigning_is_confirmed_and_in_a_pipe_it_is_not() -> None:
    question = "Do you want to resign (y/n)? "
    said, match = played("bit-flip", "resign", "maybe", "n", "4", terminal=True)
    assert said.count(question) == 2
    assert "The game continues.\n" in said
    assert moves(match) == ["4"]
    said, match = played("bit-flip", "resign", "y", terminal=True)
    assert f"{question}Player 2 won. Player 1 resigned." in said
    said, match = played("bit-flip", "resign")
    assert question not in said
    assert match.result is not None


def test_a_game_that_repeats_itself_says_so_and_is_ended_after_one_question() -> None:
    asked = "Do you want to end the game unfinished (y/n)? "
    said, _ = played("dual-direction", *["left", "right"] * 3, terminal=True)
    assert "third time" not in said  # between two people, the rulebook's dialogue stays as it is
    series: pp.Series[Any] = pp.Series(pp.load("dual-direction"), players=("human", "random"), seed=1)
    shown = io.StringIO()
    console = Console(Typist("abandon\nn\nabandon\ny\n"), shown)
    line_mode = LineMode(console, Session(series))
    line_mode.session.begin()
    for move in ("left", "right", "left"):
        line_mode.session.match.play(move)
    match = line_mode.session.match
    told = line_mode.session.move(match.game.parse_action(match.state, "right"))
    assert (
        told[-1] == "This position has come up for the third time. Type abandon to end the game unfinished."
    )
    line_mode.run()
    assert shown.getvalue().count(asked) == 2
    assert "The game continues.\n" in shown.getvalue()
    result = series.matches[-1].result
    assert result is not None
    assert not result.finished


def test_a_player_who_leaves_between_two_questions_is_told_what_is_not_kept() -> None:
    said, match = played("mirror-match", "7", "q")
    assert said.endswith("The move that you had begun (7) is not kept: only whole moves are.\n")
    assert match.history == ()
    said, _ = played("mirror-match", "q")
    assert "is not kept" not in said


def test_the_list_of_open_games_answers_help() -> None:
    for move in ("4", "5"):
        save = saves.SaveFile.new(f"bit-flip-{move}")
        match: pp.Match[Any] = pp.Match(pp.load("bit-flip"))
        match.play(move)
        save.write([], str(match.record()))
        save.close()
    stdout = io.StringIO()
    assert choose_game(Console(Typist("Help\nThe first\nQ\n"), stdout), None) is None
    assert "Enter takes the newest, q leaves.\n" in stdout.getvalue()
    assert '"The first" is not a number from 1 to 2.\n' in stdout.getvalue()
    assert choose_game(Console(Typist("\n"), stdout), None) == saves.open_games()[0]


def test_an_invalid_move_is_refused_in_the_words_of_the_question() -> None:
    assert '"zz" is not a move here. Allowed: 1 (left) or 2 (right).' in played("inversion-race", "why zz")[0]


def test_hints_name_the_way_the_program_was_started(run: Run) -> None:
    as_module = {"PATH": "", "PYTHONHASHSEED": "0"}
    puzzles = run("puzzle", env=as_module).stdout
    assert "To see the answers: python -m perfectplay puzzle --answer\n" in puzzles
    for _ in range(2):
        run("play", "bit-flip", typed="4\n")
    listed = run("resume", env=as_module).stdout
    assert "To continue one: python -m perfectplay resume NUMBER\n" in listed
    assert "To remove one from this list: python -m perfectplay resume --forget NUMBER\n" in listed
