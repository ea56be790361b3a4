"""Solving a game by its rules on arrays, with NumPy: forward to all codes, then back to their values."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count, islice
from typing import Any, Generic, TypeVar

import numpy as np

from perfectplay.core.array_rules import ArrayRules
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import S
from perfectplay.solver.errors import TooDeepError, TooLargeError
from perfectplay.solver.memory import measure_memory
from perfectplay.solver.oracle import Progress
from perfectplay.solver.tablebase.files import Store
from perfectplay.solver.tablebase.ranks import Codes, Ranks
from perfectplay.solver.tablebase.worth import ENDLESS, ENDS, LONGEST, TIE, worths_before

BLOCK = 1 << 17
"""How many positions are looked at at once: what is computed on the way stays in a processor's cache."""

SMALLEST_BLOCK = 256

DEEP, NARROW = 500, 200
"""A game of more than `DEEP` plies and fewer than `NARROW` positions to each is solved sooner by its plain
rules."""

READING = {"doing": "reading what is stored"}

T = TypeVar("T")


class Engine(Generic[S]):
    """Solves a game into a store: `codes` and `values` of each ply or, if plies meet, of all as ply 0."""

    def __init__(
        self,
        rules: ArrayRules[S],
        store: Store,
        *,
        limit: int | None = None,
        memory: int | None = None,
        progress: Progress | None = None,
        narrow: bool = True,
    ) -> None:
        self.rules, self.store = rules, store
        self._narrow = narrow
        """Whether to solve games that their plain rules solve sooner."""
        self.dtype: Any = np.uint32 if rules.bits <= 32 else np.uint64
        self.positions, self.stored = 0, 0
        """Positions, and how many of them are stored: one of those equal by symmetry."""
        self._limit, self._progress = limit, progress
        self._threads = os.cpu_count() or 1
        self._memory = memory
        """Bytes: a quarter each for blocks, for codes that are not merged yet, for merging, and for ranks."""
        self._used = measure_memory() or 0
        self._block = BLOCK
        if memory is not None:
            each = 128 * rules.game.num_actions * self._threads
            self._block = min(BLOCK, max(SMALLEST_BLOCK, memory // each))
        self._pool = ThreadPoolExecutor(self._threads)

    def solve(self, start: S) -> int:
        """Solve the game from a position, and return the number of plies that are kept."""
        with self._pool:
            first = self.rules.canonical(np, np.array([self.rules.code(start)], self.dtype))
            if self.rules.layered:
                plies = self._forward(first)
                self._backward(plies)
                return plies
            self._sweep(self._closure(first))
            return 1

    def _blocks(self, codes: Codes) -> Iterator[Codes]:
        return (codes[i : i + self._block] for i in range(0, len(codes), self._block))

    def _map(self, work: Callable[[Any], T], given: Iterable[Any]) -> Iterator[T]:
        """The results in order, and only some of them ahead."""
        given = iter(given)
        while batch := list(islice(given, 16 * self._threads)):
            yield from self._pool.map(work, batch)

    def _count_found(self, codes: Codes, **doing: str) -> None:
        """Count codes, and the positions that they stand for: those that equal them by symmetry, too."""

        def count_block(block: Codes) -> int:
            images = self.rules.images(np, block)
            same = 1 + sum((image == block).astype(np.int64) for image in images)
            return int(((1 + len(images)) // same).sum())

        self.stored += len(codes)
        alone = not len(self.rules.images(np, codes[:1]))
        self.positions += len(codes) if alone else sum(self._map(count_block, self._blocks(codes)))
        self._check(self.positions, **doing)

    def _report(self, positions: int, **doing: str) -> None:
        if self._progress is not None:
            self._progress(positions, **doing)

    def _check(self, positions: int, **doing: str) -> None:
        """Report progress, and raise TooLargeError past the limit."""
        self._report(positions, **doing)
        if self._limit is not None and positions > self._limit:
            raise TooLargeError(self.rules.game.spec, self._limit)
        self._check_memory()

    def _check_memory(self) -> None:
        """Raise TooLargeError if everything is kept in memory, as sweeps do, and takes too much."""
        if self._memory is not None and (self.store.in_memory or not self.rules.layered):
            used = (measure_memory() or 0) - self._used
            if used > self._memory:
                raise TooLargeError(self.rules.game.spec, self.positions, memory=self._memory)

    def _after(self, block: Codes) -> Codes:
        """The codes after all moves of a block, sorted and each once."""
        _, moves = self.rules.look(np, block)
        return _unique(self.rules.canonical(np, np.concatenate([codes[legal] for codes, legal in moves])))

    def _successors(self, codes: Codes) -> Iterator[Codes]:
        """The codes after all moves, as sorted parts that follow each other."""
        runs: list[Codes] = []
        merged, waiting = 0, 0
        for run in self._map(self._after, self._blocks(codes)):
            runs.append(run)
            waiting += run.nbytes
            if self._memory is not None and waiting > self._memory // 4:
                self._check_memory()
                runs[merged:] = [self.store.spill(self._merge(runs[merged:]), self.dtype)]
                merged, waiting = len(runs), 0
        yield from self._merge(runs)

    def _merge(self, runs: list[Codes]) -> Iterator[Codes]:
        """Merge sorted codes. Each thread takes a range of codes of its own."""
        total = sum(map(len, runs))
        ranges = max(1, min(64, total // BLOCK))
        if self._memory is not None:
            ranges = max(ranges, 16 * self._threads * total * self.dtype().itemsize // self._memory)
        each = 64 + 16 * ranges // len(runs)
        sample = np.sort(np.concatenate([run[:: 1 + len(run) // each] for run in runs]))
        pivots = [sample[len(sample) * i // ranges] for i in range(1, ranges)]
        cuts = [[0, *np.searchsorted(run, np.array(pivots, run.dtype)).tolist(), len(run)] for run in runs]

        def merge(part: int) -> Codes:
            pieces = (run[cut[part] : cut[part + 1]] for run, cut in zip(runs, cuts, strict=True))
            return _unique(np.concatenate(list(pieces)))

        for first in range(0, ranges, self._threads):
            yield from self._pool.map(merge, range(first, min(first + self._threads, ranges)))

    def _expect_wide(self, ply: int, found: int) -> None:
        if ply == DEEP and not self._narrow and found < DEEP * NARROW:
            raise TooDeepError(ply)

    def _begin(self, codes: Codes) -> None:
        kept = self.store.get("codes", 0)
        if kept is None:
            kept = self.store.put("codes", 0, [codes], self.dtype)
        if not np.array_equal(kept, codes):
            raise PerfectplayError("the stored plies do not begin with the start position: delete the folder")

    def _forward(self, codes: Codes) -> int:
        self._begin(codes)
        ply, doing = 0, dict[str, str]()
        while len(codes):
            self._count_found(codes, **doing)
            ply += 1
            expect_short(ply)
            self._expect_wide(ply, self.stored)
            after = self.store.get("codes", ply)
            doing = {} if after is None else READING
            if after is None:
                after = self.store.put("codes", ply, self._successors(codes), self.dtype)
            codes = after
        return ply

    def _backward(self, plies: int) -> None:
        after: Any = np.zeros(0, self.dtype)
        values: Any = np.zeros(0, np.uint16)
        for ply in reversed(range(plies)):
            self._report(self.positions, doing=f"working back: {plies - ply} of {plies} plies")
            codes = self.store.get("codes", ply)
            known = self.store.get("values", ply)
            step = max(1, len(after) if self._memory is None else self._memory // 256)
            for start in range(0, max(1, len(after)) if known is None else 0, step):
                part = slice(start, start + step)
                look = _Look(self, after[part], values[part], whole=step >= len(after))
                parts = self._look_up(look, codes, known)
                last = start + step >= len(after)
                known = (
                    self.store.put("values", ply, parts, np.uint16)
                    if last
                    else self.store.spill(parts, np.uint16)
                )
            after, values = codes, known

    def _look_up(self, look: "_Look[S]", codes: Codes, known: Any | None) -> Iterator[Any]:
        """What positions are worth, block by block, or what was known of them where that is more."""
        blocks = list(range(0, len(codes), self._block))
        for start, found in zip(blocks, self._map(look, self._blocks(codes)), strict=True):
            yield found if known is None else np.maximum(found, known[start : start + len(found)])

    def _closure(self, first: Codes) -> Codes:
        """All codes that can be reached, sorted."""
        known = self.store.get("codes", 0)
        if known is not None:
            self._count_found(known, **READING)
            return known
        known = new = first
        for ply in count():
            self._expect_wide(ply, len(known))
            if not len(new):
                break
            after = np.concatenate(list(self._successors(new)))
            place = np.minimum(np.searchsorted(known, after), len(known) - 1)
            new = after[known[place] != after]
            known = _unique(np.concatenate((known, new)))
            self._check(len(known))
        self._count_found(known)
        return self.store.put("codes", 0, [known], self.dtype)

    def _sweep(self, codes: Codes) -> None:
        """Look one ply further each time, until nothing changes: first for wins and losses, then for ties.

        A tie that is met before all wins are known may be refuted later, and would count up around a loop.
        """
        look = _Look(self, codes, np.full(len(codes), ENDLESS, np.uint16))
        ends = np.concatenate(
            [np.array(ENDS, np.uint16)[self.rules.look(np, b)[0]] for b in self._blocks(codes)]
        )
        tied = ends == TIE + LONGEST
        values = np.where(tied, ENDLESS, ends).astype(np.uint16)
        for kind, found in (("wins and losses", np.zeros(len(codes), bool)), ("ties", tied)):
            values[found] = ends[found]
            for sweep in count():
                expect_short(sweep)
                self._report(self.positions, doing=f"{kind}: sweep {sweep + 1}")
                look.know(values)
                undecided = np.flatnonzero((values == ENDLESS) & ~tied)
                parts = [np.zeros(0, np.uint16), *self._map(look, self._blocks(codes[undecided]))]
                new = np.concatenate(parts)
                if np.array_equal(new, values[undecided]):
                    break
                values[undecided] = new
        self.store.put("values", 0, [values], np.uint16)


class _Look(Generic[S]):
    """What positions are worth, given the values of those that their moves lead to."""

    def __init__(self, engine: Engine[S], after: Codes, values: Any, *, whole: bool = True) -> None:
        self._rules = engine.rules
        self._part = None if whole else (after[0], after[-1])
        """The first and the last code that values are known of, if not of all."""
        if len(after):
            self._ranks = Ranks(after, engine.rules.bits)
            self.know(values)

    def know(self, values: Any) -> None:
        """Take other values of the positions that moves lead to."""
        self._flipped, self._kept = (table[values] for table in _tables())

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
            wanted = rules.canonical(np, reached)
            if self._part is not None:
                inside = (wanted >= self._part[0]) & (wanted <= self._part[1])
                places, reached, wanted = places[inside], reached[inside], wanted[inside]
            found = self._ranks.find(wanted)
            worth = self._flipped[found]
            if sides is not None:
                same = rules.sides(np, reached) == sides[places]
                worth = np.where(same, self._kept[found], worth)
            values[places] = np.maximum(values[places], worth)
        if stuck.any():
            raise explain_dead_end(rules, int(codes[np.flatnonzero(stuck)[0]]))
        return values


def explain_dead_end(rules: ArrayRules[Any], code: int) -> PerfectplayError:
    """The error about a dead end."""
    text = rules.game.state_text(rules.state(code))
    return PerfectplayError(f"rules on arrays: position {text!r} has no move and no result")


def expect_short(plies: int) -> None:
    """Two bytes hold no longer distances."""
    if plies > LONGEST:
        raise TooDeepError(LONGEST)


def _unique(codes: Codes) -> Codes:
    codes.sort()
    return codes[np.concatenate(([True], codes[1:] != codes[:-1]))] if len(codes) else codes


@cache
def _tables() -> list[Any]:
    """For all values: what a move to them is worth if the other side is to move there, and if the same is."""
    worths = np.arange(1 << 16).astype(np.uint16)
    return [worths_before(np, worths, same_side=same) for same in (False, True)]
