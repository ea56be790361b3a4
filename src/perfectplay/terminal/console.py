"""Reading and writing lines, whatever is at the other end: a person, a pipe, a screen reader."""

import os
import re
import select
import textwrap
import time
from contextlib import suppress
from typing import TextIO

from perfectplay.core.wording import escaped

LONGEST_INPUT = 2_000_000
LONGEST_ECHO = 200
ERASE = "\r\x1b[K"
"""Takes back the last line of a terminal."""


def numbered(answer: str, most: int) -> int | None:
    """The number from 1 to `most` that an answer is; None for any other answer.

    >>> numbered("2", 3), numbered("0000000002", 3), numbered("4", 3)
    (2, None, None)
    """
    good = re.fullmatch(r"[1-9][0-9]{0,8}", answer) and int(answer) <= most
    return int(answer) if good else None


class EndOfInput(Exception):
    """There is nothing more to read."""


class Console:
    """Lines out and lines in. What was said is never redrawn, and nothing is said by colour."""

    def __init__(self, stdin: TextIO | None, stdout: TextIO) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.interactive = stdin is not None and stdin.isatty()
        self._below = ""

    @property
    def width(self) -> int | None:
        """How many columns a terminal has; None when no terminal shows the output."""
        if not self.stdout.isatty():
            return None
        # Asked of the terminal itself: the variable COLUMNS may be an older one's. Some say 0.
        return os.get_terminal_size(self.stdout.fileno()).columns or 80

    def say(self, *lines: str) -> None:
        """Print lines, those too long for the terminal broken between words."""
        text = "".join(self._folded(line) + "\n" for line in lines)
        self.stdout.write(f"{ERASE}{text}{self._below}" if self._below else text)
        self.stdout.flush()

    def put_below(self, line: str) -> None:
        """Keep a line, such as a bar, below all that is said, or with an empty one no more."""
        self.stdout.write((ERASE if self._below else "") + line)
        self.stdout.flush()
        self._below = line

    def pause(self, seconds: float) -> bool:
        """Wait, and say whether a line was typed meanwhile, which ends the wait and is dropped."""
        try:
            typed = bool(select.select([self.stdin or -1], [], [], seconds)[0])
        except (OSError, ValueError):  # no input, or Windows, which cannot wait for it
            time.sleep(seconds)
            return False
        if typed:
            with suppress(EndOfInput):
                self._read()
        return typed

    def ask(self, prompt: str) -> str:
        """Print a prompt and read a line. Input that no terminal echoes is printed after its prompt."""
        self.stdout.write(self._folded(prompt))
        self.stdout.flush()
        line = self._read()
        if not self.interactive:
            shown = escaped(line[:LONGEST_ECHO])
            self.say(shown if len(line) <= LONGEST_ECHO else f"{shown}...")
        return line

    def _read(self) -> str:
        """A line without its end. Of a very long one the rest is read and dropped."""
        line = self.stdin.readline(LONGEST_INPUT) if self.stdin is not None else ""
        if not line:
            raise EndOfInput
        dropped = 0
        last = line
        while len(last) == LONGEST_INPUT and not last.endswith("\n") and self.stdin is not None:
            last = self.stdin.readline(LONGEST_INPUT)
            dropped += len(last.rstrip("\n"))
        line = line.removesuffix("\n").removesuffix("\r")
        # Marked, so that the part that was kept cannot be taken for a move.
        return f"{line}... and {dropped} more" if dropped else line

    def _folded(self, line: str) -> str:
        width = self.width
        if width is None or len(line) <= width:
            return line
        end = line[len(line.rstrip()) :]
        # What continues an indented item of a list stands below its text, that of a table below its column.
        column = re.match(r" +\S.*?  +", line)
        hang = column.end() if column else len(line) - len(line.lstrip()) + 3 if line.startswith(" ") else 0
        folded = textwrap.wrap(
            line, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False
        )
        return "\n".join(folded) + end
