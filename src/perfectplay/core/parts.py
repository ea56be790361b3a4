"""Finds modules by folder, classes by module, and what other packages offer: no lists are maintained."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TypeVar

from perfectplay.core.errors import (
    MissingExtraError,
    ParseError,
    PerfectplayError,
    describe_error,
    install_command,
)

T = TypeVar("T")


@cache  # asked whenever a game is loaded, and reading folders takes time
def find_modules(package: ModuleType, without: frozenset[str] = frozenset()) -> Mapping[str, str]:
    """The modules and folders of a package by public name: `bit_flip` becomes bit-flip."""
    modules = (module.name for module in pkgutil.iter_modules(package.__path__))
    return {name.replace("_", "-"): f"{package.__name__}.{name}" for name in modules if name not in without}


def find_class(module: ModuleType, base: type[T]) -> type[T]:
    """The one subclass of `base` that is defined in a module or, for a folder, below it."""
    found = {
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, base)
        and (value.__module__ + ".").startswith(module.__name__ + ".")
    }
    if len(found) != 1:
        raise ParseError(f"{module.__name__} must define exactly one {base.__name__}, not {len(found)}")
    return found.pop()


@cache
def part_of(kind: type, name: str) -> ModuleType | None:
    """The module `name` beside the rules of a game, such as its coach; None if there is none.

    Only a game whose class is in a module `rules` has its other parts beside it.
    """
    folder, _, module = kind.__module__.rpartition(".")
    path = f"{folder}.{name}"
    return import_module(path) if folder and module == "rules" and find_spec(path) else None


@cache
def class_beside(kind: type, name: str, base: type[T]) -> type[T] | None:
    """The subclass of `base` in the module `name` beside the rules of a game, or of a game it extends."""
    modules = (part_of(each, name) for each in kind.__mro__)
    module = next(filter(None, modules), None)
    return None if module is None else find_class(module, base)


def find_offered(package: str, name: str, kind: type[T]) -> T:
    """What a package beside this one offers as an entry point, which is imported only now.

    Raises MissingExtraError if it is not installed, and a PerfectplayError if it does not offer that.
    """
    from importlib.metadata import PackageNotFoundError, distribution  # slow, and rarely needed

    try:
        offered = distribution(package).entry_points.select(name=name)
    except PackageNotFoundError:
        raise MissingExtraError(package, package) from None
    again = f"install it again with: {install_command(package)} --upgrade"
    try:
        found = next((each.load() for each in offered), None)
    except PerfectplayError:  # it fits, and says what it lacks
        raise
    except Exception as error:  # whatever its import runs into
        raise PerfectplayError(f"{package} does not fit ({describe_error(error)}); {again}") from error
    if found is None or not isinstance(found, kind):
        raise PerfectplayError(f"{package} does not fit (it has no {name}); {again}")
    return found
