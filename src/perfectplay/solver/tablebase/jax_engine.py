"""Solving a game by its rules on arrays with JAX, on a processor or an accelerator.

Arrays are padded to few sizes, because JAX compiles for each size. The padding is larger than any code.
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

from perfectplay.core.array_rules import ArrayRules
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game, S
from perfectplay.solver.tablebase.engine import READING, Engine, expect_short, explain_dead_end
from perfectplay.solver.tablebase.files import Store
from perfectplay.solver.tablebase.interrupts import postpone_interrupts
from perfectplay.solver.tablebase.worth import ENDS, worths_before

Array = Any

SMALLEST, FINE_FROM = 10, 22
"""Sizes are powers of 2: from the first one on every third, from the second on each."""
WRITERS = 4
"""Plies that are written to the store at the same time."""


def _size(count: int, least: int = SMALLEST) -> int:
    """The smallest size that holds `count`."""
    bits = max(least, (count - 1).bit_length())
    return 1 << (bits if bits >= FINE_FROM else SMALLEST + 3 * -((SMALLEST - bits) // 3))


class JaxEngine(Engine[S]):
    """Solves layered games as `Engine` does, into the same store. Other games are left to NumPy."""

    def __init__(self, rules: ArrayRules[S], store: Store, *, keys: int | None = None, **bounds: Any) -> None:
        super().__init__(rules, store, **bounds)
        device = jax.devices()[0]
        room = (device.memory_stats() or {}).get("bytes_limit", 1 << 32)
        most = max(1 << SMALLEST, (keys or room >> 9) // rules.game.num_actions)
        self._block = max(each for each in (_size(1 << bits) for bits in range(SMALLEST, 31)) if each <= most)
        self._most_keys = min(room >> 7, 1 << 29)
        self._free = room // 3
        """Bytes of plies that may stay on the device."""
        self._compiled = _compile(type(rules), rules.game)
        self._plies: dict[tuple[str, int], Array] = {}
        self._writing: deque[Future[Any]] = deque()
        self._counts: list[int] = []

    def solve(self, start: S) -> int:
        if not self.rules.layered or self.rules.bits == 64:  # here, the largest number is not a code
            return super().solve(start)
        writer = ThreadPoolExecutor(WRITERS)
        with postpone_interrupts() as self._heed_interrupts, jax.enable_x64(True), writer as self._writer:
            return super().solve(start)

    # Plies are kept on the device while there is room, and written to the store on the way.

    def _keep(self, name: str, ply: int, padded: Array) -> None:
        if padded.nbytes <= self._free:
            self._free -= padded.nbytes
            self._plies[name, ply] = padded
        if len(self._writing) > WRITERS:  # what waits to be written takes memory
            self._writing.popleft().result()
        dtype = self.dtype if name == "codes" else np.uint16
        parts = self._compiled.parts(padded, self._counts[ply], self._block, dtype)
        self._writing.append(self._writer.submit(lambda: self.store.put(name, ply, parts, dtype)))

    def _finish_writing(self) -> None:
        while self._writing:
            self._writing.popleft().result()

    def _load(self, name: str, ply: int) -> Array:
        """A ply on the device, padded; None if it is not in the store."""
        if (name, ply) in self._plies:
            return self._plies[name, ply]
        self._finish_writing()
        kept = self.store.get(name, ply)
        if kept is None:
            return None
        top = self._compiled.top if name == "codes" else 0
        padded = np.full(_size(len(kept)), top, self._compiled.dtype if name == "codes" else np.uint16)
        padded[: len(kept)] = kept
        return jnp.asarray(padded)

    def _forward(self, codes: Array) -> int:
        self._begin(codes)
        known = self._load("codes", 0)
        self._counts = [len(codes)]
        while self._counts[-1]:
            ply = len(self._counts)
            expect_short(ply)
            kept = self.store.get("codes", ply)
            merged, found = self._expand(known, self._counts[-1], merge=kept is None)
            self.stored += self._counts[-1]
            self.positions += found
            self._check(self.positions, **({} if kept is None else READING))
            if kept is None:
                known, count = merged
                self._counts.append(count)
                self._keep("codes", ply, known)
            else:
                known = self._load("codes", ply)
                self._counts.append(len(kept))
        self._finish_writing()
        return len(self._counts) - 1

    def _expand(self, codes: Array, count: int, *, merge: bool) -> tuple[Any, int]:
        """The codes of the next ply with their number, and how many positions these stand for."""
        steps, positions = self._compiled, []
        parts: list[tuple[Array, int]] = []
        block = min(self._block, len(codes))
        for start in range(0, count, block):
            self._heed_interrupts()
            keys, number, found, faulty = steps.expand(codes, start, count, block)
            positions.append(found)
            if not merge:
                continue
            if faulty:
                raise PerfectplayError(
                    f"rules on arrays: a move leads to a code of more than {self.rules.bits} bits"
                )
            parts.append(steps.trim(keys, int(number)))
            if sum(len(part) for part, _ in parts[1:]) > max(self._most_keys, len(parts[0][0])):
                parts = [steps.merge(parts)]
        merged = steps.merge(parts) if len(parts) > 1 else parts[0] if parts else None
        return merged, sum(map(int, positions))

    def _backward(self, plies: int) -> None:
        steps = self._compiled
        after = values = None
        for ply in reversed(range(plies)):
            self._heed_interrupts()
            self._report(self.positions, doing=f"working back: {plies - ply} of {plies} plies")
            codes, count = self._load("codes", ply), self._counts[ply]
            known = self._load("values", ply)
            if known is None:
                if after is None:  # nothing leads on from the last ply
                    after, values = codes[: 1 << SMALLEST], jnp.zeros(1 << SMALLEST, np.uint16)
                block = min(self._block, len(codes))
                number = self._counts[ply + 1]
                found = [
                    steps.judge(codes, start, count, block, after, number, values)
                    for start in range(0, count, block)
                ]
                for start, (_, stuck) in zip(range(0, count, block), found, strict=True):
                    if stuck >= 0:
                        raise explain_dead_end(self.rules, int(codes[start + int(stuck)]))
                known = steps.join([each for each, _ in found], len(codes))
                self._keep("values", ply, known)
            self._plies.pop(("codes", ply + 1), None)
            self._plies.pop(("values", ply + 1), None)
            after, values = codes, known
        self._finish_writing()


@lru_cache(maxsize=4)
def _compile(kind: type[ArrayRules[Any]], game: Game[Any]) -> "_Compiled":
    """The steps of a game, so that nothing is compiled twice."""
    return _Compiled(kind(game))


class _Compiled:
    """The steps of the engine for one game. JAX compiles each once for all arrays of a size."""

    def __init__(self, rules: ArrayRules[Any]) -> None:
        self.rules = rules
        self.dtype: Any = np.uint32 if rules.bits < 32 else np.uint64
        self.top = self.dtype(np.iinfo(self.dtype).max)
        self.expand = jax.jit(self._expand, static_argnums=3)
        self._look = jax.jit(self._look_, static_argnums=3)
        self._value = jax.jit(self._value_)

    def judge(
        self, codes: Array, start: int, count: int, block: int, after: Array, number: int, values: Array
    ) -> tuple[Array, Array]:
        """What the positions of a block are worth, and the place of one without a move or a result, or -1."""
        looked, stuck = self._look(codes, start, count, block)
        return self._value(looked, after, number, values), stuck

    def trim(self, keys: Array, count: int) -> tuple[Array, int]:
        """Sorted keys without most of their padding."""
        return _cut(keys, 0, min(len(keys), _size(count))), count

    def merge(self, parts: list[tuple[Array, int]]) -> tuple[Array, int]:
        """The codes of several sorted arrays, each once."""
        parts = sorted(parts, key=lambda part: -len(part[0]))  # the padding of the last one needs room
        places = [0, *accumulate(count for _, count in parts)]
        room = max(place + len(part) for place, (part, _) in zip(places, parts, strict=False))
        merged = jnp.full(_size(room), self.top, self.dtype)
        for place, (part, _) in zip(places, parts, strict=False):
            merged = _put(merged, part, place)
        merged, number = _unique(merged)
        return self.trim(merged, int(number))

    def join(self, parts: list[Array], size: int) -> Array:
        """Values of blocks as one array."""
        if len(parts) == 1 and len(parts[0]) == size:
            return parts[0]
        joined = jnp.zeros(size, np.uint16)
        for number, part in enumerate(parts):
            joined = _put(joined, part, number * len(part))
        return joined

    def parts(self, padded: Array, count: int, block: int, dtype: Any) -> Iterator[Any]:
        """An array on this machine, part by part, without its padding."""
        block = min(block, len(padded))
        for start in range(0, count, block):
            with jax.enable_x64(True):  # a thread of its own asks
                part = _cut(padded, start, block)
            yield np.asarray(part)[: count - start].astype(dtype, copy=False)

    def _read(self, codes: Array, start: int, count: int, block: int) -> tuple[Array, Array]:
        """A block of codes, and a mask that is false for padding, which becomes the first code."""
        valid = start + jnp.arange(block) < count
        found = jax.lax.dynamic_slice(codes, (start,), (block,))
        return jnp.where(valid, found, codes[0]), valid

    def _expand(self, codes: Array, start: int, count: int, block: int) -> tuple[Array, Array, Array, Array]:
        codes, valid = self._read(codes, start, count, block)
        _, moves = self.rules.look(jnp, codes)
        after = self.rules.canonical(jnp, jnp.concatenate([each for each, _ in moves]))
        legal = jnp.concatenate([each & valid for _, each in moves])
        faulty = jnp.any(legal & (after >> self.rules.bits != 0))
        keys, number = _unique(jnp.where(legal, after, self.top))
        images = self.rules.images(jnp, codes)
        same = 1 + sum((image == codes).astype(np.int32) for image in images)
        positions = jnp.sum(jnp.where(valid, (1 + len(images)) // same, 0), dtype=np.int64)
        return keys, number, positions, faulty

    def _look_(self, codes: Array, start: int, count: int, block: int) -> tuple[tuple[Array, ...], Array]:
        codes, valid = self._read(codes, start, count, block)
        ends, moves = self.rules.look(jnp, codes)
        reached = jnp.concatenate([each for each, _ in moves])
        legal = jnp.stack([each for _, each in moves])
        sides, same = self.rules.sides(jnp, codes), None
        if sides is not None:
            there: Array = self.rules.sides(jnp, reached)
            same = there.reshape(legal.shape) == sides
        stuck = valid & (ends == self.rules.GOES_ON) & ~legal.any(axis=0)
        place = jnp.where(stuck.any(), jnp.argmax(stuck), -1)
        reached = jnp.where(legal, self.rules.canonical(jnp, reached).reshape(legal.shape), 0)
        return (ends, reached, legal, same), place

    def _value_(self, looked: tuple[Array, ...], after: Array, number: int, values: Array) -> Array:
        ends, reached, legal, same = looked
        worths = values[_places(after, number, reached)]
        if same is None:
            worths = worths_before(jnp, worths, same_side=False)
        else:
            kept, flipped = (worths_before(jnp, worths, same_side=each) for each in (True, False))
            worths = jnp.where(same, kept, flipped)
        ended = jnp.where(ends == self.rules.GOES_ON, 0, jnp.asarray(ENDS, np.uint16)[ends])
        return jnp.maximum(ended, jnp.where(legal, worths, 0).max(axis=0)).astype(np.uint16)


def _places(codes: Array, count: int, wanted: Array) -> Array:
    """The places of wanted codes among sorted ones: a binary search, with all of them at once."""

    def halve(step: int, place: Array) -> Array:
        ahead = place + (1 << (len(codes).bit_length() - 1 - step))
        known = codes[jnp.minimum(ahead, len(codes)) - 1]
        return jnp.where((ahead <= count) & (known < wanted), ahead, place)

    kind = np.int32 if len(codes) < 1 << 30 else np.int64
    steps = len(codes).bit_length()
    return jax.lax.fori_loop(0, steps, halve, jnp.zeros(wanted.shape, kind), unroll=min(steps, 5))


@partial(jax.jit)
def _unique(keys: Array) -> tuple[Array, Array]:
    """Sorted keys, each once, before padding; and how many there are."""
    top = keys.dtype.type(np.iinfo(keys.dtype).max)
    keys = jnp.sort(keys)
    first = jnp.concatenate([jnp.ones(1, bool), keys[1:] != keys[:-1]]) & (keys != top)
    place = jnp.cumsum(first, dtype=np.int32 if len(keys) < 1 << 30 else np.int64)
    number = place[-1]
    # Others are dropped, which takes less time than sorting again.
    place = jnp.where(first, place - 1, len(keys))
    return jnp.full_like(keys, top).at[place].set(keys, mode="drop", unique_indices=True), number


@partial(jax.jit, static_argnums=2)
def _cut(array: Array, start: int, size: int) -> Array:
    return jax.lax.dynamic_slice(array, (start,), (size,))


@partial(jax.jit, donate_argnums=0)
def _put(array: Array, part: Array, start: int) -> Array:
    return jax.lax.dynamic_update_slice(array, part, (start,))
