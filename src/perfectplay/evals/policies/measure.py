"""The exact measure of a policy: how much it keeps, what it scores in both seats, and where it goes wrong."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side, other
from perfectplay.core.value import KINDS, Kind
from perfectplay.evals.policies.positions import AnyPolicy, Chances, Positions, positions_of
from perfectplay.players.base import DEFAULT_LEVEL, KnownPlayer
from perfectplay.players.level import LEVELS, LevelPlayer
from perfectplay.players.perfect import PerfectPlayer
from perfectplay.players.random import RandomPlayer
from perfectplay.simulate.table import PositionTable
from perfectplay.strength.best_response import best_expectations
from perfectplay.strength.chain import expectations
from perfectplay.strength.points import ENDLESS_PAYS, PAYOFFS, points_of_kind
from perfectplay.strength.statistics import compare_levels

BEST_RESPONSE = "best response"
NOTICED = 1e-6
"""Mistakes that are less likely are not listed."""


class Mistake(NamedTuple):
    """A position in which a policy may lose value."""

    position: str
    side: Side
    value: Kind
    """What the position is worth to the side to move."""
    chance: float
    """How likely a move is that has a worse kind of value."""
    lost: float
    """The points that the policy is expected to lose with this move."""
    likeliest: str
    """The likeliest of those moves."""


@dataclass(frozen=True)
class PolicyMeasure:
    """What is exact about a policy.

    >>> print(measure_policy("race-to-the-center", LevelPlayer(5)).text(1))
    race-to-the-center: 7 decisions in 31 positions
    kept 0.700, by guessing 0.500, corrected 0.400: plays like level 5
    points against random: 0.567 in seat 1, 0.729 in seat 2
    points against level:5: 0.375 in seat 1, 0.625 in seat 2
    points against perfect: 0.000 in seat 1, 0.490 in seat 2
    points against best response: 0.000 in seat 1, 0.490 in seat 2
    at 1 10 2: loses the win in 30.0%, by playing 1
    """

    game: str
    positions: int
    decisions: int
    kept: float
    """The share of decisions that the policy keeps; all decision positions weigh the same."""
    guess: float
    corrected: float
    """The share of kept decisions corrected for guessing: 0 for random moves, 1 for perfect ones."""
    plays_like: str
    """The level whose corrected share is nearest, as "level 5", or "below random"."""
    points: dict[str, tuple[float, float]] | None
    """By opponent, the expected points in the first and the second seat; None if not all positions are
    known."""
    mistakes: tuple[Mistake, ...]
    """The positions in which it may lose value, the most points first."""

    @property
    def worst(self) -> tuple[float, float] | None:
        """The fewest points that any opponent leaves it, in each seat."""
        return None if self.points is None else self.points[BEST_RESPONSE]

    def as_dict(self) -> dict[str, object]:
        """The measure as JSON-serializable data."""
        return asdict(self) | {"mistakes": [each._asdict() for each in self.mistakes]}

    def text(self, most: int = 5) -> str:
        """The measure in a few lines, with the worst mistakes."""
        lines = [
            f"{self.game}: {pluralize(self.decisions, 'decision', 'decisions')}"
            f" in {self.positions:,} positions",
            f"kept {self.kept:.3f}, by guessing {self.guess:.3f}, corrected {self.corrected:.3f}:"
            f" plays like {self.plays_like}",
        ]
        for name, seats in (self.points or {}).items():
            lines.append(f"points against {name}: {seats[0]:.3f} in seat 1, {seats[1]:.3f} in seat 2")
        for each in self.mistakes[:most]:
            lost = "endless play" if each.value == "endless" else f"the {each.value}"
            by = f"by playing {each.likeliest}"
            lines.append(f"at {each.position}: loses {lost} in {each.chance:.1%}, {by}")
        return "\n".join(lines)


def measure_policy(game: Game[Any] | str, policy: AnyPolicy, *, level: int = DEFAULT_LEVEL) -> PolicyMeasure:
    """Measure a policy exactly, over all positions of a game.

    The policy is a function from observations and masks of legal actions, one row for each position, to the
    probability of each action; or such a table, for the rows of `tabulate(game)`; or a player or a
    trained policy. Its points are those against random, a level, perfect and its own best response.

    A game that no table can hold is measured over the positions near its start, without points.

    >>> import perfectplay as pp
    >>> def guess(seen, legal):
    ...     return legal / legal.sum(axis=1, keepdims=True).clip(1)
    >>> guessing = pp.measure_policy("bit-flip", guess)
    >>> guessing.decisions, round(guessing.kept, 3), round(abs(guessing.corrected), 3)
    (40, 0.368, 0.0)
    >>> [round(each, 3) for each in guessing.points["perfect"]]
    [0.151, 0.0]
    """
    positions = positions_of(game)
    chances = positions.chances(policy)
    corrected = positions.correct_kept(chances)
    like = compare_levels(level_scores(positions), corrected, (corrected, corrected))[0]
    against = () if positions.table is None else (*opponents(positions, level).items(), (BEST_RESPONSE, None))
    points = {
        name: (_points(positions, chances, each, 0), _points(positions, chances, each, 1))
        for name, each in against
    }
    return PolicyMeasure(
        positions.game.spec,
        len(positions.states),
        int(positions.decision.sum()),
        positions.measure_kept(chances),
        positions.guess,
        corrected,
        like if isinstance(like, str) else f"level {like}",
        points or None,
        find_mistakes(positions, chances),
    )


@lru_cache(maxsize=16)
def level_scores(positions: Positions) -> dict[int, float]:
    """The corrected shares of the levels over the same positions."""
    return {level: positions.correct_kept(positions.chances(LevelPlayer(level))) for level in LEVELS}


@lru_cache(maxsize=16)
def opponents(positions: Positions, level: int) -> dict[str, Chances]:
    """The opponents of a policy, by spec, and how they play."""
    players: tuple[KnownPlayer, ...] = (RandomPlayer(), LevelPlayer(level), PerfectPlayer())
    return {player.spec: positions.chances(player) for player in players}


def payoffs(table: PositionTable[Any], seat: Side) -> NDArray[np.float64]:
    """What each finished position pays a seat; one half for a tie, and for positions where play goes on."""
    return np.where(table.outcome == seat + 1, 1.0, np.where(table.outcome == 2 - seat, 0.0, 0.5))


def _points(positions: Positions, chances: Chances, opponent: Chances | None, seat: Side) -> float:
    """The points of a policy in a seat against an opponent or, for None, against its best response."""
    table = positions.table
    assert table is not None
    own = table.side == seat
    weights = np.where(own[:, None], chances, 0.0 if opponent is None else opponent)
    if positions.depth is None:
        return _points_with_loops(table, weights, seat, None if opponent is not None else ~own)
    pays = payoffs(table, seat)
    after, worth = np.maximum(table.next, 0), pays
    for _ in range(positions.depth):
        mean = (weights * worth[after]).sum(axis=1)
        if opponent is None:
            mean = np.where(own, mean, np.where(table.legal, worth[after], np.inf).min(axis=1))
        worth = np.where(table.terminated, pays, mean)
    return float(worth[0])


def _points_with_loops(
    table: PositionTable[Any], weights: Chances, seat: Side, free: NDArray[np.bool_] | None
) -> float:
    """The points where play can return to a position; `free` are positions in which the opponent chooses."""
    classes = [int(each) - 1 if each else None for each in table.outcome]
    moves = [table.next[row][table.legal[row]].tolist() for row in range(len(classes))]
    steps: list[dict[int, float]] = []
    for row, targets in enumerate(moves):
        step: dict[int, float] = {}
        for target, chance in zip(targets, weights[row][table.legal[row]].tolist(), strict=True):
            if chance:
                step[target] = step.get(target, 0.0) + chance
        steps.append(step)
    if free is None:
        return float(expectations(steps, classes, PAYOFFS[seat], ENDLESS_PAYS)[0])
    choices = [targets if free[row] else [] for row, targets in enumerate(moves)]
    return 1 - float(best_expectations(steps, choices, classes, PAYOFFS[other(seat)], ENDLESS_PAYS)[0])


def find_mistakes(positions: Positions, chances: Chances) -> tuple[Mistake, ...]:
    """Where a policy may lose value, the most points first, and then the likeliest."""
    game = positions.game
    wrong = np.where(positions.legal & ~positions.best, chances, 0.0)
    points = np.array([points_of_kind(kind) for kind in KINDS])
    best = positions.value.max(axis=1)
    lost = (wrong * (points[best][:, None] - points[positions.value])).sum(axis=1)
    chance = wrong.sum(axis=1)
    found = []
    for row in np.lexsort((-chance.round(9), -lost.round(9))):
        if chance[row] >= NOTICED:
            state = positions.states[row]
            found.append(
                Mistake(
                    game.state_text(state),
                    game.side_to_move(state),
                    KINDS[best[row]],
                    float(chance[row]),
                    float(lost[row]),
                    game.action_text(state, int(wrong[row].argmax())),
                )
            )
    return tuple(found)
