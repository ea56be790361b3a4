"""Reads what environments return, and notes what goes against the protocol of Gymnasium."""

import inspect
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from os.path import basename
from traceback import extract_tb
from typing import Any

from perfectplay.core.formatting import quote
from perfectplay_foreign.adapter import Adapter, Make, Move, Moves, StartError, Step, UnavailableError
from perfectplay_foreign.limits import LONGEST_ERROR

OURS = "perfectplay_foreign"
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|.)")


def plain(text: str) -> str:
    """Text without colors and without characters that would move the cursor."""
    text = ESCAPES.sub("", text).replace("\r\n", "\n").expandtabs(4)
    return "".join(each for each in text if each.isprintable() or each == "\n")


def describe_error(error: BaseException) -> str:
    """An error with the file and line of the foreign code that raised it."""
    text = " ".join(plain(str(error)).split())
    said = f"{type(error).__name__}: {text[:LONGEST_ERROR]}" if text else type(error).__name__
    if isinstance(error, ValueError) and text == "source code string cannot contain null bytes":
        return "it is not Python source text"  # before Python 3.11.4, it was a ValueError
    if isinstance(error, SyntaxError):
        if "null bytes" in text or "'utf-8' codec" in text:
            return f"{basename(error.filename or 'it')} is not Python source text"
        if error.lineno is not None:
            return f"{said.partition(' (')[0]} ({basename(error.filename or 'it')}, line {error.lineno})"
    frames = [each for each in extract_tb(error.__traceback__) if f"/{OURS}/" not in each.filename]
    frames = [each for each in frames if not each.filename.startswith("<frozen")]
    return f"{said} ({basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else said


def explain_missing(module: str, error: ModuleNotFoundError, install: str = "") -> UnavailableError | None:
    """What to say if a module could not be imported; None if its own package is at fault."""
    missing = error.name or ""
    if f"{module}.".startswith(f"{missing}."):
        return UnavailableError(f"there is no module {quote(module, 200)}")
    top = missing.partition(".")[0]
    if top == module.partition(".")[0]:
        return None
    how = install or f"pip install {top}"
    return UnavailableError(f"{top} is not installed; install it with: {how}", missing=True)


def construct(make: Make) -> object:
    """The environment that `make` returns; StartError says why there is none."""
    try:
        return make()
    except StartError:
        raise
    except Exception as error:
        lacks = isinstance(error, TypeError) and "required" in str(error)
        hint = "; --kwargs gives it arguments" if lacks else ""
        raise StartError("construct-fails", f"{describe_error(error)}{hint}") from error


def trouble(error: Exception, adapter: Adapter, path: Moves) -> str:
    """The code for an error that was raised after these moves, the last of which was legal."""
    if not path:
        return "moves-fail"
    if isinstance(error, MemoryError):
        return "memory"
    return "bad-step" if "bad-step" in adapter.violations else "crash"


def read_reset(adapter: Adapter, seed: int) -> tuple[object, object]:
    """Reset an environment; return its observation and info."""
    reset = adapter.env.reset
    try:
        takes = inspect.signature(reset).parameters
        seeded = "seed" in takes or any(each.kind is each.VAR_KEYWORD for each in takes.values())
    except (TypeError, ValueError):
        seeded = True
    found = reset(seed=seed) if seeded else reset()
    if not seeded:
        adapter.notice("bad-reset", "reset does not take a seed")
    if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], dict):
        return found
    adapter.notice("bad-reset", f"reset returns {_kind(found)}, not an observation and a dictionary")
    return found, {}


def read_step(adapter: Adapter, found: object) -> tuple[object, Step, object]:
    """What a step returned: the observation, what it brought about, and info."""
    if type(found) is tuple and len(found) == 5:
        observation, reward, terminated, truncated, info = found
    elif isinstance(found, tuple) and len(found) == 4:
        adapter.notice("four-values", "step returns four values, as in Gym before 0.26; Gymnasium wants five")
        observation, reward, terminated, info = found
        truncated = isinstance(info, dict) and bool(info.get("TimeLimit.truncated"))
    else:
        adapter.notice("bad-step", said := f"step returns {_kind(found)}, not five values")
        raise TypeError(said)
    number = reward if type(reward) is int or type(reward) is float else read_reward(adapter, reward)
    if number - number != 0:  # nan or infinite
        adapter.notice("bad-reward", f"the reward is {number}")
        number = 0
    if adapter.strict and not isinstance(info, dict):
        adapter.notice("bad-step", f"the info that step returns is {_kind(info)}, not a dictionary")
    over, cut = bool(terminated), bool(truncated)
    return observation, Step(over or cut, cut and not over, number), info


def read_reward(adapter: Adapter, reward: object) -> float:
    """A reward that is not a plain number, as one."""
    try:
        number = float(getattr(reward, "item", lambda: reward)())  # type: ignore[arg-type] # or it raises
    except Exception:  # noqa: BLE001 - somebody's type can raise anything
        adapter.notice("bad-reward", f"the reward is {_kind(reward)}, not a number")
        return 0.0
    plain = isinstance(reward, (int, float)) or getattr(reward, "shape", None) == ()
    if isinstance(reward, bool) or not plain:
        adapter.notice("odd-reward", f"the reward is {_kind(reward)}, not a plain number")
    return number


def read_moves(adapter: Adapter, listed: Any) -> Moves:
    """The legal moves that a method listed."""
    if type(listed) is list and set(map(type, listed)) <= {int}:
        moves: list[Move] = listed
    elif isinstance(listed, dict):
        raise TypeError("the legal moves are a dictionary, not a list")
    elif getattr(getattr(listed, "dtype", None), "kind", "") == "b":
        moves = list(mask_moves(adapter, listed))
    else:
        moves = [_read_move(adapter, each) for each in listed]
    unique = tuple(dict.fromkeys(moves))
    if len(unique) < len(moves):
        twice = next(move for place, move in enumerate(moves) if move in moves[:place])
        adapter.notice("moves-repeat", f"the list of legal moves repeats {twice}")
    space = getattr(adapter.env, "action_space", None)
    if adapter.strict and space is not None:
        for move in (each for each in unique if not _holds(space, each)):
            adapter.notice("moves-outside", f"the legal move {move} is not in the action space {space}")
    return unique


def _read_move(adapter: Adapter, given: object) -> Move:
    move = _plain_move(given)
    space = type(getattr(adapter.env, "action_space", None)).__name__
    if isinstance(move, float | bool) or (isinstance(move, str) and space == "Discrete"):
        shown = quote(move) if isinstance(move, str) else move
        adapter.notice("moves-not-whole", f"the legal move {shown} is not a whole number")
    if isinstance(move, bool) or (isinstance(move, float) and move.is_integer()):
        return int(move)
    return move


def _plain_move(given: object) -> Move:
    """A move without types of NumPy or of the environment's own: it has to be written down."""
    move = getattr(given, "tolist", lambda: given)()
    if isinstance(move, (list, tuple)):
        return tuple(map(_plain_move, move))
    for kind in (bool, int, float, str):
        if isinstance(move, kind):
            return kind(move)
    said = f"{quote(repr(move))} ({type(move).__name__})"
    raise TypeError(f"the legal move {said} is neither a number nor text nor a tuple of these")


def _holds(space: Any, move: Move) -> bool:
    try:
        if isinstance(move, tuple) and type(space).__name__ == "MultiDiscrete":
            pairs = zip(move, space.nvec, strict=True)
            return all(isinstance(each, (int, float)) and 0 <= each < most for each, most in pairs)
        return bool(space.contains(move))
    except Exception:  # noqa: BLE001 - somebody's space can raise anything
        return False


def find_mask(names: Iterable[str], *places: object) -> Iterable[object] | None:
    """The first mask of legal moves in dictionaries; None if there is none."""
    masks = (place[name] for place in places if isinstance(place, dict) for name in names if name in place)
    return next(masks, None)


def mask_moves(adapter: Adapter, mask: Iterable[object] | None) -> Moves:
    """The legal moves by a mask."""
    if mask is None:
        raise TypeError("the mask of legal moves is gone")
    start = int(getattr(getattr(adapter.env, "action_space", None), "start", 0))
    return tuple(start + place for place, allowed in enumerate(mask) if allowed)


def check_observation(adapter: Adapter, seen: object) -> None:
    """Compare an observation with the space that the environment declares."""
    space = getattr(adapter.env, "observation_space", None)
    if space is None:
        return
    why = ""
    try:
        if space.contains(seen):
            return
    except Exception as error:  # noqa: BLE001 - somebody's space can raise anything
        adapter.notice("observation-outside", f"the observation space raises {describe_error(error)}")
        return
    with suppress(Exception):  # the same
        why = f": {_explain_outside(space, seen)}"
    shown = " ".join(plain(str(seen)).split())[:LONGEST_ERROR]
    adapter.notice("observation-outside", f"the observation {shown} is not in its space {space}{why}")


def _explain_outside(space: Any, seen: Any) -> str:
    """Why an observation is not in its space, if that is known."""
    if type(space).__name__ == "Dict" and isinstance(seen, dict):
        return _parts(space.spaces, seen)
    if type(space).__name__ == "Tuple" and isinstance(seen, (tuple, list)):
        return _parts(dict(enumerate(space.spaces)), dict(enumerate(seen)))
    shape, dtype = getattr(space, "shape", None), getattr(space, "dtype", None)
    if not hasattr(seen, "dtype"):
        return f"it is {_kind(seen)}"
    if shape is not None and seen.shape != shape:
        return f"its shape is {seen.shape}, not {shape}"
    if getattr(seen, "size", 0) and seen.dtype.kind in "biuf" and hasattr(space, "low"):
        for word, low, high in (("below", seen, space.low), ("above", space.high, seen)):
            if (low < high).any():
                value = (seen.min() if word == "below" else seen.max()).item()
                return f"{value} is {word} what is allowed"
    return "a value is out of range" if seen.dtype == dtype else f"its type is {seen.dtype}, not {dtype}"


def _parts(spaces: Mapping[object, Any], seen: Mapping[object, object]) -> str:
    """Why one of several observations is not in its space."""
    if spaces.keys() != seen.keys():
        return f"it has the parts {', '.join(map(str, seen))}, not {', '.join(map(str, spaces))}"
    wrong = next(name for name, space in spaces.items() if not space.contains(seen[name]))
    return f"in the part {wrong}, {_explain_outside(spaces[wrong], seen[wrong])}"


def _kind(value: object) -> str:
    if isinstance(value, tuple):
        return f"{len(value)} values"
    return f"nothing ({value})" if value is None else f"{quote(repr(value))} ({type(value).__name__})"
