"""What the environments of several libraries take alike, and how it is checked."""

from dataclasses import fields
from typing import Any, Literal, get_args

from perfectplay.core.errors import BadParameterError, UnknownParameterError
from perfectplay.core.game import Game
from perfectplay.core.wording import listed
from perfectplay.games.registry import load
from perfectplay.simulate.arguments import whole

Illegal = Literal["error", "lose", "forfeit"]
"""What an action against the rules does: raise an error, lose the game, or lose the turn."""


def game_with(game: Game[Any] | str, parameters: dict[str, Any]) -> Game[Any]:
    """A game with some of its parameters set.

    >>> game_with("inversion-race:first=B", {"cells": 21}).spec
    'inversion-race:cells=21,first=B'
    """
    rules = load(game) if isinstance(game, str) else game
    default = type(rules)()
    known = [each.name for each in fields(rules)]
    for name, value in parameters.items():
        if name not in known:
            raise UnknownParameterError(rules.name, name, str(value), known)
    # What is left at its default is not said again: that may depend on other parameters.
    said = {name: getattr(rules, name) for name in known if getattr(rules, name) != getattr(default, name)}
    return type(rules)(**{**said, **parameters})


def checked_seed(seed: int | None) -> int | None:
    """A seed, if one is given; by themselves the libraries would take True for one, too."""
    return None if seed is None else whole("seed", seed, 0)


def checked_illegal(game: Game[Any], illegal: Illegal) -> Illegal:
    """What an illegal action does, in a game that has a rule for it."""
    if illegal not in get_args(Illegal):
        raise BadParameterError("illegal", illegal, listed(get_args(Illegal)))
    if illegal == "forfeit" and game.after_forfeit(game.initial()) is None:
        raise BadParameterError("illegal", illegal, f"error or lose: no turn is forfeited in {game.title}")
    return illegal


def checked_render_mode(mode: str | None, modes: object) -> str | None:
    """A way to show positions, out of those that a Literal lists; None shows nothing."""
    if mode is not None and mode not in get_args(modes):
        raise BadParameterError("render_mode", mode, f"None, {listed(get_args(modes))}")
    return mode
