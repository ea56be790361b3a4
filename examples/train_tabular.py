"""Train a table of move values on episodes, offline, and measure it before and after.

    python examples/train_tabular.py [folder]

It sees what a language model would see: questions with the legal moves listed.
"""

import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

from perfectplay.evals.episode import Episode
from perfectplay.evals.files import Samples, save
from perfectplay.evals.report import report, report_text
from perfectplay.evals.samples import Sample, game_sample

GAME: dict[str, Any] = {"game": "bit-flip:bits=7", "opponent": "level:5", "moves": "listed"}


class MoveMeans:
    """The mean reward of every move in every position seen, and how often it was tried."""

    def __init__(self) -> None:
        self.tried: dict[tuple[str, str], int] = defaultdict(int)
        self.mean: dict[tuple[str, str], float] = defaultdict(float)

    def choose(self, question: str, rng: Random, explore: float) -> tuple[str, str]:
        """A position and a move: the best so far, or any with probability `explore`."""
        position, _, rest = question.partition("Legal moves: ")
        moves = rest.splitlines()[0].split(", ")
        if rng.random() < explore:
            return position, rng.choice(moves)
        return position, max(moves, key=lambda move: self.mean[position, move])

    def learn(self, played: list[tuple[str, str]], reward: float) -> None:
        """Credit a game's reward to all its moves."""
        for each in played:
            self.tried[each] += 1
            self.mean[each] += (reward - self.mean[each]) / self.tried[each]


def play(table: MoveMeans, episode: Episode, seat: int, number: int, explore: float) -> list[tuple[str, str]]:
    """Play one game, and return the choices made."""
    rng = Random(f"{seat}/{number}/{explore}")
    said = episode.reset(**GAME, seat=seat, number=number)
    played = []
    while "Legal moves: " in said:
        played.append(table.choose(said, rng, explore))
        said = episode.move(played[-1][1])
    return played


def measure(table: MoveMeans, agent: str, games: int = 60) -> list[Sample]:
    """Games without exploration, with seeds of their own."""
    rows = []
    for number in range(100_000, 100_000 + games):
        for seat in (1, 2):
            episode = Episode()
            play(table, episode, seat, number, explore=0.0)
            assert episode.play is not None
            rows.append(game_sample(episode.play, number, agent))
    return rows


def main(folder: Path) -> None:
    """Train, and print and save what was measured."""
    table, episode = MoveMeans(), Episode()
    rows = measure(table, "untrained")
    for number in range(800):
        for seat in (1, 2):
            table.learn(play(table, episode, seat, number, explore=0.3), episode.get_reward())
    rows += measure(table, "trained")
    save(rows, folder / "table.parquet")
    print(report_text(report(Samples(rows))))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
