"""Where games live on disk. A file is replaced whole or not at all, and a kept record never."""

import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from stat import S_IMODE

from perfectplay.core.errors import PerfectplayError, RecordError
from perfectplay.core.record import Record, read_records
from perfectplay.core.wording import quoted
from perfectplay.output import sync_folder, write_whole, writing

try:
    import fcntl
except ImportError:  # not on Windows: there, nothing stops two terminals from resuming one game
    fcntl = None  # type: ignore[assignment]

LONGEST_LINE = 10_000
MOST_LINES = 1_000_000
HOME = "PERFECTPLAY_HOME"


def home() -> Path:
    """Where data is kept: the platform's folder for it, unless PERFECTPLAY_HOME names another."""
    named = os.environ.get(HOME)
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("perfectplay", appauthor=False, roaming=True)


def folder() -> Path:
    """Where saved games are kept."""
    return home() / "games"


def open_games() -> tuple[Path, ...]:
    """The save files of games that are not over, the newest first."""
    found = []
    for path in folder().glob("*.txt"):
        with suppress(FileNotFoundError):  # another terminal has just finished it
            if path.is_file():
                found.append((path.stat().st_mtime_ns, path))
    return tuple(path for _, path in sorted(found, reverse=True))


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


def read_series(path: Path) -> tuple[Record, ...]:
    """The records of a saved series, less what a power cut left half-written behind them.

    That can only be a game between computers, which is then played again. The records of a game with a
    person in it are never added to but replaced whole: there, half a record is an error.
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


def joined(records: Sequence[str]) -> str:
    """The text of a file with these records."""
    return "\n\n".join(records) + "\n"


def move_into(path: Path, folder: Path) -> Path:
    """Move a file into a folder, numbered if its name is taken there, and return where it is.

    Nothing is ever replaced, and at every moment the whole file has one of the two names at least.
    """
    # A folder that others may not read is not opened to them by being moved.
    folder.mkdir(parents=True, exist_ok=True, mode=S_IMODE(path.parent.stat().st_mode))
    for target in _names(folder, path.stem, path.suffix):
        try:
            target.open("xb").close()
        except FileExistsError:
            continue
        try:
            _rename(path, target)
        except BaseException:
            # The name was only reserved, or the old file is still there as well.
            if path.exists() or not target.stat().st_size:
                target.unlink()
            raise
        sync_folder(folder)
        return target
    raise AssertionError("names do not run out")


def _rename(path: Path, target: Path) -> None:
    try:
        os.replace(path, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # To another disk: a copy first, whole and with its date, and then the old one goes.
        with path.open("rb") as old, writing(target) as new:
            shutil.copyfileobj(old, new)
        shutil.copystat(path, target)
        path.unlink()


def _names(folder: Path, stem: str, suffix: str) -> Iterator[Path]:
    yield folder / f"{stem}{suffix}"
    yield from (folder / f"{stem}-{number}{suffix}" for number in count(2))


class SaveFile:
    """One save file, held by this process alone until it is closed."""

    def __init__(self, path: Path, *, new: bool = False) -> None:
        """Hold a file, or with `new` the name of one that is not there yet: FileExistsError if it is."""
        self.path = path
        self._new = new
        self._kept = 0
        """How many games the file ends with that are over; 0 if it ends otherwise, or nobody knows."""
        target = Path(os.path.realpath(path))  # the same for all links to it
        self._lock_path = target.with_name(f".{target.name}.lock")
        self._lock = self._hold()
        # Asked only now that nobody else can be about to write it.
        if new and path.exists():
            self.close()
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))

    @classmethod
    def new(cls, name: str) -> "SaveFile":
        """A save file in the folder of saved games under a name not used yet."""
        folder().mkdir(parents=True, exist_ok=True)
        for path in _names(folder(), f"{name}-{datetime.now():%Y%m%d-%H%M%S}", ".txt"):
            with suppress(InUseError, FileExistsError):
                return cls(path, new=True)
        raise AssertionError("names do not run out")

    def write(self, done: Sequence[str], running: str | None = None) -> None:
        """Keep the records of the games that are over, and of the one that is running, on the disk.

        Where nothing but games that are over came along, the file grows. Otherwise it is replaced whole.
        """
        kept, self._kept = self._kept, 0
        if kept and running is None and self.path.exists():
            self._append("\n" + joined(done[kept:]))
        else:
            write_whole(self.path, joined(done if running is None else [*done, running]), new=self._new)
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
        """Move the file of a game that is over out of the folder of open games; returns where it is."""
        if self.path.parent == folder():
            self.path = move_into(self.path, folder() / "finished")
        return self.path

    def forget(self) -> Path:
        """Move the file of an open game out of their folder; returns where it is."""
        self.path = move_into(self.path, folder() / "forgotten")
        return self.path

    def close(self) -> None:
        """Let go of the file, so that another process may take the game up."""
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


class InUseError(PerfectplayError):
    """A save file that another process holds."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{quoted(str(path), 200)} is being played in another terminal")
