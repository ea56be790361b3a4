"""A series of games saved while it is played."""

from pathlib import Path
from typing import Any

from perfectplay import saves
from perfectplay.core.dialogue import Lines
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import quote
from perfectplay.core.series import Series
from perfectplay.output import is_standard_output, write_whole


class Autosave:
    """Saves a series to `file`, or nowhere if that is None. Methods return the lines to show."""

    def __init__(self, series: Series[Any], file: saves.SaveFile | None, *, every_move: bool) -> None:
        """Save after every move, or only when a game ends."""
        self.series = series
        self.file = file
        self.failed: OSError | None = None
        """Why the last attempt to save failed; None if it did not."""
        self._every_move = every_move
        self._begun = bool(series.matches)
        self._kept: Path | None = None
        """Where the record of a series that is over is kept."""
        self._behind = False
        """Whether the file lacks something that was played."""
        self._finished: list[str] = []
        """The records of the games that are over."""

    @property
    def is_saved(self) -> bool:
        """Whether the game is in the file."""
        return self.file is not None and self._begun and self.failed is None

    def save_change(self) -> Lines:
        """Save a change, now or when the game ends."""
        self._behind = self.file is not None
        return self.flush() if self._every_move or self.series.current is None else ()

    def flush(self) -> Lines:
        """Save what is not in the file yet. The game continues if that fails, which is reported once."""
        if self.file is None or not self._behind:
            return ()
        try:
            self.file.write(*self._records())
        except OSError as error:
            return self._report(error)
        self._begun = True
        self.failed, self._behind = None, False
        return ()

    def finish(self) -> Lines:
        """Move the file of a series that is over to the finished ones."""
        lines = self.flush()
        if self.file is None or not self._begun or self._behind:
            return lines
        try:
            self._kept = self.file.finish()
        except OSError as error:
            return (*lines, *self._report(error))
        return (*lines, "", self.where())

    def where(self) -> str:
        """Where the game is saved."""
        if self._kept is not None:
            return f"The record is kept in {self._kept}"
        if self.file is None or self.failed is not None:
            return "This game is not being saved; save FILE writes a copy."
        if not self._begun:
            return f"The game will be kept in {self.file.path} from its first move on."
        when = "Every move is saved as it is made" if self._every_move else "Every game is saved when it ends"
        return f"{when}, in {self.file.path}"

    def copy(self, path: Path) -> Lines:
        """Write the records to a file that does not exist yet, or to a pipe, a device or the screen."""
        finished, running = self._records()
        try:
            write_whole(
                path, saves.join_records(finished if running is None else [*finished, running]), new=True
            )
        except FileExistsError:
            return (f"{path} exists already and was not changed.",)
        except (OSError, ValueError) as error:
            return (f"Cannot write {path}: {_reason(error)}",)
        return () if is_standard_output(path) else (f"A copy is in {path}",)

    def close(self) -> None:
        """Release the file."""
        if self.file is not None:
            self.file.close()

    def _records(self) -> tuple[list[str], str | None]:
        begun = len(self.series.matches)
        over = begun - (self.series.current is not None)
        self._finished += [
            str(self.series.record(number)) for number in range(len(self._finished) + 1, over + 1)
        ]
        return self._finished, None if over == begun else str(self.series.record(begun))

    def _report(self, error: OSError) -> Lines:
        assert self.file is not None
        told, self.failed = self.failed, error
        return () if told is not None else (cannot_save(self.file.path, error),)


def cannot_save(path: Path, error: OSError) -> str:
    """The line about a game that is played on without being saved."""
    return f"The game cannot be saved in {path}: {_reason(error)}. It continues unsaved."


def save_error(path: Path, error: OSError) -> PerfectplayError:
    """The error about a game that is not in the file that was asked for."""
    return PerfectplayError(f"the game cannot be saved in {quote(str(path), 200)}: {_reason(error)}")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
