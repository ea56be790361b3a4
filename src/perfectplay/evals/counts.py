"""What is counted about one game or one question. Ratios are formed later, from sums."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Literal

from perfectplay.core.value import Value
from perfectplay.evals.answers import Verdict
from perfectplay.solver.judgement import Scored
from perfectplay.strength.points import share_kept

ANSWERS = ("silent", "unreadable", "illegal", "invalid", "legal")
READABLE = ("illegal", "invalid", "legal")
"""The answers that name a move, whether or not the rules allow it."""
AgentResult = Literal["win", "loss", "tie", "unfinished", "forfeit", "opponent forfeit", "error"]

POINTS: dict[AgentResult, float] = {
    "win": 1.0,
    "loss": 0.0,
    "tie": 0.5,
    "unfinished": 0.5,
    "forfeit": 0.0,
    "opponent forfeit": 1.0,
    "error": 0.0,
}
BY_RULES = frozenset({"win", "loss", "tie"})
"""The results that the rules of the game decided."""


@dataclass
class SampleCounts:
    """The counts of one sample: a game or a single question."""

    answers: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ANSWERS, 0))
    illegal: dict[str, int] = field(default_factory=dict)
    """Illegal answers by the rule that forbids them."""
    decisions: int = 0
    kept: int = 0
    guess: float = 0.0
    """The sum over the decisions of the share of legal moves that keep the value."""
    decisions_read: int = 0
    guess_read: float = 0.0
    """The same two over the decisions that got a readable answer; no other is ever kept."""
    drops: dict[str, int] = field(default_factory=dict)
    """Lost value by kind, as in "win to loss"."""
    decisions_at: dict[str, int] = field(default_factory=dict)
    drops_at: dict[str, int] = field(default_factory=dict)
    """Decisions, and those not kept, by the ply of the game they came at."""
    wasted: int = 0
    """Plies by which wins came later and losses sooner than they had to."""
    named: int = 0
    """Answers that name the game although it was disguised."""
    errors: int = 0
    """1 if the sample ended in an error or at a limit, so that an answer never came."""
    result: AgentResult | None = None
    """How a game ended; None for a single question."""
    plies: int = 0
    luck: float | None = None
    """How much the opponent's random choices added to the points; None if unknown."""
    stopped_at: str | None = None
    """The exact value for the agent of the position where an unfinished game stopped."""

    @property
    def points(self) -> float | None:
        """The points of a game; None for a single question."""
        return None if self.result is None else POINTS[self.result]

    @property
    def luck_free(self) -> float | None:
        """The points of a game without the luck of the opponent's moves, or as they are if it is unknown."""
        return None if self.points is None else self.points - (self.luck or 0.0)

    def rates(self) -> dict[str, float]:
        """One sample in numbers, from which trainers take a reward: shares of answers and decisions, points.

        A game without a decision keeps everything, unless it was forfeited.

        >>> SampleCounts(answers={"legal": 1, "illegal": 1}, decisions=2, kept=1, result="win").rates()
        {'readable': 1.0, 'legal': 0.5, 'kept': 0.5, 'points': 1.0, 'luck_free': 1.0}
        """
        answers = max(1, sum(self.answers.values()))
        failed = self.result in ("forfeit", "error")
        return {
            "readable": sum(self.answers.get(name, 0) for name in READABLE) / answers,
            "legal": self.answers.get("legal", 0) / answers,
            "kept": self.kept / self.decisions if self.decisions else float(not failed),
            "points": self.points or 0.0,
            "luck_free": self.luck_free or 0.0,
        }

    def count_verdict(self, verdict: Verdict) -> None:
        """Count an answer."""
        self.answers[verdict.outcome] += 1
        if verdict.rule is not None:
            self.illegal[verdict.rule] = self.illegal.get(verdict.rule, 0) + 1

    def count_choice(
        self, ply: int, moves: Sequence[Scored], verdict: Verdict | None, played: Value | None
    ) -> None:
        """Count what came of a position with these `moves`: what was played is worth `played`, if any was."""
        best = max((move.value for move in moves), key=lambda value: value.rank)
        if (share := share_kept(moves)) < 1:
            legal = verdict is not None and verdict.action is not None
            kept = legal and played is not None and played.kind == best.kind
            read = verdict is not None and verdict.outcome in READABLE
            self.count_decision(ply, share, kept, read)
        if played is None:
            return
        if played.rank[0] < best.rank[0]:
            kind = f"{best.kind} to {played.kind}"
            self.drops[kind] = self.drops.get(kind, 0) + 1
        elif played.kind == best.kind and played.plies is not None and best.plies is not None:
            if best.kind == "win":
                self.wasted += max(0, played.plies - best.plies)
            elif best.kind == "loss":
                self.wasted += max(0, best.plies - played.plies)

    def count_decision(self, ply: int, share: float, kept: bool, read: bool) -> None:
        """Count a decision; `share` is the share of legal moves that keep the value."""
        self.decisions += 1
        self.kept += kept
        self.guess += share
        self.decisions_read += read
        self.guess_read += share if read else 0.0
        at = str(ply)
        self.decisions_at[at] = self.decisions_at.get(at, 0) + 1
        if not kept:
            self.drops_at[at] = self.drops_at.get(at, 0) + 1

    @classmethod
    def add(cls, counts: Iterable["SampleCounts"]) -> "SampleCounts":
        """The sums of some counts, but for what only one game has: a result, luck and where it stopped."""
        added = list(counts)
        total = cls()
        for name, empty in vars(total).items():
            values = [getattr(each, name) for each in added]
            if isinstance(empty, dict):
                summed = Counter[str]()
                for each in values:
                    summed += Counter(each)  # keeps what is above 0
                setattr(total, name, {**empty, **summed})
            elif empty is not None:
                setattr(total, name, fsum(values) if isinstance(empty, float) else sum(values))
        return total
