"""Play without end."""

from collections.abc import Iterator

from perfectplay.audit.case import ActionPath, Case
from perfectplay.audit.findings.finding import Finding, finds
from perfectplay.audit.loops import first_loop
from perfectplay.audit.readings import plural
from perfectplay.core.game import Action
from perfectplay.core.value import Value
from perfectplay.strength.chain import can_end

SAFE_PLIES = 8
"""How many plies of endless play are shown if no position repeats."""


@finds("endless-possible", "play need not end; the witness repeats a position")
def endless_possible(case: Case) -> Iterator[Finding]:
    loop = first_loop(lambda number: case.graph.moves(number) if number < case.visited else [])
    if loop is not None:
        text = f"Play can go on forever: {_where(loop.into)} can recur {plural(len(loop.around))} later."
        yield Finding("endless-possible", "warning", text, case.texts(loop.into + loop.around))
    elif not case.whole and case.theory is not None:
        path = _way_to_endless(case)
        if path is not None:
            text = (
                f"Play can go on forever without repeating a position: after {plural(len(path))}, neither"
                f" side can force an end, {case.grounds}; {SAFE_PLIES} safe plies are shown."
            )
            yield Finding("endless-possible", "warning", text, case.texts(_safely_on(case, path)))


def _way_to_endless(case: Case) -> ActionPath | None:
    """Moves to a position where nobody can force an end, from the first positions or a random game."""
    assert case.theory is not None
    for number in range(case.visited):
        if _is_endless(case.value(number)):
            return case.path(number)
    for walk in case.walks:
        for ply, state in enumerate(case.along(walk)):
            if _is_endless(case.theory.value(state)):
                return walk[:ply]
    return None


@finds("endless-perfect", "best play by both sides does not end; the witness repeats a position")
def endless_perfect(case: Case) -> Iterator[Finding]:
    if not _is_endless(case.value(0)):
        return

    def kept(number: int) -> list[tuple[Action, int]]:
        """The moves of perfect play: those that leave it endless."""
        if number >= case.visited:
            return []
        endless = {action for action, value in case.moves(number) if value.kind == "endless"}
        return [move for move in case.graph.moves(number) if move[0] in endless]

    loop = first_loop(kept)
    if loop is not None:
        text = (
            "Perfect play never ends: neither side can force a win, and"
            f" {_where(loop.into)} recurs {plural(len(loop.around))} later."
        )
        yield Finding("endless-perfect", "problem", text, case.texts(loop.into + loop.around))
    elif not case.whole:
        text = (
            f"Perfect play never ends: neither side can force a win, {case.grounds};"
            f" {SAFE_PLIES} safe plies are shown."
        )
        yield Finding("endless-perfect", "problem", text, case.texts(_safely_on(case, ())))


def _is_endless(value: Value | None) -> bool:
    return value is not None and value.kind == "endless"


def _safely_on(case: Case, path: ActionPath) -> ActionPath:
    """Extend a line by moves that leave neither side a way to force an end."""
    *_, state = case.along(path)
    for _ in range(SAFE_PLIES):
        action = next(action for action, value in case.moves_at(state) if value.kind == "endless")
        path = (*path, action)
        state = case.game.apply(state, action)
    return path


def _where(path: ActionPath) -> str:
    return f"the position after {plural(len(path))}" if path else "the start position"


@finds("trap", "positions from which no end of the game can be reached; the witness leads into them")
def trap(case: Case) -> Iterator[Finding]:
    # A position that was not visited may lead to an end.
    over = [
        0 if number >= case.visited or case.game.outcome(state) is not None else None
        for number, state in enumerate(case.graph.states)
    ]
    steps = [[target for _, target in case.graph.moves(number)] for number in range(case.visited)]
    ending = can_end(steps, over, range(len(over)))
    caught = [number for number in range(case.visited) if number not in ending]
    inside = [number for number in caught if case.graph.moves(number)]  # a dead end has its own code
    if inside:
        path = case.path(inside[0])
        where = f"after {plural(len(path))}" if path else "from the start on"
        text = (
            f"Play can be caught {where}: from {len(caught):,} of the {case.scope}, no end of the game can be"
            " reached, whatever the moves."
        )
        yield Finding("trap", "problem", text, case.texts(path))
