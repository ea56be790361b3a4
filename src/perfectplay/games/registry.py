"""Finds games: in this folder, in other packages, and in single files by path.

Each module or folder here is a game with the same name; there is no list to maintain. Other packages
offer games as entry points in the group "perfectplay.games".
"""

import sys
from collections.abc import Collection, Mapping
from dataclasses import fields
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any

import perfectplay.games as here
from perfectplay.core.errors import (
    GameFileError,
    ParseError,
    PerfectplayError,
    UnknownGameError,
    WrongTypeError,
    describe_error,
)
from perfectplay.core.formatting import join_words, quote
from perfectplay.core.game import Game
from perfectplay.core.parts import find_class, find_modules, find_offered
from perfectplay.core.spec import split_spec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP = "perfectplay.games"
ENVIRONMENT = "env"
"""The name in specs of environments that others wrote."""
_FILE = "perfectplay_game_file:"
"""Prefix of the module names of game files."""
_NOT_GAMES = frozenset({"registry", "examples"})
NO_GAMES: Mapping[str, Game[Any]] = MappingProxyType({})


class RuleInterrupted(Exception):
    """Raised inside a rule of a game file that does not return, by a caller that has waited too long."""


def names() -> tuple[str, ...]:
    """The names of all games that can be loaded, in alphabetical order.

    >>> names()[:2]
    ('bit-flip', 'dual-direction')
    """
    return tuple(sorted({*find_modules(here, _NOT_GAMES), *(each.name for each in _entry_points())}))


def load(
    spec: str,
    *,
    allow_paths: bool = True,
    environments: bool = False,
    offered: Mapping[str, Game[Any]] = NO_GAMES,
) -> Game[Any]:
    """The game that a spec names.

    Loading a game file runs it, so specs from elsewhere must not name one: pass
    `allow_paths=False` for those. Without `environments`, no spec may name an environment. A spec may always
    name one of the games `offered`, which are there already, such as tables of environments.

    >>> load("bit-flip:bits=12").spec
    'bit-flip:bits=12'
    """
    if not isinstance(spec, str):
        raise WrongTypeError('a spec, such as "bit-flip:bits=12"', spec)
    if spec in offered:
        return offered[spec]
    name, rest = split_spec(spec)
    if name == ENVIRONMENT:
        if not allow_paths or not environments:
            raise ParseError(f"an environment is not allowed here: {quote(spec, 200)}")
        game: Game[Any] = environment_tool("load")(rest or "")
        return game
    if not name.endswith(".py"):
        return game_class(name).from_spec(rest)
    if not allow_paths:
        raise ParseError(f"a game file is not allowed here: {quote(name, 200)}")
    return _class_in_file(Path(name)).from_spec(rest)


load_any = partial(load, environments=True)
"""For the command line alone: whoever names an environment runs foreign code."""


def environment_tool(name: str) -> Any:
    """What perfectplay-foreign offers under a name, for environments that others wrote."""
    return find_offered("perfectplay-foreign", name, object)


def load_bounded(
    spec: str,
    largest: int,
    use: str,
    *,
    allow_paths: bool = True,
    environments: bool = False,
    offered: Mapping[str, Game[Any]] = NO_GAMES,
) -> Game[Any]:
    """The game that a spec names, unless a number of it is too large for what it is used for.

    Specs from elsewhere go through `perfectplay.validation`.
    """
    game = load(spec, allow_paths=allow_paths, environments=environments, offered=offered)
    for each in fields(game):
        value = getattr(game, each.name)
        if isinstance(value, int) and value > largest:
            raise PerfectplayError(
                f"{each.name}={value} is too large to {use} here: the limit is {largest:,}"
            )
    if game.num_actions > largest:
        moves = f"it has {game.num_actions:,} moves; the limit here is {largest:,}"
        raise PerfectplayError(f"{quote(spec, 200)} is too large to {use}: {moves}")
    return game


def game_class(name: str) -> type[Game[Any]]:
    """The class of the game called `name`."""
    module = find_modules(here, _NOT_GAMES).get(name)
    if module is not None:
        return find_class(import_module(module), Game)
    for each in _entry_points():
        if each.name == name:
            found: type[Game[Any]] = each.load()
            return found
    raise UnknownGameError(name, names())


def _entry_points() -> "EntryPoints":
    # This import takes a fifth of the time until a game starts, and built-in games do not need it.
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _class_in_file(path: Path) -> type[Game[Any]]:
    path = path.resolve()
    key, named = f"{_FILE}{path}", quote(str(path), 200)
    if key not in sys.modules:
        spec = spec_from_file_location(key, path)
        if not path.is_file() or spec is None or spec.loader is None:
            raise ParseError(f"there is no game file {named}")
        module = module_from_spec(spec)
        # Registered before it runs: dataclasses look up their module while the class is made.
        sys.modules[key] = module
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:  # report any error in the file to its author
            del sys.modules[key]
            _, line = _line_in(error, {str(path)}) or ("", None)
            problem, where = describe_error(error), f", line {line}," if line else ""
            text = f"the game file {named}{where} does not run: {problem}"
            raise GameFileError(text, line=line, problem=problem) from error
    try:
        found = find_class(sys.modules[key], Game)
    except ParseError:
        problem = "must define one game class"
        text = f"the game file {named} {problem}"
        raise GameFileError(text, line=None, problem=f"the file {problem}") from None
    said = ("name", "title", "outcome_reasons")
    missing = sorted({*found.__abstractmethods__, *(each for each in said if not hasattr(found, each))})
    if missing:
        problem = f"does not define {join_words(missing, 'and')}"
        text = f"the game in {named} {problem}"
        raise GameFileError(text, line=None, problem=f"the game {problem}")
    found.source = str(path)
    return found


def game_files() -> tuple[str, ...]:
    """The paths of the game files that have been loaded."""
    return tuple(name.removeprefix(_FILE) for name in sys.modules if name.startswith(_FILE))


def game_file_error(error: BaseException) -> GameFileError | None:
    """A GameFileError with file and line for an error raised in a game file; None for other errors."""
    found = _line_in(error, game_files())
    if found is None:
        return None
    (path, line), problem = found, describe_error(error)
    text = f"the game file {quote(path, 200)}, line {line}: {problem}"
    return GameFileError(text, line=line, problem=problem)


def runs_game_file(frame: FrameType | None) -> bool:
    """Whether code of a game file is running in a frame, or called what runs there."""
    files = game_files()
    return frame is not None and any(each.f_code.co_filename in files for each, _ in walk_stack(frame))


def find_interrupted_rule(error: BaseException) -> str | None:
    """Which rules of a game file an interrupt has stopped, by its traceback; None if none was running."""
    files = game_files()
    running = [each for each in walk_tb(error.__traceback__) if each[0].f_code.co_filename in files]
    if not running:
        return None
    frame, line = running[-1]
    rules = dict.fromkeys(each.f_code.co_name for each, _ in running if each.f_code.co_name[0] != "<")
    what = f"{join_words(list(rules), 'and')} had not returned" if rules else "it was still being loaded"
    return f"interrupted in the game file {quote(frame.f_code.co_filename, 200)}, line {line}: {what}"


def _line_in(error: BaseException, files: Collection[str]) -> tuple[str, int] | None:
    """The innermost line of the given files in an error's traceback."""
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno or 0))
    return next((found for found in reversed(frames) if found[0] in files), None)
