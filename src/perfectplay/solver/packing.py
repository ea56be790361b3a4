"""Positions packed into bytes, so that millions of them fit into memory."""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, repeat
from marshal import dumps, loads
from types import NoneType
from typing import Any, Generic, overload

from perfectplay.core.game import Game, S

FORMAT = 2
"""Of marshal: equal values of the same types have equal bytes."""


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
    >>> codec.unpack(codec.pack(("X.O", 0)))
    ('X.O', 0)
    >>> codec.fits(("X.O", 1)), codec.fits(("X.O", True)), codec.fits(["X.O", 1])
    (True, False, False)
    """

    def __init__(self, example: S) -> None:
        kind: Any = type(example)
        self.kind = kind
        self.flat: set[tuple[type, ...]] = set()
        """Types of fields that are known to fit."""
        self.named = issubclass(kind, tuple) and kind is not tuple
        """Whether positions are NamedTuples, which are packed as tuples."""
        fields: Any = example if issubclass(kind, tuple) else ()
        self._truths = [place for place, each in enumerate(fields) if type(each) is bool]
        self.unpack: Callable[[bytes], S] = loads
        if self.named:
            self.unpack = lambda key: tuple.__new__(kind, loads(key))

    def pack(self, state: S) -> bytes:
        """A position as bytes."""
        return dumps(tuple(state) if self.named else state, FORMAT)  # type: ignore[arg-type]

    def all_fit(self, states: Sequence[Any]) -> bool:
        """Whether positions can be packed."""
        alike = issubclass(self.kind, tuple) and set(map(type, states)) == {self.kind}
        if alike and set(map(tuple, map(map, repeat(type), states))) <= self.flat:
            return True  # sooner than one by one
        return all(map(self.fits, states))

    def fits(self, state: object) -> bool:
        """Whether a position can be packed."""
        if type(state) is not self.kind:
            return False
        if not isinstance(state, tuple):
            return _is_plain(state)
        if self.kind.__eq__ is not tuple.__eq__ or self.kind.__hash__ is not tuple.__hash__:
            return False  # here, positions are equal if their fields are
        kinds = tuple(map(type, state))
        # A truth value is one everywhere or nowhere.
        if self._truths != [place for place, kind in enumerate(kinds) if kind is bool]:
            return False
        fits = all(type(each) is bool or _is_plain(each) for each in state)
        if fits and tuple not in kinds:
            self.flat.add(kinds)
        return fits


def _is_plain(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in (int, str, NoneType)


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
        self.merge(list(map(codec.pack, states)))

    def keys_of(self, start: int, end: int) -> list[bytes]:
        """The packed positions from number `start` up to `end`."""
        ends = self._ends[start : end + 1]
        keys = bytes(self._keys[ends[0] : ends[-1]])
        return [keys[one - ends[0] : two - ends[0]] for one, two in pairwise(ends)]

    def merge(self, keys: Sequence[bytes]) -> "array[int]":
        """The numbers of packed positions. New ones are added in their order."""
        found = array("I")
        slots, data, ends, mask = self._slots, self._keys, self._ends, self._mask
        count = len(ends) - 1
        for key in keys:
            slot = hash(key) & mask
            while number := slots[slot]:
                if data[ends[number - 1] : ends[number]] == key:
                    break
                slot = slot + 1 & mask
            else:
                data += key
                ends.append(len(data))
                count += 1
                slots[slot] = number = count
                if 2 * count > mask:
                    self._grow(2 * count)
                    slots, mask = self._slots, self._mask
            found.append(number - 1)
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
        if not self.codec.fits(state):
            hash(state)  # as in a dict, what cannot be hashed is an error
            return None
        key = self.codec.pack(state)  # type: ignore[arg-type]
        slot = hash(key) & self._mask
        while number := self._slots[slot]:
            if self._keys[self._ends[number - 1] : self._ends[number]] == key:
                return number - 1
            slot = slot + 1 & self._mask
        return None

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[S]:
        for start in range(0, len(self), 4096):
            yield from map(self.codec.unpack, self.keys_of(start, min(start + 4096, len(self))))

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
        return self.codec.unpack(bytes(self._keys[self._ends[place] : self._ends[place + 1]]))


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
