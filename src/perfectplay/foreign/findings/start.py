"""Environments that cannot start."""

from perfectplay.foreign.adapter import StartError
from perfectplay.foreign.findings.code import WitnessReplay, code


def _start(replay: WitnessReplay, name: str) -> str | None:
    try:
        replay.env.fresh(replay.seed)
    except StartError as error:
        return str(error) if error.code == name else None
    return None


@code("import-fails", "problem", "the file or module cannot be imported")
def import_fails(replay: WitnessReplay) -> str | None:
    said = _start(replay, "import-fails")
    return said and f"The environment cannot be imported: {said}."


@code("construct-fails", "problem", "the environment cannot be made")
def construct_fails(replay: WitnessReplay) -> str | None:
    said = _start(replay, "construct-fails")
    return said and f"The environment cannot be made: {said}."


@code("reset-fails", "problem", "reset raises an error")
def reset_fails(replay: WitnessReplay) -> str | None:
    said = _start(replay, "reset-fails")
    return said and f"reset(seed={replay.seed}) fails: {said}."


@code("no-moves", "problem", "nothing says which moves are legal")
def no_moves(replay: WitnessReplay) -> str | None:
    said = _start(replay, "no-moves")
    return said and f"The legal moves are not known: {said}."


@code("moves-fail", "problem", "the legal moves of the start cannot be listed")
def moves_fail(replay: WitnessReplay) -> str | None:
    from perfectplay.foreign.protocol import describe_error

    adapter = replay.env.fresh(replay.seed)
    try:
        adapter.moves()
    except Exception as error:  # noqa: BLE001 - the error is the finding
        return f"The legal moves of the start cannot be listed: {describe_error(error)}."
    return None


@code("over-at-start", "problem", "the game is over before the first move", tried="start")
def over_at_start(replay: WitnessReplay) -> str | None:
    adapter = replay.env.fresh(replay.seed)
    return "The game is over before the first move." if adapter.finished() else None
