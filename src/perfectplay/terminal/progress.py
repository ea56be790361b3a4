"""A spinner or a progress bar for work that takes long. They appear on terminals only, not in pipes."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from threading import Event, Thread, Timer, get_ident
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

from perfectplay.games.registry import game_files
from perfectplay.solver.memory import measure_memory
from perfectplay.terminal.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress

SPINNER_AFTER = 0.5
"""Seconds before a spinner appears."""
STUCK_AFTER = 0.25
"""Seconds between two looks at what is running."""


@contextmanager
def waiting(
    text: str, console: Console | None = None, *, after: float = SPINNER_AFTER
) -> Iterator[Callable[..., None]]:
    """Show a spinner on the terminal once the work has taken `after` seconds, and remove it at the end.

    Yields a function to call with the number of positions done, which is then shown too; or with the number
    of steps done and that of all, which show a bar; or with what is being done. It is drawn below what is
    printed on `console` meanwhile.
    An interrupt that finds a rule of a game file in the middle of its work says nothing about it: it may
    just be at work.
    """
    above = console if console is not None and can_redraw(console.stdout) else None
    with _not_blaming():
        if above is None and not can_redraw(sys.stderr):
            yield lambda count, total=None, doing="": None
            return
        spinner: Progress | None = None
        known: dict[str, Any] = {"description": text, "total": None}
        begun, first, now = time.monotonic(), 0, ""

        def show() -> None:
            nonlocal spinner
            spinner = _spinner(above, **known)
            spinner.start()

        def update(count: int, total: int | None = None, doing: str = "") -> None:
            nonlocal begun, first, now
            # What was done earlier says nothing about the pace.
            if (total and known["total"] is None) or doing != now:
                begun, first, now = time.monotonic(), count, doing
            seconds = time.monotonic() - begun
            said = doing or describe_pace(count - first, total and total - count, seconds, first)
            known.update(description=f"{text}: {said}" if said else text, completed=count, total=total)
            if spinner is not None and spinner.tasks:
                spinner.update(spinner.task_ids[0], **known)

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
            if above is not None:
                above.write = above.stdout.write


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
        files = game_files()
        rules = [each for each, _ in walk_tb(error.__traceback__) if each.f_code.co_filename in files]
        if any(each is one for each in rules for one in earlier):
            raise
        raise KeyboardInterrupt from None
    finally:
        over.set()
        looking.join()
        earlier.clear()


def describe_pace(done: int, left: int | None, seconds: float, before: int = 0) -> str:
    """How fast it goes; of steps, also the time left at that pace, and of positions, how many there are.

    What was done `before` is no part of the pace.
    """
    rate = done / max(0.001, seconds)
    if left is None:
        used = measure_memory()
        memory = "" if used is None else f", {used / 2**20:,.0f} MiB"
        pace = f", {rate:,.0f} a second" if done else ""
        return f"{before + done:,} positions{pace}{memory}"
    return (
        f"{60 * rate:,.0f} a minute, {timedelta(seconds=round(left / rate))} left" if done and seconds else ""
    )


def _spinner(above: Console | None, **task: Any) -> "Progress":
    """A spinner, with a bar if the amount of work is known, below what is printed `above`."""
    from rich import progress
    from rich.console import Console as RichConsole
    from rich.table import Column

    bar = (progress.BarColumn(20), progress.MofNCompleteColumn()) if task["total"] else ()
    screen = RichConsole(stderr=True) if above is None else RichConsole(file=above.stdout)
    spinner = progress.Progress(
        progress.SpinnerColumn(),
        progress.TimeElapsedColumn(),
        # In a narrow terminal, a text takes several lines.
        progress.TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=bool(bar))),
        *bar,
        console=screen,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    spinner.add_task(**task)
    if above is not None:
        above.write = partial(screen.out, end="", highlight=False)
    return spinner


def can_redraw(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal on which lines can be drawn over."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
