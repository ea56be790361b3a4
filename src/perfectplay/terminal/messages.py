"""What the terminal says around a game, for line mode and for web tables alike.

The words of a game itself come from its `Dialogue`; the words about the table, the series and the
commands are here.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from perfectplay.core.dialogue import Dialogue, Lines, Prompt
from perfectplay.core.endings import describe_ending
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import join_words, make_printable
from perfectplay.core.match import Match
from perfectplay.core.outcome import Result
from perfectplay.core.record import RecordLine
from perfectplay.games.registry import RuleInterrupted, game_file_error

HELP = (
    "Type a move, or one of these:",
    "  help, h, ?  this list",
    "  rules       the rules of the game",
    "  board       the position",
    "  moves       the moves you may make",
    "  history     the moves so far",
    "  hint        a good move, and what the position is worth; the moves of both sides count",
    "  why         the reason for that move",
    "  why MOVE    what another move is worth, and why",
    "  undo, u     take back the last move; against a computer, your own last move",
    "  redo        repeat the move that was taken back",
    "  save        where the game is saved",
    "  save FILE   write a copy of the game",
    "  resign      give up the game",
    "  abandon     offer to end a repeating game",
    "  quit, q     leave; the command resume continues the game",
)
"""The commands of line mode."""

ONLINE_HELP = (
    "Type a move when it is your turn, or one of these at any time:",
    "  help, h, ?  this list",
    "  rules       the rules of the game",
    "  board       the position",
    "  moves       the legal moves",
    "  history     the moves so far",
    "  undo, u     take back the first half of a move that needs two answers",
    "  resign      give up the game",
    "  offer WHAT  offer takeback, offer abandon or offer rematch: the other player may agree",
    "  accept      agree to what the other player offers",
    "  decline     refuse it",
    "  review      how well the game was played, once it is over",
    "  claim       end the game unfinished, if the other player has been away or silent for long",
    "  close       the same, and close the table",
    "  quit, q     leave; your seat is kept, and the same command brings you back",
)
"""The commands at a web table."""

_NO_HINTS = "There are no hints in a game against somebody else."
NOT_ONLINE = {
    "hint": _NO_HINTS,
    "why": _NO_HINTS,
    "undo": "Type offer takeback to take a move back, if the other player agrees.",
    "redo": "To repeat a move that was taken back, type it again.",
    "save": "The server keeps the table; there is nothing to save.",
    "abandon": "Type offer abandon to end the game unfinished, if the other player agrees.",
}
"""Commands of line mode that a web table does not have, and what to do instead."""

OFFERS = {
    "takeback": "to take back the last move",
    "abandon": "to end the game unfinished",
    "rematch": "a rematch",
}
"""What a player offers, after "offers"."""

ANSWERED = {
    "takeback": "the takeback",
    "abandon": "the offer to end the game",
    "rematch": "the rematch",
}
"""What a player accepts or declines."""

COMMANDS = "Type help at any prompt for commands."

RESIGN = "Do you want to resign (y/n)? "

ABANDON = "Do you want to end the game unfinished (y/n)? "

REPEATED = "This position has come up for the third time."

TYPE_ABANDON, PRESS_A = (f"{how} to end the game unfinished." for how in ("Type abandon", "Press a"))
"""How to end a game that repeats itself, in line mode and on the full screen."""

WATCHING = "You are watching; only the players can do that."

NO_GAME = "No game is being played."

NO_OFFER = "The other player offers nothing."

OVERTAKEN = "something else has happened"


def own_command() -> str:
    """The command that starts this program: perfectplay may not be on the PATH."""
    if shutil.which("perfectplay"):
        return "perfectplay"
    if Path(sys.argv[0]).name == "perfectplay":
        return os.path.relpath(sys.argv[0])
    return "python -m perfectplay"


def explain_return(url: str, *, seated: bool) -> str:
    """The last line to a person who leaves a web table."""
    return f"Your seat is kept. To return to it: {join_again(url)}" if seated else "You have left the table."


def join_again(url: str) -> str:
    """The command that returns to a web table."""
    return f"{own_command()} play --table {url}"


def invite(link: str) -> str:
    """What to say to somebody who waits for an opponent."""
    return f"Send this link to your opponent: {link}"


def too_late(why: str = OVERTAKEN) -> str:
    """The reply to a line that was overtaken by something else at the table."""
    return f"That came too late: {make_printable(why)}."


def describe_takeback(what: str) -> str:
    """The reply to `undo`: the moves or, between the two questions of a turn, the answer taken back."""
    return f"Taken back: {make_printable(what.strip())}."


def list_answers(answers: Lines) -> Lines:
    """What to say after a command between two questions of a turn: the first answer may be forgotten."""
    chosen = " ".join(make_printable(answer.strip()) for answer in answers)
    return (f"You have chosen {chosen}; undo takes it back.",) if chosen else ()


def half_a_move(answers: Lines) -> Lines:
    """What to say to a player who leaves between the questions of a turn."""
    begun = " ".join(make_printable(answer.strip()) for answer in answers)
    return (f"The move that you had begun ({begun}) is not kept: only whole moves are.",) if begun else ()


def legal_moves(dialogue: Dialogue[Any], state: Any) -> str:
    """The legal moves of a position, as they are named to the player."""
    return ", ".join(dialogue.phrase(state, action) for action in dialogue.game.legal_actions(state))


def history(moves: Sequence[RecordLine]) -> Lines:
    """The lines of a record without their positions."""
    if not moves:
        return ("No move has been made yet.",)
    return tuple(str(move._replace(position=None, events=())) + _events(move) for move in moves)


def announce_move(name: str, move: RecordLine) -> str:
    """A move and what it led to, after the name of whoever made it."""
    return f"{name}: {move.text}{_events(move)}"


def _events(move: RecordLine) -> str:
    return f" ({', '.join(move.events)})" if move.events else ""


def moves_by_side(moves: Iterable[RecordLine], after: int = 0) -> str:
    """The moves after a ply and the sides that made them, in a sentence. Only plies are named."""
    return join_words(
        [f"{move.side}'s {move.text}" for move in moves if move.ply and move.ply > after], "and"
    )


def last_move(match: Match[Any]) -> str:
    """The last move or forfeit of a match, to put after another sentence; empty before the first."""
    plies = [entry for entry in match.history if entry.is_ply]
    if not plies:
        return ""
    line = match.line(plies[-1])
    return f" Last: {line.side}, {line.text}."


def echo_turn(dialogue: Dialogue[Any], state: Any, answers: Lines) -> Lines:
    """The questions of a turn with the answers that were given, as if they had been typed here."""
    lines: Lines = ()
    for number, answer in enumerate(answers):
        prompt = dialogue.ask(state, answers[:number])
        if isinstance(prompt, Prompt):
            lines = (*lines, *prompt.lines, prompt.text + make_printable(answer))
    return lines


def seating(seats: Sequence[tuple[str, str]], starter: str, game: str = "") -> str:
    """Which player has which side, and which side goes first. `game` names one of several games."""
    head = f"{game}: " if game else ""
    return f"{head}{', '.join(f'{is_(name)} {side}' for name, side in seats)}; {starter} goes first."


def is_(name: str) -> str:
    """A name with its verb."""
    return f"{name} {'are' if name == 'you' else 'is'}"


def score(names: Sequence[str], wins: Sequence[int]) -> str:
    """The players and the games that each has won."""
    pairs = zip(names, wins, strict=True)
    return ", ".join(f"{name}{':' if name[-1:].isdigit() else ''} {won}" for name, won in pairs)


def ending(dialogue: Dialogue[Any], match: Match[Any], names: tuple[str, str] | None = None) -> Lines:
    """How a match ended. `names` are those of the two sides, where the players have names of their own.

    A match without a result was abandoned at a web table.
    """
    outcome = match.game.outcome(match.state)
    if outcome is not None:
        return dialogue.farewell(match.state, outcome)
    result = match.result or Result(None, "abandoned", finished=False)
    return (describe_ending(match, result, names or match.game.side_names),)


def problem(error: Exception) -> str:
    """What bad input or an error in a game file is said to be. Raises any other error again."""
    known = error if isinstance(error, PerfectplayError | OSError) else game_file_error(error)
    if known is None or isinstance(error, RuleInterrupted):
        raise error
    return sentence(str(known))


def sentence(text: str) -> str:
    """A text from elsewhere as a sentence that is safe to print."""
    shown = make_printable(text)
    begins_with_spec = re.match("[^ ]+[=:][^ ]", shown)  # which is written as it is typed
    capital = shown[:1] if begins_with_spec else shown[:1].upper()
    return f"{capital}{shown[1:]}" + ("" if shown.endswith(".") else ".")
