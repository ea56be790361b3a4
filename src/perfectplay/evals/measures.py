"""What the counts of many samples come to: ratios of sums, with intervals, group by group."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import fsum
from typing import Any, NamedTuple

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import natural_order
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.core.spec import split_spec
from perfectplay.evals.counts import BY_RULES, READABLE, SampleCounts
from perfectplay.evals.limits import MOST_DECIDING, MOST_FOLLOWED
from perfectplay.evals.samples import Sample, load_known_opponent
from perfectplay.players.level import LevelPlayer
from perfectplay.strength.points import LARGEST_RATED, check_scored, expected_decisions
from perfectplay.strength.reference import NO_INFORMATION, reference_scores
from perfectplay.strength.statistics import Estimate, compare_levels, correct_kept, ratio
from perfectplay.validation import NOTHING, Trusted, validate_game

NO_ANSWERS = "no answers"
"""What an agent comes to whose answers cannot be read."""

BOTH = "both"
"""The seat in groups that add up both."""


@dataclass(frozen=True)
class GroupKey:
    """What samples must have in common to be added up; in a summary, game, opponent and seat are None."""

    agent: str
    task: str
    game: str | None
    opponent: str | None
    seat: int | str | None
    attempts: int
    moves: str
    memory: str
    disguise: str
    start: str
    plies_limit: int | None
    temperature: float | None
    max_tokens: int | None

    @classmethod
    def of(cls, sample: Sample) -> "GroupKey":
        """The group of a sample.

        Single questions are added up over both seats and all sizes of a game, because there are few of each.
        """
        columns = sample.columns()
        key = cls(**{each.name: columns[each.name] for each in fields(cls)})  # type: ignore[arg-type]
        if sample.task == "play":
            return key
        return replace(key, game=split_spec(sample.setup.game)[0], seat=BOTH, plies_limit=None)

    @classmethod
    def of_size(cls, sample: Sample) -> "GroupKey":
        """The group of a sample among all of its game and size, over both seats."""
        return replace(cls.of(sample), game=sample.setup.game, seat=BOTH)

    @property
    def summary(self) -> "GroupKey":
        """The key of the same samples over all games, opponents and seats."""
        return replace(self, game=None, opponent=None, seat=None)


@dataclass(frozen=True)
class SampleMeasures:
    """The measures of some samples, without anything exact to compare them with."""

    samples: int
    counts: SampleCounts
    """The sums over all samples."""
    corrected: Estimate | None
    readable: Estimate | None
    """Corrected among the decisions with a readable answer."""
    games: int
    results: dict[str, int]
    stopped_at: dict[str, int]
    points: Estimate | None
    decided: int
    points_decided: Estimate | None
    luck_free: Estimate | None
    tokens: float | None
    cost: float | None

    @property
    def answered(self) -> float | None:
        """The share of readable answers."""
        answers = self.counts.answers
        return _share(sum(answers[name] for name in READABLE), sum(answers.values()) + self.counts.errors)

    @property
    def guess(self) -> float | None:
        """The mean share of legal moves that keep."""
        return _share(self.counts.guess, self.counts.decisions)

    def as_dict(self) -> dict[str, object]:
        """The measures as JSON-serializable data."""
        guess_read = _share(self.counts.guess_read, self.counts.decisions_read)
        shares = {"answered": self.answered, "guess": self.guess, "guess_read": guess_read}
        found = {**vars(self.counts), **vars(self), **shares}
        del found["counts"], found["plies"], found["result"], found["luck"]
        for name in ("corrected", "readable", "points", "points_decided", "luck_free"):
            found[name], found[f"{name}_interval"], found[f"{name}_error"] = found[name] or (None,) * 3
        return found


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True)
class ExactScores:
    """What is exact about a group: points of random and of the best response, scores of the levels."""

    random: float | None = None
    random_sampled: bool | None = None
    best: float | None = None
    informative: bool | None = None
    levels: tuple[float, ...] | None = None
    plays_like: tuple[int | str, int | str, int | str] | str | None = None
    """The nearest level and those of the ends of the interval."""


@dataclass(frozen=True)
class SampleGroup:
    """The measures of a group of samples."""

    key: GroupKey
    measures: SampleMeasures
    side: str = ""
    sizes: int = 1
    """How many sizes of the game there are."""
    exact: ExactScores = ExactScores()

    def as_dict(self) -> dict[str, object]:
        """The group as JSON-serializable data."""
        about = {"side": self.side, "sizes": self.sizes}
        return {**asdict(self.key), **about, **self.measures.as_dict(), **asdict(self.exact)}


def measure_groups(samples: Iterable[Sample], trusted: Trusted = NOTHING) -> list[SampleGroup]:
    """The measures of each group of samples, and what is exact about it, sorted."""
    found = []
    for key, group in split_groups(samples, GroupKey.of):
        sizes = sorted({sample.setup.game for sample in group})
        shown = replace(key, game=sizes[0]) if len(sizes) == 1 else key
        measures, side = measure(group), "" if key.seat == BOTH else group[0].side
        found.append(SampleGroup(shown, measures, side, len(sizes), _compare(group[0], measures, trusted)))
    return found


def split_groups(
    samples: Iterable[Sample], key_of: Callable[[Sample], GroupKey]
) -> list[tuple[GroupKey, list[Sample]]]:
    """The groups of samples with the same key, sorted."""
    groups: dict[GroupKey, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(key_of(sample), []).append(sample)
    return sorted(
        groups.items(), key=lambda each: [natural_order(str(part)) for part in vars(each[0]).values()]
    )


def measure(samples: Sequence[Sample]) -> SampleMeasures:
    """The measures of some samples."""
    clustered = [(sample.cluster, sample.counts) for sample in samples]
    games = [sample for sample in samples if sample.counts.result is not None]
    decided = [sample for sample in games if sample.counts.result in BY_RULES]
    lucky = [sample for sample in games if sample.counts.luck is not None]
    free = ratio((each.cluster, (each.counts.points or 0) - (each.counts.luck or 0), 1) for each in lucky)
    return SampleMeasures(
        samples=len(samples),
        counts=SampleCounts.add(sample.counts for sample in samples),
        corrected=correct_kept((at, each.kept, each.decisions, each.guess) for at, each in clustered),
        readable=correct_kept(
            (at, each.kept, each.decisions_read, each.guess_read) for at, each in clustered
        ),
        games=len(games),
        results=dict(Counter(str(sample.counts.result) for sample in games)),
        stopped_at=dict(Counter(each.counts.stopped_at for each in games if each.counts.stopped_at)),
        points=_mean_points(games),
        decided=len(decided),
        points_decided=_mean_points(decided),
        luck_free=free and Estimate(free.value, error=free.reliable_error),  # it is not a share
        tokens=sum(sample.usage.tokens or 0 for sample in samples) or None,
        cost=fsum(sample.usage.cost or 0 for sample in samples) or None,
    )


def _mean_points(samples: Iterable[Sample]) -> Estimate | None:
    found = ratio((each.cluster, each.counts.points or 0, 1) for each in samples)
    return found and Estimate(found.value, found.interval, found.reliable_error)


def _compare(sample: Sample, measures: SampleMeasures, trusted: Trusted) -> ExactScores:
    """What is exact about the group of a sample."""
    setup, found = sample.setup, ExactScores()
    if not measures.answered:
        found = ExactScores(plays_like=NO_ANSWERS)
    opponent = load_known_opponent(setup.opponent)
    if sample.task != "play" or opponent is None or setup.start != "initial":
        return found
    seat: Side = 0 if sample.seat == 1 else 1
    plies = min(setup.plies_limit, MOST_FOLLOWED)
    try:
        game = validate_game(setup.game, LARGEST_RATED, Trusted(games=trusted.games))
        check_scored(game)
        exact = reference_scores(game, opponent, seat, plies)
    except PerfectplayError:  # too large, undecided, or a game file, which a log must not make us run
        return found
    found = replace(
        found,
        random=exact.random.value,
        random_sampled=exact.random.interval is not None,
        best=exact.best,
        informative=exact.informative,
    )
    score = measures.corrected
    if score is None or score.interval is None or found.plays_like is not None:
        return found
    scale = level_scale(game, setup.opponent, seat, min(plies, MOST_DECIDING))
    like = compare_levels(scale, score.value, score.interval) if scale else None
    return replace(found, levels=tuple(scale.values()) or None, plays_like=like)


def level_scale(game: Game[Any], opponent: str, seat: Side, plies: int) -> dict[int, float]:
    """The exact corrected score of every level against an opponent; empty if there is none.

    >>> scale = level_scale(validate_game("bit-flip"), "level:3", 0, 100)
    >>> round(scale[5], 3), scale[10]
    (0.509, 1.0)
    """
    scale: dict[int, float] = {}
    other = load_known_opponent(opponent)
    for level in range(1, 11 if other else 1):
        kept = expected_decisions(game, LevelPlayer(level), other, seat, plies)
        if kept is None or kept.corrected is None:
            return {}
        scale[level] = kept.corrected
    return scale


class SeatAdjusted(NamedTuple):
    """How far points rise from random (0) to the best response (1), and the seats left out."""

    value: float | None
    no_information: list[str]


def adjust_for_seats(groups: Iterable[SampleGroup]) -> SeatAdjusted:
    """The points of an agent over seats and opponents; seats that carry no information are left out."""
    above = below = 0.0
    silent = []
    for group in groups:
        points, random, best = group.measures.points, group.exact.random, group.exact.best
        if points is None or random is None or best is None:
            continue
        if best - random < NO_INFORMATION:
            silent.append(f"{group.key.game} against {group.key.opponent}, seat {group.key.seat}")
        else:
            above += points.value - random
            below += best - random
    return SeatAdjusted(_share(above, below), silent)
