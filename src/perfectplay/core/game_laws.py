"""The laws of a game itself, one function per law; `laws.py` has those of its positions."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from perfectplay.core.game import Game
from perfectplay.core.spec import split_spec


def _names(game: Game[Any]) -> Iterator[str]:
    if not all(name and name.isprintable() for name in (game.name, game.title)):
        yield "name and title must not be empty, and each must be one line"
    first, second = game.side_names
    if first.casefold().split() == second.casefold().split() or not all(
        _is_side_name(name) for name in (first, second)
    ):
        names = game.side_names
        yield f"side names must be two different lines without a colon, fit for a record, not {names}"
    for name in (*game.event_names, *game.outcome_reasons, *game.refusal_names):
        if not fits_a_record(name) or "," in name:
            yield f"the declared name {name!r} cannot be used in a record"
    if unknown := sorted(set(game.texts().endings) - set(game.outcome_reasons)):
        yield f"endings has {unknown}, which outcome_reasons does not have"
    if not isinstance(game.num_actions, int) or game.num_actions < 1:
        yield f"num_actions must be a whole number, at least 1, not {game.num_actions!r}"


def _is_side_name(name: str) -> bool:
    return name.isprintable() and bool(re.fullmatch(r"(?!result$|[0-9]+\. )[^:\s][^:]*", name))


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
