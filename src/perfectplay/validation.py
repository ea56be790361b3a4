"""Which games and players data from elsewhere may name.

Your own input and programs may name a game file, an environment or a
program. Everything else is data: a log, a dataset, a record, a client, a page, a link. It goes through
here, so that reading it runs nothing but this package, and a game that it names is of a bounded size.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perfectplay.core.errors import BadParameterError, ParseError, WrongTypeError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game
from perfectplay.core.limits import LARGEST_PLAYED, LONGEST_SPEC, MOST_WORK
from perfectplay.core.spec import split_spec
from perfectplay.games.registry import load_bounded
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_computer


@dataclass(frozen=True)
class Trusted:
    """What data may name because the user has: paths of game files, and loaded games by their specs."""

    files: Collection[str] = ()
    games: dict[str, Game[Any]] = field(default_factory=dict)


NOTHING = Trusted()


def validate_game(spec: object, largest: int = LARGEST_PLAYED, trusted: Trusted = NOTHING) -> Game[Any]:
    """The game that data names: built in, installed or trusted, with no number above `largest`."""
    name = split_spec(_text(spec))[0]
    named = name.endswith(".py") and str(Path(name).resolve()) in trusted.files
    return load_bounded(_text(spec), largest, "play", allow_paths=named, offered=trusted.games)


def validate_player(spec: object) -> ComputerPlayer:
    """The computer player that data names: it runs no program, reads no file and does not think for long."""
    player = load_computer(_text(spec))
    if getattr(player, "file", ""):
        raise ParseError(f"{quote(_text(spec), 100)} is not allowed here: it would read a file")
    if player.runs_commands:
        raise ParseError(f"{quote(_text(spec), 100)} is not allowed here: it would run a program")
    for name, most in MOST_WORK.items():
        if getattr(player, name, 0) > most:
            raise BadParameterError(name, getattr(player, name), f"at most {most:,} here")
    return player


def _text(spec: object) -> str:
    if not isinstance(spec, str):
        raise WrongTypeError('a spec, such as "bit-flip:bits=12" or "level:3"', spec)
    if len(spec) > LONGEST_SPEC or not spec.isprintable():
        raise ParseError(f"a spec must be one line of at most {LONGEST_SPEC:,} characters")
    return spec
