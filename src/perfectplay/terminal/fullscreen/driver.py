"""The driver of the terminal: Textual's, with a way out if a rule of a game file does not return.

The rules run where keys are handled, so such a rule would keep every key waiting. And it leaves when the
terminal is closed, even where that sends no signal: under nohup, Textual would read its end without a pause.
"""

import select
import signal
import sys
from _thread import interrupt_main
from threading import Event, Thread, main_thread
from types import FrameType
from typing import Any

from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key
from textual.message import Message

from perfectplay.games.registry import RuleInterrupted, runs_game_file
from perfectplay.terminal.fullscreen.textual_internals import call_in_loop, ignore_write_errors

QUIT, LEAVE = "ctrl+c", "q"
PATIENCE = 1.0
"""Seconds that a rule may take while somebody wants to leave."""


class TerminalDriver(LinuxDriver):
    """Reads keys in a thread, as Textual's driver does, and interrupts rules that do not return."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        ignore_write_errors(self)
        self._closed = Event()
        self._interrupted = False
        self._usual_handler = signal.signal(signal.SIGINT, self._interrupt)
        Thread(target=self._leave_with_the_terminal, daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        signal.signal(signal.SIGINT, self._usual_handler)
        super().close()

    def process_message(self, message: Message) -> None:
        """Pass a message on and, if it is a key that leaves, watch over it."""
        super().process_message(message)
        if isinstance(message, Key) and message.key in (QUIT, LEAVE):
            Thread(target=self._watch, args=(message.key,), daemon=True).start()

    def _leave_with_the_terminal(self) -> None:
        terminal = select.poll()
        terminal.register(self.fileno, 0)  # the end of the terminal is reported even so
        while not self._closed.wait(PATIENCE):
            if any(happened & select.POLLHUP for _, happened in terminal.poll(0)):
                return self.process_message(Key(QUIT, None))

    def _watch(self, key: str) -> None:
        """Interrupt every rule that keeps a key from being heard or, afterwards, the screen from closing."""
        heard = Event()
        call_in_loop(self, heard.set)
        while not heard.wait(PATIENCE):
            _interrupt_rule()
        while (key == QUIT or self._interrupted) and not self._closed.wait(PATIENCE):
            _interrupt_rule()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if runs_game_file(frame):
            self._interrupted = True
            raise RuleInterrupted
        if callable(self._usual_handler):
            self._usual_handler(number, frame)


def _interrupt_rule() -> None:
    if runs_game_file(sys._current_frames().get(main_thread().ident or 0)):
        interrupt_main()
