"""A console whose input is read in the background, so that messages can be printed at any time."""

import os
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import NamedTuple, TextIO

from perfectplay.online.client import Heard
from perfectplay.terminal.console import Console, EndOfInput, echo


class Typed(NamedTuple):
    """A line that was typed; None at the end of input."""

    line: str | None


class AsyncConsole(Console):
    """A console whose lines are read by a thread and put into an inbox.

    A person may type at any time, and somebody who watches is asked nothing. Otherwise, a line from a pipe
    is read only when a question is asked, so that each line answers one question.
    """

    def __init__(
        self, console: Console, inbox: "SimpleQueue[Heard | Typed]", *, watching: bool = False
    ) -> None:
        stdin: TextIO | None = None
        if console.stdin is not None:
            # A file object of its own: one that a thread still reads from cannot be closed at the end.
            stdin = os.fdopen(
                os.dup(console.stdin.fileno()), encoding=console.stdin.encoding, errors="backslashreplace"
            )
        super().__init__(stdin, console.stdout)
        self.prompted = False
        """Whether a prompt is open on the last line."""
        self._inbox = inbox
        self._at_any_time = self.interactive or watching
        self._wanted = threading.Semaphore(1 if self._at_any_time else 0)
        self._reading = self._at_any_time
        threading.Thread(target=self._read_all, daemon=True).start()

    def say(self, *lines: str) -> None:
        """Print lines, below a prompt if one is open."""
        if lines and self.prompted:
            self.stdout.write("\n")
            self.prompted = False
        super().say(*lines)

    def prompt(self, text: str) -> None:
        """Print a prompt, and start reading a line if none is being read."""
        self.stdout.write(self._fold(text))
        self.stdout.flush()
        self.prompted = True
        if not self._reading:
            self._reading = True
            self._wanted.release()

    def take(self, line: str) -> None:
        """Close the prompt after a line was read. The line is printed if no terminal has echoed it."""
        if self._at_any_time:
            self._wanted.release()
        else:
            self._reading = False
        if not self.interactive:
            self.stdout.write(f"{echo(line)}\n")
        self.prompted = False

    def _read_all(self) -> None:
        with suppress(EndOfInput, OSError):
            while True:
                self._wanted.acquire()
                self._inbox.put(Typed(self._read()))
        if self.stdin is not None:
            self.stdin.close()
        self._inbox.put(Typed(None))
