"""Findings about the protocol of Gymnasium."""

from perfectplay.audit.findings import Severity
from perfectplay_foreign.environment import attributes
from perfectplay_foreign.findings.code import WitnessReplay, code
from perfectplay_foreign.protocol import describe_error
from perfectplay_foreign.state import UnreadableError, canonical


def _notices(name: str, severity: Severity, meaning: str) -> None:
    """Add a code for what an adapter notices by itself while the witness is played."""

    @code(name, severity, meaning)
    def shows(replay: WitnessReplay) -> str | None:
        adapter = replay.env.fresh(replay.seed, strict=True)
        over = False
        try:
            adapter.look()
            for move in replay.moves:
                if over or move not in adapter.moves():
                    return None
                over = adapter.step(move).over
                adapter.look()
            if not over:
                adapter.moves()
        except TypeError:
            if name not in adapter.violations:
                raise
        said = adapter.violations.get(name)
        return said and f"{replay.there}, {said}."


_notices("bad-reset", "problem", "reset does not take a seed or return an observation and info")
_notices("bad-step", "problem", "step does not return the five values")
_notices("bad-reward", "problem", "a reward is not a finite number")
_notices("moves-outside", "problem", "a listed move is not in the action space")
_notices("moves-repeat", "warning", "a move is listed twice")
_notices("moves-not-whole", "warning", "a listed move is not a whole number")
_notices("observation-outside", "warning", "an observation is not in its space")
_notices("four-values", "warning", "step returns four values, as in old versions of Gym")
_notices("odd-reward", "warning", "a reward is a number of an unusual type")
_notices("not-zero-sum", "warning", "the rewards of the two sides do not cancel out")


@code("moves-mutate", "problem", "listing the legal moves changes the state", tried="positions")
def moves_mutate(replay: WitnessReplay) -> str | None:
    adapter = replay.play_all()
    before = replay.state(adapter)
    first = adapter.moves()
    if replay.state(adapter) == before and adapter.moves() == first:
        return None
    return f"{replay.there}, listing the legal moves changes the state."


@code("render-mutates", "problem", "drawing the position changes the state", tried="positions")
def render_mutates(replay: WitnessReplay) -> str | None:
    adapter = replay.after(replay.moves)
    before = replay.state(adapter)
    adapter.draw()  # an error has a code of its own
    return None if replay.state(adapter) == before else f"{replay.there}, render changes the state."


@code("render-fails", "warning", "drawing the position raises an error", tried="positions")
def render_fails(replay: WitnessReplay) -> str | None:
    adapter = replay.after(replay.moves)
    try:
        adapter.draw()
    except Exception as error:  # noqa: BLE001 - the error is the finding
        there_is = not isinstance(error, NotImplementedError)
        return f"{replay.there}, render raises {describe_error(error)}." if there_is else None
    return None


@code("render-none", "note", "nothing is drawn", tried="start")
def render_none(replay: WitnessReplay) -> str | None:
    try:
        return "render returns nothing." if replay.fresh().draw() is None else None
    except NotImplementedError:
        return "There is no render."


@code("no-turn", "note", "nothing says who moves; the sides are taken to alternate", tried="start")
def no_turn(replay: WitnessReplay) -> str | None:
    return "Nothing says who moves, so the sides are taken to alternate." if replay.probe.silent else None


@code("unreadable", "note", "a part of the state cannot be compared")
def unreadable(replay: WitnessReplay) -> str | None:
    for name, value in attributes(replay.fresh()).items():
        try:
            canonical(value)
        except (UnreadableError, RecursionError):
            return f"The attribute {name} cannot be compared, so it is taken not to change."
    return None
