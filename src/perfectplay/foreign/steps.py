"""What happens move by move when a witness is played, for people to read."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from perfectplay.foreign.adapter import (
    Adapter,
    Move,
    StartError,
    UnavailableError,
    move_from_json,
    move_to_json,
)
from perfectplay.foreign.drawing import draw
from perfectplay.foreign.environment import Environment
from perfectplay.foreign.findings.code import format_move
from perfectplay.foreign.protocol import describe_error
from perfectplay.foreign.records import StepRecord

T = TypeVar("T")


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
            return [*shown, {"move": move_to_json(move), "error": describe_error(error)}]
        said = "" if move in legal else "not in the list of legal moves; "
        said += f"reward {step.reward:g}" + ("; the game is over" if step.over and not step.cut else "")
        shown.append(_describe(adapter, move, said + ("; the game is cut off" if step.cut else "")))
    return shown


def _kind(move: Move) -> object:
    return tuple(map(_kind, move)) if isinstance(move, tuple) else type(move)


def _refusal(move: Move, every: Sequence[Move] | None, kinds: dict[object, Move]) -> str | None:
    """Why something cannot be a move here, legal or not; None if it can, for all that is known."""
    if every and move in every:
        return None
    example = next(iter(kinds.values()), every[0] if every else None)
    if example is None or (_kind(move) in kinds and not every):
        return None
    return f"{format_move(move)} is not a move here; {format_move(example)} is one"


def _describe(adapter: Adapter, move: Move | None, said: str) -> StepRecord:
    legal, mover = _ask(adapter.moves), _ask(adapter.mover)
    return {
        "move": None if move is None else move_to_json(move),
        "said": said,
        "legal": legal if isinstance(legal, str) else [move_to_json(each) for each in legal],
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
