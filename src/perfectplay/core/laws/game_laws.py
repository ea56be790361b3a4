"""The laws of a game itself and of its views; `state_laws.py` has those of its positions."""

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields
from typing import Any, get_args

from perfectplay.core.game import Game, S
from perfectplay.core.spec import split_spec
from perfectplay.core.view import Role, View


def _names(game: Game[Any]) -> Iterator[str]:
    if not all(name and name.isprintable() for name in (game.name, game.title)):
        yield "name and title must not be empty, and each must be one line"
    first, second = game.side_names
    fitting = re.compile(r"(?!result$|[0-9]+\. )[^:\s][^:]*").fullmatch
    named = all(name.isprintable() and fitting(name) for name in (first, second))
    if first.casefold().split() == second.casefold().split() or not named:
        names = game.side_names
        yield f"side names must be two different lines without a colon, fit for a record, not {names}"
    for name in (*game.event_names, *game.outcome_reasons, *game.refusal_names):
        if not fits_a_record(name) or "," in name:
            yield f"the declared name {name!r} cannot be used in a record"
    if unknown := sorted(set(game.texts().endings) - set(game.outcome_reasons)):
        yield f"endings has {unknown}, which outcome_reasons does not have"
    if not isinstance(game.num_actions, int) or game.num_actions < 1:
        yield f"num_actions must be a whole number, at least 1, not {game.num_actions!r}"


def _initial(game: Game[Any]) -> Iterator[str]:
    if game.initial() != game.initial():
        yield "initial() gives a different position each time"
    hash(game.initial())


def _spec(game: Game[Any]) -> Iterator[str]:
    _, rest = split_spec(game.spec)
    again = type(game).from_spec(rest)
    if again != game or again.spec != game.spec or hash(again) != hash(game):
        yield f"{game.spec} loads to a different game, {again!r}"


def _readings(game: Game[Any]) -> Iterator[str]:
    for name, values in game.readings().items():
        for value in values:
            type(game).from_texts({name: value})
        if values and getattr(type(game)(), name) != values[0]:
            yield f"the first reading of {name}, {values[0]}, is not its default"


def _first(game: Game[Any]) -> Iterator[str]:
    if any(each.name == "first" for each in fields(game)) and None in (game.starting(0), game.starting(1)):
        yield "there is a parameter first, but starting() does not let either side start"
    for side in (0, 1):
        started = game.starting(side)
        if started is not None and started.side_to_move(started.initial()) != side:
            yield f"{started.spec} ignores who should start: {game.side_names[side]} does not move first"


GAME_LAWS: dict[str, Callable[[Game[Any]], Iterator[str]]] = {
    "names": _names,
    "initial": _initial,
    "spec": _spec,
    "readings": _readings,
    "first": _first,
}


def fits_a_record(text: str) -> bool:
    """Whether a text can stand for a move or an event in a record."""
    return bool(text) and text.isprintable() and not any(mark in f"{text} " for mark in (" -> ", "{", "}"))


def view_law(game: Game[S], state: S) -> Iterator[str]:
    """What is wrong with the view of a position: its numbers, moves, goals and added cells."""
    view = game.view(state)
    if any(type(number) is not int for _, number in view.numbers):
        yield f"the numbers {view.numbers} of the view are not all whole numbers"
    if len(dict(view.numbers)) < len(view.numbers):
        yield f"two of the numbers {view.numbers} of the view have the same name"
    legal = game.legal_actions(state)
    offered = [cell.action for cell in view.cells if cell.action is not None]
    offered += [control.action for control in view.controls]
    if not set(offered) <= set(legal):
        yield f"the view offers {sorted(set(offered) - set(legal))}, which are not legal"
    forbidden = {cell.forbidden for cell in view.cells if cell.forbidden is not None}
    if forbidden & set(legal):
        yield f"the view calls {sorted(forbidden & set(legal))} forbidden, which are legal"
    if set(legal) - set(offered) and not game.is_forced_pass(state):
        yield f"the view offers no way to play {sorted(set(legal) - set(offered))}"
    yield from _goals(view)
    adding = {
        each.adds: each.action for each in view.controls if each.adds is not None and each.action in legal
    }
    for added, action in adding.items():  # one move for each cell: making a view is slow
        new = [cell.pieces for cell in game.view(game.apply(state, action)).cells]
        if added not in range(len(new)) or new[:added] + new[added + 1 :] != [c.pieces for c in view.cells]:
            yield f"action {action} does not add cell {added} to the board and leave the rest as it was"


def _goals(view: View) -> Iterator[str]:
    """What is wrong with the parts of a view that tell people what the game is about."""
    for cell in view.cells:
        if cell.role not in get_args(Role) or cell.owner not in (0, 1, None):
            yield f"cell {cell.label} has the role {cell.role!r} and the owner {cell.owner!r}"
    if any(end not in range(len(view.cells)) for link in view.links for end in link[:2]):
        yield f"the links {view.links} of the view are not all between cells"
    if not set(view.on_board) <= set(view.captions):
        yield f"the view says that the board shows {view.on_board}, which are not all captions"
    if len(view.aims) != 2 or not all(text.isprintable() for text in (*view.aims, view.note)):
        yield f"the aims {view.aims!r} and the note {view.note!r} of the view are not one line each"


def look(game: Game[S], state: S) -> tuple[Hashable, ...]:
    """What a position looks like: the board, the lines below it, and whose turn it is."""
    view = game.view(state)
    board = tuple(tuple((cell.label, cell.pieces) for cell in row) for row in view.rows)
    return board, view.lines, game.side_to_move(state)
