"""Moves the data of older versions from the configuration folder to the data folder."""

import filecmp
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EXDEV
from pathlib import Path

import click

from perfectplay import saves
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.wording import pluralize
from perfectplay.output import sync_folder

try:
    import fcntl
except ImportError:  # not on Windows, where the old and the new folder are the same
    fcntl = None  # type: ignore[assignment]

WEB = "web"
"""The server's tables: one database, moved as a whole or not at all."""
PARTS = ("games", "seats", WEB)
LOCK = ".lock"


def old_home() -> Path:
    """Where older versions kept their data."""
    return Path(click.get_app_dir("perfectplay"))


def web_folder() -> Path:
    """The folder of the server's tables; the old folder if they could not be moved."""
    old, new = old_home() / WEB, saves.home() / WEB
    return old if not os.environ.get(saves.HOME) and old.is_dir() and not new.exists() else new


def migrate() -> tuple[str, ...]:
    """Move the data of older versions, and return lines that say what was moved and what was not.

    Nothing is replaced: a file whose name is taken gets a number. Files in use, and files that cannot be
    moved, stay where they are until a later start.
    """
    old, new = old_home(), saves.home()
    if os.environ.get(saves.HOME) or not any((old / part).is_dir() for part in PARTS):
        return ()
    if old.resolve() == new.resolve():
        return ()
    moved = 0
    problems: list[str] = []
    try:
        new.mkdir(parents=True, exist_ok=True)
        with _locked(new / ".migration.lock", wait=True):
            for path in _contents(old):
                try:
                    move = _move_web if path == old / WEB else _move_file
                    moved += move(path, new / path.relative_to(old))
                except (OSError, PerfectplayError) as error:
                    problems.append(_reason(error))
            _remove_empty_folders(old)
    except OSError as error:
        problems.append(_reason(error))
    lines = []
    if moved:
        lines.append(
            f"Saved games are now kept in {new}: {pluralize(moved, 'file', 'files')} moved from {old}"
        )
    if problems:
        more = f" (and {len(problems) - 1} more like this)" if len(problems) > 1 else ""
        lines.append(f"Not everything could be moved from {old} to {new}: {problems[0]}{more}")
    return tuple(lines)


def _contents(old: Path) -> Iterator[Path]:
    """The paths to move: single files, and the server's folder as a whole."""
    for part in PARTS:
        if part != WEB:
            files = [path for path in (old / part).rglob("*") if path.is_file()]
            yield from sorted(path for path in files if path.suffix != LOCK)
        elif (old / part).is_dir():
            yield old / part


def _move_file(path: Path, target: Path) -> int:
    """Move a file, unless it is a game being played; returns how many were moved."""
    slot = saves.SaveFile(path)
    try:
        if target.is_file() and filecmp.cmp(path, target, shallow=False):
            path.unlink()  # an earlier move to another disk was interrupted after copying
        else:
            saves.move_into(path, target.parent)
    finally:
        slot.close()
    return 1


def _move_web(folder: Path, target: Path) -> int:
    """Move the server's folder, unless a server is using it or the target exists."""
    with _locked(folder / ".serve.lock", wait=False):
        found = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
        files = [path for path in found if path.suffix != LOCK]
        if target.exists():
            if not all(_same(folder / file, target / file) for file in files):
                raise PerfectplayError(f"{target} already exists; serve --data {folder} uses the old tables")
            shutil.rmtree(folder)  # an earlier move to another disk was interrupted after copying
            return len(files)
        try:
            folder.rename(target)
        except OSError as error:
            if error.errno != EXDEV:
                raise
            partial = target.with_name(f".{WEB}.partial")
            shutil.rmtree(partial, ignore_errors=True)
            shutil.copytree(folder, partial)
            for file in files:
                with (partial / file).open("rb") as copied:
                    os.fsync(copied.fileno())
            partial.rename(target)
            sync_folder(target.parent)
            shutil.rmtree(folder)
    return len(files)


def _same(one: Path, two: Path) -> bool:
    return two.is_file() and filecmp.cmp(one, two, shallow=False)


def _remove_empty_folders(old: Path) -> None:
    for path in (old / "games").rglob(f"*{LOCK}"):
        # Left behind by a killed program, unless a process holds it.
        with suppress(PerfectplayError), _locked(path, wait=False):
            path.unlink()
    folders = [path for part in PARTS for path in (old / part).rglob("*") if path.is_dir()]
    for folder in [*reversed(folders), *(old / part for part in PARTS), old]:
        with suppress(OSError):  # not empty, or missing
            folder.rmdir()


@contextmanager
def _locked(path: Path, *, wait: bool) -> Iterator[None]:
    """Hold a lock file. Raises PerfectplayError if it is held elsewhere and `wait` is False."""
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if fcntl is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError as error:
                raise PerfectplayError(f"{path.parent} is in use") from error
        yield
    finally:
        os.close(descriptor)


def _reason(error: Exception) -> str:
    if not isinstance(error, OSError):
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
