"""Positions packed into bytes, so that millions of them fit into memory."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, pairwise, repeat
from marshal import dumps, loads
from types import NoneType
from typing import Any, Generic, overload

from perfectplay.core.game import Game, S

FORMAT = 2
"""Of marshal: equal values of the same types have equal bytes."""
PLAIN = {int, str, NoneType}
"""Types of what positions are made of, beside tuples and truth values."""


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
        """So many positions, from their bytes one after the other."""
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
        self._mask = 0
        self._slots = array("I")
        """A hash table: the number of a position plus one; 0 in a free slot."""
        self._grow(len(states))
        self.merge(codec.pack(states))

    def keys_of(self, start: int, end: int) -> bytes:
        """The packed positions from number `start` up to `end`, one after the other."""
        return bytes(self._keys[self._ends[start] : self._ends[end]])

    def merge(self, keys: Collection[bytes]) -> "array[int]":
        """The numbers of different packed positions. New ones are added in their order."""
        count = len(self)
        if 2 * (count + len(keys)) > self._mask:
            self._grow(2 * (count + len(keys)))
        found, new = array("I"), list[bytes]()
        slots, data, ends, mask = self._slots, self._keys, self._ends, self._mask
        number = count
        for key, slot in zip(keys, map(mask.__and__, map(hash, keys)), strict=True):
            while known := slots[slot]:
                if known <= count and data.startswith(key, ends[known - 1]):
                    found.append(known - 1)
                    break
                slot = slot + 1 & mask
            else:
                new.append(key)
                found.append(number)
                number += 1
                slots[slot] = number
        data += b"".join(new)
        ends.extend(islice(accumulate(map(len, new), initial=ends[-1]), 1, None))
        return found

    def _grow(self, count: int) -> None:
        """Make room for more than `count` positions."""
        mask = self._mask = (1 << max(10, (2 * count).bit_length())) - 1
        self._slots = array("I")  # the old table goes first
        slots = self._slots = array("I", [0]) * (mask + 1)
        with memoryview(self._keys) as view:
            for number, (start, end) in enumerate(pairwise(self._ends), 1):
                slot = hash(view[start:end].tobytes()) & mask
                while slots[slot]:
                    slot = slot + 1 & mask
                slots[slot] = number

    def find(self, state: object) -> int | None:
        """The number of a position; None if it is not here."""
        if not self.codec.fits([state]):
            hash(state)  # as in a dict, what cannot be hashed is an error
            return None
        key = self.codec.pack([state])[0]  # type: ignore[list-item]
        slot = hash(key) & self._mask
        while (number := self._slots[slot]) and not self._keys.startswith(key, self._ends[number - 1]):
            slot = slot + 1 & self._mask
        return number - 1 if number else None

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[S]:
        for start in range(0, len(self), 4096):
            end = min(start + 4096, len(self))
            yield from self.codec.unpack(end - start, self.keys_of(start, end))

    def __contains__(self, state: object) -> bool:
        return self.find(state) is not None

    @overload
    def __getitem__(self, place: int) -> S: ...
    @overload
    def __getitem__(self, place: slice) -> list[S]: ...
    def __getitem__(self, place: int | slice) -> S | list[S]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        place = range(len(self))[place]
        return self.codec.unpack(1, self.keys_of(place, place + 1))[0]


class PackedIndex(Mapping[S, int]):
    """The numbers of packed positions, as a mapping.

    >>> PackedIndex(PackedStates(Codec((0, 0)), [(0, 0), (0, 1)]))[0, 1]
    1
    """

    def __init__(self, states: PackedStates[S]) -> None:
        self._states = states

    def __getitem__(self, state: S) -> int:
        number = self._states.find(state)
        if number is None:
            raise KeyError(state)
        return number

    def __iter__(self) -> Iterator[S]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)
