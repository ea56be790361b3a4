"""Answer the suite with players of known strength, through Inspect and without a network.

python3 -m tools.scripted_models logs random learned-30 level:5 perfect
perfectplay leaderboard logs

With SEED_FILE=PATH in front, they answer the questions of that held-out seed. `learned-30` has learned values
of positions for each size of a game, in 30 updates: the policies of `learned` know ten of the 81 sizes.
"""

import os
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from perfectplay.core.game import Action, Game
from perfectplay.evals.disguise import disguise_game
from perfectplay.evals.positions import find_positions
from perfectplay.evals.questions import list_choices, solve_question
from perfectplay.evals.suite.questions import PUBLIC_SEED, SuiteQuestion, draw_suite, read_seed_file
from perfectplay.players.registry import load_computer

PLAYERS = ("random", "learned-30", "learned-1000", "level:3", "level:5", "level:7", "perfect")
LEARNED, RATE, LATER = "learned-", 0.5, 0.95
"""How learned players are called, how far a value moves at once, and what a result is worth a ply earlier."""


class Learned:
    """Values of positions, learned from the results of moves in random ones; no solver is asked."""

    def __init__(self, game: Game[Any], updates: int) -> None:
        self.game, self.values = game, dict[Any, float]()
        rng = Random(f"{game.spec} {updates}")
        open_positions = [each for each in find_positions(game) if game.outcome(each) is None]
        for _ in range(updates):
            state = rng.choice(open_positions)
            key = game.canonical(state)
            best = max(self.worth(state, each) for each in game.legal_actions(state))
            self.values[key] = self.values.get(key, 0.0) + RATE * (best - self.values.get(key, 0.0))

    def worth(self, state: Any, action: Action) -> float:
        """What a move is worth to whoever makes it."""
        side, after = self.game.side_to_move(state), self.game.apply(state, action)
        if (outcome := self.game.outcome(after)) is not None:
            return 0.0 if outcome.winner is None else 1.0 if outcome.winner == side else -1.0
        value = LATER * self.values.get(self.game.canonical(after), 0.0)
        return value if self.game.side_to_move(after) == side else -value

    def choose(self, state: Any, rng: Random) -> Action:
        """One of the moves that are worth most."""
        moves = self.game.legal_actions(state)
        best = max(self.worth(state, each) for each in moves)
        return rng.choice([each for each in moves if self.worth(state, each) == best])


learned = cache(Learned)


def choose(game: Game[Any], state: Any, player: str, rng: Random) -> Action:
    """The move of a player."""
    if player.startswith(LEARNED):
        return learned(game, int(player.removeprefix(LEARNED))).choose(state, rng)
    return load_computer(player).choose(game, state, rng)


def answer(asked: SuiteQuestion, player: str, rng: Random) -> str:
    """What a player answers. All but random know the rules, and who wins under perfect play."""
    game, state = asked.item.open()
    show = disguise_game(game, asked.setup.disguise, state, asked.setup.seed)
    if asked.item.kind == "choose":
        return f"Move: {show.move(state, choose(game, state, player, rng))}"
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
    for player in players or PLAYERS:
        options = {"seed_file": seed_file} if seed_file else {}
        model = script(player, seed_file)
        inspect_eval(
            "perfectplay/suite",
            model=model,
            task_args=options,
            log_dir=folder,
            display="plain",
            log_realtime=False,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
