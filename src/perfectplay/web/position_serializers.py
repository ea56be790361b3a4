"""Positions and moves as the JSON data that the server sends. `shapes` describes it."""

from typing import TYPE_CHECKING, Any, Literal

from perfectplay.core.game import Game
from perfectplay.core.match import Entry, Match, Result
from perfectplay.core.outcome import other
from perfectplay.core.view import Cell, TextField, View, changed_cells

if TYPE_CHECKING:  # only types: worker processes need not load pydantic
    from perfectplay.web.shapes import (
        CellShape,
        FieldButtonShape,
        LastShape,
        MoveShape,
        PositionShape,
        ResultShape,
        TextFieldShape,
        ViewShape,
    )


def view_shape(game: Game[Any], state: Any, view: View, *, playable: bool) -> "ViewShape":
    """The view of a position. Only legal moves have an action, and only if it is `playable`."""
    legal = set(game.legal_actions(state)) if playable else frozenset[int]()

    def text(action: int | None) -> str | None:
        return game.action_text(state, action) if action in legal and action is not None else None

    def why(action: int | None) -> str | None:
        return game.prohibition(state, action).text if playable and action is not None else None

    def drawn(cell: Cell) -> "CellShape":
        shape: CellShape = {
            "label": cell.label,
            "pieces": cell.pieces,
            "action": cell.action if cell.action in legal else None,
            "text": text(cell.action),
            "why": why(cell.forbidden),
        }
        if cell.role:
            shape["role"], shape["owner"] = cell.role, cell.owner
        return shape

    return {
        "rows": [[drawn(cell) for cell in row] for row in view.rows],
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
        "text_field": _text_field_shape(view.text_field) if playable and view.text_field else None,
        "links": [{"a": a, "b": b, "matched": matched} for a, b, matched in view.links],
        "aims": view.aims,
        "note": view.note,
        "on_board": view.on_board,
    }


def _text_field_shape(field: TextField) -> "TextFieldShape":
    buttons: list[FieldButtonShape] = [{"label": label, "ending": ending} for label, ending in field.buttons]
    return {"wants": field.wants, "buttons": buttons}


def position_shape(
    match: Match[Any],
    ply: int,
    *,
    number: int,
    swapped: bool = False,
    unfinished: str | None = None,
    ended: bool = True,
) -> "PositionShape":
    """A position of a game. Only its last position has the result of the game.

    `unfinished` says why the game ended without one. With `ended` False, the game goes on from here.
    """
    game = match.game
    latest = ply == match.plies
    state = match.state if latest else match.positions[ply]
    view = game.view(state)
    result = result_shape(match, swapped, unfinished) if latest and ended else None
    side = game.side_to_move(state)
    legal = [] if result else [game.action_text(state, action) for action in game.legal_actions(state)]
    return {
        "game": number,
        "ply": ply,
        "view": view_shape(game, state, view, playable=result is None),
        "side": side,
        "side_name": game.side_names[side],
        "seat": other(side) if swapped else side,
        "legal": legal,
        "last": _last_shape(match, ply),
        "changed": _changed(match, ply, view),
        "state": game.state_text(state),
        "result": result,
    }


def is_end(match: Match[Any], ply: int) -> bool:
    """Whether the rules end a game there. A game that ended in another way can be continued."""
    if ply < match.plies:
        return False
    return match.result is not None and (not match.history or match.last.is_ply)


def result_shape(match: Match[Any], swapped: bool, unfinished: str | None) -> "ResultShape | None":
    """How a game ended, with `unfinished` the reason if it has no result; None if it goes on."""
    result = match.result
    if result is None:
        if unfinished is None:
            return None
        result = Result(None, unfinished, finished=False)
    winner = result.winner
    seat = None if winner is None else other(winner) if swapped else winner
    return {
        "winner_seat": seat,
        "winner_side": winner,
        "reason": result.reason,
        "finished": result.finished,
        "text": result.text(match.game.side_names),
    }


def _entry(match: Match[Any], ply: int) -> Entry:
    """The turn that led to a position after the start."""
    if ply == match.plies and match.last.is_ply:
        return match.last
    return next(entry for entry in match.history if entry.is_ply and entry.ply == ply - 1)


def _last_shape(match: Match[Any], ply: int) -> "LastShape | None":
    if not ply:
        return None
    entry = _entry(match, ply)
    line = match.line(entry)
    kind: Literal["move", "forfeit"] = "forfeit" if entry.kind == "forfeit" else "move"
    return {"side": entry.side, "text": line.text, "kind": kind, "events": line.events}


def _changed(match: Match[Any], ply: int, view: View) -> tuple[int, ...]:
    """The numbers of the cells that the turn before the view changed."""
    if not ply:
        return ()
    before = match.game.view(match.positions[ply - 1])
    return changed_cells(before, view, _entry(match, ply).action)


def moves_shape(match: Match[Any], *, swapped: bool) -> list["MoveShape"]:
    """The moves of a game."""
    return [
        {
            "ply": line.ply,
            "side": entry.side,
            "seat": other(entry.side) if swapped else entry.side,
            "text": line.text,
            "kind": entry.kind,
            "events": line.events,
        }
        for entry, line in zip(match.history, match.record().moves, strict=True)
        if entry.kind != "abandon"  # at a table, that is not a move
    ]
