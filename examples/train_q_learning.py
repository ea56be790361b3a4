"""Train tabular Q-learning in self-play, and measure it exactly as it learns. Needs NumPy alone.

    python examples/train_q_learning.py [game]

One table of move values serves both sides: what follows the opponent's move counts with the opposite
sign. Moves are made in all positions, so that the learner also meets those that good play never leads to.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

import perfectplay as pp
from perfectplay.simulate import PositionTable, tabulate

Values = NDArray[np.float64]
MOVES = 64
"""How many moves are learned from in an update."""


def greedy(table: PositionTable[Any], values: Values) -> Values:
    """The policy that plays the moves with the highest value, equally often if there are several."""
    seen = np.where(table.legal, values, -np.inf)
    best = table.legal & (seen >= seen.max(axis=1, keepdims=True))
    chances: Values = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
    return chances


def learn(
    table: PositionTable[Any], values: Values, updates: int, rng: np.random.Generator, rate: float = 0.3
) -> None:
    """Make random moves in random positions, and move the value of each towards what it led to."""
    going_on = np.flatnonzero(~table.terminated)
    for _ in range(updates):
        rows = rng.choice(going_on, MOVES)
        moves = np.argmax(rng.random((MOVES, values.shape[1])) * table.legal[rows], axis=1)
        after = table.next[rows, moves]
        best = np.where(table.legal[after], values[after], -np.inf).max(axis=1, initial=-1.0)
        sign = np.where(table.side[after] == table.side[rows], 1.0, -1.0)
        reward = table.reward[after, table.side[rows]]
        target = np.where(table.terminated[after], reward, 0.99 * sign * best)
        values[rows, moves] += rate * (target - values[rows, moves])


def main(spec: str = "bit-flip", updates: int = 50, seed: int = 0) -> list[float]:
    """Train, and print the curve and the exact measure."""
    table: PositionTable[Any] = tabulate(spec)
    rng, values, curve = np.random.default_rng(seed), np.zeros(table.legal.shape), []
    for measured in range(11):
        if measured:
            learn(table, values, updates // 10, rng)
        found = pp.measure_policy(spec, greedy(table, values))
        curve.append(found.corrected)
        print(f"{updates // 10 * measured:5} updates: corrected {found.corrected:.3f}")
    print(found.text())
    return curve


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "bit-flip")
