"""Whether a command opens the full screen or plays line by line."""

import os
import sys
from importlib.util import find_spec

from perfectplay.terminal.console import Console
from perfectplay.terminal.limits import SMALLEST_SCREEN

LINE = "PERFECTPLAY_LINE"
"""The environment variable that asks for line mode, for example for a screen reader."""


def full_screen(console: Console, *, line: bool = False) -> bool:
    """Whether the full screen can be shown, and nothing asks for line mode."""
    if line or os.environ.get(LINE, "") not in ("", "0") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    if not console.interactive or console.stdout is not sys.__stdout__ or not console.stdout.isatty():
        return False
    try:
        columns, lines = os.get_terminal_size(console.stdout.fileno())
    except OSError:
        return False
    large = columns >= SMALLEST_SCREEN[0] and lines >= SMALLEST_SCREEN[1]
    return large and find_spec("textual") is not None
