"""Answer the suite with players of known strength, through Inspect and without a network.

python3 -m tools.scripted_models logs random level:5 perfect
perfectplay leaderboard logs

With SEED_FILE=PATH in front, they answer the questions of that held-out seed.
"""

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from perfectplay.evals.disguise import disguise_game
from perfectplay.evals.questions import list_choices, solve_question
from perfectplay.evals.suite.questions import PUBLIC_SEED, SuiteQuestion, draw_suite, read_seed_file
from perfectplay.players.registry import load_computer


def answer(asked: SuiteQuestion, player: str, rng: Random) -> str:
    """What a player answers. All but random know the rules, and who wins under perfect play."""
    game, state = asked.item.open()
    show = disguise_game(game, asked.setup.disguise, state, asked.setup.seed)
    if asked.item.kind == "choose":
        return f"Move: {show.move(state, load_computer(player).choose(game, state, rng))}"
    choices = list_choices(asked.item, (show.side(0), show.side(1)))
    if player == "random":
        return f"Answer: {rng.choice(choices)}"
    return f"Answer: {choices[list_choices(asked.item, game.side_names).index(solve_question(asked.item))]}"


def script(player: str, seed_file: str = "") -> Model:
    """A player as a model that sees only the text of a question."""
    seed = read_seed_file(Path(seed_file)) if seed_file else PUBLIC_SEED
    asked = {each.text: each for each in draw_suite(seed).values()}

    def outputs(messages: list[Any], *_: object) -> ModelOutput:
        text = messages[-1].text
        output = ModelOutput.from_content(f"scripted {player}", answer(asked[text], player, Random(text)))
        # Without this, Inspect downloads a table to count tokens.
        output.usage = ModelUsage(
            input_tokens=len(text) // 4, output_tokens=3, total_tokens=len(text) // 4 + 3
        )
        return output

    return get_model(f"mockllm/{player.replace(':', '-')}", custom_outputs=outputs, memoize=False)


def main(folder: str = "logs", *players: str) -> None:
    """Write a log for each player."""
    seed_file = os.environ.get("SEED_FILE", "")
    for player in players or ("random", "level:3", "level:5", "level:7", "perfect"):
        options = {"seed_file": seed_file} if seed_file else {}
        model = script(player, seed_file)
        inspect_eval("perfectplay/suite", model=model, task_args=options, log_dir=folder, display="plain")


if __name__ == "__main__":
    main(*sys.argv[1:])
