"""Reading and writing lines, at a terminal or through a pipe."""

import os
import re
import select
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, TextIO

from perfectplay.core.formatting import make_printable
from perfectplay.terminal.limits import LONGEST_ECHO, LONGEST_INPUT

LINE = "PERFECTPLAY_LINE"
"""The environment variable that asks for line mode, for example for a screen reader."""
JOINED = "\N{NO-BREAK SPACE}"
"""A blank at which no line is broken. It is printed as a plain one, which can be copied into a command."""


def read_number(answer: str, most: int) -> int | None:
    """Parse an answer that is a number from 1 to `most`; None for any other answer."""
    good = re.fullmatch(r"[1-9][0-9]{0,8}", answer) and int(answer) <= most
    return int(answer) if good else None


def wants_plain_lines() -> bool:
    """Whether the environment asks for lines that nothing is drawn over."""
    return os.environ.get("TERM", "dumb") == "dumb" or os.environ.get(LINE, "") not in ("", "0")


def echo(line: str) -> str:
    """A piped line as it is shown after its prompt."""
    return make_printable(line[:LONGEST_ECHO]) + ("..." if len(line) > LONGEST_ECHO else "")


def has_colors(terminal: str) -> bool:
    """Whether a kind of terminal has colors; one that is not known is taken to have them.

    Asked once in a process: curses keeps to the first kind.
    """
    with suppress(ImportError):  # Windows has no curses
        import curses

        with suppress(curses.error):
            curses.setupterm(terminal, 1)
            return curses.tigetnum("colors") > 0
    return True


class EndOfInput(Exception):
    """There is no more input."""


class Console:
    """Prints and reads lines. It never redraws what it printed, and nothing depends on color."""

    def __init__(self, stdin: TextIO | None, stdout: TextIO) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.interactive = stdin is not None and stdin.isatty()
        self.write: Callable[[str], object] = stdout.write
        """Writes lines; another function while a progress bar is drawn below them."""

    @property
    def width(self) -> int | None:
        """The number of columns of the terminal; None if the output does not go to a terminal."""
        if not self.stdout.isatty():
            return None
        # From the terminal itself: the variable COLUMNS may be out of date. Some terminals report 0.
        return os.get_terminal_size(self.stdout.fileno()).columns or 80

    def say(self, *lines: str) -> None:
        """Print lines. Those too long for the terminal are broken between words."""
        self.write("".join(self._fold(line) + "\n" for line in lines))
        self.stdout.flush()

    def pause(self, seconds: float) -> bool:
        """Wait until the time is over or a line is typed, which is dropped. Returns whether one was."""
        try:
            typed = bool(select.select([self.stdin or -1], [], [], seconds)[0])
        except (OSError, ValueError):  # no input, or Windows, where select cannot wait for it
            time.sleep(seconds)
            return False
        if typed:
            with suppress(EndOfInput):
                self._read()
        return typed

    def ask(self, prompt: str) -> str:
        """Print a prompt and read a line. Piped input is printed after its prompt, as a terminal would."""
        above, _, last = self._fold(prompt).rpartition("\n")
        self.stdout.write(f"{above}\n" if above else "")
        plain = not self.interactive or self.stdin is not sys.__stdin__ or not self.stdout.isatty()
        if not plain and not wants_plain_lines() and find_spec("readline") is not None:
            return self._edit(last)
        self.stdout.write(last)
        self.stdout.flush()
        line = self._read()
        if not self.interactive:
            self.say(echo(line))
        return line

    def _edit(self, prompt: str) -> str:
        """Read a line with arrows and history, which `input` has once `readline` is loaded."""
        import readline
        import signal
        import termios

        modes: list[Any] = []

        def go_on(*_: object) -> None:
            """After Ctrl-Z and back, set the modes that the shell has changed, and show the line again."""
            termios.tcsetattr(0, termios.TCSADRAIN, modes[-1])
            self.stdout.write(prompt + readline.get_line_buffer())
            self.stdout.flush()

        readline.parse_and_bind("set enable-bracketed-paste off")
        readline.set_pre_input_hook(lambda: modes.append(termios.tcgetattr(0)))
        before = signal.signal(signal.SIGCONT, go_on)
        self.stdout.flush()
        try:
            line = input(prompt)
        except EOFError:
            raise EndOfInput from None
        finally:
            signal.signal(signal.SIGCONT, before)
            readline.set_pre_input_hook()
        if len(line) < LONGEST_INPUT:
            return line
        return f"{line[:LONGEST_INPUT]}... and {len(line) - LONGEST_INPUT} more"

    def _read(self) -> str:
        """Read a line without its line end. The rest of a very long line is dropped."""
        line = self.stdin.readline(LONGEST_INPUT) if self.stdin is not None else ""
        if not line:
            raise EndOfInput
        dropped = 0
        last = line
        while len(last) == LONGEST_INPUT and not last.endswith("\n") and self.stdin is not None:
            last = self.stdin.readline(LONGEST_INPUT)
            dropped += len(last.rstrip("\n"))
        line = line.removesuffix("\n").removesuffix("\r")
        # Marked, so that the part that was kept cannot pass for a move.
        return f"{line}... and {dropped} more" if dropped else line

    def _fold(self, line: str) -> str:
        width = self.width
        if width is None or len(line) <= width:
            return line.replace(JOINED, " ")
        end = line[len(line.rstrip()) :]
        # A folded list item continues below its text, a row of a table below its last column.
        column = re.match(r" +\S.*?  +", line)
        hang = column.end() if column else len(line) - len(line.lstrip()) + 3 if line.startswith(" ") else 0
        folded = textwrap.wrap(
            line, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False
        )
        return "\n".join(folded).replace(JOINED, " ") + end
