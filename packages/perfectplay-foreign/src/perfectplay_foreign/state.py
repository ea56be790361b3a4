"""The private state of an environment in a form that can be compared: its canonical state."""

import random
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from enum import Enum
from functools import cache
from operator import attrgetter, methodcaller
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

ATOMS = frozenset({int, str, bool, bytes, type(None), complex})
"""Types whose values stand for themselves."""
NAMED = (type, FunctionType, BuiltinFunctionType, ModuleType)
"""Values that are known by their names: their contents are code, not state."""
UNREADABLE = frozenset(
    {"generator", "coroutine", "socket", "_thread.lock", "lock", "TextIOWrapper", "range_iterator"}
)
"""Names of types whose values hold state that nothing can look at."""
GENERATORS: dict[str, Callable[[Any], object]] = {
    "RandomState": methodcaller("get_state", legacy=False),
    "Generator": attrgetter("bit_generator.state"),
    **dict.fromkeys(("PCG64", "MT19937", "Philox", "SFC64", "PCG64DXSM"), attrgetter("state")),
}
"""What the generators of NumPy hold."""

Inside = dict[int, int]
"""The values around the one that is read, by identity, with their depth."""
Reader = Callable[[Any, Inside], Hashable]


class UnreadableError(Exception):
    """A value that cannot be compared, such as a running generator."""


def canonical(value: object) -> Hashable:
    """Return a hashable stand-in for a value: equal exactly if the values are equal in content.

    The order of sets and dictionaries, and the difference between 1 and True, do not count.
    """
    return _canonical(value, {})


def canonical_or_none(value: object) -> Hashable:
    """The same, and None for a value that cannot be read."""
    try:
        return canonical(value)
    except (UnreadableError, RecursionError):
        return None


def _canonical(value: object, inside: Inside) -> Hashable:
    kind: type = type(value)
    if kind in ATOMS:
        return value
    if kind is float:
        return value if value == value else "nan"  # nan is not equal to itself
    if id(value) in inside:
        return ("the value around it", len(inside) - inside[id(value)])
    inside[id(value)] = len(inside)
    try:
        return _reader(kind)(value, inside)
    finally:
        del inside[id(value)]


def _sequence(value: Iterable[object], inside: Inside) -> Hashable:
    # Lists of plain numbers are common, and this is twice as fast for them.
    return tuple([each if type(each) in ATOMS else _canonical(each, inside) for each in value])


def _set(value: Iterable[object], inside: Inside) -> Hashable:
    return frozenset([_canonical(each, inside) for each in value])


def _mapping(value: Mapping[Any, object], inside: Inside) -> Hashable:
    return frozenset([(_canonical(key, inside), _canonical(each, inside)) for key, each in value.items()])


def _name(value: object) -> Hashable:
    return getattr(value, "__module__", ""), getattr(value, "__qualname__", getattr(value, "__name__", ""))


def _instance(value: object, inside: Inside) -> Hashable:
    parts: dict[str, object] = dict(getattr(value, "__dict__", {}))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                parts[name] = getattr(value, name)
    container = next(
        (kind for kind in CONTAINERS if isinstance(value, kind)), None
    )  # of which it is a subclass
    if container is None and not parts and not isinstance(value, (int, str, float)):
        return _reduce(value, inside)
    plain = str(value) if isinstance(value, (int, str, float)) else None
    held = plain if container is None else CONTAINERS[container](value, inside)
    return type(value).__qualname__, held, _mapping(parts, inside)


def _reduce(value: object, inside: Inside) -> Hashable:
    if type(value) is object or type(value).__init__ is object.__init__:
        return (type(value).__qualname__,)
    try:
        found = value.__reduce_ex__(4)
    except Exception as error:
        raise UnreadableError(f"{type(value).__qualname__} cannot be read: {error}") from error
    return (type(value).__qualname__, _canonical(found[1:], inside)) if isinstance(found, tuple) else found


def _unreadable(value: object, inside: Inside) -> Hashable:
    raise UnreadableError(f"{type(value).__qualname__} cannot be read")


CONTAINERS: dict[type, Reader] = {
    dict: _mapping,
    **dict.fromkeys((list, tuple, deque), _sequence),
    **dict.fromkeys((set, frozenset), _set),
}
READERS: dict[type, Reader] = {
    **CONTAINERS,
    random.Random: lambda value, inside: _canonical(value.getstate(), inside),
    MethodType: lambda value, inside: _name(value.__func__),
}


@cache
def _reader(kind: type) -> Reader:
    """How values of a type are read."""
    if kind in READERS:
        return READERS[kind]
    name = kind.__name__
    if kind.__module__.partition(".")[0] == "numpy":
        if name == "ndarray":
            return lambda value, inside: (
                (value.shape, _canonical(value.tolist(), inside))
                if value.dtype.hasobject
                else (value.shape, value.dtype.char, value.tobytes())
            )
        inner = GENERATORS.get(name) or (methodcaller("item") if hasattr(kind, "item") else None)
        if inner is not None:
            return lambda value, inside: _canonical(inner(value), inside)
    if hasattr(kind, "sample") and hasattr(kind, "contains"):
        return lambda value, inside: repr(value)  # a space: what it caches is not state
    if name in UNREADABLE or name.endswith("iterator"):
        return _unreadable
    if issubclass(kind, Enum):
        return lambda value, inside: (kind.__qualname__, value.name)
    if issubclass(kind, NAMED):
        return lambda value, inside: _name(value)
    return _instance
