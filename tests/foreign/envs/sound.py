"""A small environment without a fault: whoever takes the last of seven stones wins."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces


class Nim(gymnasium.Env[Any, Any]):
    """Action a takes a + 1 stones. An illegal move ends the game with a penalty."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium has it
    stones = 7

    def __init__(self, render_mode: str | None = "ansi") -> None:
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(0, 100, (2,), np.int64)
        self.render_mode = render_mode
        self.left, self.current_player, self.done = self.stones, 0, False

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.left, self.current_player, self.done = self.stones, 0, False
        return self.seen(), {}

    def seen(self) -> Any:
        return np.array([self.left, self.current_player])

    def valid_moves(self) -> Any:
        return [] if self.done else [action for action in range(3) if action < self.left]

    def step(self, action: Any) -> Any:
        if self.done:
            return self.seen(), 0.0, True, False, {}
        if action not in self.valid_moves():
            self.done = True
            return self.seen(), -10.0, True, False, {}
        return self.taken(action)

    def taken(self, action: Any) -> Any:
        self.left -= int(action) + 1
        self.current_player = 1 - self.current_player
        self.done = self.left == 0
        return self.seen(), float(self.done), self.done, False, {}

    def render(self) -> Any:
        return "o" * self.left
