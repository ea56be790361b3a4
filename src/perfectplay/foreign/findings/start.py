"""Findings about environments that cannot start."""

from perfectplay.foreign.adapter import StartError
from perfectplay.foreign.findings.code import Predicate, WitnessReplay, code
from perfectplay.foreign.protocol import describe_error


def _cannot_start(name: str, meaning: str, text: str) -> Predicate:
    def shows(replay: WitnessReplay) -> str | None:
        try:
            replay.fresh()
        except StartError as error:
            return text.format(error, seed=replay.seed) if error.code == name else None
        return None

    return code(name, "problem", meaning)(shows)


import_fails = _cannot_start(
    "import-fails", "the file or module cannot be imported", "The environment cannot be imported: {}."
)
construct_fails = _cannot_start(
    "construct-fails", "the environment cannot be made", "The environment cannot be made: {}."
)
reset_fails = _cannot_start("reset-fails", "reset raises an error", "reset(seed={seed}) fails: {}.")
no_moves = _cannot_start(
    "no-moves", "nothing says which moves are legal", "The legal moves are not known: {}."
)


@code("moves-fail", "problem", "the legal moves of the start cannot be listed")
def moves_fail(replay: WitnessReplay) -> str | None:
    adapter = replay.fresh()
    try:
        adapter.moves()
    except Exception as error:  # noqa: BLE001 - the error is the finding
        return f"The legal moves of the start cannot be listed: {describe_error(error)}."
    return None


@code("over-at-start", "problem", "the game is over before the first move", tried="start")
def over_at_start(replay: WitnessReplay) -> str | None:
    return "The game is over before the first move." if replay.fresh().finished() else None
