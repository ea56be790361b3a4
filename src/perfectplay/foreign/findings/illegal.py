"""Findings about moves that are not in the list of legal moves."""

from collections.abc import Hashable

from perfectplay.foreign.adapter import Adapter, Moves, Step
from perfectplay.foreign.findings.code import NotShown, WitnessReplay, code
from perfectplay.foreign.protocol import describe_error

REFUSALS = ("ValueError", "AssertionError", "PermissionError", "NotImplementedError")
"""Errors that are a proper way to refuse a move, besides those that a library defines itself."""
TRIED = 6
"""How many illegal moves are tried to learn what the penalty is."""


def _try(replay: WitnessReplay) -> tuple[Adapter, Hashable, Step | Exception]:
    """Make the last move, which must not be legal; the state before it, and what came of it."""
    adapter = replay.before()
    if replay.last in adapter.moves():
        raise NotShown
    before = replay.state(adapter)
    try:
        return adapter, before, adapter.step(replay.last)
    except Exception as error:  # noqa: BLE001 - the error is what is wanted
        return adapter, before, error


def find_penalties(replay: WitnessReplay, path: Moves) -> set[float]:
    """The rewards with which illegal moves end the game in a position."""
    penalties: set[float] = set()
    adapter = replay.after(path)
    legal = adapter.moves()
    for move in [each for each in adapter.all_moves() or () if each not in legal][:TRIED]:
        try:
            step = replay.after(path).step(move)
        except Exception:  # noqa: BLE001 - refused in another way
            continue
        if step.over and step.reward < 0:
            penalties.add(step.reward)
    return penalties


@code("illegal-accepted", "problem", "a move that is not in the list is taken as a move")
def illegal_accepted(replay: WitnessReplay) -> str | None:
    adapter, before, step = _try(replay)
    if isinstance(step, Exception) or step.reward < 0:
        return None
    listed = f"{replay.where}, {replay.move} is not in the list of legal moves"
    if step.over and not step.cut and not step.reward:
        return f"{listed}, but ends the game as a tie."
    if step.reward > 0 or (not step.over and replay.state(adapter) != before):
        return f"{listed}, but is taken as a move."
    return None


@code("illegal-changes", "warning", "an illegal move is refused, but changes the state")
def illegal_changes(replay: WitnessReplay) -> str | None:
    adapter, before, step = _try(replay)
    goes_on = isinstance(step, Exception) or (step.reward < 0 and not step.over)
    if not goes_on or replay.state(adapter) == before:
        return None
    return f"{replay.where}, the illegal move {replay.move} is refused, but it changes the state."


@code("illegal-crashes", "warning", "an illegal move raises an error that is not a refusal")
def illegal_crashes(replay: WitnessReplay) -> str | None:
    error = _try(replay)[2]
    # Exception and RuntimeError themselves are raised on purpose, by hand.
    if not isinstance(error, Exception) or type(error) in (Exception, RuntimeError):
        return None
    names = [each.__name__ for each in type(error).__mro__]
    if any(name in REFUSALS for name in names) or type(error).__module__ != "builtins":
        return None
    return f"{replay.where}, the illegal move {replay.move} raises {describe_error(error)}."
