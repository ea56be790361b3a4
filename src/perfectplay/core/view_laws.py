"""The law of views, which show a position to people and programs."""

from collections.abc import Hashable, Iterator
from typing import TypeVar, get_args

from perfectplay.core.game import Game
from perfectplay.core.view import Role, View

S = TypeVar("S", bound=Hashable)


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
    """What a position looks like: the board, the lines below it, and whose turn it is.

    >>> import perfectplay as pp
    >>> game = pp.load("mirror-match:digits=2")
    >>> look(game, game.initial()), look(game, game.parse_state("1 2"))
    ((((),), (), 0), (((('1', ('1',)),),), (), 1))
    """
    view = game.view(state)
    board = tuple(tuple((cell.label, cell.pieces) for cell in row) for row in view.rows)
    return board, view.lines, game.side_to_move(state)
