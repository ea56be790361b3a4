"""Single decisions as a dataset of reasoning-gym (tried with 0.1.25), scored exactly.

A move that keeps the best result that can be forced scores 1, every other answer 0. There may be several
such moves, so an entry has no answer to compare with.
"""

from dataclasses import dataclass
from typing import Any

from reasoning_gym.factory import ProceduralDataset, create_dataset, register_dataset

from perfectplay.evals.questions import count_answer, draw_decisions, load_family, write_question
from perfectplay.evals.setup import Setup

NAME = "perfectplay_decisions"


@dataclass
class DecisionsConfig:
    """Which decisions there are, and how they are shown."""

    game: str = "bit-flip"
    moves: str = "hidden"
    disguise: str = "none"
    size: int = 100
    seed: int = 0


class Decisions(ProceduralDataset):
    """At most `size` decisions in the games of a family."""

    def __init__(self, config: DecisionsConfig) -> None:
        self.items = draw_decisions(load_family(config.game), config.size, config.seed)
        how = {"moves": config.moves, "disguise": config.disguise, "seed": config.seed}
        self.setups = [Setup.from_data({"game": item.game, **how}) for item in self.items]
        super().__init__(config, config.seed, len(self.items))

    def __getitem__(self, idx: int) -> dict[str, Any]:
        question = write_question(self.items[idx], self.setups[idx])
        return {"question": question, "answer": None, "metadata": {"index": idx}}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        place = entry["metadata"]["index"]
        return float(count_answer(self.items[place], self.setups[place], answer).kept)


register_dataset(NAME, Decisions, DecisionsConfig)

if __name__ == "__main__":
    data = create_dataset(NAME, moves="listed", size=5)
    for entry in data:
        move = entry["question"].partition("Legal moves: ")[2].partition(",")[0].split()[0]
        print(f"Move: {move} scores {data.score_answer(f'Move: {move}', entry)}")
