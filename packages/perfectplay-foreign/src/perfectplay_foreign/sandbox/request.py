"""The request for a job in the sandbox, and its options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from perfectplay_foreign.adapter import USUAL_NAMES, JsonMove, MethodNames
from perfectplay_foreign.limits import MOVES
from perfectplay_foreign.sandbox.limits import MEMORY, SECONDS

Turns = Literal["environment", "alternating"]
"""Whose turn it is: as the environment says, or alternating, whatever it says."""
Rewards = Literal["mover", "first"]
"""Who sees the reward of a move: the side that made it, or always the side that moved first."""


@dataclass(frozen=True)
class AuditOptions:
    """How an environment is examined."""

    seed: int = 0
    starts: int = 1
    """Over how many seeds an environment is judged that has several starts."""
    turns: Turns = "environment"
    rewards: Rewards = "mover"
    moves: int = MOVES
    deepen: int | None = None
    seconds: float = SECONDS
    hang: float = 5.0
    """Seconds of CPU time after which a call counts as one that does not return."""
    memory: int = MEMORY
    trust: bool = False
    kwargs: Mapping[str, object] = field(default_factory=dict)
    """The arguments with which an environment is made."""
    names: MethodNames = USUAL_NAMES

    @property
    def protocol(self) -> dict[str, object]:
        """How the host plays an environment, which decides what its moves and rewards mean."""
        named = {"turns": self.turns, "rewards": self.rewards, "starts": self.starts}
        return named | {"generators": "seeded"}  # those of `random` and NumPy, like the environment


@dataclass(frozen=True)
class JobRequest:
    """One job: an examination or, with `steps`, moves to be played."""

    what: str
    options: AuditOptions
    steps: Sequence[JsonMove] | None = None
    careful: bool = False
    """Whether each move is reported before it is made."""
    draw: bool = False
    """Whether pictures and rules are kept, for people who play the table."""
