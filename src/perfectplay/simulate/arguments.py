"""Checks arguments of callers: games, integers of any type, and arrays."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perfectplay.core.errors import BadParameterError, IllegalActionError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game, whole_number
from perfectplay.games.registry import load


def as_game(game: Game[Any] | str) -> Game[Any]:
    """Return the game itself, or load it if a spec is given."""
    if isinstance(game, str):
        return load(game)
    if not isinstance(game, Game):
        raise BadParameterError(
            "game", repr(game), "a game or the spec of one, such as bit-flip:bits=12 or ./my_game.py"
        )
    return game


def illegal_error(name: str, game: Game[Any], state: Any, action: Action) -> IllegalActionError:
    """The error for an action that is not legal here; `name` is what the caller called it."""
    refusal = game.refusal(state, action)
    assert refusal is not None  # the caller found it illegal, so the rules do too
    text = quote(game.action_text(state, action))
    return IllegalActionError(f"{name}, {text}: {refusal.text} {game.list_allowed(state)}")


def range_error(name: str, number: object, count: int) -> BadParameterError:
    """The error for a number that should be one of `count` numbers, from 0."""
    return BadParameterError(name, number, f"a whole number from 0 to {count - 1}")


def whole(name: str, number: object, least: int) -> int:
    """Return an integer of at least `least`, or raise an error that names the argument."""
    found = whole_number(number)
    if found is None or found < least:
        raise BadParameterError(name, repr(number), f"a whole number, at least {least}")
    return found


def check_fits(name: str, number: int, size: int) -> None:
    """Raise an error that names the argument if the system cannot provide `size` bytes for its arrays."""
    try:
        bytes(size)  # reserved, but never written to, so it takes no time
    except (MemoryError, OverflowError):
        raise BadParameterError(name, number, f"smaller: its arrays would take {size:,} bytes") from None


def check_actions(actions: ArrayLike, size: int) -> NDArray[Any]:
    """Return the actions of `size` games as an array of integers."""
    try:
        given = np.asarray(actions)
    except ValueError:  # what NumPy raises for rows of different lengths
        raise BadParameterError("actions", "rows of different lengths", f"of shape ({size},)") from None
    if given.dtype.kind not in "iu":
        raise BadParameterError("actions", f"an array of {given.dtype}", "an array of whole numbers")
    if given.shape != (size,):
        raise BadParameterError("actions", f"an array of shape {given.shape}", f"of shape ({size},)")
    return given


def check_mask(where: object, size: int) -> NDArray[np.bool_]:
    """Return the mask of some of `size` games as an array."""
    mask = np.asarray(where)
    if mask.dtype != np.bool_ or mask.shape != (size,):
        shown = f"an array of {mask.dtype} and shape {mask.shape}"
        raise BadParameterError("where", shown, f"an array of bool and shape ({size},)")
    return mask
