"""Bit Flip as a sum of games: node Kayles on a path.

A flip splits a run of free bits and blocks its neighbors, so a position is the sum of its runs, and
each run is worth its Grundy value. The player to move loses exactly when the nim-sum of these values
is 0. The values repeat with period 34 from length 52 on, so rows of any length are solved.
"""

import re
from functools import cache
from typing import NamedTuple

from perfectplay.core.game import Action
from perfectplay.core.theory import Theory
from perfectplay.core.value import Value
from perfectplay.games.bit_flip.rules import BitFlip, State

REGULAR_FROM, PERIOD = 52, 34

_WIN, _LOSS = Value("win"), Value("loss")


class Run(NamedTuple):
    """Consecutive bits that can all still be flipped."""

    start: int
    length: int


class BitFlipTheory(Theory[State]):
    """Win or loss of any position, and every winning flip. Distances are not known."""

    game: BitFlip

    def runs(self, state: State) -> tuple[Run, ...]:
        """The runs of free bits, from left to right."""
        free = f"{self.game.free(state):b}"[::-1]
        return tuple(Run(found.start(), found.end() - found.start()) for found in re.finditer("1+", free))

    def nim_sum(self, state: State) -> int:
        """The nim-sum (bitwise XOR) of the Grundy values of the runs."""
        total = 0
        for run in self.runs(state):
            total ^= grundy(run.length)
        return total

    def value(self, state: State) -> Value:
        return _WIN if self.nim_sum(state) else _LOSS

    def moves(self, state: State) -> tuple[tuple[Action, Value], ...]:
        total = self.nim_sum(state)
        found: list[tuple[Action, Value]] = []
        for start, length in self.runs(state):
            wanted = total ^ grundy(length)
            found += [
                (action, _LOSS if rest != wanted else _WIN)
                for action, rest in enumerate(split_values(length), start=start)
            ]
        return tuple(found)

    def best(self, state: State) -> tuple[Action, ...]:
        """All winning flips; in a lost position, all flips."""
        moves = self.moves(state)
        return tuple(i for i, value in moves if value is _WIN) or tuple(i for i, _ in moves)

    def count_best(self, state: State) -> int:
        total = self.nim_sum(state)
        if not total:
            return len(self.game.legal_actions(state))
        return sum(_count(length, total ^ grundy(length)) for _, length in self.runs(state))


def grundy(length: int) -> int:
    """The Grundy value of a run."""
    table = _table()
    return table[length if length < len(table) else REGULAR_FROM + (length - REGULAR_FROM) % PERIOD]


def split_values(length: int) -> list[int]:
    """The Grundy value that each flip in a run leaves, from left to right."""
    table = list(_table()[:length])
    while len(table) < length:  # each round appends whole periods and doubles their number
        table += table[REGULAR_FROM:][: length - len(table)]
    left = [0, *table[: length - 1]]
    return [a ^ b for a, b in zip(left, reversed(left), strict=True)]


@cache
def _table() -> tuple[int, ...]:
    """The values up to the end of the first regular period, computed from the recurrence."""
    values: list[int] = []
    for length in range(REGULAR_FROM + PERIOD):
        options = {values[max(i - 1, 0)] ^ values[max(length - i - 2, 0)] for i in range(length)}
        values.append(next(value for value in range(length + 1) if value not in options))
    return tuple(values)


@cache
def _count(length: int, wanted: int) -> int:
    return split_values(length).count(wanted)
