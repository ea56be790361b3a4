"""Environments that cannot start."""

from perfectplay.foreign.adapter import StartError
from perfectplay.foreign.findings.code import Stand, code


def _start(stand: Stand, name: str) -> str | None:
    try:
        stand.env.fresh(stand.seed)
    except StartError as error:
        return str(error) if error.code == name else None
    return None


@code("import-fails", "problem", "the file or module cannot be imported")
def import_fails(stand: Stand) -> str | None:
    said = _start(stand, "import-fails")
    return said and f"The environment cannot be imported: {said}."


@code("construct-fails", "problem", "the environment cannot be made")
def construct_fails(stand: Stand) -> str | None:
    said = _start(stand, "construct-fails")
    return said and f"The environment cannot be made: {said}."


@code("reset-fails", "problem", "reset raises an error")
def reset_fails(stand: Stand) -> str | None:
    said = _start(stand, "reset-fails")
    return said and f"reset(seed={stand.seed}) fails: {said}."


@code("no-moves", "problem", "nothing says which moves are legal")
def no_moves(stand: Stand) -> str | None:
    said = _start(stand, "no-moves")
    return said and f"The legal moves are not known: {said}."


@code("moves-fail", "problem", "the legal moves of the start cannot be listed")
def moves_fail(stand: Stand) -> str | None:
    from perfectplay.foreign.protocol import located

    face = stand.env.fresh(stand.seed)
    try:
        face.moves()
    except Exception as error:  # noqa: BLE001 - the error is the finding
        return f"The legal moves of the start cannot be listed: {located(error)}."
    return None


@code("over-at-start", "problem", "the game is over before the first move", tried="start")
def over_at_start(stand: Stand) -> str | None:
    face = stand.env.fresh(stand.seed)
    return "The game is over before the first move." if face.finished() else None
