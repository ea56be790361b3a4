"""The rules of a game in words: its rulebook.md, or else the docstring of its class."""

from importlib import resources
from typing import Any

from perfectplay.core.docstrings import docstring
from perfectplay.core.game import Game


def rulebook(game: Game[Any] | type[Game[Any]]) -> str:
    """The rules of a game as Markdown, its parameters and their readings included.

    >>> from perfectplay.games.registry import game_class
    >>> rulebook(game_class("bit-flip")).splitlines()[0]
    '# Bit Flip'
    """
    if not isinstance(game, type):
        return game.own_rules or rulebook(type(game))
    parts = [_text(game).strip()]
    helps = game.parameter_help()
    if helps:
        name = game.source or game.name
        parts.append(f"## Parameters\n\nGiven in the game's spec, as in `{name}:{_example(game)}`.")
        parts.append(
            "\n".join(
                f"- `{each.name}` ({each.allowed}; default {each.default}): {each.doc}" for each in helps
            )
        )
    return "\n\n".join(parts) + "\n"


def summary(thing: type[Any]) -> str:
    """The first line of a class's docstring.

    >>> from perfectplay.games.registry import game_class
    >>> summary(game_class("bit-flip"))
    'Flip bits that have no flipped neighbor; the last to flip wins.'
    """
    return (docstring(thing) or thing.__name__).splitlines()[0]


def _text(game: type[Game[Any]]) -> str:
    package = game.__module__.rpartition(".")[0]
    if package and game.source is None:
        file = resources.files(package).joinpath("rulebook.md")
        if file.is_file():
            return file.read_text("utf-8")
    return f"# {game.title}\n\n{docstring(game)}"


def _example(game: type[Game[Any]]) -> str:
    first = game.parameter_help()[0]
    return f"{first.name}={first.default}"
