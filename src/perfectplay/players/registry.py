"""Finds players: each module in this folder is a player with the same name."""

from importlib import import_module

import perfectplay.players as here
from perfectplay.core.errors import ParseError, UnknownPlayerError
from perfectplay.core.parts import find_class, find_modules
from perfectplay.players.base import ComputerPlayer, Player

_NOT_PLAYERS = frozenset({"base", "registry"})


def player_names() -> tuple[str, ...]:
    """The names of all players, in alphabetical order.

    >>> player_names()
    ('human', 'learned', 'level', 'mcts', 'perfect', 'program', 'random', 'search')
    """
    return tuple(sorted(find_modules(here, _NOT_PLAYERS)))


def player_class(name: str) -> type[Player]:
    """The class of the player called `name`."""
    module = find_modules(here, _NOT_PLAYERS).get(name)
    if module is None:
        raise UnknownPlayerError(name, player_names())
    return find_class(import_module(module), Player)


def load_player(spec: str) -> Player:
    """The player that a spec names.

    >>> load_player("random").spec
    'random'
    """
    name, _, rest = spec.partition(":")
    return player_class(name).from_spec(rest if ":" in spec else None)


def load_computer(spec: str) -> ComputerPlayer:
    """The computer player that a spec names. Raises ParseError for a player that cannot choose moves."""
    name = spec.partition(":")[0]
    if name not in player_names():
        known = [each for each in player_names() if issubclass(player_class(each), ComputerPlayer)]
        raise UnknownPlayerError(name, known)
    player = load_player(spec)
    if not isinstance(player, ComputerPlayer):
        raise ParseError(f"{spec} is not a computer player: only those choose moves by themselves")
    return player


def load_players(specs: tuple[str, str]) -> tuple[Player, Player]:
    """The two players of a series, in the order of their specs."""
    return load_player(specs[0]), load_player(specs[1])
