"""Moves that are not in the list of legal moves."""

from perfectplay.foreign.adapter import Face, Step
from perfectplay.foreign.findings.code import Stand, code, told
from perfectplay.foreign.probe import Path
from perfectplay.foreign.protocol import located

REFUSALS = ("ValueError", "AssertionError", "PermissionError", "NotImplementedError")
"""Errors that are a proper way to refuse a move, besides those that a library defines itself."""
TRIED = 6
"""How many illegal moves are tried to learn what the penalty is."""


def _tried(stand: Stand) -> tuple[Face, object, Step | Exception] | None:
    face = stand.before()
    if stand.last in face.moves():
        return None
    before = stand.state(face)
    try:
        return face, before, face.step(stand.last)
    except Exception as error:  # noqa: BLE001 - the error is what is asked for
        return face, before, error


def refused(stand: Stand, path: Path) -> set[float]:
    """The rewards with which illegal moves end the game in a position."""
    penalties: set[float] = set()
    face = stand.after(path)
    legal = face.moves()
    for move in [each for each in face.all_moves() or () if each not in legal][:TRIED]:
        try:
            step = stand.after(path).step(move)
        except Exception:  # noqa: BLE001 - refused in another way
            continue
        if step.over and step.reward < 0:
            penalties.add(step.reward)
    return penalties


@code("illegal-accepted", "problem", "a move that is not in the list is taken as a move")
def illegal_accepted(stand: Stand) -> str | None:
    found = _tried(stand)
    if found is None:
        return None
    face, before, step = found
    if isinstance(step, Exception) or step.reward < 0:
        return None
    listed = f"{stand.where}, {told(stand.last)} is not in the list of legal moves"
    if step.over and not step.cut and not step.reward:
        return f"{listed}, but ends the game as a tie."
    if step.reward > 0 or (not step.over and stand.state(face) != before):
        return f"{listed}, but is taken as a move."
    return None


@code("illegal-changes", "warning", "an illegal move is refused, but changes the state")
def illegal_changes(stand: Stand) -> str | None:
    found = _tried(stand)
    if found is None:
        return None
    face, before, step = found
    goes_on = isinstance(step, Exception) or (step.reward < 0 and not step.over)
    if not goes_on or stand.state(face) == before:
        return None
    return f"{stand.where}, the illegal move {told(stand.last)} is refused, but it changes the state."


@code("illegal-crashes", "warning", "an illegal move raises an error that is not a refusal")
def illegal_crashes(stand: Stand) -> str | None:
    found = _tried(stand)
    if found is None or not isinstance(found[2], Exception):
        return None
    error = found[2]
    names = [each.__name__ for each in type(error).__mro__]
    if any(name in REFUSALS for name in names) or type(error).__module__ != "builtins":
        return None
    if type(error) in (Exception, RuntimeError):  # raised on purpose, by hand
        return None
    return f"{stand.where}, the illegal move {told(stand.last)} raises {located(error)}."
