"""Our own checks: whether positions and copies are what they are taken for."""

from random import Random

from perfectplay.foreign.copies import copies, trace
from perfectplay.foreign.findings.code import Stand, code, told, when
from perfectplay.foreign.state import canonical

PLIES, LONG = 6, 30


@code("observation-hides", "warning", "two positions look the same but differ in their moves or in who wins")
def observation_hides(stand: Stand) -> str | None:
    if stand.beside is None:
        return None
    one, other = stand.after(stand.moves), stand.after(stand.beside)
    if canonical(one.look()) != canonical(other.look()):
        return None
    there = f"after the moves {' '.join(map(str, stand.beside)) or '(none)'}"
    here, elsewhere = set(one.moves()), set(other.moves())
    if here != elsewhere:
        which = min(here ^ elsewhere, key=str)
        legal = f"the move {told(which)} is legal {'here' if which in here else 'there'} alone"
        return f"{when(len(stand.moves))}, the observation is the same as {there}, but {legal}."
    if stand.claim:
        return f"{when(len(stand.moves))}, the observation is the same as {there}, but {stand.claim}."
    return None


@code("copy-differs", "problem", "a copy of a position behaves unlike a replay of its moves")
def copy_differs(stand: Stand) -> str | None:
    made = copies(stand.env, stand.seed, stand.varying)
    start = made.save(())
    for move in stand.moves:
        made.face.step(move)
    saved = made.save(stand.moves)
    for game in range(3):  # other games in between
        made.load(start)
        trace(made.face, Random(game), len(stand.moves) + LONG)
    made.load(saved)
    copied = trace(made.face, Random(len(stand.moves)), PLIES)
    replayed = trace(stand.env.played(stand.seed, stand.moves), Random(len(stand.moves)), PLIES)
    if copied == replayed:
        return None
    return f"{when(len(stand.moves))}, a copy of the position behaves unlike a replay of its moves."


@code("merge-differs", "problem", "two positions with the same state behave differently")
def merge_differs(stand: Stand) -> str | None:
    if stand.beside is None:
        return None
    for start in range(3):
        seen = []
        for path in (stand.moves, stand.beside):  # one after the other: they may share something
            face = stand.env.played(stand.seed, path)
            seen.append((stand.state(face), trace(face, Random(start), PLIES)))
        if seen[0][0] != seen[1][0]:
            return None
        if seen[0][1] != seen[1][1]:
            there = " ".join(map(str, stand.beside)) or "(none)"
            return f"{when(len(stand.moves))}, the state is that after the moves {there}, but play differs."
    return None
