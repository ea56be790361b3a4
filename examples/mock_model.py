"""Try the tasks for Inspect AI without a model and without a network: random legal moves.

python3 examples/mock_model.py
perfectplay report logs
"""

import sys
from random import Random
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

rng = Random(0)


def answer(messages: list[Any], *_: object) -> ModelOutput:
    """A random move among those listed in the last message."""
    text = messages[-1].text
    moves = text.partition("Legal moves: ")[2].partition("\n")[0].split(", ")
    output = ModelOutput.from_content("mockllm/model", f"Move: {rng.choice(moves)}")
    # Without this, Inspect downloads a table to count tokens.
    output.usage = ModelUsage(input_tokens=len(text) // 4, output_tokens=3, total_tokens=len(text) // 4 + 3)
    return output


def main(folder: str = "logs") -> None:
    """Play ten games in each seat and write the log."""
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    options = {"game": "bit-flip", "opponent": "level:3", "moves": "listed", "games": 10}
    inspect_eval("perfectplay/play", task_args=options, model=model, log_dir=folder, display="plain")


if __name__ == "__main__":
    main(*sys.argv[1:])
