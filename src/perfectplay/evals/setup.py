"""What an agent is asked to play, and how it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal, get_args

from perfectplay.core.errors import BadParameterError, ParseError
from perfectplay.core.formatting import join_words
from perfectplay.core.limits import LARGEST_NUMBER
from perfectplay.games.registry import load
from perfectplay.players.registry import load_computer
from perfectplay.strength.points import LARGEST_RATED, PLIES
from perfectplay.validation import validate_game, validate_player

DisguiseName = Literal["none", "words", "arrows"]

MODEL = "model"
"""The opponent that is asked like the agent itself."""

load_game = lru_cache(maxsize=1024)(load)
load_opponent = lru_cache(maxsize=1024)(load_computer)
"""Specs are looked up on disk, which takes longer than a move. Games and players never change."""


@dataclass(frozen=True)
class Setup:
    """A game, an opponent, and how questions are put.

    >>> Setup("bit-flip", moves="listed").moves
    'listed'
    >>> Setup("bit-flip", attempts=0)
    Traceback (most recent call last):
    perfectplay.core.errors.BadParameterError: attempts=0: must be a whole number, at least 1
    """

    game: str
    opponent: str = "level:3"
    attempts: int = 1
    """How many answers may fail in a row before the game is forfeited."""
    moves: Literal["hidden", "listed"] = "hidden"
    """Whether the legal moves are listed."""
    memory: Literal["none", "chat"] = "none"
    """Whether each question stands alone, or the whole conversation is sent."""
    disguise: DisguiseName = "none"
    start: Literal["initial", "balanced"] = "initial"
    seed: int = 0
    plies_limit: int = PLIES

    def __post_init__(self) -> None:
        for name, least in (("attempts", 1), ("seed", 0), ("plies_limit", 1)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value < LARGEST_NUMBER:
                raise BadParameterError(name, value, f"a whole number, at least {least}")
        if not isinstance(self.game, str) or not isinstance(self.opponent, str):
            raise ParseError("a setup names its game and its opponent as texts")
        for each in fields(self):
            choices = get_args(each.type)
            if choices and getattr(self, each.name) not in choices:
                raise BadParameterError(each.name, getattr(self, each.name), join_words(choices))

    @classmethod
    def from_data(cls, data: object) -> "Setup":
        """A setup from the options of a task, or from data, which may hold other things too."""
        if not isinstance(data, Mapping) or "game" not in data:
            raise ParseError("a setup needs a game")
        return cls(**{each.name: data[each.name] for each in fields(cls) if each.name in data})

    def validate(self) -> "Setup":
        """This setup, if data may name its game and opponent.

        >>> Setup("bit-flip", "program:rm -r games").validate()
        Traceback (most recent call last):
        perfectplay.core.errors.ParseError: "program:rm -r games" is not allowed here: it would run a program
        """
        validate_game(self.game, LARGEST_RATED)
        if self.opponent != MODEL:
            validate_player(self.opponent)
        return self
