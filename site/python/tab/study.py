"""Studying in a tab: what moves are worth, hints, and audits of rules."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from perfectplay.audit.report import as_dict, audit, text
from perfectplay.coach.coach import Coach
from perfectplay.coach.puzzles import day_of
from perfectplay.core.match import Match
from perfectplay.core.outcome import other
from perfectplay.tables.encoding import JsonObject
from perfectplay.tables.events import RefusedError, Seat
from perfectplay.tables.limits import most_plies
from perfectplay.tables.table import Table
from perfectplay.tables.validation import load_small_game
from perfectplay.workers.mistakes import mistakes
from perfectplay.workers.practice import of_game
from perfectplay.workers.worker import solve_bounded, study
from tab.stored import Stored, open_table, own_seat, record_of, refuse_missing_game

if TYPE_CHECKING:
    from perfectplay.tables.schemas import MistakesSchema, StudySchema


def board(
    game: str, moves: Sequence[str] = (), ply: int | None = None, start: str | None = None
) -> "StudySchema":
    """What every move of any position is worth; `start` is the text of a position to begin in."""
    match = _play_moves(game, moves, start)
    return study(match, match.record(), ply, number=1)


def find_erring(
    game: str, player: str, moves: Sequence[str] = (), ply: int | None = None, start: str | None = None
) -> "MistakesSchema":
    """Where a computer player gives value away: in a position, and where it loses most."""
    match = _play_moves(game, moves, start)
    solve_bounded(match.game)
    return mistakes(match.game, match.positions[match.plies if ply is None else ply], player)


def _play_moves(game: str, moves: Sequence[str], start: str | None) -> Match[Any]:
    found = load_small_game(game)
    begin = None if start is None else found.parse_state(start)
    match = Match(found, max_plies=most_plies(found), start=begin)
    for move in moves:
        match.play(move)
    return match


def study_game(table: Stored, number: int, ply: int) -> "StudySchema":
    """What every move of a position was worth, and how well the game was played, once it is over."""
    found, match = _over(table, number)
    return study(match, record_of(table, found), ply, number=number)


def _over(table: Stored, number: int) -> tuple[Table, Match[Any]]:
    """A table after a game that must be over, and that game."""
    found = open_table(table, number)
    if found.status == "running":
        raise RefusedError("running", "this game is still being played")
    if found.match is None:
        raise refuse_missing_game()
    return found, found.match


def journal(table: Stored, number: int, day: str) -> JsonObject:
    """What a game that is over adds to the journal: of the person at this screen, or of both."""
    found, match = _over(table, number)
    if "record" in table:  # whoever opens a record need not have played it
        return {"games": [], "exercises": []}
    own = own_seat(table)
    seats: tuple[Seat, ...] = (0, 1) if found.players == (None, None) else (own,)
    people = {found.side_of(seat): found.players[other(seat)] or "human" for seat in seats}
    return of_game(match, solve_bounded(match.game), people, day_of(day))


def hint(table: Stored) -> list[str]:
    """What the coach says to the player to move: a good move, what it is worth, and why."""
    match = open_table(table).match
    if match is None or match.result is not None:
        raise RefusedError("over", "the game is over")
    coach = Coach(solve_bounded(match.game))
    return [coach.hint(match.state), *coach.why(match.state)]


def audit_game(game: str) -> dict[str, Any]:
    """The audit of a game: its data, and its text as the command prints it."""
    found = audit(load_small_game(game))
    return {"data": as_dict(found), "text": text(found)}


REQUESTS = {
    "board": board,
    "mistakes": find_erring,
    "played": study_game,
    "journal": journal,
    "hint": hint,
    "audit": audit_game,
}
