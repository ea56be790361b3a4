"""Every worked example and every sample of the five rulebooks, replayed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.games.examples import WorkedExample, errata, examples
from tests.conftest import Run
from tests.games.transcripts import Transcript, transcripts
from tests.terminal.terminals import Terminal, drawn

EXAMPLES = [(name, each) for name in pp.names() for each in examples(name)]
TRANSCRIPTS = [(name, each) for name in pp.names() for each in transcripts(name)]


def _named(value: object) -> str | None:
    return value.name if isinstance(value, WorkedExample | Transcript) else None


def _readings(name: str, held: Mapping[str, Sequence[str]]) -> list[tuple[pp.Game[Any], bool]]:
    """The game under each reading, and whether it is one of those `held`."""
    game = pp.load(name)
    if not game.readings():
        return [(game, True)]
    return [
        (type(game).from_texts({key: value}), value in held[key])
        for key, values in game.readings().items()
        for value in values
    ]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=_named)
def test_an_example_holds_under_exactly_its_readings(name: str, example: WorkedExample) -> None:
    assert example.problem(pp.load(example.spec)) is None
    for game, holds in _readings(name, example.readings):
        assert (example.problem(game) is None) == holds, game.spec


def test_every_rulebook_has_its_examples_samples_and_errata() -> None:
    counts = {name: (len(examples(name)), len(transcripts(name)), len(errata(name))) for name in pp.names()}
    assert counts == {
        "bit-flip": (2, 1, 2),
        "dual-direction": (2, 1, 2),
        "inversion-race": (3, 1, 2),
        "mirror-match": (2, 1, 1),
        "race-to-the-center": (3, 1, 1),
    }


@pytest.mark.parametrize(("name", "transcript"), TRANSCRIPTS, ids=_named)
def test_a_sample_is_printed_as_in_the_rulebook_when_piped(
    name: str, transcript: Transcript, run: Run
) -> None:
    for game, holds in _readings(name, transcript.readings):
        done = run("play", game.spec, typed="".join(f"{line}\n" for line in transcript.inputs))
        assert done.returncode == 0, done.stderr
        assert _appears(transcript, drawn(done.stdout)) == holds, game.spec


@pytest.mark.parametrize(("name", "transcript"), TRANSCRIPTS, ids=_named)
def test_a_sample_is_printed_as_in_the_rulebook_when_typed(name: str, transcript: Transcript) -> None:
    with Terminal("play", transcript.spec) as terminal:
        for line in transcript.inputs:
            terminal.type(line)
        screen = terminal.until_quiet_prompt_or_end()
    assert _appears(transcript, screen)


def _appears(transcript: Transcript, screen: str) -> bool:
    """Whether the blocks are printed in order; in two games with blank lines alone between them."""
    only_blanks = transcript.spec in ("race-to-the-center", "bit-flip")
    between = r"\n\s*" if only_blanks else r"\n(?:.*\n)*?"
    return (
        re.search(between.join(re.escape(block.strip("\n")) for block in transcript.blocks), screen)
        is not None
    )
