"""What a run of the suite comes to: one headline, and below it what it is made of."""

from collections.abc import Iterable, Sequence
from math import fsum, hypot
from typing import NamedTuple

from perfectplay.core.formatting import join_words
from perfectplay.core.spec import split_spec
from perfectplay.evals.files import Samples, SuiteRun
from perfectplay.evals.measures import measure
from perfectplay.evals.samples import Sample
from perfectplay.evals.suite.questions import FAMILIES, PRESENTATIONS, SIZE
from perfectplay.strength.statistics import BELOW, Estimate, show

NO_ANSWER = "did not answer"
"""What a run comes to without a readable answer."""


class SuiteScore(NamedTuple):
    """The scores of one run: kept decisions, corrected for guessing; 0 is guessing and 1 is perfect."""

    run: SuiteRun
    questions: int
    """How many different questions of the suite were asked."""
    answered: float | None
    headline: Estimate | None
    """Balanced: the mean over the families; None unless all families were asked."""
    families: dict[str, Estimate | None]
    presentations: dict[str, Estimate | None]
    seats: dict[str, Estimate | None]
    rules: Estimate | None
    """The questions on the rules, balanced and corrected in the same way. They are not in the headline."""
    tokens: float | None
    cost: float | None

    @property
    def model(self) -> str:
        """The name of the model, as Inspect was given it."""
        return str(self.run.about["model"])

    @property
    def seed(self) -> str:
        """The kind of its seed, as the log says."""
        return str(self.run.about["suite"].get("seed"))

    @property
    def is_whole(self) -> bool:
        """Whether all questions were asked and ended."""
        return self.questions == SIZE

    @property
    def verdict(self) -> str:
        """What a score comes to that is not a strength; empty for all others."""
        if not self.answered:
            return NO_ANSWER
        interval = self.headline and self.headline.interval
        return BELOW if interval and interval[1] < 0 else ""

    @property
    def result(self) -> str:
        """The headline and the verdict in words; without answers, the score would be that of positions."""
        said = [] if self.verdict == NO_ANSWER else [show(self.headline)]
        return ", ".join([*said, *filter(None, [self.verdict])])

    def as_dict(self) -> dict[str, object]:
        """The scores and where they come from as JSON-serializable data."""
        verdict = {"verdict": self.verdict, "whole": self.is_whole, "provenance": self.run.about}
        return {name: _as_data(each) for name, each in {**self._asdict(), **verdict}.items() if name != "run"}


def _as_data(found: object) -> object:
    if isinstance(found, Estimate):
        return {"value": found.value, "interval": found.interval}
    return {name: _as_data(each) for name, each in found.items()} if isinstance(found, dict) else found


def score_suites(samples: Samples) -> list[SuiteScore]:
    """The scores of all runs of the suite among some samples."""
    return [score_run(run, [samples.samples[place] for place in run.asked]) for run in samples.suites]


def score_run(run: SuiteRun, samples: Sequence[Sample]) -> SuiteScore:
    """The scores of a run from its samples."""
    decisions = [each for each in samples if each.item is not None and each.item.kind == "choose"]
    found = measure(samples)

    return SuiteScore(
        run=run,
        questions=len({name for name, _ in run.asked.values()}),
        answered=found.answered,
        headline=balance(decisions),
        families={name: measure(own).corrected for name, own in _by_family(decisions).items()},
        presentations={
            name: balance([each for each in decisions if each.setup.disguise == disguise])
            for name, disguise in PRESENTATIONS.items()
        },
        seats={f"seat {seat}": balance([each for each in decisions if each.seat == seat]) for seat in (1, 2)},
        rules=balance(each for each in samples if each.item is not None and each.item.kind != "choose"),
        tokens=found.tokens,
        cost=found.cost,
    )


def _by_family(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    found: dict[str, list[Sample]] = {family: [] for family in FAMILIES}
    for sample in samples:
        found.setdefault(split_spec(sample.setup.game)[0], []).append(sample)
    return found


def balance(samples: Iterable[Sample]) -> Estimate | None:
    """The mean over the families of kept decisions, corrected for guessing; None if a family has none.

    The families are independent, so the squares of the distances from each value to the ends of its
    interval add up. Unlike standard errors, these distances also mean something at 0 and at 1.
    """
    found = [measure(own).corrected for own in _by_family(samples).values()]
    known = [(each.value, *each.interval) for each in found if each is not None and each.interval is not None]
    if len(known) < len(found):
        return None
    value = fsum(each for each, _, _ in known) / len(known)
    below = hypot(*(each - low for each, low, _ in known)) / len(known)
    above = hypot(*(high - each for each, _, high in known)) / len(known)
    return Estimate(value, (value - below, value + above))


def describe_headline(found: SuiteScore) -> str:
    """The one line to quote.

    It says what the score is of, on which kind of seed, and whether the run was whole.
    """
    of = "" if found.is_whole else f", only {found.questions} of {SIZE} questions"
    about = f"suite {found.run.about['suite'].get('version')}, {found.seed} seed{of}"
    return f"{found.model}: {found.result} ({about})"


def describe_parts(found: SuiteScore) -> list[tuple[str, str]]:
    """What the headline is made of and where it comes from: names and texts."""
    about = found.run.about
    scores = {**found.families, **found.presentations, **found.seats, "rules": found.rules}
    suite = {f"suite: {name}": value for name, value in about["suite"].items()}
    rest = {name: value for name, value in about.items() if name != "suite"}
    return [
        ("questions", f"{found.questions} of {SIZE}"),
        ("answered", show(found.answered)),
        *((name, show(each)) for name, each in scores.items()),
        ("tokens", f"{found.tokens:,.0f}" if found.tokens else "-"),
        ("cost", f"{found.cost:.4f}" if found.cost else "-"),
        *((name.replace("_", " "), _shorten(value)) for name, value in {**suite, **rest}.items()),
    ]


def _shorten(value: object) -> str:
    if isinstance(value, dict):
        value = [f"{name}={each}" for name, each in value.items()]
    text = join_words([str(each) for each in value], "and") if isinstance(value, list) else str(value)
    return " ".join(text.split())[:300] or "-"
