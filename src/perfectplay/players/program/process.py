"""A running program: the lines sent to it and received from it, and how it is ended."""

import atexit
import os
import selectors
import shlex
import signal
import subprocess
from contextlib import suppress
from time import monotonic
from typing import Any

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import make_printable, quote
from perfectplay.core.game import Game
from perfectplay.players.base import ComputerPlayer

PROTOCOL = 1
LONGEST_OUTPUT = 10_000
"""Bytes. A program that writes a longer line is considered broken."""
KEPT = 2000
"""How many bytes of a program's standard error are kept, for error reports."""
SHOWN = 200
"""How many characters of a program's output are quoted in errors."""
GRACE = 1.0
"""Seconds a program has to exit after being told to quit, and again after being terminated."""


class ProgramError(PerfectplayError):
    """A program that cannot be started, times out, exits, or gives an invalid answer."""


class UnableError(ProgramError):
    """A program that declines to play a game."""


class Program:
    """A running program, and the lines sent to it and received from it."""

    def __init__(self, command: str, seconds: int) -> None:
        self.name = f"the program {quote(command, 80)}"
        self.seconds = seconds
        self.question = "was started"
        try:
            # Its own session makes it the leader of a process group that can be ended as a whole, and
            # keeps the user's Ctrl-C from reaching it.
            self.child = subprocess.Popen(
                shlex.split(command) or [""],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramError(f"{self.name} cannot be started: {error.strerror}") from error
        pipes = (self.child.stdin, self.child.stdout, self.child.stderr)
        self.stdin, self.stdout, self.stderr = filter(None, pipes)
        os.set_blocking(self.stdin.fileno(), False)
        self.open = {self.stdout, self.stderr}
        self.outbox = b""
        self.inbox = b""
        self.said = b""
        answer = self.ask("was asked whether it is ready", f"perfectplay {PROTOCOL}")
        if answer.partition(" ")[0] != "ready":
            raise self.refuse(answer, 'it must be "ready" and a name.')

    def announce(self, game: Game[Any]) -> None:
        """Tell the program which game is played. Play may begin at any position."""
        answer = self.ask(f"was asked to play {quote(game.spec, 80)}", f"game {game.spec}")
        word, _, reason = answer.partition(" ")
        if word == "refused":
            self.end()
            raise UnableError(f"{self.name} {self.question} and refused: {make_printable(reason[:SHOWN])}")
        if word != "ready":
            raise self.refuse(answer, 'it must be "ready" or "refused" and the reason.')

    def ask(self, question: str, *lines: str) -> str:
        """Send lines and wait for the answer; `question` describes the request in error messages."""
        self.question = question
        deadline = monotonic() + self.seconds
        try:
            self._exchange(0)
            early = self._line()
            if early is not None:
                raise self._failure(f"had said {quote(early)} before being asked")
            self.outbox += "".join(f"{line}\n" for line in lines).encode()
            while (answer := self._line()) is None:
                left = deadline - monotonic()
                if self.stdout not in self.open or (left <= 0 and self.child.poll() is not None):
                    raise self._explain_end()
                if left <= 0:
                    raise self._failure(f"gave no answer in {self.seconds} s")
                self._exchange(left)
        except BaseException:
            # After any failure, the next answer could be a late answer to this question.
            self.end()
            raise
        return answer

    def send(self, line: str) -> None:
        """Send a line that needs no answer."""
        self.outbox += f"{line}\n".encode()
        self._exchange(0)

    def refuse(self, answer: str, reason: str) -> ProgramError:
        """Tell the program why its answer is invalid and stop it; returns the error to raise."""
        self.send(f"refused {reason}")
        self.end()
        return self._failure(f"answered {quote(answer)}: {reason}")

    def exit_code(self, last_line: str, seconds: float) -> int | None:
        """Send a last line, close the program's input and wait; None if it is still running."""
        with suppress(OSError):  # it has closed its input, or is not reading
            os.write(self.stdin.fileno(), self.outbox + last_line.encode())
        self.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            return self.child.wait(seconds)
        return None

    def end(self) -> None:
        """Tell the program to quit. If it does not, kill it and every process it started."""
        for key in [key for key, program in running.items() if program is self]:
            del running[key]
        if self.stderr.closed:
            return  # already stopped
        try:
            if not self.stdin.closed and self.exit_code("quit\n", GRACE) is None:
                self._signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    self.child.wait(GRACE)
        finally:
            self._signal(signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):  # a program run as another user cannot be killed
                self.child.wait(GRACE)
            for pipe in (self.stdin, self.stdout, self.stderr):
                pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and every process it started, even if it has exited itself."""
        with suppress(ProcessLookupError, PermissionError):  # none are left; macOS raises the latter
            os.killpg(self.child.pid, number)

    def _exchange(self, timeout: float) -> None:
        """Wait until the program can be written to or read from, then write and read what is possible."""
        with selectors.DefaultSelector() as selector:
            for pipe in self.open:
                selector.register(pipe, selectors.EVENT_READ)
            if self.outbox:
                selector.register(self.stdin, selectors.EVENT_WRITE)
            ready = [key.fileobj for key, _ in selector.select(timeout)]
        if self.stdin in ready:
            try:
                self.outbox = self.outbox[os.write(self.stdin.fileno(), self.outbox) :]
            except BrokenPipeError:
                self.outbox = b""  # it no longer reads; the missing answer will be noticed
        if self.stderr in ready:
            self.said = (self.said + self._read(self.stderr))[-KEPT:]
        if self.stdout in ready:
            self.inbox += self._read(self.stdout)

    def _read(self, pipe: Any) -> bytes:
        data = os.read(pipe.fileno(), 65_536)
        if not data:
            self.open.remove(pipe)
        return data

    def _line(self) -> str | None:
        """The next line from the program that is not an `info` line; None if there is none yet."""
        while True:
            line, end, rest = self.inbox.partition(b"\n")
            if len(line) > LONGEST_OUTPUT:
                raise self._failure(f"answered with a line of more than {LONGEST_OUTPUT:,} bytes")
            if not end:
                return None
            self.inbox = rest
            text = line.decode("utf-8", "backslashreplace").rstrip("\r")
            if text.partition(" ")[0] != "info":
                return text

    def _failure(self, what: str) -> ProgramError:
        last = self._last_words()
        said = f"; its last line on standard error: {last}" if last else ""
        return ProgramError(f"{self.name} {self.question} and {what}{said}")

    def _explain_end(self) -> ProgramError:
        try:
            code = self.child.wait(GRACE)
        except subprocess.TimeoutExpired:
            return self._failure("closed its output")
        self._exchange(0)  # the end of its standard error may still be unread
        last = self._last_words()
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return ProgramError(f"{self.name} {self.question} and {how}{f': {last}' if last else ''}")

    def _last_words(self) -> str:
        lines = self.said.decode("utf-8", "backslashreplace").split("\n")
        return make_printable(next((line.strip() for line in reversed(lines) if line.strip()), "")[:SHOWN])


running: dict[tuple[ComputerPlayer, str], Program] = {}
"""The running programs by player and game spec. The players themselves are plain values."""


@atexit.register
def _end_all() -> None:
    for program in list(running.values()):
        program.end()
