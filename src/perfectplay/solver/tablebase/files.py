"""A table base on disk: a folder with a manifest and, for each ply, sorted codes and their values."""

import ast
import json
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from importlib.util import resolve_name
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from zlib import crc32

import numpy as np

import perfectplay
from perfectplay.core.array_rules import ArrayRules
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game, S
from perfectplay.output import write_whole, writing
from perfectplay.solver.tablebase.checksums import CheckedArray, CheckedPly, checksums, count_blocks

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

MANIFEST, SUMS = "table.json", "checksums"
_NAMES = "codes", "values"
FORMAT = 2
LARGEST_MANIFEST = 1 << 20
"""Bytes."""
LARGEST_READ = 1 << 18
"""Bytes of a file that is read into memory. Larger ones are mapped."""


class TableBaseError(PerfectplayError):
    """A table base that is damaged, or belongs to another game."""

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(f"the table base {quote(str(folder), 200)} {problem}")


def explain_damage(folder: Path, problem: str) -> TableBaseError:
    """The error about a table base whose files are not what they were."""
    return TableBaseError(
        folder, f"is damaged: {problem}; delete the folder, and make it again with solve --save"
    )


def explain_file(path: Path) -> TableBaseError:
    """The error about a file of a table base that is damaged."""
    return explain_damage(path.parent, f"{path.name} is not what was written")


def explain_system(folder: Path, problem: str, error: OSError) -> TableBaseError:
    """The error about a table base that the system does not let us read or write."""
    return TableBaseError(folder, f"{problem}: {error.strerror or error}")


class MemoryStore:
    """Plies in memory."""

    in_memory = True

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], Any] = {}

    def get(self, name: str, ply: int) -> Any | None:
        """The codes or the values of a ply; None if they are not there."""
        return self._kept.get((name, ply))

    def put(self, name: str, ply: int, parts: Iterable[Any], dtype: Any) -> Any:
        """Keep the parts of an array as one, and return it."""
        self._kept[name, ply] = self.spill(parts, dtype)
        return self._kept[name, ply]

    def spill(self, parts: Iterable[Any], dtype: Any) -> Any:
        """The parts as one array."""
        return np.concatenate([np.zeros(0, dtype), *parts])


class FolderStore:
    """Plies in a folder. A file is whole as soon as it has its name, so a killed run can be continued.

    Until all are there, the checksums of each are in a file beside it.
    """

    in_memory = False

    def __init__(self, folder: Path, bits: int) -> None:
        self.folder = folder
        self._types = {"codes": "<u4" if bits <= 32 else "<u8", "values": "<u2"}

    def path(self, name: str, ply: int) -> Path:
        """The file of the codes or the values of a ply."""
        return self.folder / f"ply-{ply:04}.{name}"

    def get(self, name: str, ply: int) -> Any | None:
        """The codes or the values of a ply; None if they are not there."""
        path = self.path(name, ply)
        return self._read(path, name) if path.exists() else None

    def _read(self, path: Path, name: str) -> Any:
        kind = np.dtype(self._types[name])
        size = path.stat().st_size
        if size % kind.itemsize:
            raise explain_file(path)
        # A map keeps its file open, of which a process may have few: long games have thousands of plies.
        return np.memmap(path, kind, "r") if size > LARGEST_READ else np.fromfile(path, kind)

    def put(self, name: str, ply: int, parts: Iterable[Any], dtype: Any) -> Any:
        """Write the parts of an array as one, and return it."""
        path = self.path(name, ply)
        partial = path.with_suffix(f".{name}-partial")
        with partial.open("wb") as file:
            for part in parts:
                file.write(np.ascontiguousarray(part, self._types[name]).data)
            file.flush()
            os.fsync(file.fileno())
        with writing(_sums_of(path)) as file:
            file.write(self._sums(partial, name))
        os.replace(partial, path)
        return self.get(name, ply)

    def _sums(self, path: Path, name: str) -> bytes:
        return np.fromiter(checksums(self._read(path, name)), "<u4").tobytes()

    def check(self) -> None:
        """Raise TableBaseError if a ply that a killed run left is damaged. One without checksums goes."""
        for name in _NAMES:
            for path in self.folder.glob(f"ply-*.{name}"):
                if not _sums_of(path).exists():
                    path.unlink()
                elif self._sums(path, name) != _sums_of(path).read_bytes():
                    raise explain_file(path)

    def spill(self, parts: Iterable[Any], dtype: Any) -> Any:
        """The parts as one array, in a file that is gone when nothing needs it."""
        with TemporaryFile(dir=self.folder) as file:
            for part in parts:
                file.write(np.ascontiguousarray(part, dtype).data)
            file.flush()
            return np.memmap(file, dtype, "r") if file.tell() else np.zeros(0, dtype)


def _sums_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-sums")


Store = MemoryStore | FolderStore
"""Where plies are kept."""


def expect_arrays(game: Game[S]) -> ArrayRules[S]:
    """The rules of a game on arrays. Raises an error if it has none."""
    rules = game.array_rules()
    if rules is None:
        problem = "has no rules on arrays, or they need more than 64 bits"
        raise PerfectplayError(f"{game.spec} {problem}")
    return rules


def describe(game: Game[Any]) -> dict[str, Any]:
    """What a table base must have in common with the game that asks it."""
    rules = expect_arrays(game)
    digest = sha256()
    for _, text in sorted((each.name, each.read_bytes()) for each in _rule_files(type(game), type(rules))):
        digest.update(text)
    # A game file may have moved.
    spec = game.spec if game.source is None else type(game).__name__ + game.spec.removeprefix(game.source)
    return {"format": FORMAT, "game": spec, "rules": digest.hexdigest(), "bits": rules.bits}


def _rule_files(game: type, rules: type) -> set[Path]:
    """The files that rules come from: those of their classes, and what these files import of their own kind.

    Python's own files and those of other packages are left out, and perfectplay's but for the game's folder.
    """
    home = (
        game.__module__.rpartition(".")[0] if game.__module__.startswith("perfectplay.") else game.__module__
    )
    others = [Path(perfectplay.__file__).parent, *map(Path, sysconfig.get_paths().values())]
    found, seen = set(), set[str]()
    open_names = {each.__module__ for kind in (game, rules) for each in kind.__mro__}
    while open_names:
        name = open_names.pop()
        seen.add(name)
        module = sys.modules.get(name)
        path = Path(getattr(module, "__file__", None) or "")
        own = f"{name}.".startswith(f"{home}.")
        if not path.is_file() or (not own and any(map(path.is_relative_to, others))):
            continue
        found.add(path)
        for each in ast.parse(path.read_bytes()).body:
            if isinstance(each, ast.ImportFrom):
                start = "." * each.level + (each.module or "")
                start = resolve_name(start, getattr(module, "__package__", None))
                open_names |= {start, *(f"{start}.{alias.name}" for alias in each.names)} - seen
            elif isinstance(each, ast.Import):
                open_names |= {alias.name for alias in each.names} - seen
    return found


@contextmanager
def begin(folder: Path, game: Game[Any]) -> Iterator[FolderStore]:
    """Start a table base in a folder, or continue one, and keep other processes out meanwhile."""
    facts = describe(game)
    folder.mkdir(parents=True, exist_ok=True)
    with _reserve(folder):
        if (folder / MANIFEST).exists():
            if _match(folder, read_manifest(folder), facts).get("plies") is not None:
                open_plies(folder, game)
                problem = "was made already: delete the folder to make it again, or name it in"
                raise TableBaseError(folder, f"{problem} PERFECTPLAY_TABLES")
        elif any(folder.iterdir()):
            raise TableBaseError(folder, "cannot be started: the folder is not empty")
        else:
            write_whole(folder / MANIFEST, json.dumps(facts))
        store = FolderStore(folder, facts["bits"])
        store.check()
        yield store


@contextmanager
def _reserve(folder: Path) -> Iterator[None]:
    """Lock a folder, where the system can."""
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # of file systems without locks
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise TableBaseError(folder, "is being made by another process") from None
        yield
    finally:
        os.close(descriptor)


def finish(store: FolderStore, game: Game[Any], plies: int, counts: dict[str, int]) -> None:
    """Write the manifest of a table base whose plies are all there."""
    store.path("codes", plies).unlink(missing_ok=True)  # the empty one after the last
    paths = [store.path(name, ply) for ply in range(plies) for name in _NAMES]
    sums = b"".join(_sums_of(path).read_bytes() for path in paths)
    with writing(store.folder / SUMS) as file:
        file.write(sums)
    facts = {
        **describe(game),
        "version": perfectplay.__version__,
        **counts,
        "plies": [path.stat().st_size // 2 for path in paths[1::2]],  # values have two bytes
        "checksum": crc32(sums),
    }
    write_whole(store.folder / MANIFEST, json.dumps(facts))
    for path in store.folder.glob("ply-*-sums"):
        path.unlink()


def open_plies(folder: Path, game: Game[Any]) -> tuple[list[CheckedPly], dict[str, Any]]:
    """The codes and values of each ply of a finished table base, mapped from its files, and its manifest."""
    facts = _match(folder, read_manifest(folder), describe(game))
    plies: Any = facts.get("plies")
    positions: Any = facts.get("positions")
    if plies is None:
        raise TableBaseError(folder, "is not finished: solve --save continues it")
    if type(positions) is not int or not isinstance(plies, list) or {*map(type, plies)} - {int}:
        raise explain_damage(folder, f"{MANIFEST} lacks what it must say")
    if (
        min(plies, default=0) <= 0
        or not sum(plies) == facts.get("stored", 0) <= positions <= 1 << facts["bits"]
    ):
        raise explain_damage(folder, f"{MANIFEST} counts what is not there")
    store = FolderStore(folder, facts["bits"])
    paths = [store.path(name, ply) for ply in range(len(plies)) for name in _NAMES]
    arrays = [_open(store, name, ply, count) for ply, count in enumerate(plies) for name in _NAMES]
    sums = _read_sums(folder, [*map(count_blocks, arrays)], facts.get("checksum"))
    damages = [partial(explain_file, path) for path in paths]
    checked = list(map(CheckedArray, arrays, sums, damages))
    for each in checked:
        if each.array.nbytes <= LARGEST_READ:  # it was read anyway
            each.at(np.arange(len(each.array)))
    return list(zip(checked[::2], checked[1::2], strict=True)), facts


def _read_sums(folder: Path, blocks: list[int], checksum: object) -> list[Any]:
    """The checksums of the blocks of each file."""
    path = folder / SUMS
    if not path.is_file():
        raise explain_damage(folder, f"{SUMS} is missing")
    if path.stat().st_size != 4 * sum(blocks):
        raise explain_file(path)
    found = np.fromfile(path, "<u4")
    if crc32(found.tobytes()) != checksum:
        raise explain_file(path)
    return np.split(found, np.cumsum(blocks)[:-1])


def _open(store: FolderStore, name: str, ply: int, count: int) -> Any:
    array = store.get(name, ply)
    if array is None:
        raise explain_damage(store.folder, f"{store.path(name, ply).name} is missing")
    if len(array) != count:
        raise explain_file(store.path(name, ply))
    return array


def read_manifest(folder: Path) -> dict[str, Any]:
    """What a manifest says: at least which game it is about."""
    try:
        with (folder / MANIFEST).open("rb") as file:
            text = file.read(LARGEST_MANIFEST + 1)
        facts = json.loads(text) if len(text) <= LARGEST_MANIFEST else None
    except OSError as error:
        raise explain_system(folder, "cannot be read", error) from None
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict) or not isinstance(facts.get("game"), str):
        raise explain_damage(folder, f"{MANIFEST} is not a valid manifest")
    return facts


def _match(folder: Path, facts: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    if facts.get("format") != FORMAT:
        raise TableBaseError(folder, "has a format that this version does not read")
    if facts.get("game") != wanted["game"]:
        raise TableBaseError(folder, f"is of another game: {quote(facts['game'], 80)}")
    if any(facts.get(name) != wanted[name] for name in wanted):
        raise TableBaseError(
            folder, "was made by other rules: the files of the game have changed since; delete the folder"
        )
    return facts
