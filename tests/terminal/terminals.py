"""The command on a real pseudo-terminal."""

import io
import os
import re
import signal
import sys
import termios
from collections.abc import Sequence
from typing import Any, Self

import pexpect
from pexpect.fdpexpect import fdspawn

from perfectplay.terminal.console import Console
from tests.forks import COMMAND, ask_to_fork

ON_TERMINAL = """
import fcntl, os, signal, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
"""


class ForkedOnTerminal(fdspawn):  # type: ignore[type-arg]  # it takes none when it runs
    """A command in a forked process on a terminal of its own, as far as tests need what `pexpect.spawn` has."""

    def __init__(self, arguments: list[str], environment: dict[str, str], columns: int) -> None:
        ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (50, columns))
        asked = {
            "arguments": arguments,
            "before": ON_TERMINAL,
            "environment": environment,
            "folder": os.getcwd(),
        }
        child = ask_to_fork(COMMAND, asked, [theirs] * 3)
        os.close(theirs)
        super().__init__(ours, encoding="utf-8", timeout=60)
        self.exitstatus: int | None = None
        self.child = child

    def wait(self) -> None:
        if self.exitstatus is None:
            self.exitstatus = os.waitstatus_to_exitcode(ask_to_fork(COMMAND, {"wait": self.child}))

    def kill(self, number: int) -> None:
        if self.exitstatus is None:
            os.kill(self.child, number)

    def sendintr(self) -> None:
        self.send("\x03")

    def sendeof(self) -> None:
        self.send("\x04")

    def close(self, *, force: bool = True) -> None:
        super().close()
        self.kill(signal.SIGKILL)
        self.wait()


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def drawn(output: str) -> str:
    """What a terminal shows of an output: its lines without trailing blanks."""
    return "\n".join(line.rstrip() for line in output.replace("\r\n", "\n").split("\n"))


class Narrow(Console):
    """A terminal of 40 columns."""

    @property
    def width(self) -> int:
        return 40


def folds_below_its_column(lines: Sequence[str]) -> bool:
    """Whether all that a terminal of 40 columns folds of a help text stands below the column it is in."""
    stdout = io.StringIO()
    Narrow(None, stdout).say(*lines)
    shown = stdout.getvalue().splitlines()
    [column] = {len(found[0]) for found in (re.match(r"  \S.*?  +", line) for line in lines) if found}
    folded = [line for line in shown if line.startswith("   ")]
    fits = all(len(line) <= 40 for line in shown)
    return fits and folded != [] and all(len(line) - len(line.lstrip()) == column for line in folded)


class Terminal:
    """`perfectplay` in line mode on a terminal of its own. Each line typed waits for the prompt before it."""

    PROMPT = r"[?:] $"

    def __init__(
        self, *args: str, columns: int = 80, env: dict[str, str] | None = None, fresh: bool = False
    ) -> None:
        """A fresh process is not forked: the editing of lines is set up where it is imported."""
        environment = {**os.environ, "TERM": "xterm", "PERFECTPLAY_LINE": "1", **(env or {})}
        self.child: Any
        if not fresh:
            self.child = ForkedOnTerminal(list(args), environment, columns)
        else:
            self.child = pexpect.spawn(
                sys.executable,
                ["-m", "perfectplay", *args],
                dimensions=(50, columns),
                env=environment,
                encoding="utf-8",
                timeout=60,
                # A shell that runs the tests in the background ignores the signal, and so would the child.
                preexec_fn=_heed_interrupts,
            )
        self.child.delaybeforesend = None
        self.output = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

    def expect(self, pattern: str) -> None:
        """Wait for a pattern in the output."""
        self.child.expect(pattern)
        self._collect()

    def type(self, line: str) -> None:
        """Wait for a prompt and answer it."""
        self.expect(self.PROMPT)
        self.child.sendline(line)

    def until_quiet_prompt_or_end(self) -> str:
        """Everything shown up to the next prompt, or up to the end."""
        self.child.expect([self.PROMPT, pexpect.EOF])
        self._collect()
        return drawn(self.output)

    def until_end(self) -> str:
        """Everything shown up to the end of the program."""
        self.child.expect(pexpect.EOF)
        self._collect()
        self.child.wait()
        return drawn(self.output)

    def _collect(self) -> None:
        after = self.child.after if isinstance(self.child.after, str) else ""
        self.output += (self.child.before or "") + after
