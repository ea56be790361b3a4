"""Finds an environment by its name: a file, a class, or an entry of a library."""

import os
import re
import sys
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType, ModuleType

from perfectplay.core.errors import MissingExtraError, ParseError, nearest
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game
from perfectplay.games.registry import names
from perfectplay_foreign.adapter import (
    USUAL_NAMES,
    Adapter,
    MethodNames,
    StartError,
    UnavailableError,
    find_adapters,
)
from perfectplay_foreign.adapters.gymnasium import GymnasiumAdapter
from perfectplay_foreign.environment import Environment
from perfectplay_foreign.limits import LARGEST_SOURCE
from perfectplay_foreign.protocol import describe_error, explain_missing

LIBRARIES = {
    "gym": ("gymnasium", "rl"),
    "pettingzoo": ("pettingzoo", "rl"),
    "openspiel": ("pyspiel", "openspiel"),
    "pgx": ("pgx", "jax"),
}
"""For each prefix: the module that has to be installed, and the extra that brings it."""
NO_ARGUMENTS: Mapping[str, object] = MappingProxyType({})
FOREIGN = "__foreign__"
"""Marks the modules of environments."""


def adapter_of(what: str) -> type[Adapter] | None:
    """The adapter for the prefix of a name; None for a file or a class."""
    return next((adapter for adapter in find_adapters() if adapter.prefix == what.partition(":")[0]), None)


def check_name(what: str) -> None:
    """Raise ParseError unless a name can stand for an environment. Nothing foreign is run."""
    prefix, colon, rest = what.partition(":")
    if prefix in LIBRARIES and colon:
        library, extra = LIBRARIES[prefix]
        if find_spec(library) is None:
            raise MissingExtraError(library, extra)
        if not rest:
            raise ParseError(f"bad name {quote(what)}: a name must follow {prefix}:")
        return
    path, _ = split_name(what)
    if path is not None:
        if not path.is_file():
            raise ParseError(f"there is no file {quote(str(path), 200)}")
    elif prefix in names():
        raise ParseError(f"{prefix} is a game of perfectplay, not an environment: perfectplay audit {what}")
    elif not colon or not all(part.isidentifier() for part in prefix.split(".")) or not rest.isidentifier():
        hint = nearest(prefix, LIBRARIES)
        raise ParseError(
            f"bad name {quote(what, 200)}: it must be a file such as ./env.py, package.module:Class,"
            f" or one of {', '.join(f'{each}:NAME' for each in LIBRARIES)}{hint}"
        )


def split_name(what: str) -> tuple[Path | None, str]:
    """The file in a name, and the class after it; None for a class in a module."""
    name, _, chosen = what.rpartition(":")
    if what.endswith(".py") or "/" in what.rpartition(":")[2]:
        return Path(what), ""
    return (Path(name), chosen) if name.endswith(".py") else (None, chosen)


def environment(
    what: str, arguments: Mapping[str, object] = NO_ARGUMENTS, names: MethodNames = USUAL_NAMES
) -> Environment:
    """The environment of a name, made with these arguments. It is imported when it is first started."""
    adapter = adapter_of(what)
    find_class = cache(environment_class)

    def make() -> object:
        given = deepcopy(dict(arguments))  # or one game would change those of the next
        return find_class(what)(**given) if adapter is None else adapter.make(what.partition(":")[2], given)

    # What has its state elsewhere is made once.
    return Environment(cache(make) if adapter is not None and adapter.opaque else make, adapter, names)


def environment_class(what: str) -> type:
    """Import the class of an environment. Raises StartError."""
    path, chosen = split_name(what)
    if path is None and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        module = _module(path) if path is not None else import_module(what.partition(":")[0])
    except (Exception, SystemExit) as error:
        # A file is examined as it is. A class is only named, so a library may be missing here.
        if path is None and isinstance(error, ModuleNotFoundError):
            unavailable = explain_missing(what.partition(":")[0], error)
            if unavailable is not None:
                raise unavailable from error
        raise StartError("import-fails", describe_error(error)) from error
    setattr(module, FOREIGN, True)
    if chosen:
        named = getattr(module, chosen, None)
        if not isinstance(named, type):
            known = [name for name, value in vars(module).items() if isinstance(value, type)]
            where = quote(str(path) if path is not None else module.__name__, 200)
            raise UnavailableError(f"there is no class {chosen} in {where}{nearest(chosen, known)}")
        return named
    every = (each for each in vars(module).values() if isinstance(each, type))
    classes = [each for each in every if each.__module__ == module.__name__]
    own = [each for each in classes if GymnasiumAdapter.fits(each)]
    # A base class beside its one subclass is not a second environment.
    last = [one for one in own if not any(one in other.__mro__[1:] for other in own)]
    if not last and any(issubclass(each, Game) for each in classes):
        raise UnavailableError(
            f"{quote(what, 200)} is a game file, not an environment: perfectplay audit {what}"
        )
    if len(last) != 1:
        several = ", ".join(each.__name__ for each in last) or "no class with reset and step"
        raise StartError("import-fails", f"it defines {several}; name one, as in {what}:Class")
    return last[0]


def _module(path: Path) -> ModuleType:
    name = f"foreign_{path.stem}"  # so that random.py is not taken for another module
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    sys.path.append(str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def find_needed_files(what: str) -> list[Path]:
    """The files that an environment is made of: its own, and those beside it that it imports."""
    named, _ = split_name(what)
    if named is None:
        here = Path.cwd().resolve()
        first = here / what.partition(":")[0].partition(".")[0]
        known = [each.resolve() for each in (first, first.with_suffix(".py")) if each.exists()]
        return [each for each in known if each.is_relative_to(here)]
    # Modules beside a file that are mentioned. Nothing is parsed, which could take anything.
    path = named.resolve()
    folder, found, left = path.parent, [path], LARGEST_SOURCE
    beside = {name.removesuffix(".py") for name in os.listdir(folder)}
    for each in found:  # grows on the way
        try:
            fits = each.is_file() and each.stat().st_size <= left
            text = each.read_text("utf-8", errors="replace") if fits else ""
        except OSError:
            continue
        left -= len(text)
        for word in sorted({match[0] for match in re.finditer(r"\w+", text) if match[0] in beside}):
            for module in (folder / f"{word}.py", folder / word):
                # A link that leads elsewhere would let it read whatever its author likes.
                real = module.resolve()
                good = real.suffix == ".py" or (real / "__init__.py").exists()
                if good and real.parent == folder and real.exists() and real not in found:
                    found.append(real)
    return found
