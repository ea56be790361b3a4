"""What several tests of arrays compare with: the rules, and a game from a file."""

import perfectplay as pp
from tests.conftest import ROOT

TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")


def reward_of(outcome: pp.Outcome | None) -> tuple[float, float]:
    if outcome is None or outcome.winner is None:
        return 0, 0
    return (1, -1) if outcome.winner == 0 else (-1, 1)
