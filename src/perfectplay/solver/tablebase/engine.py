"""Solving a game by its rules on arrays, with NumPy: forward to all codes, then back to their values."""

import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from perfectplay.core.array_rules import ArrayRules
from perfectplay.core.errors import PerfectplayError
from perfectplay.solver.graph import TooLargeError
from perfectplay.solver.tablebase.ranks import Codes, Ranks
from perfectplay.solver.tablebase.worth import ENDLESS, ENDS, LONGEST, TIE, worth_before

S = TypeVar("S", bound=Hashable)

BLOCK = 1 << 17
"""How many positions are looked at at once: what is computed on the way stays in a processor's cache."""

Progress = Callable[[int], None]


class Store(Protocol):
    """Where plies are kept: in memory or on disk."""

    def get(self, name: str, ply: int) -> Any | None:
        """The codes or the values of a ply; None if they are not there."""

    def put(self, name: str, ply: int, parts: Sequence[Any], dtype: Any) -> Any:
        """Keep the parts of an array as one, and return it."""


class MemoryStore:
    """Plies in memory."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], Any] = {}

    def get(self, name: str, ply: int) -> Any | None:
        return self._kept.get((name, ply))

    def put(self, name: str, ply: int, parts: Sequence[Any], dtype: Any) -> Any:
        self._kept[name, ply] = np.concatenate([np.zeros(0, dtype), *parts])
        return self._kept[name, ply]


class Engine(Generic[S]):
    """Solves a game into a store: `codes` and `values` of each ply or, if plies meet, of all as ply 0."""

    def __init__(
        self,
        rules: ArrayRules[S],
        store: Store,
        *,
        limit: int | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.rules, self.store = rules, store
        self.dtype: Any = np.uint32 if rules.bits <= 32 else np.uint64
        self.positions, self.stored = 0, 0
        """Positions, and how many of them are stored: one of those equal by symmetry."""
        self._limit, self._progress = limit, progress
        self._threads = threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._threads)

    def solve(self, start: S) -> int:
        """Solve the game from a position, and return the number of plies that are kept."""
        with self._pool:
            first = self._canonical(np.array([self.rules.code(start)], self.dtype))
            if self.rules.layered:
                plies = self._forward(first)
                self._backward(plies)
                return plies
            self._sweep(self._closure(first))
            return 1

    def _canonical(self, codes: Codes) -> Codes:
        for image in self.rules.images(np, codes):
            codes = np.minimum(codes, image)
        return codes

    def _blocks(self, codes: Codes) -> Iterator[Codes]:
        return (codes[i : i + BLOCK] for i in range(0, len(codes), BLOCK))

    def _count(self, codes: Codes) -> int:
        """How many positions codes stand for, those counted that equal them by symmetry."""

        def count_block(block: Codes) -> int:
            images = self.rules.images(np, block)
            same = 1 + sum((image == block).astype(np.int64) for image in images)
            return int(((1 + len(images)) // same).sum())

        return sum(self._pool.map(count_block, self._blocks(codes)))

    def _found(self, codes: Codes) -> None:
        self.stored += len(codes)
        self.positions += self._count(codes) if len(self.rules.images(np, codes[:1])) else len(codes)
        self._check(self.positions)

    def _check(self, positions: int) -> None:
        """Report progress, and raise TooLargeError past the limit."""
        if self._progress is not None:
            self._progress(positions)
        if self._limit is not None and positions > self._limit:
            raise TooLargeError(self.rules.game.spec, self._limit)

    def _after(self, block: Codes) -> Codes:
        """The codes after all moves of a block, sorted and each once."""
        _, moves = self.rules.look(np, block)
        return _unique(self._canonical(np.concatenate([codes[legal] for codes, legal in moves])))

    def _successors(self, codes: Codes) -> list[Codes]:
        """The codes after all moves, as sorted parts that follow each other."""
        runs = list(self._pool.map(self._after, self._blocks(codes)))
        # Each thread merges a range of codes of its own.
        sample = np.sort(np.concatenate([run[:: 1 + len(run) // 64] for run in runs]))
        ranges = max(1, min(64, sum(map(len, runs)) // BLOCK))
        pivots = [sample[len(sample) * i // ranges] for i in range(1, ranges)]
        cuts = [[0, *np.searchsorted(run, np.array(pivots, run.dtype)).tolist(), len(run)] for run in runs]

        def merge(part: int) -> Codes:
            pieces = (run[cut[part] : cut[part + 1]] for run, cut in zip(runs, cuts, strict=True))
            return _unique(np.concatenate(list(pieces)))

        return list(self._pool.map(merge, range(ranges)))

    def _forward(self, codes: Codes) -> int:
        ply = 0
        kept = self.store.get("codes", 0)
        if kept is None:
            kept = self.store.put("codes", 0, [codes], self.dtype)
        if not np.array_equal(kept, codes):
            raise PerfectplayError("a ply that was kept does not begin with the start: delete the folder")
        while len(codes):
            self._found(codes)
            ply += 1
            _expect_short(ply)
            after = self.store.get("codes", ply)
            if after is None:
                after = self.store.put("codes", ply, self._successors(codes), self.dtype)
            codes = after
        return ply

    def _backward(self, plies: int) -> None:
        flip, keep = _tables()
        after = values = None
        for ply in reversed(range(plies)):
            codes = self.store.get("codes", ply)
            known = self.store.get("values", ply)
            if known is None:
                look = _Look(self, after, values, flip, keep)
                parts = list(self._pool.map(look, self._blocks(codes)))
                known = self.store.put("values", ply, parts, np.uint16)
            after, values = codes, known

    def _closure(self, first: Codes) -> Codes:
        """All codes that can be reached, sorted."""
        known = self.store.get("codes", 0)
        if known is not None:
            self._found(known)
            return known
        known = new = first
        while len(new):
            after = np.concatenate(self._successors(new))
            place = np.minimum(np.searchsorted(known, after), len(known) - 1)
            new = after[known[place] != after]
            known = _unique(np.concatenate((known, new)))
            self._check(len(known))
        self._found(known)
        return self.store.put("codes", 0, [known], self.dtype)

    def _sweep(self, codes: Codes) -> None:
        """Look one ply further each time, until nothing changes: first for wins and losses, then for ties.

        A tie that is met before all wins are known may be refuted later, and would count up around a loop.
        """
        flip, keep = _tables()
        look = _Look(self, codes, np.full(len(codes), ENDLESS, np.uint16), flip, keep)
        ends = np.concatenate(
            [np.array(ENDS, np.uint16)[self.rules.look(np, b)[0]] for b in self._blocks(codes)]
        )
        tied = ends == TIE + LONGEST
        values = np.where(tied, ENDLESS, ends).astype(np.uint16)
        for found in (np.zeros(len(codes), bool), tied):
            values[found] = ends[found]
            for sweep in count():
                _expect_short(sweep)
                look.know(values)
                undecided = np.flatnonzero((values == ENDLESS) & ~tied)
                parts = [np.zeros(0, np.uint16), *self._pool.map(look, self._blocks(codes[undecided]))]
                new = np.concatenate(parts)
                if np.array_equal(new, values[undecided]):
                    break
                values[undecided] = new
        self.store.put("values", 0, [values], np.uint16)


class _Look(Generic[S]):
    """What positions are worth, given the values of those that their moves lead to."""

    def __init__(self, engine: Engine[S], after: Codes | None, values: Any, flip: Any, keep: Any) -> None:
        self._rules, self._canonical = engine.rules, engine._canonical
        self._tables = flip, keep
        if after is not None:
            self._ranks = Ranks(after, engine.rules.bits)
            self.know(values)

    def know(self, values: Any) -> None:
        """Take other values of the positions that moves lead to."""
        self._flipped, self._kept = (table[values] for table in self._tables)

    def __call__(self, codes: Codes) -> Any:
        rules = self._rules
        ends, moves = rules.look(np, codes)
        sides = rules.sides(np, codes)
        values = np.where(ends == rules.GOES_ON, 0, np.array(ENDS, np.uint16)[ends]).astype(np.uint16)
        stuck = ends == rules.GOES_ON
        for after, legal in moves:
            places = np.flatnonzero(legal)
            if not len(places):
                continue
            stuck[places] = False
            reached = after[places]
            found = self._ranks.find(self._canonical(reached))
            worth = self._flipped[found]
            if sides is not None:
                same = rules.sides(np, reached) == sides[places]
                worth = np.where(same, self._kept[found], worth)
            values[places] = np.maximum(values[places], worth)
        if stuck.any():
            text = rules.game.state_text(rules.state(int(codes[np.flatnonzero(stuck)[0]])))
            raise PerfectplayError(f"rules on arrays: position {text!r} has no move and no result")
        return values


def _expect_short(plies: int) -> None:
    """Two bytes hold no longer distances."""
    if plies > LONGEST:
        raise PerfectplayError(f"a game of more than {LONGEST:,} plies cannot be solved by rules on arrays")


def _unique(codes: Codes) -> Codes:
    codes.sort()
    return codes[np.concatenate(([True], codes[1:] != codes[:-1]))] if len(codes) else codes


def _tables() -> tuple[Any, Any]:
    """For all values: what a move to them is worth if the other side is to move there, and if the same is."""

    def before(worth: int, same_side: bool) -> int:
        try:
            return worth_before(worth, same_side=same_side)
        except PerfectplayError:  # a distance that does not fit, and does not occur
            return ENDLESS

    flip, keep = ([before(worth, same) for worth in range(1 << 16)] for same in (False, True))
    return np.array(flip, np.uint16), np.array(keep, np.uint16)
