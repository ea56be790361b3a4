"""A game as a table of numbers, which is all that comes out of the sandbox."""

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from perfectplay_foreign.adapter import Move, move_from_json
from perfectplay_foreign.protocol import plain

WINS, TIE, OPEN = (-1, -2), -3, -4
"""Targets that are not positions: won by either side, a tie, and what is not known."""
ARRAYS = {"sides": "b", "offsets": "q", "actions": "l", "targets": "l", "looks": "l"}
"""The columns of a table, with the types of their numbers."""


def end_target(side: int, reward: float) -> int:
    """The target of a move that ends the game with a reward for the side that made it."""
    return TIE if not reward else WINS[side if reward > 0 else 1 - side]


def rest_text(*, blocked: bool, tried: bool) -> str:
    """Why a table is not whole, as the end of a sentence."""
    if tried:
        return "moves can only be tried here, so there may be more"
    return "the rest could not be visited because of errors" if blocked else "there are more"


class TransitionTable:
    """Positions, numbered from the start: who moves, the legal actions, and where they lead.

    The moves of position i are `actions[offsets[i]:offsets[i + 1]]`. Positions without offsets were reached
    but not visited.
    """

    def __init__(self) -> None:
        self.sides = array("b")
        self.offsets = array("q", [0])
        self.actions = array("l")
        self.targets = array("l")
        self.looks = array("l")
        """A number for what is observed in each position: the same number, the same observation."""
        self.names: tuple[Move, ...] = ()
        """What the environment calls each action."""
        self.merges = 0
        self.open_positions: set[int] = set()
        """Positions that cannot be visited, because their moves cannot be listed."""
        self.tried = False
        """Whether moves were not listed but tried, so that any position may have others."""
        self.pictures: list[str] = []
        self.drawn: list[int] = []
        """For each position, the number of the picture that the environment draws of it; -1 for none."""
        self.rules = ""
        """What the environment says about itself."""

    @property
    def visited(self) -> int:
        """How many positions were visited with all of their moves."""
        return len(self.offsets) - 1

    @property
    def whole(self) -> bool:
        """Whether nothing is left open."""
        missing = OPEN in self.targets or self.open_positions or self.tried
        return not missing and self.visited == len(self.sides)

    @property
    def blocked(self) -> bool:
        """Whether only errors of the environment kept the rest from being visited: more moves do not help."""
        return self.visited == len(self.sides) and not self.whole and not self.tried

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The targets in use that are not positions."""
        return tuple(sorted({target for target in self.targets if target < 0}, reverse=True))

    def picture(self, number: int) -> tuple[str, ...]:
        """The lines that the environment draws of a position, if they are known."""
        drawn = self.drawn[number] if number < len(self.drawn) else -1
        return tuple(plain(self.pictures[drawn]).split("\n")) if drawn >= 0 else ()

    def as_dict(self) -> dict[str, object]:
        """The table as data for JSON."""
        return {
            **{name: getattr(self, name).tolist() for name in ARRAYS},
            **{name: getattr(self, name) for name in ("names", "tried", "pictures", "drawn", "rules")},
            "open": sorted(self.open_positions),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "TransitionTable":
        """Read a table, and check every number: it comes from code that nobody trusts."""
        table = cls()
        for name, kind in ARRAYS.items():
            setattr(table, name, array(kind, data[name]))
        table.names = tuple(move_from_json(name) for name in data["names"])
        table.open_positions, table.tried = set(data["open"]), bool(data.get("tried"))
        table.pictures, table.drawn = list(data.get("pictures", ())), list(data.get("drawn", ()))
        table.rules = data.get("rules", "")
        count = len(table.sides)
        good = (
            count > 0
            and _within(table.sides, 0, 2)
            and 1 <= len(table.offsets) <= count + 1
            and len(table.looks) == count
            and table.offsets[0] == 0
            and table.offsets[-1] == len(table.actions) == len(table.targets)
            and all(low <= high for low, high in zip(table.offsets, table.offsets[1:], strict=False))
            and _within(table.actions, 0, len(table.names))
            and _within(table.targets, OPEN, count)
            and _within(list(table.open_positions), 0, count)
            and all(isinstance(each, str) for each in (*table.pictures, table.rules))
            and len(table.drawn) in (0, count)
            and _within(table.drawn, -1, len(table.pictures))
        )
        if not good:
            raise ValueError("not a table")
        return table


def _within(numbers: Sequence[int], low: int, high: int) -> bool:
    return all(isinstance(each, int) and low <= each < high for each in numbers)
