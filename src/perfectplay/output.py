"""Writing output: files are replaced completely, pipes and devices written to, `-` is standard output."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def is_standard_output(path: Path) -> bool:
    """Whether a path means standard output: `-`, or a name of it such as /dev/stdout."""
    if str(path) == "-":
        return True
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    except (AttributeError, OSError, ValueError):  # no such file, or no standard output
        return False


@contextmanager
def writing(path: Path, *, new: bool = False) -> Iterator[BinaryIO]:
    """Open a file for writing. It replaces the old file once it is complete.

    With `new`, raises FileExistsError if the file exists. Links are followed. Pipes, devices and standard
    output are written to directly.
    """
    if is_standard_output(path):
        if sys.stdout is None:
            raise OSError(errno.EBADF, "there is no standard output to write to", str(path))
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    if found is not None and not stat.S_ISREG(found.st_mode):
        try:
            with path.open("wb") as file:
                yield file
        except OSError as error:
            if error.filename is None:
                raise OSError(error.errno, error.strerror, str(path)) from error
            raise
        return
    target = Path(os.path.realpath(path))
    # Not from `secrets`, which takes longer to import.
    partial = target.with_name(f".perfectplay-{os.urandom(4).hex()}.partial")
    reserved = False
    try:
        if found is not None and not new and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # a rename would not check this
        with partial.open("xb") as file:
            if found is not None:
                with suppress(OSError):  # not every file system has modes
                    partial.chmod(stat.S_IMODE(found.st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        if new:
            target.open("xb").close()
            reserved = True
        os.replace(partial, target)
    except BaseException as error:
        if partial.exists():  # otherwise it has already been renamed
            with suppress(OSError):
                partial.unlink()
                if reserved:
                    target.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(partial), str(target)):
            # Report the name that the caller knows.
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    sync_folder(target.parent)


def write_whole(path: Path, text: str, *, new: bool = False) -> None:
    """Write a file so that a crash at any moment leaves either the old text or the new."""
    with writing(path, new=new) as file:
        file.write(text.encode())


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that new file names reach the disk, where the system supports it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
