"""What an environment shows to people: positions as text, its rules in words, a witness move by move."""

import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from typing import TypeVar

from perfectplay_foreign.adapter import Adapter, Move, StartError, UnavailableError, move_from_json
from perfectplay_foreign.environment import Environment
from perfectplay_foreign.findings.code import format_move
from perfectplay_foreign.limits import (
    BYTES_PER_PART,
    LARGEST_PICTURES,
    LONGEST_RULES,
    TALLEST_PICTURE,
    WIDEST_PICTURE,
)
from perfectplay_foreign.protocol import describe_error, plain
from perfectplay_foreign.records import StepRecord

T = TypeVar("T")

TEXT_MODES = ("ansi", "text")
"""The render modes that give text."""
BASES = ("builtins", "gymnasium.core", "pettingzoo.utils.env", "pgx.core", "textarena.core")
"""Modules of base classes, which say nothing about a game."""


def draw(adapter: Adapter) -> str:
    """A position as the environment draws or prints it; empty if it does neither.

    Raises every error of render.
    """
    printed, drawn = StringIO(), None
    with redirect_stdout(printed), _in_text(adapter), suppress(NotImplementedError):
        drawn = adapter.draw()
    drawn = drawn.getvalue() if isinstance(drawn, StringIO) else drawn
    text = drawn if isinstance(drawn, str) and drawn.strip() else printed.getvalue()
    if not text.strip() and _own(type(adapter.env), "__str__"):
        text = str(adapter.env)
    if not text.strip() and not adapter.remembers:
        text = str(adapter.look())
    return "\n".join(
        line[:WIDEST_PICTURE].rstrip() for line in plain(text).strip("\n").split("\n")[:TALLEST_PICTURE]
    )


def draw_all(adapters: Iterable[Adapter]) -> tuple[list[str], list[int]]:
    """Every picture that occurs among positions, and for each position the number of its own; -1 for none."""
    known: dict[str, int] = {"": -1}
    left, numbers = LARGEST_PICTURES, []
    for adapter in adapters:
        try:
            text = draw(adapter)
        except Exception:  # noqa: BLE001 - somebody's code, and a finding of its own
            text = ""
        if text not in known:
            left -= len(json.dumps(text)) + BYTES_PER_PART * (text.count("[") + text.count("{"))
            if left >= 0:
                known[text] = len(known) - 1
        numbers.append(known.get(text, -1))
    return list(known)[1:], numbers


def find_rules(adapter: Adapter) -> str:
    """What an environment says about its game: its docstring, or that of its module."""
    module = sys.modules.get(type(adapter.env).__module__)
    said = adapter.title() or _own(type(adapter.env), "__doc__") or getattr(module, "__doc__", None)
    return plain(inspect.cleandoc(said))[:LONGEST_RULES] if isinstance(said, str) else ""


def _own(kind: type, name: str) -> object:
    """What a class or one of its bases says of itself, unless it is the base class of a library."""
    first = next((base for base in kind.__mro__ if vars(base).get(name) is not None), object)
    return None if first.__module__ in BASES else vars(first)[name]


@contextmanager
def _in_text(adapter: Adapter) -> Iterator[None]:
    """Ask an environment that draws nothing for text, if it can draw text."""
    env = adapter.env
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


def play_steps(env: Environment, seed: int, moves: Iterable[object]) -> list[StepRecord]:
    """Play moves, legal or not; the last record says why one cannot be a move at all."""
    try:
        adapter = env.fresh(seed, strict=True)
    except UnavailableError:
        raise
    except StartError as error:
        return [{"move": None, "error": f"{error.code}: {error}"}]
    shown = [_describe(adapter, None, "")]
    kinds: dict[object, Move] = {}
    for move in map(move_from_json, moves):
        try:
            legal = adapter.moves()
            for each in legal:
                kinds.setdefault(_kind(each), each)
            move = next((each for each in legal if each == move), move)  # in its own type
            refusal = None if move in legal else _refusal(move, adapter.all_moves(), kinds)
            if refusal is not None:
                return [*shown, {"unknown": refusal}]
            step = adapter.step(move)
        except Exception as error:  # noqa: BLE001 - the error is what is shown
            return [*shown, {"move": move, "error": describe_error(error)}]
        said = "" if move in legal else "not in the list of legal moves; "
        said += f"reward {step.reward:g}" + ("; the game is over" if step.over and not step.cut else "")
        shown.append(_describe(adapter, move, said + ("; the game is cut off" if step.cut else "")))
    return shown


def _kind(move: Move) -> object:
    return tuple(map(_kind, move)) if isinstance(move, tuple) else type(move)


def _refusal(move: Move, every: Sequence[Move] | None, kinds: dict[object, Move]) -> str | None:
    """Why something cannot be a move here, legal or not; None if it can, for all that is known."""
    example = next(iter(kinds.values()), every[0] if every else None)
    if example is None or (move in every if every else _kind(move) in kinds):
        return None
    return f"{format_move(move)} is not a move here; {format_move(example)} is one"


def _describe(adapter: Adapter, move: Move | None, said: str) -> StepRecord:
    mover = _ask(adapter.mover)
    return {
        "move": move,
        "said": said,
        "legal": _ask(adapter.moves),
        "mover": None if mover is None else str(mover),
        "picture": _ask(lambda: draw(adapter)),
        "violations": [f"{code}: {text}" for code, text in adapter.violations.items()],
    }


def _ask(question: Callable[[], T]) -> T | str:
    """The answer of somebody's code, or the error that it raises."""
    try:
        return question()
    except Exception as error:  # noqa: BLE001 - the error is what is shown
        return describe_error(error)
