"""The game that a file defines, and what is wrong with a file, in words for its author."""

import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any

from perfectplay.audit.case import prepare
from perfectplay.audit.measures import measures
from perfectplay.audit.readings import readings
from perfectplay.core.dialogue import Dialogue
from perfectplay.core.errors import GameFileError, PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.parts import class_beside
from perfectplay.core.texts import GameTexts
from perfectplay.core.theory import Theory
from perfectplay.games.registry import game_class, game_file_error, load, names
from perfectplay.solver.oracle_cache import oracle_for

PART = re.compile(
    r"\n    def (\w+)\(self\):\n        from perfectplay\.games\.\S+ import (\w+)\n\n"
    r"        return \2\(self\)\n"
)
"""A method that the workbench adds to a game of the package, for what a copy would not find beside it."""
FILE = "game.py"
"""What a game file is called while it is read."""

Overrides = Mapping[str, str]
"""Parameters that differ from their defaults, each as text."""


@lru_cache(maxsize=1)
def _class_in(source: str) -> type[Game[Any]]:
    """The class that a file defines; a file just as it is in the package is the package's own game.

    The class in the last file is kept, and with it everything that has been worked out about its game.
    """
    code, parts = _code(PART.sub("", source)), {name for name, _ in PART.findall(source)}
    for name in names():
        known = game_class(name)
        if code is not None and code == _code_of(known.__module__) and parts == parts_beside(known).keys():
            return known
    oracle_for.clear()
    for cache in (prepare, measures, readings):
        cache.cache_clear()
    with TemporaryDirectory() as folder:  # a new one each time, so that no compiled file is out of date
        path = Path(folder) / FILE
        path.write_text(source, "utf-8")
        found = type(load(str(path)))
    found.source = f"./{file_name(found.name)}"
    return found


def parts_beside(kind: type[Game[Any]]) -> dict[str, type]:
    """What a game finds in modules beside its rules, by the names of its methods."""
    bases: dict[str, type] = {"texts": GameTexts, "dialogue": Dialogue, "theory": Theory}
    found = {name: class_beside(kind, name, base) for name, base in bases.items()}
    return {name: part for name, part in found.items() if part is not None}


def _code(source: str) -> CodeType | None:
    """A file, compiled; None if it cannot be."""
    try:
        return compile(source, FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # reported when the file is loaded
        return None


def _code_of(module: str) -> CodeType | None:
    """The code of a module of the package, whose source a tab does not have."""
    find: Callable[[str], CodeType | None] | None = getattr(sys.modules[module].__loader__, "get_code", None)
    return None if find is None else find(module)


def file_name(name: str) -> str:
    """What the file of a game is called when it is downloaded.

    >>> file_name("tic-tac-toe"), file_name("../Ü")
    ('tic_tac_toe.py', 'game.py')
    """
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()
    return f"{plain}.py" if plain else FILE


def game_in(source: str, settings: Overrides) -> Game[Any]:
    """The game that a file defines, with settings other than its own."""
    return _class_in(source).from_spec(
        ",".join(f"{name}={value}" for name, value in settings.items()) or None
    )


def problem_of(error: BaseException) -> dict[str, Any]:
    """An error in words for the author of a file, with the line where it was raised if it is in the file."""
    found = error if isinstance(error, GameFileError) else game_file_error(error)
    line = None if found is None else found.line
    cause = error.__cause__ if isinstance(error, GameFileError) and error.__cause__ is not None else error
    if isinstance(cause, KeyboardInterrupt):
        return {"kind": "time", "line": line, "text": "This took too long and was stopped."}
    if isinstance(cause, MemoryError):
        return {"kind": "memory", "line": line, "text": "Python ran out of memory."}
    if found is not None:
        return {"kind": "file", "line": line, "text": found.problem}
    if isinstance(error, PerfectplayError):
        return {"kind": "settings", "line": None, "text": str(error)}
    return {"kind": "file", "line": None, "text": f"{type(error).__name__}: {error}"}
