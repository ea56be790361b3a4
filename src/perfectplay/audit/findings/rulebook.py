"""Compares the rulebook with the rules."""

from collections.abc import Iterator

from perfectplay.audit.case import Case
from perfectplay.audit.findings.finding import Finding, finds
from perfectplay.audit.readings import is_standard, readings
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.match import Match


@finds("example-fails", "a worked example of the rulebook that the rules contradict; the witness plays it")
def example_fails(case: Case) -> Iterator[Finding]:
    reading = " and ".join(f"{name}={getattr(case.game, name)}" for name in case.game.readings())
    for example in case.examples:
        problem = example.problem(case.game) if is_standard(case, example) else None
        if problem is not None:
            under = f" under {reading}" if reading else ""
            text = f"The worked example {example.name} ({example.where}) does not hold{under}: {problem}."
            yield Finding("example-fails", "problem", text, _playable(case, tuple(example.moves)))


def _playable(case: Case, moves: tuple[str, ...]) -> tuple[str, ...]:
    """The moves of an example, up to the first that cannot be played."""
    match = Match(case.game)
    for ply, move in enumerate(moves):
        try:
            match.play(move)
        except PerfectplayError:
            return moves[:ply]
    return moves


@finds("reading-decides", "readings of an unclear rule that lead to different perfect play")
def reading_decides(case: Case) -> Iterator[Finding]:
    for parameter in case.game.readings():
        rows = [row for row in readings(case) if row.parameter == parameter]
        side_by_side = "; ".join(f"{row.reading}: {row.outlook}" for row in rows)
        if len({row.result for row in rows}) > 1:
            text = f"The reading of {parameter} decides what the game is worth: {side_by_side}."
            yield Finding("reading-decides", "warning", text)
        elif len({row.outlook for row in rows}) > 1:
            text = f"The reading of {parameter} changes how long perfect play takes, not its result"
            yield Finding("reading-decides", "note", f"{text}: {side_by_side}.")
