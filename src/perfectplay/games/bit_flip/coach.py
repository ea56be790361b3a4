"""Bit Flip explained: runs of free bits and their nim-sum."""

from perfectplay.core.formatting import join_words
from perfectplay.core.game import Action
from perfectplay.games.bit_flip.rules import BitFlip, State
from perfectplay.games.bit_flip.theory import BitFlipTheory, grundy
from perfectplay.solver.oracle import Oracle

MOST_RUNS = 12
"""If there are more runs than this, only their number and nim-sum are given."""

NIM_SUM = "The nim-sum adds the worths of the runs in binary, without carrying."


def reason(oracle: Oracle[State], state: State, action: Action) -> str:
    """Why a flip is best: what it does to the nim-sum of the runs."""
    assert isinstance(oracle.game, BitFlip)
    theory = BitFlipTheory(oracle.game)
    now = f"The free bits form {_runs(theory, state)}."
    if not theory.nim_sum(state):
        return f"{now} {NIM_SUM} Every flip changes it, and the opponent can make it 0 again."
    after = oracle.game.apply(state, action)
    left = _runs(theory, after) if theory.runs(after) else "no free bit"
    return f"{now} {NIM_SUM} Flipping {action} leaves {left}; the player to move at nim-sum 0 loses."


def _runs(theory: BitFlipTheory, state: State) -> str:
    runs = theory.runs(state)
    total = f"with nim-sum {theory.nim_sum(state)}"
    if len(runs) > MOST_RUNS:
        return f"{len(runs)} runs {total}"
    lengths = join_words([run.length for run in runs], "and")
    values = join_words([grundy(run.length) for run in runs], "and")
    number = "one run" if len(runs) == 1 else f"{len(runs)} runs"
    return f"{number} of length {lengths}, worth {values}, {total}"
