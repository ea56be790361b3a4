"""The readings of a game's unclear rules, side by side."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from perfectplay.audit.case import Case, prepare
from perfectplay.core.formatting import join_words, pluralize
from perfectplay.core.game import Game
from perfectplay.core.outcome import other
from perfectplay.games.examples import WorkedExample
from perfectplay.games.registry import load

BROKEN = "breaks a law"
"""The result of a game that breaks a law, so that no result can be trusted."""


class Reading(NamedTuple):
    """What the game is like under one reading of an unclear rule."""

    parameter: str
    reading: str
    spec: str
    positions: int | None
    """The number of positions; None if there are too many to visit and no table base counts them."""
    result: str
    """The winner under perfect play, or that it is a tie, endless, undecided or not known."""
    outlook: str
    """The result with the number of plies."""
    examples: dict[str, str | None]
    """For each worked example: what fails, or None if it holds."""

    @property
    def name(self) -> str:
        """The reading as written in a spec, or a note that the game has no unclear rules."""
        return f"{self.parameter}={self.reading}" if self.parameter else "as written"


@lru_cache(maxsize=16)
def readings(case: Case) -> tuple[Reading, ...]:
    """Every reading of every unclear rule, with the other rules unchanged.

    A game with examples but no unclear rules has one row, without a parameter.
    """
    rows = []
    standard = [example for example in case.examples if is_standard(case, example)]
    for parameter, reading, game in list(variants(case.game)) or ([("", "", case.game)] if standard else []):
        variant = case if game == case.game else prepare(game)
        rows.append(
            Reading(
                parameter,
                reading,
                game.spec,
                variant.positions,
                *outlook(variant),
                {example.name: example.problem(game) for example in standard},
            )
        )
    return tuple(rows)


def outlook(case: Case) -> tuple[str, str]:
    """The result of perfect play from the start, without and with its number of plies."""
    if not case.trusted:
        laws = join_words([each.law for each in case.broken], "and")
        return BROKEN, f"breaks the law of {laws}"
    if case.undecided:
        return "undecided", "undecided (a dead end has no result)"
    value = case.value(0)
    if value is None:
        return "not known", "not known"
    if value.kind in ("win", "loss"):
        starter = case.game.side_to_move(case.graph.states[0])
        winner = starter if value.kind == "win" else other(starter)
        result = f"{case.game.side_names[winner]} wins"
    else:
        result = value.kind
    if value.plies is None:
        return result, result
    return result, f"{result} in {plural(value.plies)}"


def plural(plies: int) -> str:
    """Format a number of plies."""
    return pluralize(plies, "ply", "plies")


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
