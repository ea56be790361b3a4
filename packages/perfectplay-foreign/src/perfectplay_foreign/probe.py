"""A few random games before anything else: what changes during a game, who moves, and what looks wrong."""

from collections.abc import Hashable
from random import Random
from typing import NamedTuple

from perfectplay_foreign.adapter import Adapter, Moves, Step
from perfectplay_foreign.environment import (
    Environment,
    attributes,
    luck,
    play_randomly,
    read,
)
from perfectplay_foreign.protocol import trouble
from perfectplay_foreign.state import UnreadableError, canonical

GAMES, PLIES = 4, 100
CONTRADICTIONS = ("turn-contradicted", "turn-unused")
"""What it may mean that a side is said to move again, where the host lets the sides alternate."""


class Spot(NamedTuple):
    """A point in a game: its seed, and the moves that lead there."""

    seed: int
    moves: Moves


class Suspect(NamedTuple):
    """Something that may be a finding, if its witness replays.

    Without a code it is a finding of the auditor: the moves are to lead to `end`.
    """

    code: str
    moves: Moves = ()
    beside: Moves | None = None
    """The moves to a second position, where a finding is about two."""
    seed: int = 0
    claim: str = ""
    """What is said of the two positions, where a replay alone cannot show it."""
    sure: bool = True
    """Whether it counts as dropped if its witness does not replay."""
    end: int = 0
    """An end of the table, or 0 for any position that is not over."""


class Probe:
    """The result of the random games."""

    def __init__(self, env: Environment, seed: int, games: int = GAMES) -> None:
        self.seed, self.alternating = seed, env.alternating
        self.varying: set[str] = set()
        """The attributes that change during a game."""
        self.unreadable: set[str] = set()
        self.movers: set[Hashable] = set()
        self.suspects: list[Suspect] = []
        self.ended: list[Moves] = []
        """Games that came to an end."""
        self.longest: Moves = ()
        """The most moves that did not end a game."""
        self.chance = False
        """Whether moves draw random numbers."""
        self.watchful = False
        """Whether exploring looks for a draw after each move, because there was one."""
        for game in range(games):
            self._play(env.fresh(seed, strict=True), Random(game))

    @property
    def silent(self) -> bool:
        """Whether nothing says who moves."""
        return None in self.movers or len(self.movers) > 2

    @property
    def stuck(self) -> bool:
        """Whether the same side is always said to move."""
        return not self.alternating and not self.silent and len(self.movers) == 1 and bool(self.longest)

    @property
    def alternates(self) -> bool:
        """Whether sides alternate: their host says so, or nothing usable says who moves."""
        return self.alternating or self.silent or self.stuck

    def suspect(self, code: str, moves: Moves = (), *, sure: bool = True) -> None:
        """Note the first sign of a finding."""
        if all(each.code != code for each in self.suspects):
            self.suspects.append(Suspect(code, moves, seed=self.seed, sure=sure))

    def _play(self, adapter: Adapter, rng: Random) -> None:
        start = read(adapter)
        held = attributes(adapter)
        self.unreadable |= {name for name, value in start.items() if value is None and held[name] is not None}
        drawn: object = None
        last: Hashable = None
        for path, seen in play_randomly(adapter, rng, PLIES):
            if isinstance(seen, Exception):
                self.suspect(trouble(seen, adapter, path), path)
            elif isinstance(seen, Step):
                if luck(adapter) != drawn:
                    self.chance = True
                    self.suspect("random-step", path)
                if seen.over:
                    self.ended.append(path)
            else:
                mover = adapter.mover()
                self.movers.add(mover)
                if self.alternating and path and mover == last is not None:
                    for code in CONTRADICTIONS:
                        self.suspect(code, path, sure=False)
                last = mover
                self.longest = max(self.longest, path, key=len)
                if not seen:
                    self.suspect("dead-end", path)
                drawn = luck(adapter)
            if isinstance(seen, (Step, Exception)):
                self._compare(adapter, start)
            if not isinstance(seen, Exception):
                adapter.look()
                for code in adapter.violations:
                    self.suspect(code, path)

    def _compare(self, adapter: Adapter, start: dict[str, Hashable]) -> None:
        now = attributes(adapter)
        self.varying |= start.keys() - now.keys()
        for name in now.keys() - self.varying:
            try:
                if name not in start or start[name] != canonical(now[name]):
                    self.varying.add(name)
            except (UnreadableError, RecursionError):
                self.unreadable.add(name)
