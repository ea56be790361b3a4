"""The command-line samples of the rulebooks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perfectplay.games.examples import entries


@dataclass(frozen=True)
class Transcript:
    """A command-line sample: the lines typed, and the blocks of lines printed."""

    name: str
    where: str
    spec: str
    inputs: Sequence[str]
    blocks: Sequence[str]
    readings: Mapping[str, Sequence[str]]


def transcripts(name: str) -> tuple[Transcript, ...]:
    """The command-line samples of a game's rulebook."""
    return tuple(Transcript(**each) for each in entries(name, "transcript"))
