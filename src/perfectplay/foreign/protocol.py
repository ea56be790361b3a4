"""Reads what environments return, and notes what goes against the protocol of Gymnasium."""

import inspect
from os.path import basename
from traceback import extract_tb
from typing import Any

from perfectplay.core.wording import quoted
from perfectplay.foreign.face import Face, Make, Move, StartError, Step

OURS = "perfectplay"
SHOWN = 200
"""The most characters of an error that are shown."""


def located(error: BaseException) -> str:
    """An error with the file and line of the foreign code that raised it.

    >>> located(ValueError("no"))
    'ValueError: no'
    """
    text = " ".join(str(error).split())
    said = f"{type(error).__name__}: {text[:SHOWN]}" if text else type(error).__name__
    if isinstance(error, SyntaxError):
        return f"{said.partition(' (')[0]} ({basename(error.filename or 'it')}, line {error.lineno})"
    frames = [each for each in extract_tb(error.__traceback__) if f"{OURS}/foreign/" not in each.filename]
    frames = [each for each in frames if not each.filename.startswith("<frozen")]
    return f"{said} ({basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else said


def made(make: Make) -> Any:
    """The environment that `make` returns; StartError says why there is none."""
    try:
        return make()
    except StartError:
        raise
    except Exception as error:
        raise StartError("construct-fails", located(error)) from error


def trouble(error: Exception, face: Face) -> str:
    """The code for an error that a legal move raised."""
    return "memory" if isinstance(error, MemoryError) else "bad-step" if "bad-step" in face.odd else "crash"


def read_reset(face: Face, seed: int) -> tuple[Any, Any]:
    """Reset an environment; return its observation and info."""
    reset = face.env.reset
    try:
        takes = inspect.signature(reset).parameters
        seeded = "seed" in takes or any(each.kind is each.VAR_KEYWORD for each in takes.values())
    except (TypeError, ValueError):
        seeded = True
    try:
        found = reset(seed=seed) if seeded else reset()
    except Exception as error:
        raise StartError("reset-fails", located(error)) from error
    if not seeded:
        face.notice("bad-reset", "reset does not take a seed")
    if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], dict):
        return found
    face.notice("bad-reset", f"reset returns {_kind(found)}, not an observation and a dictionary")
    return found, {}


def read_step(face: Face, found: Any) -> tuple[Any, Step, Any]:
    """What a step returned: the observation, what it brought about, and info."""
    if type(found) is tuple and len(found) == 5:
        observation, reward, terminated, truncated, info = found
    elif isinstance(found, tuple) and len(found) == 4:
        face.notice("four-values", "step returns four values, as in Gym before 0.26; Gymnasium wants five")
        observation, reward, terminated, info = found
        truncated = isinstance(info, dict) and bool(info.get("TimeLimit.truncated"))
    else:
        face.notice("bad-step", f"step returns {_kind(found)}, not five values")
        raise TypeError(f"step returns {_kind(found)}, not five values")
    number = reward if type(reward) is int or type(reward) is float else read_reward(face, reward)
    if number - number != 0:  # nan or infinite
        face.notice("bad-reward", f"the reward is {number}")
        number = 0
    if face.strict and not isinstance(info, dict):
        face.notice("bad-step", f"the info that step returns is {_kind(info)}, not a dictionary")
    over, cut = bool(terminated), bool(truncated)
    return observation, Step(over or cut, cut and not over, number), info


def read_reward(face: Face, reward: Any) -> float:
    """A reward that is not a plain number, as one."""
    try:
        number = float(reward.item() if hasattr(reward, "item") else reward)
    except Exception:  # noqa: BLE001 - somebody's type can raise anything
        face.notice("bad-reward", f"the reward is {_kind(reward)}, not a number")
        return 0.0
    plain = isinstance(reward, (int, float)) or getattr(reward, "shape", None) == ()
    if isinstance(reward, bool) or not plain:
        face.notice("odd-reward", f"the reward is {_kind(reward)}, not a plain number")
    return number


def read_moves(face: Face, listed: Any) -> tuple[Move, ...]:
    """The legal moves that a method listed."""
    if type(listed) is list and set(map(type, listed)) <= {int}:
        moves: list[Move] = listed
    else:
        moves = [_read_move(face, each) for each in _items(face, listed)]
    unique = tuple(dict.fromkeys(moves))
    if len(unique) < len(moves):
        face.notice("moves-repeat", f"the list of legal moves repeats {_twice(moves)}")
    if face.strict:
        space = getattr(face.env, "action_space", None)
        for move in unique:
            if space is not None and not _holds(space, move):
                face.notice("moves-outside", f"the legal move {move} is not in the action space {space}")
    return unique


def _items(face: Face, listed: Any) -> list[Any]:
    if isinstance(listed, dict):
        raise TypeError("the legal moves are a dictionary, not a list")
    if getattr(listed, "dtype", None) is not None and listed.dtype.kind == "b":
        return list(mask_moves(face, listed))
    return list(listed)


def _read_move(face: Face, move: Any) -> Move:
    if hasattr(move, "tolist"):
        move = move.tolist()
    if isinstance(move, float):
        face.notice("moves-not-whole", f"the legal move {move} is not a whole number")
        return int(move) if move.is_integer() else move
    if isinstance(move, bool):
        face.notice("moves-not-whole", f"the legal move {move} is not a whole number")
        return int(move)
    if isinstance(move, list):
        return tuple(move)
    if isinstance(move, str) and type(getattr(face.env, "action_space", None)).__name__ == "Discrete":
        face.notice("moves-not-whole", f"the legal move {quoted(move)} is not a whole number")
    hash(move)
    return move  # type: ignore[no-any-return]


def _twice(moves: list[Move]) -> Move:
    return next(move for place, move in enumerate(moves) if move in moves[:place])


def _holds(space: Any, move: Move) -> bool:
    try:
        if isinstance(move, tuple) and type(space).__name__ == "MultiDiscrete":
            return len(move) == len(space.nvec) and all(
                0 <= each < most for each, most in zip(move, space.nvec, strict=True)
            )
        return bool(space.contains(move))
    except Exception:  # noqa: BLE001 - somebody's space can raise anything
        return False


def mask_moves(face: Face, mask: Any) -> tuple[Move, ...]:
    """The legal moves by a mask."""
    start = int(getattr(getattr(face.env, "action_space", None), "start", 0))
    return tuple(start + place for place, allowed in enumerate(mask) if allowed)


def observed(face: Any) -> Any:
    """The last observation; in strict mode checked against its space."""
    space = getattr(face.env, "observation_space", None)
    if face.strict and space is not None:
        try:
            fits = bool(space.contains(face.observation))
        except Exception as error:  # noqa: BLE001 - somebody's space can raise anything
            face.notice("observation-outside", f"the observation space raises {located(error)}")
            fits = True
        if not fits:
            shown = " ".join(str(face.observation).split())[:SHOWN]
            face.notice("observation-outside", f"the observation {shown} is not in its space {space}")
    return face.observation


def _kind(value: object) -> str:
    if isinstance(value, tuple):
        return f"{len(value)} values"
    return f"nothing ({value})" if value is None else f"{quoted(repr(value))} ({type(value).__name__})"
