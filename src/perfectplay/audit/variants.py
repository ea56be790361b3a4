"""A game under its other readings: those of each unclear rule."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from perfectplay.audit.case import Case, prepare
from perfectplay.core.game import Game
from perfectplay.games.examples import WorkedExample
from perfectplay.games.registry import load


def variants(game: Game[Any]) -> Iterator[tuple[str, str, Game[Any]]]:
    """Each reading of each unclear rule: the parameter, the reading, and the game under that reading."""
    for parameter, readings in game.readings().items():
        for reading in readings:
            yield parameter, reading, replace(game, **{parameter: reading})


def elsewhere(case: Case) -> Iterator[tuple[str, Case]]:
    """The game under its other readings, without those that break a law."""
    for parameter, reading, game in variants(case.game):
        if game != case.game and (other := prepare(game)).trusted:
            yield f"{parameter}={reading}", other


def is_standard(case: Case, example: WorkedExample) -> bool:
    """Whether an example is about this game, whatever the readings of either."""
    return _plain(load(example.spec)) == _plain(case.game)


def _plain(game: Game[Any]) -> Game[Any]:
    return replace(game, **{parameter: readings[0] for parameter, readings in game.readings().items()})
