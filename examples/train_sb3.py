"""Train MaskablePPO of sb3-contrib on Bit Flip, and measure how far it is from perfect play.

`make example-sb3` runs this in a separate virtual environment.
"""

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import perfectplay as pp
from perfectplay.adapters.gymnasium import GameEnv
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_player
from perfectplay.simulate import observer_for

ID = "perfectplay/BitFlip-v0"
SEAT = 0
"""The learner flips first, and wins if it makes no mistake."""

Policy = Callable[[Any], int]
"""Chooses an action in a position."""


def policy_of(model: MaskablePPO, game: pp.Game[Any]) -> Policy:
    """The trained model as a player: its most likely legal action."""
    observer = observer_for(game)

    def choose(state: Any) -> int:
        legal = np.zeros(game.num_actions, np.bool_)
        legal[list(game.legal_actions(state))] = True
        observation = observer.observe(state).astype(np.int8)
        action, _ = model.predict(observation, deterministic=True, action_masks=legal)
        return int(action)

    return choose


def errors(game: pp.Game[Any], choose: Policy) -> tuple[int, int]:
    """The number of the learner's positions where a mistake is possible, and where it makes one."""
    oracle = pp.solve(game)
    assert oracle.graph is not None
    chances = mistakes = 0
    for state in oracle.graph.states:
        if game.side_to_move(state) != SEAT or not game.legal_actions(state):
            continue
        kinds = {move.action: move.value.kind for move in oracle.moves(state)}
        best = oracle.value(state).kind
        if set(kinds.values()) != {best}:
            chances += 1
            mistakes += kinds[choose(state)] != best
    return chances, mistakes


def accuracy(game: pp.Game[Any], choose: Policy, opponent: str, games: int, seed: int) -> tuple[int, float]:
    """The games won against an opponent, and the share of choices that kept the value."""
    oracle, player = pp.solve(game), load_player(opponent)
    assert isinstance(player, ComputerPlayer)
    won, kept = 0, []
    for number in range(games):
        match: pp.Match[Any] = pp.Match(game, players=("program:model", opponent), seed=seed + number)
        while match.result is None:
            if match.side == SEAT:
                match.play(choose(match.state))
            else:
                match.play(player.choose(game, match.state, match.generator()))
        won += match.result.winner == SEAT
        plies = oracle.regret(match.record()).plies
        kept += [ply.kept for ply in plies if ply.side == SEAT and ply.could_err]
    return won, sum(kept) / len(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    game: pp.Game[Any] = pp.load("bit-flip")

    def make() -> gymnasium.Env[Any, Any]:
        return gymnasium.make(ID, opponent=options.opponent, seat=SEAT)

    envs = make_vec_env(make, n_envs=8, seed=options.seed)
    model = MaskablePPO("MlpPolicy", envs, seed=options.seed, n_steps=256, batch_size=256)
    assert isinstance(envs.get_attr("unwrapped")[0], GameEnv)
    print(f"{game.title} against {options.opponent}, {options.steps:,} steps")
    for learned in (False, True):
        if learned:
            model.learn(options.steps)
        choose = policy_of(model, game)
        chances, mistakes = errors(game, choose)
        print("after training:" if learned else "before training:")
        print(f"  makes a mistake in {mistakes} of the {chances} positions where one is possible")
        for opponent in ("random", "perfect"):
            won, kept = accuracy(game, choose, opponent, 100, options.seed)
            print(f"  against {opponent}: {won} of 100 won, {kept:.0%} of its choices kept the value")


if __name__ == "__main__":
    main()
