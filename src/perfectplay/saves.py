"""Games on disk. A save file is replaced completely or not at all; finished records are never replaced."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from stat import S_IMODE

from perfectplay.core.errors import PerfectplayError, RecordError
from perfectplay.core.formatting import quote
from perfectplay.core.limits import LONGEST_LINE, MOST_LINES
from perfectplay.core.record import Record, read_records
from perfectplay.output import sync_folder, write_whole

try:
    import fcntl
except ImportError:  # not on Windows, where nothing stops two terminals from resuming the same game
    fcntl = None  # type: ignore[assignment]

HOME = "PERFECTPLAY_HOME"
FINISHED = "finished"
"""The folder of games that are over, within that of saved games."""


def home() -> Path:
    """The data folder: PERFECTPLAY_HOME, or by default the platform's folder for data."""
    named = os.environ.get(HOME)
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("perfectplay", appauthor=False, roaming=True)


def folder() -> Path:
    """The folder of saved games."""
    return home() / "games"


def open_games() -> tuple[Path, ...]:
    """The save files of unfinished games, newest first."""
    return _newest_first(folder())


def finished_games() -> tuple[Path, ...]:
    """The files of games that are over, newest first."""
    return _newest_first(folder() / FINISHED)


def _newest_first(where: Path) -> tuple[Path, ...]:
    found = []
    for path in where.glob("*.txt"):
        with suppress(FileNotFoundError):  # another terminal has just moved it
            if path.is_file():
                found.append((path.stat().st_mtime_ns, path))
    return tuple(path for _, path in sorted(found, reverse=True))


def read(path: Path) -> tuple[Record, ...]:
    """Read the records in a file. Raises RecordError for the first invalid line, OSError if unreadable."""
    return read_records(_lines(path))


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file of any size, up to the limits for a record."""
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise RecordError(number, f"the line is longer than {LONGEST_LINE:,} bytes")
            if number > MOST_LINES:
                raise RecordError(number, f"the file is longer than {MOST_LINES:,} lines")
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError:
                raise RecordError(number, "the line is not UTF-8 text") from None


def read_series(path: Path) -> tuple[Record, ...]:
    """The records of a saved series, without an incomplete record left at the end by a power cut.

    Only a series between computers can end like that, and its last game is played again. With a person
    in the game, the file is always replaced completely, so an incomplete record is an error.
    """
    with suppress(RecordError):
        records = read_records(_whole_records(path))
        if "human" not in records[0].players:
            return records
    return read(path)


def _whole_records(path: Path) -> Iterator[str]:
    """The lines of a file up to the last complete result line."""
    waiting: list[str] = []
    for line in _lines(path):
        waiting.append(line)
        if line.startswith("result: ") and line.endswith("\n"):
            yield from waiting
            waiting.clear()


def join_records(records: Sequence[str]) -> str:
    """The text of a file with these records."""
    return "\n\n".join(records) + "\n"


def move_into(path: Path, folder: Path) -> Path:
    """Move a file into a folder and return its new path, with a number added if the name is taken.

    Nothing is ever replaced, and the complete file always exists under at least one of the two names.
    """
    # Keep the mode, so that moving a private folder does not make it readable to others.
    folder.mkdir(parents=True, exist_ok=True, mode=S_IMODE(path.parent.stat().st_mode))
    for target in _names(folder, path.stem, path.suffix):
        try:
            target.open("xb").close()
        except FileExistsError:
            continue
        try:
            os.replace(path, target)
        except BaseException:
            # The name was only reserved, or the old file still exists.
            if path.exists() or not target.stat().st_size:
                target.unlink()
            raise
        sync_folder(folder)
        return target
    raise AssertionError("names do not run out")


def _names(folder: Path, stem: str, suffix: str) -> Iterator[Path]:
    yield folder / f"{stem}{suffix}"
    yield from (folder / f"{stem}-{number}{suffix}" for number in count(2))


class SaveFile:
    """A save file, locked by this process until it is closed."""

    def __init__(self, path: Path, *, new: bool = False) -> None:
        """Lock a file. With `new` it must not exist yet, else FileExistsError is raised."""
        self.path = path
        self._new = new
        self._kept = 0
        """How many finished games the file holds; 0 if it ends otherwise, or if that is unknown."""
        target = Path(os.path.realpath(path))  # the same for all links to it
        self._lock_path = target.with_name(f".{target.name}.lock")
        self._lock = self._hold()
        # Checked only now, when no other process can be about to write it.
        if new and path.exists():
            self.close()
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))

    @classmethod
    def new(cls, name: str) -> "SaveFile":
        """A new save file in the folder of saved games, under an unused name."""
        folder().mkdir(parents=True, exist_ok=True)
        for path in _names(folder(), f"{name}-{datetime.now():%Y%m%d-%H%M%S}", ".txt"):
            with suppress(InUseError, FileExistsError):
                return cls(path, new=True)
        raise AssertionError("names do not run out")

    def write(self, done: Sequence[str], running: str | None = None) -> None:
        """Save the records of the finished games and of the one in progress.

        If only finished games were added, the file is appended to. Otherwise it is replaced completely.
        """
        kept, self._kept = self._kept, 0
        if kept and running is None and self.path.exists():
            self._append("\n" + join_records(done[kept:]))
        else:
            write_whole(self.path, join_records(done if running is None else [*done, running]), new=self._new)
            self._new = False
        self._kept = len(done) if running is None else 0

    def _append(self, text: str) -> None:
        with self.path.open("r+b") as file:
            before = file.seek(0, os.SEEK_END)
            try:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                with suppress(OSError):
                    os.truncate(self.path, before)
                raise

    def finish(self) -> Path:
        """Move the file of a finished game out of the folder of open games; returns the new path."""
        if self.path.parent == folder():
            self.path = move_into(self.path, folder() / FINISHED)
        return self.path

    def close(self) -> None:
        """Release the lock, so that another process may resume the game."""
        lock, self._lock = self._lock, None
        if lock is not None:
            try:
                with suppress(OSError):
                    self._lock_path.unlink()
            finally:
                os.close(lock)

    def _hold(self) -> int | None:
        if fcntl is None:
            return None
        descriptor = os.open(self._lock_path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The file may have been unlinked by its last holder between the two calls above.
            if os.fstat(descriptor).st_ino != os.stat(self._lock_path).st_ino:
                raise OSError
        except OSError:
            os.close(descriptor)
            raise InUseError(self.path) from None
        return descriptor


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Wait until no other process changes a file here, and keep others from it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("w") as held:
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def forget(path: Path) -> Path:
    """Move the file of an open game to the folder of forgotten games; returns the new path."""
    with closing(SaveFile(path)):
        return move_into(path, folder() / "forgotten")


class InUseError(PerfectplayError):
    """A save file that another process has locked."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{quote(str(path), 200)} is being played in another terminal")
