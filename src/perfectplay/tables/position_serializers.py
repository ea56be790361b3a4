"""Positions and moves as the JSON data that the server sends. `position_schemas` describes it."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from perfectplay.core.endings import reason
from perfectplay.core.game import Game
from perfectplay.core.match import Entry, Match, Result
from perfectplay.core.outcome import other
from perfectplay.core.view import Cell, Placed, View, compare_cells, describe_placing, find_placed_cell
from perfectplay.tables.encoding import dumps
from perfectplay.tables.limits import MOST_TEXTS

if TYPE_CHECKING:  # only types: worker processes need not load pydantic
    from perfectplay.tables import position_schemas as schemas


class PositionSource(NamedTuple):
    """A position and how it came about: everything that its JSON depends on, wherever it is in a game."""

    game: Game[Any]
    state: Any
    before: Any
    """The position before the last turn; None at the start."""
    entry: Entry | None
    """The last turn, without its place in the game."""
    result: Result | None
    swapped: bool


def serialize_view(game: Game[Any], state: Any, view: View, *, playable: bool) -> "schemas.ViewSchema":
    """The view of a position. Only legal moves have an action, and only if it is `playable`."""
    legal = set(game.legal_actions(state)) if playable else frozenset[int]()
    field = view.text_field if playable else None

    def cell_of(cell: Cell) -> "schemas.CellSchema":
        action = cell.action if cell.action in legal else None
        refused = None if cell.forbidden is None or not playable else game.prohibition(state, cell.forbidden)
        data: schemas.CellSchema = {
            "label": cell.label,
            "pieces": cell.pieces,
            "action": action,
            "text": None if action is None else game.action_text(state, action),
            "why": refused and refused.text,
        }
        if cell.role:
            data["role"], data["owner"] = cell.role, cell.owner
        return data

    return {
        "rows": [[cell_of(cell) for cell in row] for row in view.rows],
        "controls": [
            {
                "label": control.label,
                "action": control.action,
                "text": game.action_text(state, control.action),
                "group": control.group,
                "adds": control.adds,
            }
            for control in view.controls
            if control.action in legal
        ],
        "captions": view.lines,
        "sides": view.sides,
        "hollow": view.hollow,
        "text_field": field
        and {
            "wants": field.wants,
            "buttons": [{"label": label, "ending": ending} for label, ending in field.buttons],
        },
        "links": [cast("schemas.LinkSchema", link._asdict()) for link in view.links],
        "aims": view.aims,
        "note": view.note,
        "on_board": view.on_board,
    }


def serialize_position(
    match: Match[Any],
    ply: int,
    *,
    number: int,
    swapped: bool = False,
    unfinished: str | None = None,
    ended: bool = True,
) -> "schemas.PositionSchema":
    """A position of a game. Only its last position has the result of the game.

    `unfinished` says why the game ended without one. With `ended` False, the game continues from here.
    """
    turn = position_source(match, ply, swapped, unfinished, ended)
    return {**_serialize_source(turn), "game": number, "ply": ply}


def position_text(turn: PositionSource, number: int, ply: int) -> bytes:
    """A position after `ply` plies of a game, as JSON."""
    return b'{"game":%d,"ply":%d%b' % (number, ply, _source_text(turn))


@lru_cache(MOST_TEXTS)
def _source_text(turn: PositionSource) -> bytes:
    """The JSON of a position, from behind its place in a game on."""
    return dumps(_serialize_source(turn)).removeprefix(b'{"game":0,"ply":0')


def position_source(
    match: Match[Any], ply: int, swapped: bool, unfinished: str | None, ended: bool = True
) -> PositionSource:
    """The turn that led to a position of a game; the arguments are those of `serialize_position`."""
    latest = ply == match.plies
    result = result_of(match, unfinished) if latest and ended else None
    if not ply:
        return PositionSource(match.game, match.position(0), None, None, result, swapped)
    entry = match.last if latest and match.last.is_ply else None
    if entry is None:
        entry = next(entry for entry in match.history if entry.is_ply and entry.ply == ply - 1)
    before, entry = match.position(ply - 1), entry._replace(ply=0)
    return PositionSource(match.game, match.position(ply), before, entry, result, swapped)


def _serialize_source(turn: PositionSource) -> "schemas.PositionSchema":
    """A position, with 0 for its place in a game."""
    game, state, result = turn.game, turn.state, turn.result
    view = game.view(state)
    side = game.side_to_move(state)
    legal = [] if result else [game.action_text(state, action) for action in game.legal_actions(state)]
    changed: tuple[int, ...] = ()
    last: schemas.LastSchema | None = None
    if turn.entry is not None:
        before, action = game.view(turn.before), turn.entry.action
        changed = compare_cells(before, view, action)
        last = {
            "side": turn.entry.side,
            "text": "forfeit" if action is None else game.action_text(turn.before, action),
            "kind": "forfeit" if action is None else "move",
            "events": () if action is None else game.events(turn.before, action),
            "placed": _serialize_placed(find_placed_cell(before, view, changed), before, action),
        }
    return {
        "game": 0,
        "ply": 0,
        "view": serialize_view(game, state, view, playable=result is None),
        "side": side,
        "side_name": game.side_names[side],
        "seat": other(side) if turn.swapped else side,
        "legal": legal,
        "last": last,
        "changed": changed,
        "state": game.state_text(state),
        "result": serialize_result(game, result, turn.swapped),
    }


def is_end(match: Match[Any], ply: int) -> bool:
    """Whether the rules end a game there. A game that ended in another way can be continued."""
    if ply < match.plies:
        return False
    return match.result is not None and (not match.history or match.last.is_ply)


def result_of(match: Match[Any], unfinished: str | None) -> Result | None:
    """How a game ended, with `unfinished` the reason if it has no result; None if it continues."""
    if match.result is None and unfinished is not None:
        return Result(None, unfinished, finished=False)
    return match.result


def serialize_result(game: Game[Any], result: Result | None, swapped: bool) -> "schemas.ResultSchema | None":
    """How a game ended; None if it continues."""
    if result is None:
        return None
    winner = result.winner
    return {
        "winner_seat": None if winner is None else other(winner) if swapped else winner,
        "winner_side": winner,
        "reason": result.reason,
        "why": reason(game, result),
        "finished": result.finished,
        "text": result.text(game.side_names),
    }


def _serialize_placed(
    placed: Placed | None, before: View, action: int | None
) -> "schemas.PlacedSchema | None":
    if placed is None:
        return None
    data: schemas.PlacedSchema = {"cell": placed.cell, "adds": placed.adds}
    if (words := describe_placing(before, action)) is not None:
        # In an empty row both ends are the same.
        data["words"] = words if before.cells else words.partition(" ")[0]
    return data


def serialize_moves(match: Match[Any], *, swapped: bool) -> list["schemas.MoveSchema"]:
    """The moves of a game."""
    turns = [entry for entry in match.history if entry.is_ply]
    placed = [
        _serialize_placed(each, match.game.view(match.position(ply)), turns[ply].action)
        for ply, each in enumerate(match.placements())
    ]
    return [
        {
            "ply": line.ply,
            "side": entry.side,
            "seat": other(entry.side) if swapped else entry.side,
            "text": line.text,
            "kind": entry.kind,
            "events": line.events,
            "placed": None if line.ply is None else placed[line.ply - 1],
        }
        for entry, line in zip(match.history, match.record().moves, strict=True)
        if entry.kind != "abandon"  # at a table, that is not a move
    ]
