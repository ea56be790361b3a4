"""The full screen: how soon it is there, and how long a key takes."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
from contextlib import suppress
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter

from bench import BenchRow

ROUNDS = 5
FRAME_AT_MOST = 1.6
KEYS = 100
KEY_AT_MOST = 50.0
"""Milliseconds in which 99 of 100 keys are answered."""
PATIENCE = 30.0
MARK = "first frame"
EMPTY = f"""
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static({MARK!r})
Empty().run()
"""
THINKS_LONG = "mcts:simulations=1000000"


class Screen:
    """A program on a terminal of 80 columns and 24 lines."""

    def __init__(self, arguments: list[str], home: str) -> None:
        self.output = b""
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.environ.update(PERFECTPLAY_HOME=home, TERM="xterm-256color")
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            os.execv(sys.executable, [sys.executable, *arguments])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def until(self, text: str) -> None:
        """Read until a text is painted."""
        wanted, deadline = text.encode(), monotonic() + PATIENCE
        while wanted not in self.output:
            if not select.select([self.terminal], [], [], max(0.0, deadline - monotonic()))[0]:
                raise RuntimeError(f"{text!r} was not painted within {PATIENCE:g} s: {self.output[-400:]!r}")
            self.output += os.read(self.terminal, 65536)
        self.output = b""

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self.terminal, keys.encode())

    def close(self) -> None:
        """End the program."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def rows() -> list[BenchRow]:
    with TemporaryDirectory() as home:
        return [
            _frame_row(home),
            _key_row("", [], home),
            _key_row(" while thinking", ["--p2", THINKS_LONG], home),
        ]


def _frame_row(home: str) -> BenchRow:
    ours, empty = ["-m", "perfectplay"], ["-c", EMPTY]
    _time_paint(ours, "Bit Flip", home)
    _time_paint(empty, MARK, home)
    times = [(_time_paint(ours, "Bit Flip", home), _time_paint(empty, MARK, home)) for _ in range(ROUNDS)]
    best, nothing = (min(column) for column in zip(*times, strict=True))
    ratio = best / nothing
    figures = f"{best * 1000:.0f} ms / {nothing * 1000:.0f} ms"
    return BenchRow(
        "full screen: first frame",
        f"{ratio:.2f}x",
        f"at most {FRAME_AT_MOST:g}x",
        ratio <= FRAME_AT_MOST,
        figures,
    )


def _time_paint(arguments: list[str], text: str, home: str) -> float:
    start = perf_counter()
    screen = Screen(arguments, home)
    try:
        screen.until(text)
        return perf_counter() - start
    finally:
        screen.close()


def _key_row(when: str, options: list[str], home: str) -> BenchRow:
    """From a key to the painted board: stepping back and forth in a game."""
    screen = Screen(["-m", "perfectplay", "play", "bit-flip", *options], home)
    try:
        screen.until("you want to flip")
        screen.press("4\r")
        screen.until("thinking" if options else "Player 2")
        times = []
        for _ in range(KEYS):
            start = perf_counter()
            screen.press("[")
            screen.until("Position 0 of 1")
            times.append(perf_counter() - start)
            screen.press("]")
            screen.until("thinking" if options else "you want to flip")
    finally:
        screen.close()
    slow = sorted(times)[int(len(times) * 0.99)] * 1000
    middle = sorted(times)[len(times) // 2] * 1000
    return BenchRow(
        f"full screen: key to board{when}",
        f"p99 {slow:.0f} ms",
        f"under {KEY_AT_MOST:g} ms",
        slow < KEY_AT_MOST,
        f"median {middle:.0f} ms, {KEYS} keys",
    )
