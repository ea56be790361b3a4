"""A small copy of gg-bench with ten environments of our own."""

import json
from pathlib import Path

from studies.gg_bench.page import MODELS

GAME = """
import random
import numpy as np
import gymnasium as gym
from gymnasium import spaces

class CustomEnv(gym.Env):
    stones = 21

    def __init__(self):
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Box(0, 100, (2,), np.int64)
        self.reset()

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.left, self.current_player, self.done = self.stones, 1, False
        SETUP
        return self.seen(), {}

    def seen(self):
        return np.array([self.left, self.current_player + 1])

    def valid_moves(self):
        return LIST

    def step(self, action):
        if self.done or action not in self.valid_moves():
            self.done = True
            return self.seen(), -10, True, False, {}
        self.left -= action + 1
        self.done = self.left <= 0
        reward = REWARD
        TURN
        return self.seen(), reward, self.done, False, {}

    def render(self):
        return "o" * self.left
"""
USUAL = {
    "SETUP": "pass",
    "LIST": "[] if self.done else [take for take in range(3) if take < self.left]",
    "REWARD": "1 if self.done else 0",
    "TURN": "self.current_player *= -1",
}
GAMES: dict[int, dict[str, str]] = {
    1: {},
    2: {"TURN": "pass"},
    3: {"TURN": "self.current_player *= -1 if action else 1"},
    4: {"LIST": "[take for take in (0, 2) if take < self.left - 1]"},
    5: {"REWARD": "1 // (self.left - 9)"},
    6: {"SETUP": "self.left = random.choice([19, 20])"},
    7: {"REWARD": "-10 if self.done else 0"},
    8: {"REWARD": "0"},
    9: {"TURN": "self.left, self.current_player = self.left + action + 1, -self.current_player"},
    10: {"SETUP": "raise ValueError('no')"},
}
"""Ten environments by what each changes."""
COUNTS = {"agent_wins": 12, "gpt_wins": 18, "draws": 0, "agent_faults": 0, "gpt_faults": 0, "env_faults": 0}


def write_copy(folder: Path) -> Path:
    """Write the copy into a folder."""
    data = folder / "gg_bench" / "data"
    for name in ("envs", "descriptions", "splits"):
        (data / name).mkdir(parents=True)
    for number, changed in GAMES.items():
        text = GAME
        for word, line in (USUAL | changed).items():
            text = text.replace(word, line)
        (data / "envs" / f"env_{number}.py").write_text(text)
        (data / "descriptions" / f"{number}.txt").write_text(f"# Stones {number}: Rule Book\n")
    (data / "splits" / "valid_envs.json").write_text(json.dumps([[str(number), 1] for number in range(1, 9)]))
    (folder / "results").mkdir()
    for place, name in enumerate(MODELS):
        faults = {**COUNTS, "gpt_wins": 18 - 2 * place, "gpt_faults": 2 * place, "total_games": 30}
        counts = {str(number): faults for number in range(1, 9)}
        (folder / "results" / f"{name}_eval_1.json").write_text(json.dumps(counts))
    return folder
