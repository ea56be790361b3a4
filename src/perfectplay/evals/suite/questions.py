"""The questions of the suite, which are fixed by its version and by a seed."""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Literal, NamedTuple

from perfectplay import __version__
from perfectplay.core.errors import ParseError
from perfectplay.core.limits import LARGEST_NUMBER
from perfectplay.evals.limits import LONGEST_SEED, SHORTEST_SEED
from perfectplay.evals.questions import (
    SingleQuestion,
    draw_decisions,
    draw_rules_questions,
    load_family,
    write_question,
)
from perfectplay.evals.setup import DisguiseName, Setup

SUITE_VERSION = 1
"""To be raised with every change to what is asked or counted. Scores of different versions do not compare."""

FAMILIES = ("bit-flip", "dual-direction", "inversion-race", "mirror-match", "race-to-the-center")
"""The games, each in all sizes of its family."""
DECISIONS, ON_RULES = 30, 18
"""How many questions of each kind a family has in each presentation."""
PRESENTATIONS: dict[str, DisguiseName] = {"plain": "none", "disguised": "words"}
"""How the same positions are shown."""
SIZE = len(FAMILIES) * len(PRESENTATIONS) * (DECISIONS + ON_RULES)
"""How many questions the suite has."""
CANARY = "perfectplay suite canary 5f0b7c1e-8a64-4d0b-9a3e-2f6f6f1f7d52: not to be trained on"
"""Stored with every question, so that it can be found in training data."""


class SuiteSeed(NamedTuple):
    """What decides positions and disguises.

    Logs hold `disguises`, from which neither `draws` nor the file can be worked out.
    """

    kind: Literal["development", "held-out"]
    digest: str
    """A name for the seed that does not give it away."""
    draws: int
    disguises: int


PUBLIC_SEED = SuiteSeed("development", "public", 0, 0)
"""The seed that everybody has."""


class SuiteQuestion(NamedTuple):
    """A question of the suite, and its text."""

    item: SingleQuestion
    setup: Setup
    text: str


def read_seed_file(path: Path) -> SuiteSeed:
    """The held-out seed in a file of the maintainer: one line of random characters.

    Raises ParseError for anything else.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST_SEED + 1).decode().strip()
    except (OSError, ValueError):
        raise ParseError(f"{path} cannot be read as a file with a seed") from None
    if not SHORTEST_SEED <= len(text) < LONGEST_SEED or not text.isprintable():
        raise ParseError(f"a seed is one line of {SHORTEST_SEED} to {LONGEST_SEED - 1} characters: {path}")

    def derive(use: str) -> str:
        return sha256(f"perfectplay suite {use}/{text}".encode()).hexdigest()

    disguises = int(derive("disguises"), 16) % LARGEST_NUMBER
    return SuiteSeed("held-out", derive("digest")[:16], int(derive("draws"), 16), disguises)


@lru_cache(maxsize=4)
def draw_suite(seed: SuiteSeed = PUBLIC_SEED) -> dict[str, SuiteQuestion]:
    """All questions by their ids. The families take turns, so that the first few are balanced too."""
    return {name: question for turn in zip_longest(*_draw(seed)) for name, question in filter(None, turn)}


def _draw(seed: SuiteSeed) -> Iterator[list[tuple[str, SuiteQuestion]]]:
    """The questions of each kind, family and presentation."""
    for kind, draw, count in (
        ("decision", draw_decisions, DECISIONS),
        ("rules", draw_rules_questions, ON_RULES),
    ):
        for family in FAMILIES:
            items = draw(load_family(family), count, seed.draws)
            for shown, disguise in PRESENTATIONS.items():
                asked = []
                for number, item in enumerate(items, start=1):
                    setup = Setup(item.game, "", disguise=disguise, seed=seed.disguises)
                    question = SuiteQuestion(item, setup, write_question(item, setup))
                    asked.append((f"{family} {shown} {kind} {number}", question))
                yield asked


def describe_suite(seed: SuiteSeed) -> dict[str, str | int]:
    """What a log keeps about the suite that it asked, without the seed itself."""
    rules = (game.texts().instructions() for family in FAMILIES for game in load_family(family))
    asked = (f"{name}\n{each.item}\n{each.text}" for name, each in draw_suite(seed).items())
    return {
        "version": SUITE_VERSION,
        "perfectplay": __version__,
        "seed": seed.kind,
        "seed_digest": seed.digest,
        "rules": _hash("\n".join(rules)),
        "questions": _hash("\n".join(asked)),
        "canary": CANARY,
    }


def describe_budget(seed: SuiteSeed) -> str:
    """What the suite will ask, in one line."""
    asked = draw_suite(seed)
    letters = sum(len(each.text) for each in asked.values())
    return (
        f"perfectplay suite {SUITE_VERSION}, {seed.kind} seed: {len(asked)} questions, one answer each"
        f" ({len(FAMILIES)} families, {' and '.join(PRESENTATIONS)}, {DECISIONS} decisions and"
        f" {ON_RULES} on the rules), about {letters // 4:,} tokens to read."
    )


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
