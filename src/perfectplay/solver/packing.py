"""Positions packed into bytes, so that millions of them fit into memory."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise, repeat
from marshal import dumps, loads
from types import NoneType
from typing import Any, Generic, overload

from perfectplay.core.game import Game, S

FORMAT = 2
"""Of marshal: equal values of the same types have equal bytes."""
PLAIN = {int, str, NoneType}
"""Types of what positions are made of, beside tuples and truth values."""


FIRST_BITS = 22
"""Of the number of slots in the first hash table: 16 MiB, enough for two million positions."""
HASH_BITS = 30
"""Of a hash that are kept, where slots do not need more: Python is fastest with numbers of 30 bits."""
SPARE = 1 << 10
"""Slots of a hash table after the last one that a hash can stand for."""


def action_type(game: Game[Any]) -> str:
    """The type of arrays of actions: two bytes for each where that is enough."""
    return "H" if game.num_actions <= 1 << 16 else "q"


class UnpackableError(Exception):
    """A position that cannot be packed."""


class Codec(Generic[S]):
    """Turns the positions of a game into bytes and back: tuples of whole numbers, text, None and tuples.

    Where equal positions could have different bytes, as True and 1 would, a position cannot be packed: truth
    values must be fields of every position, as they are of `example`.

    >>> codec = Codec(("X.O", 1))
    >>> codec.unpack(2, b"".join(codec.pack([("X.O", 0), ("OXO", 1)])))
    [('X.O', 0), ('OXO', 1)]
    >>> codec.fits([("X.O", 1)]), codec.fits([("X.O", True)]), codec.fits([["X.O", 1]])
    (True, False, False)
    """

    def __init__(self, example: S) -> None:
        kind: Any = type(example)
        self._kind = kind
        self._named = issubclass(kind, tuple) and kind is not tuple
        """Whether positions are NamedTuples, which are packed as tuples."""
        fields: Any = example if issubclass(kind, tuple) else ()
        self._truths = {place for place, each in enumerate(fields) if type(each) is bool}

    def pack(self, states: Iterable[S]) -> list[bytes]:
        """Positions as bytes. They say where they end, so none begin with those of another position."""
        given: Any = map(tuple, states) if self._named else states  # type: ignore[arg-type]
        return list(map(dumps, given, repeat(FORMAT)))

    def unpack(self, count: int, keys: bytes) -> list[S]:
        """The `count` positions of bytes that `pack` joined."""
        found: list[Any] = loads(b"[" + count.to_bytes(4, "little") + keys)  # a list of marshal's own
        return list(map(tuple.__new__, repeat(self._kind), found)) if self._named else found

    def fits(self, states: Collection[Any]) -> bool:
        """Whether positions can be packed."""
        kind = self._kind
        if set(map(type, states)) != {kind}:
            return False
        if not issubclass(kind, tuple):
            return _are_plain(states)
        if kind.__eq__ is not tuple.__eq__ or kind.__hash__ is not tuple.__hash__:
            return False  # here, positions are equal if their fields are
        if not self._truths and set(map(type, chain.from_iterable(states))) <= PLAIN:
            return True  # sooner than field by field
        if len(set(map(len, states))) > 1:
            return all(self.fits([state]) for state in states)
        fields = list(zip(*states, strict=True))
        # A truth value is one everywhere or nowhere.
        return max(self._truths, default=-1) < len(fields) and all(
            set(map(type, values)) == {bool} if place in self._truths else _are_plain(values)
            for place, values in enumerate(fields)
        )


def _are_plain(values: Collection[Any]) -> bool:
    kinds = set(map(type, values))
    if tuple in kinds:
        kinds.remove(tuple)
        inside = list(chain.from_iterable(value for value in values if type(value) is tuple))
        return kinds <= PLAIN and _are_plain(inside)
    return kinds <= PLAIN


class PackedStates(Sequence[S]):
    """Positions by number, in a few dozen bytes for each."""

    def __init__(self, codec: Codec[S], states: Sequence[S]) -> None:
        self.codec = codec
        self._keys = bytearray()
        self._ends = array("Q", [0])
        self._slots = array("I")
        """A hash table in order of the low bits of hashes. A slot has 0, or the number plus one, and above it
        the high bits of the hash.
        """
        self.merge(codec.pack(states))

    def keys_of(self, start: int, end: int) -> bytes:
        """The packed positions from number `start` up to `end`, one after the other."""
        return bytes(self._keys[self._ends[start] : self._ends[end]])

    def merge(self, keys: Collection[bytes]) -> list[int]:
        """The numbers of different packed positions. New ones are added in their order."""
        count = number = len(self)
        if 2 * (count + len(keys)) >= len(self._slots) - SPARE:
            self._grow(max(FIRST_BITS, (count + len(keys)).bit_length() + 1))
        found, new = list[int](), list[bytes]()
        slots, ends, begins = self._slots, self._ends, self._keys.startswith
        kept, order, low, high = self._masks
        for key in keys:
            hashed = hash(key) & kept
            slot = hashed & order
            while known := slots[slot]:
                if not (known ^ hashed) & high:
                    known = (known & low) - 1
                    if known < count and begins(key, ends[known]):
                        found.append(known)
                        break
                slot += 1
            else:
                new.append(key)
                found.append(number)
                number += 1
                slots[slot] = hashed & high | number
        self._keys += b"".join(new)
        ends.extend(array("Q", list(accumulate(map(len, new), initial=ends.pop()))))
        return found

    def _grow(self, bits: int) -> None:
        """Make room for half of `2 ** bits` positions."""
        order, low = (1 << bits) - 1, (1 << bits - 1) - 1
        kept = order | (1 << HASH_BITS) - 1
        high = kept & ~low
        self._masks = kept, order, low, high
        self._slots = slots = array("I", [0]) * (order + 1 + SPARE)
        with memoryview(self._keys) as keys:
            for number, (start, end) in enumerate(pairwise(self._ends), 1):
                hashed = hash(bytes(keys[start:end])) & kept
                slot = hashed & order
                while slots[slot]:
                    slot += 1
                slots[slot] = hashed & high | number

    def find(self, state: object) -> int | None:
        """The number of a position; None if it is not here."""
        if not self.codec.fits([state]):
            hash(state)  # as in a dict, what cannot be hashed is an error
            return None
        key = self.codec.pack([state])[0]  # type: ignore[list-item]
        kept, order, low, high = self._masks
        hashed = hash(key) & kept
        slot = hashed & order
        while known := self._slots[slot]:
            number = (known & low) - 1
            if not (known ^ hashed) & high and self._keys.startswith(key, self._ends[number]):
                return number
            slot += 1
        return None

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[S]:
        for start in range(0, len(self), 4096):
            end = min(start + 4096, len(self))
            yield from self.codec.unpack(end - start, self.keys_of(start, end))

    @overload
    def __getitem__(self, place: int) -> S: ...
    @overload
    def __getitem__(self, place: slice) -> list[S]: ...
    def __getitem__(self, place: int | slice) -> S | list[S]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        place = range(len(self))[place]
        return self.codec.unpack(1, self.keys_of(place, place + 1))[0]
