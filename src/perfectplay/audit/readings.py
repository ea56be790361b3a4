"""The readings of a game's unclear rules, side by side."""

from functools import lru_cache
from typing import NamedTuple

from perfectplay.audit.case import Case, is_standard, prepare, variants
from perfectplay.core.outcome import other
from perfectplay.core.wording import counted, listed

BROKEN = "breaks a law"
"""The result of a game of which no result can be trusted."""


class Reading(NamedTuple):
    """What one reading of an unclear rule makes of the game."""

    parameter: str
    reading: str
    spec: str
    positions: int | None
    """How many there are; None where they are too many to visit."""
    result: str
    """Who wins under perfect play, or that it is a tie, endless or not known."""
    outlook: str
    """The same with its length."""
    examples: dict[str, str | None]
    """For each worked example, what does not hold of it; None for one that holds."""

    @property
    def name(self) -> str:
        """The reading as a spec spells it; for a game without unclear rules, that it has none."""
        return f"{self.parameter}={self.reading}" if self.parameter else "as written"


@lru_cache(maxsize=16)
def readings(case: Case) -> tuple[Reading, ...]:
    """Every reading of every unclear rule, the others left as they are.

    A game that has examples and no unclear rules has one row, without a parameter.

    >>> import perfectplay as pp
    >>> for row in readings(prepare(pp.load("race-to-the-center"))):
    ...     print(row.reading, row.positions, row.outlook)
    adjacent 31 Player 2 wins in 6 plies
    sudden-death 30 Player 1 wins in 5 plies
    full-turn 32 Player 2 wins in 6 plies
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
                variant.visited if variant.whole else None,
                *outlook(variant),
                {example.name: example.problem(game) for example in standard},
            )
        )
    return tuple(rows)


def outlook(case: Case) -> tuple[str, str]:
    """The result of perfect play from the start, and the same with its length."""
    if not case.trusted:
        laws = listed([each.law for each in case.broken], "and")
        return BROKEN, f"breaks the law of {laws}"
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
    """A number of plies in words.

    >>> plural(1), plural(3)
    ('1 ply', '3 plies')
    """
    return counted(plies, "ply", "plies")
