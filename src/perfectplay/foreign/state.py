"""The private state of an environment in a form that can be compared: its canonical state."""

import random
from collections import deque
from collections.abc import Callable, Hashable
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

ATOMS = frozenset({int, str, bool, bytes, type(None), complex})
"""Types whose values stand for themselves."""
NAMED = (type, FunctionType, BuiltinFunctionType, ModuleType)
"""Values that are known by their names: their contents are code, not state."""


class UnreadableError(Exception):
    """A value that cannot be compared, such as a running generator."""


def canonical(value: Any) -> Hashable:
    """Return a hashable stand-in for a value: equal exactly if the values are equal in content.

    The order of sets and dictionaries, and the difference between 1 and True, do not count.

    >>> canonical({"b": [1, 2], "a": {3}}) == canonical({"a": {3}, "b": [1, 2]})
    True
    """
    return _canonical(value, {})


def _canonical(value: Any, inside: dict[int, int]) -> Hashable:
    kind = type(value)
    if kind in ATOMS:
        atom: Hashable = value
        return atom
    if kind is float:
        return value if value == value else "nan"  # nan is not equal to itself
    known = _READERS.get(kind)
    if known is None:
        known = _READERS[kind] = _reader(kind)
    if id(value) in inside:
        return ("the value around it", len(inside) - inside[id(value)])
    inside[id(value)] = len(inside)
    try:
        return known(value, inside)
    finally:
        del inside[id(value)]


Reader = Callable[[Any, dict[int, int]], Hashable]


def _sequence(value: Any, inside: dict[int, int]) -> Hashable:
    # Lists of plain numbers are common, and this is twice as fast for them.
    return tuple([each if type(each) in ATOMS else _canonical(each, inside) for each in value])


def _set(value: Any, inside: dict[int, int]) -> Hashable:
    return frozenset([_canonical(each, inside) for each in value])


def _mapping(value: Any, inside: dict[int, int]) -> Hashable:
    return frozenset([(_canonical(key, inside), _canonical(each, inside)) for key, each in value.items()])


def _array(value: Any, inside: dict[int, int]) -> Hashable:
    if value.dtype.hasobject:
        return value.shape, _canonical(value.tolist(), inside)
    return value.shape, value.dtype.char, value.tobytes()


def _item(value: Any, inside: dict[int, int]) -> Hashable:
    return _canonical(value.item(), inside)


def _named(value: Any, inside: dict[int, int]) -> Hashable:
    return getattr(value, "__module__", ""), getattr(value, "__qualname__", value.__name__)


def _method(value: Any, inside: dict[int, int]) -> Hashable:
    return _named(value.__func__, inside)


def _enum(value: Any, inside: dict[int, int]) -> Hashable:
    return type(value).__qualname__, value.name


def _generator(value: Any, inside: dict[int, int]) -> Hashable:
    state = value.getstate() if isinstance(value, random.Random) else value.state
    return _canonical(state, inside)


def _numpy_generator(value: Any, inside: dict[int, int]) -> Hashable:
    return _canonical(value.bit_generator.state, inside)


def _instance(value: Any, inside: dict[int, int]) -> Hashable:
    parts: dict[str, Any] = dict(getattr(value, "__dict__", {}))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                parts[name] = getattr(value, name)
    if not parts and not isinstance(value, (list, tuple, set, frozenset, dict, int, str, float)):
        return _reduced(value, inside)
    held: Hashable = None
    for plain, read in ((dict, _mapping), ((list, tuple, deque), _sequence), ((set, frozenset), _set)):
        if isinstance(value, plain):  # a subclass of a container
            held = read(value, inside)
    if isinstance(value, (int, str, float)):
        held = str(value)
    return type(value).__qualname__, held, _mapping(parts, inside)


def _reduced(value: Any, inside: dict[int, int]) -> Hashable:
    if type(value) is object or type(value).__init__ is object.__init__:
        return (type(value).__qualname__,)
    try:
        found = value.__reduce_ex__(4)
    except Exception as error:
        raise UnreadableError(f"{type(value).__qualname__} cannot be read: {error}") from error
    return (type(value).__qualname__, _canonical(found[1:], inside)) if isinstance(found, tuple) else found


def _unreadable(value: Any, inside: dict[int, int]) -> Hashable:
    raise UnreadableError(f"{type(value).__qualname__} cannot be read")


_READERS: dict[type, Reader] = {
    list: _sequence,
    tuple: _sequence,
    deque: _sequence,
    set: _set,
    frozenset: _set,
    dict: _mapping,
    random.Random: _generator,
    MethodType: _method,
}
UNREADABLE = frozenset(
    {"generator", "coroutine", "socket", "_thread.lock", "lock", "TextIOWrapper", "range_iterator"}
)
"""MethodNames of types whose values hold state that nothing can look at."""


def _reader(kind: type) -> Reader:
    module, name = kind.__module__.partition(".")[0], kind.__name__
    if module == "numpy":
        if name == "ndarray":
            return _array
        if name == "RandomState" or name == "Generator":
            return (
                _numpy_generator
                if name == "Generator"
                else lambda value, inside: _canonical(value.get_state(legacy=False), inside)
            )
        if hasattr(kind, "bit_generator") or name in ("PCG64", "MT19937", "Philox", "SFC64", "PCG64DXSM"):
            return _generator
        if hasattr(kind, "item"):
            return _item
    if hasattr(kind, "sample") and hasattr(kind, "contains"):
        return lambda value, inside: repr(value)  # a space: what it caches is not state
    if name in UNREADABLE or name.endswith("iterator"):
        return _unreadable
    if issubclass(kind, Enum):
        return _enum
    if issubclass(kind, NAMED):
        return _named
    return _instance
