"""Replaying a record by the rules of its game."""

from typing import TYPE_CHECKING

from perfectplay.core.errors import PerfectplayError, RecordError, WrongTypeError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game, S, expect_game
from perfectplay.core.outcome import Side
from perfectplay.core.record import IN_PROGRESS, Record, RecordLine

if TYPE_CHECKING:
    from perfectplay.core.match import Match


def replay(kind: "type[Match[S]]", record: Record, game: Game[S]) -> "Match[S]":
    """The match of a record. RecordError names the first line that contradicts the rules."""
    expect_game(game)
    if not isinstance(record, Record):
        raise WrongTypeError("a record, as match.record() or read_records returns", record)
    start = start_of(record, game)
    try:
        match = kind(
            game,
            players=record.seated,
            seed=record.seed,
            max_plies=record.max_plies,
            forgiving=record.forgiving,
            start=start,
        )
    except PerfectplayError as error:  # the reader has checked the rest
        raise RecordError(record.start_line, str(error)) from error
    for move in record.moves:
        try:
            _replay_move(match, move)
        except RecordError:
            raise
        except PerfectplayError as error:
            raise RecordError(move.line, str(error)) from error
    found = match.record().result
    if found != record.result:
        stated, given = (quote(text or IN_PROGRESS, 100) for text in (record.result, found))
        raise RecordError(record.lines[1], f"the result is given as {stated}, the rules give {given}")
    return match


def start_of(record: Record, game: Game[S]) -> S | None:
    """The position in which a record starts; None if it is the start of the game."""
    if record.start is None:
        return None
    try:
        return game.parse_state(record.start)
    except PerfectplayError as error:
        raise RecordError(record.start_line, str(error)) from error


def _replay_move(match: "Match[S]", move: RecordLine) -> None:
    names = match.game.side_names
    if move.side not in names:
        raise RecordError(move.line, f"there is no side {quote(move.side)}, only {' and '.join(names)}")
    side: Side = 0 if move.side == names[0] else 1
    steps = {
        "resign": match.resign,
        "abandon": match.abandon,
        "time": match.time_out,
        "claim": match.claim,
        "assisted": match.assist,
    }
    if move.ply is None and move.text in steps:
        if move.text == "assisted" and side in match.assisted:
            raise RecordError(move.line, f"{move.side} is assisted already")
        return steps[move.text](side)
    if move.text in steps:
        raise RecordError(move.line, f"{move.text} is not a ply and must not have a number")
    if move.ply != match.plies + 1:
        raise RecordError(move.line, f"ply {match.plies + 1} was expected here")
    if side != match.side:
        raise RecordError(move.line, f"it is {names[match.side]}'s turn")
    if move.text == "forfeit":
        match.forfeit()
    else:
        # A text that costs the turn is not a move: a record says "forfeit" instead.
        match.play(match.game.parse_action(match.state, move.text))
    move.compare(match.line(match.last))
