"""Whether the counts of samples are what their raw answers come to."""

from collections import Counter
from collections.abc import Collection
from dataclasses import fields
from math import isclose

from perfectplay.evals.counts import SampleCounts
from perfectplay.evals.files import Samples, Verification
from perfectplay.evals.samples import Sample, replay_sample

COMPARED = ("game", "cluster", *(each.name for each in fields(SampleCounts)), "points")


def verify_samples(samples: Samples, files: Collection[str] = ()) -> Samples:
    """The samples as their raw answers have it, and what differs from their stored counts.

    A sample that cannot be played again keeps its counts and is named. Like every sample it is data: it runs
    nothing but the game files in `files`.

    >>> from dataclasses import replace
    >>> from perfectplay.evals.play import replay_answers
    >>> from perfectplay.evals.samples import game_sample
    >>> from perfectplay.evals.setup import Setup
    >>> play = replay_answers(Setup("bit-flip:bits=3", "perfect"), 0, 0, ["Move: 0"])
    >>> sample = game_sample(play, 0, "me")
    >>> found = verify_samples(Samples([replace(sample, counts=replace(sample.counts, kept=1))]))
    >>> found.verification.differences
    ['me, bit-flip:bits=3, seat 1, game 0: kept is stored as 1, the answers give 0']
    """
    kept: list[Sample] = []
    differences: list[str] = []
    unknown: Counter[str] = Counter()
    for sample in samples.samples:
        found = replay_sample(sample, files)
        if found.problem is not None and found.problem != sample.problem:
            unknown[found.problem] += 1
            found = sample
        stored, answered = sample.columns(), found.columns()
        said = [
            f"{name} is stored as {stored[name]}, the answers give {answered[name]}"
            for name in COMPARED
            if not _same(stored[name], answered[name])
        ]
        if said:
            game = f"{sample.setup.game}, seat {sample.seat}, game {sample.number}"
            which = sample.cluster if sample.item else game
            differences.append(f"{sample.agent}, {which}: {'; '.join(said)}")
        kept.append(found)
    return samples._replace(samples=kept, verification=Verification(differences, dict(unknown)))


def _same(stored: object, found: object) -> bool:
    if isinstance(stored, float) and isinstance(found, float | int):
        return isclose(stored, found, abs_tol=1e-9)  # arithmetic may differ between machines
    return stored == found
