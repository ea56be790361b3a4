"""Which games, computer players and moves the server accepts from clients."""

import re
from functools import lru_cache
from typing import Any, Literal

from perfectplay.core.errors import BadParameterError, UnknownGameError
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.games.registry import names
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.learned import LearnedPlayer
from perfectplay.players.level import LevelPlayer
from perfectplay.players.registry import load_player
from perfectplay.tables import limits
from perfectplay.validation import validate_game, validate_player

COMPUTER = "Computer"
"""How the names of computer players begin. No person may have such a name."""
OPPONENTS = ("learned", "level", "perfect", "random")

Plies = tuple[tuple[Literal["move", "forfeit"], str], ...]
"""The kind and the text of each ply, enough to play them again."""


@lru_cache(maxsize=256)
def load_small_game(spec: str) -> Game[Any]:
    """A registered game whose board is small enough to draw; the same object for the same spec."""
    if len(spec) > limits.LONGEST_TABLE_SPEC or not spec.isprintable():
        raise BadParameterError("game", spec, f"a spec of at most {limits.LONGEST_TABLE_SPEC} characters")
    for parameter, value in re.findall("([^:,=]+)=([^,]*)", spec):
        # Before the game is made: a board of that size might not even fit into memory.
        if any(int(number) > limits.MOST_CELLS for number in re.findall("[0-9]+", value)):
            raise BadParameterError(parameter, value, f"at most {limits.MOST_CELLS}")
    name = spec.partition(":")[0]
    if name not in names():
        raise UnknownGameError(name, names())
    game = validate_game(spec, limits.MOST_CELLS)
    start = game.initial()
    if limits.cells(game, start) > limits.MOST_CELLS or len(game.view(start).controls) > limits.MOST_CELLS:
        raise BadParameterError(
            "game", spec, f"a game of at most {limits.MOST_CELLS} cells and {limits.MOST_CELLS} buttons"
        )
    return game


@lru_cache(maxsize=256)
def validate_opponent(spec: str, game: Game[Any]) -> ComputerPlayer:
    """The computer player that a client asks for in a game."""
    if spec.partition(":")[0] not in OPPONENTS or len(spec) > limits.LONGEST_TABLE_SPEC:
        raise BadParameterError("opponent", spec, "level:1 to level:10, learned, perfect or random")
    player = validate_player(spec)
    if isinstance(player, LearnedPlayer):
        player.prepare(game)  # which has a trained policy, or not
    return player


def is_solved_for(player: ComputerPlayer) -> bool:
    """Whether a player that clients may ask for needs the game solved.

    >>> is_solved_for(LevelPlayer(3)), is_solved_for(LearnedPlayer())
    (True, False)
    """
    return player.name not in ("learned", "random")


def computer_name(spec: str) -> str:
    """The name of a computer player at a table."""
    player = load_player(spec)
    strength = f"level {player.strength}" if isinstance(player, LevelPlayer) else player.name
    return f"{COMPUTER} ({strength})"


def is_custom(game: Game[Any]) -> bool:
    """Whether a game has parameters other than its defaults."""
    return ":" in game.spec


def plies_of(match: Match[Any]) -> Plies:
    """All plies of a game."""
    return tuple(
        ("forfeit" if entry.kind == "forfeit" else "move", match.line(entry).text)
        for entry in match.history
        if entry.is_ply
    )
