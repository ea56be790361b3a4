"""What an environment shows to people: a position as text, and its rules in words."""

import inspect
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from typing import Any

from perfectplay.foreign.adapter import Adapter
from perfectplay.foreign.protocol import plain
from perfectplay.foreign.sandbox.messages import BYTES_PER_PART

WIDEST, TALLEST = 120, 40
"""The most characters of a line, and the most lines, that are kept of a picture."""
MOST = 12 << 20
"""The most bytes of all pictures of a game together, as they are sent, with more for what looks like a list:
a message may not have more. Positions beyond that have none."""
LONGEST_RULES = 20_000
TEXT_MODES = ("ansi", "text")
"""The render modes that give text."""
BASES = ("builtins", "gymnasium.core", "pettingzoo.utils.env", "pgx.core", "textarena.core")
"""Modules of base classes, which say nothing about a game."""


def draw(adapter: Adapter) -> str:
    """A position as the environment draws or prints it; empty if it does neither.

    Whatever render raises is raised, unless there is none.
    """
    printed, drawn = StringIO(), None
    with redirect_stdout(printed), _in_text(adapter.env), suppress(NotImplementedError):
        drawn = adapter.draw()
    drawn = drawn.getvalue() if isinstance(drawn, StringIO) else drawn
    text = drawn if isinstance(drawn, str) and drawn.strip() else printed.getvalue()
    if not text.strip() and _own(type(adapter.env), "__str__"):
        text = str(adapter.env)
    if not text.strip() and not adapter.remembers:
        text = str(adapter.look())
    return "\n".join(line[:WIDEST].rstrip() for line in plain(text).strip("\n").split("\n")[:TALLEST])


def draw_all(adapters: Iterable[Adapter]) -> tuple[list[str], list[int]]:
    """Every picture that occurs among positions, and for each position the number of its own; -1 for none."""
    known: dict[str, int] = {"": -1}
    left, numbers = MOST, []
    for adapter in adapters:
        try:
            text = draw(adapter)
        except Exception:  # noqa: BLE001 - somebody's code, and a finding of its own
            text = ""
        if text not in known:
            left -= len(json.dumps(text)) + BYTES_PER_PART * (text.count("[") + text.count("{"))
            if left < 0:
                text = ""
            else:
                known[text] = len(known) - 1
        numbers.append(known[text])
    return list(known)[1:], numbers


def find_rules(adapter: Adapter) -> str:
    """What an environment says about its game: its docstring, or that of its module."""
    module = sys.modules.get(type(adapter.env).__module__)
    said = _own(type(adapter.env), "__doc__") or getattr(module, "__doc__", None)
    said = adapter.title() or said
    return plain(inspect.cleandoc(said))[:LONGEST_RULES] if isinstance(said, str) else ""


def _own(kind: type, name: str) -> object:
    """What a class or one of its bases says of itself, unless it is the base class of a library."""
    first = next((base for base in kind.__mro__ if vars(base).get(name) is not None), object)
    return None if first.__module__ in BASES else vars(first)[name]


@contextmanager
def _in_text(env: Any) -> Iterator[None]:
    """Ask an environment that draws nothing for text, if it can draw text."""
    modes = getattr(type(env), "metadata", None)
    offered = modes.get("render_modes", ()) if isinstance(modes, dict) else ()
    mode = next((each for each in TEXT_MODES if each in (offered or ())), None)
    if mode is None or getattr(env, "render_mode", mode) is not None:
        yield
        return
    env.render_mode = mode
    try:
        yield
    finally:
        env.render_mode = None
