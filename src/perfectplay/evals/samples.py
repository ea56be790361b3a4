"""A sample is one game or one question of an agent: what it was asked, its raw answers and their counts.

Columns of files, data in Inspect's logs and the report are derived from the fields of `Sample`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from perfectplay.core.errors import ParseError, PerfectplayError
from perfectplay.core.limits import LARGEST_NUMBER
from perfectplay.core.outcome import Side
from perfectplay.evals.counts import ANSWERS, SampleCounts
from perfectplay.evals.limits import MOST_PROBLEM
from perfectplay.evals.play import Play, replay_answers
from perfectplay.evals.questions import SingleQuestion, count_answer
from perfectplay.evals.setup import MODEL, Setup, load_game
from perfectplay.players.base import KnownPlayer
from perfectplay.strength.points import LARGEST_RATED
from perfectplay.validation import NOTHING, Trusted, validate_game, validate_player

VERSION = 1
"""The version of samples in files and logs."""


@dataclass(frozen=True)
class Usage:
    """What a model was set to and what its answers took, where the host knows it."""

    tokens: float | None = None
    cost: float | None = None
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One game or one single question of an agent.

    >>> play = replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 1"])
    >>> sample = game_sample(play, 0, "me")
    >>> sample.agent, sample.setup.game, sample.seat, sample.counts.points
    ('me', 'bit-flip:bits=3', 1, 1.0)
    >>> Sample.from_columns(sample.columns()) == sample
    True
    """

    task: str
    """`play`, or the kind of a single question."""
    agent: str
    setup: Setup
    """Its opponent is the name that is shown: that of a bot, `model:` and a name, or none in a question."""
    seat: Literal[1, 2]
    side: str
    """What the game calls that seat."""
    cluster: str
    """Samples of the same cluster are not independent."""
    number: int
    counts: SampleCounts
    texts: tuple[str, ...]
    """The raw answers."""
    replies: tuple[str, ...] | None = None
    """The moves of an opponent that might not play them again."""
    item: SingleQuestion | None = None
    problem: str | None = None
    usage: Usage = Usage()

    def columns(self) -> dict[str, object]:
        """The sample as a flat row of data, with its points."""
        found: dict[str, object] = {}
        for name, value in vars(self).items():
            found |= vars(value) if is_dataclass(value) else {name: value}
        return found | {"points": self.counts.points}

    @classmethod
    def from_columns(cls, data: Mapping[str, object]) -> "Sample":
        """The sample of such a row. Raises ParseError for a value that cannot be."""
        parts: dict[type, dict[str, object]] = {owner: {} for owner in (Setup, SampleCounts, Usage, cls)}
        for name, column in sample_columns().items():
            if name not in data:
                raise ParseError(f"a sample needs {name}")
            value = data[name]
            if isinstance(value, list):
                value = SingleQuestion.from_data(value) if column.kind is SingleQuestion else tuple(value)
            if not column.fits(value):
                raise ParseError(f"{name} of a sample cannot be {value!r:.40}")
            parts[column.owner][name] = value
        counts = SampleCounts(**parts[SampleCounts])  # type: ignore[arg-type]
        _check_counts(counts)
        nested = {"setup": Setup.from_data(parts[Setup]), "counts": counts, "usage": Usage(**parts[Usage])}  # type: ignore[arg-type]
        return cls(**parts[cls], **nested)  # type: ignore[arg-type]

    def fail(self, error: Exception) -> "Sample":
        """This sample as an error that names its problem, for one that cannot be counted."""
        said = str(error) if isinstance(error, PerfectplayError) else f"{type(error).__name__}: {error}"
        counts = SampleCounts(errors=1, result=None if self.item else "error")
        return replace(self, counts=counts, problem=" ".join(said.split())[:MOST_PROBLEM])


class SampleColumn(NamedTuple):
    """A field of a sample or of one of its parts, as it is stored."""

    owner: type
    kind: type
    """The class of its values, None apart."""
    optional: bool
    choices: tuple[object, ...]
    """The only values there are; empty if there are others."""

    def fits(self, value: object) -> bool:
        """Whether a value may be here. Numbers are bounded, and whole numbers not negative."""
        if value is None:
            return self.optional
        if self.choices:
            return value in self.choices
        if self.kind is float:
            return isinstance(value, float | int) and abs(value) < LARGEST_NUMBER
        if self.kind is dict and isinstance(value, dict):
            return all(isinstance(name, str) and _is_count(each) for name, each in value.items())
        if self.kind is tuple and isinstance(value, tuple):
            return all(isinstance(each, str) for each in value)
        return _is_count(value) if self.kind is int else isinstance(value, self.kind)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < LARGEST_NUMBER


@cache
def sample_columns() -> dict[str, SampleColumn]:
    """The columns of a sample by name, as the fields and types of its classes give them."""
    found = {}
    for owner in (Setup, SampleCounts, Usage, Sample):
        for name, hint in get_type_hints(owner).items():
            either = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
            choices = get_args(either[0]) if get_origin(either[0]) is Literal else ()
            kind = type(choices[0]) if choices else get_origin(either[0]) or either[0]
            if not is_dataclass(kind):
                found[name] = SampleColumn(owner, kind, NoneType in either, choices)
    return found


def _check_counts(counts: SampleCounts) -> None:
    """Raise ParseError for counts that contradict each other."""
    plies = counts.decisions_at
    if not (
        set(ANSWERS) <= counts.answers.keys()
        and all(ply.isdecimal() and int(ply[:20]) < LARGEST_NUMBER for ply in plies)
        and all(lost <= plies.get(ply, 0) for ply, lost in counts.drops_at.items())
        and counts.kept <= counts.decisions_read <= counts.decisions
        and all(
            0 <= guess < decisions or guess == decisions == 0
            for guess, decisions in (
                (counts.guess, counts.decisions),
                (counts.guess_read, counts.decisions_read),
            )
        )
    ):
        raise ParseError("the counts of a sample contradict each other")


def game_sample(play: Play, number: int, agent: str, opponent: str | None = None) -> Sample:
    """The sample of a game. `opponent` is the name to show, if it is not the opponent's own spec."""
    setup = replace(play.setup, game=play.game.spec, opponent=opponent or play.setup.opponent)
    return Sample(
        task="play",
        agent=agent,
        setup=setup,
        seat=1 if play.seat == 0 else 2,
        side=play.game.side_names[play.seat],
        cluster=f"{play.game.spec} {play.match.seed}",
        number=number,
        counts=play.counts,
        texts=tuple(play.texts),
        replies=None if play.replies is None else tuple(play.replies),
        problem=play.problem,
    )


def question_sample(item: SingleQuestion, setup: Setup, text: str | None, agent: str) -> Sample:
    """The sample of a single question; None is an answer that never came."""
    seat = item.seat
    return Sample(
        task=item.kind,
        agent=agent,
        setup=replace(setup, game=item.game, opponent=""),
        seat=1 if seat == 0 else 2,
        side=load_game(item.game).side_names[seat],
        cluster=item.cluster,
        number=0,
        counts=count_answer(item, setup, text),
        texts=() if text is None else (text,),
        item=item,
    )


def load_known_opponent(spec: str) -> KnownPlayer | None:
    """The opponent that data names, if its move probabilities are known."""
    try:
        player = validate_player(spec)
    except PerfectplayError:
        return None
    return player if isinstance(player, KnownPlayer) else None


def replay_sample(sample: Sample, trusted: Trusted = NOTHING) -> Sample:
    """The sample with the counts that its raw answers come to when they are played again.

    A sample is data: it starts no program, and runs no game file but trusted ones. One that cannot be
    played again is an error that names its problem.
    """
    try:
        return replace(_replay(sample, trusted), usage=sample.usage)
    except Exception as error:  # noqa: BLE001 whatever a log holds, the sample stays in the denominator
        return sample.fail(error)


def _replay(sample: Sample, trusted: Trusted) -> Sample:
    setup, replies = sample.setup, sample.replies
    if sample.item is not None:
        validate_game(sample.item.game, LARGEST_RATED, trusted)
        return question_sample(sample.item, setup, next(iter(sample.texts), None), sample.agent)
    opponent = setup.opponent
    if opponent.partition(":")[0] == MODEL:
        setup = replace(setup, opponent=MODEL)
    if setup.opponent == MODEL or load_known_opponent(opponent):
        replies = None  # it plays as it did, whatever a log says
    game = validate_game(setup.game, LARGEST_RATED, trusted)
    if replies is None and setup.opponent != MODEL:
        validate_player(opponent)
    seat: Side = 0 if sample.seat == 1 else 1
    resigned = sample.counts.result == "forfeit"
    play = replay_answers(setup, seat, sample.number, sample.texts, replies, resigned=resigned, game=game)
    return game_sample(play, sample.number, sample.agent, opponent)
