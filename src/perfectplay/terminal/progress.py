"""A spinner or a progress bar for work that takes long. They appear on terminals only, not in pipes."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, Timer, get_ident
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from perfectplay.solver.memory import used_memory
from perfectplay.terminal.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress

SPINNER_AFTER = 0.5
BAR_AFTER = 1.0
EVERY = 0.1
"""Seconds before a spinner and a bar appear, and between two updates of a bar."""
STUCK_AFTER = 0.25
"""Seconds between two looks at what is running."""


@contextmanager
def waiting(text: str, *, after: float = SPINNER_AFTER) -> Iterator[Callable[..., None]]:
    """Show a spinner on the terminal once the work has taken `after` seconds, and remove it at the end.

    Yields a function to call with the number of positions done, which is then shown too; or with the number
    of steps done and that of all, which show a bar. An interrupt that finds a rule of a game file in the
    middle of its work says nothing about it: it may just be at work.
    """
    with _not_blaming():
        if not can_redraw(sys.stderr):
            yield lambda count, total=None: None
            return
        said, done, spinner, begun = text, (0, 0), None, time.monotonic()

        def show() -> None:
            nonlocal spinner
            spinner = _spinner(said, *done)
            spinner.start()

        def update(count: int, total: int | None = None) -> None:
            nonlocal said, done
            if total is not None:
                done = (count, total)
                if spinner is not None and spinner.tasks:
                    spinner.update(spinner.task_ids[0], completed=count)
                return
            rate, used = count / max(0.001, time.monotonic() - begun), used_memory()
            memory = "" if used is None else f", {used / 2**20:,.0f} MiB"
            said = f"{text}: {count:,} positions, {rate:,.0f} a second{memory}"
            if spinner is not None and spinner.tasks:
                spinner.update(spinner.task_ids[0], description=said)

        # rich is loaded only then, too: quick work does not wait for it.
        timer = Timer(after, show)
        timer.start()
        try:
            yield update
        finally:
            timer.cancel()
            timer.join()
            if spinner is not None:
                spinner.stop()


@contextmanager
def _not_blaming() -> Iterator[None]:
    """Drop the traceback of an interrupt, which would name a rule, unless that has been running for long."""
    here, over, earlier = get_ident(), Event(), list[FrameType]()

    def look() -> None:
        while not over.wait(STUCK_AFTER):
            earlier[:] = [each for each, _ in walk_stack(sys._current_frames().get(here))]

    looking = Thread(target=look, daemon=True)
    looking.start()
    try:
        yield
    except KeyboardInterrupt as error:
        from perfectplay.games.registry import game_files

        files = game_files()
        rules = [each for each, _ in walk_tb(error.__traceback__) if each.f_code.co_filename in files]
        if any(each is one for each in rules for one in earlier):
            raise
        raise KeyboardInterrupt from None
    finally:
        over.set()
        looking.join()
        earlier.clear()


def _spinner(text: str, done: int, total: int) -> "Progress":
    """A spinner, with a bar if the amount of work is known."""
    from rich import progress
    from rich.console import Console as RichConsole

    bar = (progress.BarColumn(20), progress.MofNCompleteColumn()) if total else ()
    spinner = progress.Progress(
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}", markup=False),
        *bar,
        progress.TimeElapsedColumn(),
        console=RichConsole(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    spinner.add_task(text, completed=done, total=total or None)
    return spinner


class Bar:
    """A progress bar for the games of a series, below their output. It appears after a second."""

    def __init__(
        self,
        console: Console,
        total: int,
        *,
        after: float = BAR_AFTER,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Below the games themselves or, if these go to a file, alone on standard error.
        consoles = (console, Console(None, sys.stderr))
        self._console = next((each for each in consoles if can_redraw(each.stdout)), None)
        self._total = total
        self._clock = clock
        self._begun = clock()
        self._next = self._begun + after
        self.shown = False

    def update(self, done: int) -> None:
        """Show that `done` games are over, if it is time to."""
        now = self._clock()
        if self._console is not None and now >= self._next:
            self._console.put_below(self._drawn(self._console, done, now - self._begun))
            self._next = now + EVERY
            self.shown = True

    def close(self) -> None:
        """Remove the bar."""
        if self._console is not None:
            self._console.put_below("")

    def _drawn(self, console: Console, done: int, seconds: float) -> str:
        from rich.console import Console as RichConsole
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        # The last column stays free: some terminals would wrap to the next line.
        shown = RichConsole(file=console.stdout, width=(console.width or 80) - 1)
        row = Table.grid(padding=(0, 1))
        elapsed = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
        row.add_row(f"{done:,} of {self._total:,} games", ProgressBar(self._total, done, width=20), elapsed)
        with shown.capture() as picture:
            shown.print(row, end="")
        return picture.get().rstrip("\n")


def can_redraw(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal on which lines can be drawn over."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
