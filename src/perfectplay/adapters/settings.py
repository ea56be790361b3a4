"""What the environments of several libraries take alike, and how it is checked."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Literal, get_args

from perfectplay.core.errors import BadParameterError, UnknownParameterError
from perfectplay.core.game import Game
from perfectplay.core.wording import listed
from perfectplay.simulate.arguments import game_of, whole

Illegal = Literal["error", "lose", "forfeit"]
"""What an action against the rules does: raise an error, lose the game, or lose the turn."""


def game_with(game: Game[Any] | str, parameters: Mapping[str, Any]) -> Game[Any]:
    """A game with some of its parameters set, as Python or as a spec writes them.

    >>> game_with("inversion-race:first=B", {"cells": 21}).spec, game_with("bit-flip", {"first": 2}).spec
    ('inversion-race:cells=21,first=B', 'bit-flip:first=2')
    """
    rules = game_of(game)
    known, default = [each.name for each in fields(rules)], type(rules)()
    for name, value in parameters.items():
        if name not in known:
            raise UnknownParameterError(rules.name, name, str(value), known)
    # What is left at its default is not said again: that may depend on other parameters.
    said = {name: getattr(rules, name) for name in known if getattr(rules, name) != getattr(default, name)}
    said |= parameters
    texts = {name: str(value) for name, value in said.items() if type(value) in (int, str)}
    others = {name: value for name, value in said.items() if name not in texts}
    return replace(type(rules).from_texts(texts), **others) if others else type(rules).from_texts(texts)


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
