"""Positions and moves as the JSON data that the server sends. `shapes` describes it."""

from typing import TYPE_CHECKING, Any, Literal

from perfectplay.core.game import Game
from perfectplay.core.match import Entry, Match, Result
from perfectplay.core.outcome import other
from perfectplay.core.view import Cell, TextField, View, changed_cells, placed_cell

if TYPE_CHECKING:  # only types: worker processes need not load pydantic
    from perfectplay.web.shapes import (
        CellShape,
        FieldButtonShape,
        LastShape,
        MoveShape,
        PlacedShape,
        PositionShape,
        ResultShape,
        TextFieldShape,
        ViewShape,
    )

MOST_PLACED = 200
"""The most plies of a game in which pieces are told apart by who placed them."""
ENDINGS = {
    "resignation": "{loser} resigned.",
    "disqualification": "{loser} lost too many turns in a row.",
    "time": "{loser} ran out of time.",
}
"""How games end by other means than their rules."""


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
    changed, placed = _changes(match, ply, view)
    return {
        "game": number,
        "ply": ply,
        "view": view_shape(game, state, view, playable=result is None),
        "side": side,
        "side_name": game.side_names[side],
        "seat": other(side) if swapped else side,
        "legal": legal,
        "last": _last_shape(match, ply, placed),
        "changed": changed,
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
        "why": _why(match.game, result),
        "finished": result.finished,
        "text": result.text(match.game.side_names),
    }


def _why(game: Game[Any], result: Result) -> str:
    """How a game was won, in a sentence."""
    if result.winner is None:
        return ""
    return game.endings.get(result.reason) or ENDINGS.get(result.reason, f"{{winner}} won: {result.reason}.")


def _entry(match: Match[Any], ply: int) -> Entry:
    """The turn that led to a position after the start."""
    if ply == match.plies and match.last.is_ply:
        return match.last
    return next(entry for entry in match.history if entry.is_ply and entry.ply == ply - 1)


def _last_shape(match: Match[Any], ply: int, placed: "PlacedShape | None") -> "LastShape | None":
    if not ply:
        return None
    entry = _entry(match, ply)
    line = match.line(entry)
    kind: Literal["move", "forfeit"] = "forfeit" if entry.kind == "forfeit" else "move"
    return {"side": entry.side, "text": line.text, "kind": kind, "events": line.events, "placed": placed}


def _changes(match: Match[Any], ply: int, view: View) -> "tuple[tuple[int, ...], PlacedShape | None]":
    """The numbers of the cells that the turn before the view changed, and what it put on the board."""
    if not ply:
        return (), None
    before = match.game.view(match.positions[ply - 1])
    changed = changed_cells(before, view, _entry(match, ply).action)
    return changed, _placed_shape(before, view, changed)


def _placed_shape(before: View, after: View, changed: tuple[int, ...]) -> "PlacedShape | None":
    placed = placed_cell(before, after, changed)
    return None if placed is None else {"cell": placed.cell, "adds": placed.adds}


def _all_placed(match: Match[Any]) -> "list[PlacedShape | None]":
    """What each turn of a game put on the board. In a very long game nobody asks, and views take time."""
    if match.plies > MOST_PLACED:
        return [None] * match.plies
    views = [match.game.view(state) for state in match.positions]
    turns = zip(views, views[1:], (entry for entry in match.history if entry.is_ply), strict=False)
    return [
        _placed_shape(before, after, changed_cells(before, after, entry.action))
        for before, after, entry in turns
    ]


def moves_shape(match: Match[Any], *, swapped: bool) -> list["MoveShape"]:
    """The moves of a game."""
    placed = _all_placed(match)
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
