"""What a step of a batch returns."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.simulate.kernel import Actions, Labels


class Batch(NamedTuple):
    """What a step shows of `n` games. Row i of each array belongs to game i.

    - `observation`: bool, shape `(n, *observer.shape)`
    - `legal`: bool, shape `(n, num_actions)`, a mask of the legal actions
    - `side`: int8, shape `(n,)`, the side to move
    - `reward`: float32, shape `(n, 2)`, one column per side
    - `terminated`, `truncated`: bool, shape `(n,)`
    - `labels`: `Labels` with `n` rows, if the batch was made with `labels=True`
    - `action`: intp, shape `(n,)`, set by rollouts only

    A rollout of `steps` steps puts one more axis in front: `(steps, n, ...)`.

    >>> from perfectplay.simulate import BatchedGame
    >>> seen = BatchedGame("dual-direction", 3).look()
    >>> seen.observation.shape, seen.legal.tolist(), seen.side.tolist()
    ((3, 11, 1), [[True, True], [True, True], [True, True]], [0, 0, 0])
    """

    observation: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    side: NDArray[np.int8]
    reward: NDArray[np.float32]
    """1 for the winner and -1 for the loser once a game is over, otherwise 0."""
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    """Whether the horizon has cut the game short. A truncated game has no result."""
    labels: Labels | None = None
    action: Actions | None = None
    """The action that a rollout played in this step; meaningless if the step started a new game."""


def stacked(batches: list[Batch]) -> Batch:
    """Stack the batches of several steps along a new first axis."""
    shown: list[Any] = [np.stack(arrays) for arrays in zip(*(each[:6] for each in batches), strict=True)]
    labels = [each.labels for each in batches if each.labels is not None]
    shown.append(Labels(*(np.stack(arrays) for arrays in zip(*labels, strict=True))) if labels else None)
    return Batch._make([*shown, None])
