"""What callers hand in: games and whole numbers, whatever their type."""

from operator import index
from typing import Any

import numpy as np

from perfectplay.core.errors import BadParameterError
from perfectplay.core.game import Game
from perfectplay.games.registry import load


def game_of(game: Game[Any] | str) -> Game[Any]:
    """A game, or the one that a spec names.

    >>> game_of("bit-flip:bits=4").num_actions
    4
    """
    if isinstance(game, str):
        return load(game)
    if not isinstance(game, Game):
        raise BadParameterError("game", repr(game), "a game or the spec of one, such as bit-flip:bits=12")
    return game


def whole_number(value: object) -> int | None:
    """A whole number of any type as an int, an array without axes included; None for anything else.

    >>> whole_number(np.int8(3)), whole_number(np.array(3)), whole_number(True), whole_number(3.0)
    (3, 3, None, None)
    """
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole(name: str, number: object, least: int) -> int:
    """A whole number of at least `least`, or the error that names the argument.

    >>> whole("seed", -1, 0)
    Traceback (most recent call last):
        ...
    perfectplay.core.errors.BadParameterError: seed=-1: must be a whole number, at least 0
    """
    found = whole_number(number)
    if found is None or found < least:
        raise BadParameterError(name, repr(number), f"a whole number, at least {least}")
    return found
