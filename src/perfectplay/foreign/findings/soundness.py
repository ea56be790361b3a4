"""Our own checks: whether positions and copies are what they are taken for."""

from random import Random

from perfectplay.foreign.copies import choose_copies, trace
from perfectplay.foreign.findings.code import WitnessReplay, code, format_move
from perfectplay.foreign.state import canonical

PLIES, LONG = 6, 30


@code("observation-hides", "warning", "two positions look the same but differ in their moves or in who wins")
def observation_hides(replay: WitnessReplay) -> str | None:
    one, other = replay.after(replay.moves), replay.after(replay.other)
    if canonical(one.look()) != canonical(other.look()):
        return None
    here, elsewhere = set(one.moves()), set(other.moves())
    claim = replay.claim
    if here != elsewhere:
        which = min(here ^ elsewhere, key=str)
        claim = f"the move {format_move(which)} is legal {'here' if which in here else 'there'} alone"
    there = f"after the moves {' '.join(map(str, replay.other)) or '(none)'}"
    return f"{replay.there}, the observation is the same as {there}, but {claim}." if claim else None


@code("copy-differs", "problem", "a copy of a position behaves unlike a replay of its moves")
def copy_differs(replay: WitnessReplay) -> str | None:
    made = choose_copies(replay.env, replay.seed, replay.varying)
    start = made.save(())
    for move in replay.moves:
        made.adapter.step(move)
    saved = made.save(replay.moves)
    for game in range(3):  # other games in between
        made.load(start)
        trace(made.adapter, Random(game), len(replay.moves) + LONG)
    made.load(saved)
    copied = trace(made.adapter, Random(len(replay.moves)), PLIES)
    if copied == trace(replay.play_all(), Random(len(replay.moves)), PLIES):
        return None
    return f"{replay.there}, a copy of the position behaves unlike a replay of its moves."


@code("merge-differs", "problem", "two positions with the same state behave differently")
def merge_differs(replay: WitnessReplay) -> str | None:
    for start in range(3):
        seen = []
        for path in (replay.moves, replay.other):  # one after the other: they may share something
            adapter = replay.env.play(replay.seed, path)
            seen.append((replay.state(adapter), trace(adapter, Random(start), PLIES)))
        if seen[0][0] != seen[1][0]:
            return None
        if seen[0][1] != seen[1][1]:
            there = " ".join(map(str, replay.other)) or "(none)"
            return f"{replay.there}, the state is that after the moves {there}, but play differs."
    return None
