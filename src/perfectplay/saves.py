"""Where games in progress live on disk. A file is replaced whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import click

from perfectplay.core.errors import PerfectplayError, RecordError
from perfectplay.core.record import Record, read_records
from perfectplay.core.wording import quoted

try:
    import fcntl
except ImportError:  # not on Windows: there, nothing stops two terminals from resuming one game
    fcntl = None  # type: ignore[assignment]

LONGEST_LINE = 10_000
MOST_LINES = 1_000_000
HOME = "PERFECTPLAY_HOME"


def folder() -> Path:
    """Where saved games are kept; the variable PERFECTPLAY_HOME moves it."""
    home = os.environ.get(HOME)
    return Path(home or click.get_app_dir("perfectplay")) / "games"


def open_games() -> tuple[Path, ...]:
    """The save files of games that are not over, the newest first."""
    found = [path for path in folder().glob("*.txt") if path.is_file()]
    return tuple(sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True))


def read(path: Path) -> tuple[Record, ...]:
    """The records in a file; RecordError names the first line that is wrong, OSError if unreadable."""
    return read_records(_lines(path))


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file, however large it is, up to the limits of a sane record."""
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


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a crash at any moment leaves either the old text or the new."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        error.filename = str(path)  # the name that the caller knows
        raise
    # The new name itself reaches the disk only with its folder, where folders can be synced.
    with suppress(OSError):
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class SaveFile:
    """One save file, held by this process alone until it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock_path = path.with_name(f".{path.name}.lock")
        self._lock = self._hold()

    @classmethod
    def new(cls, name: str) -> "SaveFile":
        """A save file in the folder of saved games under a name not used yet."""
        home = folder()
        home.mkdir(parents=True, exist_ok=True)
        stem = f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
        for count in range(1, 1000):
            path = home / (f"{stem}.txt" if count == 1 else f"{stem}-{count}.txt")
            if path.exists():
                continue
            with suppress(InUseError):
                return cls(path)
        raise InUseError(home / stem)

    def write(self, text: str) -> None:
        """Replace the file's text, safely."""
        write_whole(self.path, text)

    def finish(self) -> Path:
        """Move the file of a game that is over out of the folder of open games; returns where it is."""
        if self.path.parent == folder():
            done = folder() / "finished"
            done.mkdir(exist_ok=True)
            self.path = self.path.rename(done / self.path.name)
        return self.path

    def close(self) -> None:
        """Let go of the file, so that another process may take the game up."""
        if self._lock is not None:
            with suppress(OSError):
                self._lock_path.unlink()
            os.close(self._lock)
            self._lock = None

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


class InUseError(PerfectplayError):
    """A save file that another process holds."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{quoted(str(path), 200)} is being played in another terminal")
