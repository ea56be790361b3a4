"""Private parts of Textual that the full screen needs. Written for Textual 8.2.

- `App._fatal_error` prints a traceback after an error. The command explains an error in one line instead,
  so it is replaced. There is no public way to handle an error that ends the application.
- `LinuxDriver._file` is where the screen is written. Once the terminal is closed, an error there would end
  the thread that writes, and everything else would wait for it.
- `Driver._loop` is the event loop of the application, asked from another thread whether keys are heard.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TextIO

from textual.app import App
from textual.driver import Driver

WRITTEN_FOR = "8.2"


class QuietApp(App[None]):
    """An application that ends after an error without printing it, and keeps it in `failure`."""

    failure: BaseException | None = None

    def part(self) -> None:
        """Called once, before an error ends the application."""

    def _fatal_error(self) -> None:
        if self.failure is None:
            self.failure = sys.exception()
            self.part()
        self._close_messages_no_wait()


class _Output:
    """A file to write to, without errors."""

    def __init__(self, file: TextIO) -> None:
        self.fileno = file.fileno
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()


def ignore_write_errors(driver: Any) -> None:
    """Let a driver write without errors after the terminal was closed."""
    driver._file = _Output(sys.__stderr__ or sys.stderr)


def call_in_loop(driver: Driver, callback: Callable[[], object]) -> None:
    """Call something from another thread, as soon as the application gets to it."""
    driver._loop.call_soon_threadsafe(callback)
