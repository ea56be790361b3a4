"""The stones again, as an environment of PettingZoo."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv


class ZooNim(AECEnv[str, Any, int]):
    """Whoever takes the last of seven stones wins; an agent is told which moves are legal."""

    metadata = {"name": "nim", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as PettingZoo has it
    render_mode = "ansi"
    lost = -1.0

    def __init__(self) -> None:
        self.possible_agents = ["first", "second"]
        stones, mask = spaces.Box(0, 7, (2,), np.int64), spaces.Box(0, 1, (3,), np.int8)
        self.seen = spaces.Dict({"observation": stones, "action_mask": mask})
        self.actions = spaces.Discrete(3)

    def observation_space(self, agent: str) -> Any:
        return self.seen

    def action_space(self, agent: str) -> Any:
        return self.actions

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.agents = self.possible_agents[:]
        self.left, self.agent_selection = 7, "first"
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Any:
        mask = np.array(
            [action < self.left and agent == self.agent_selection for action in range(3)], np.int8
        )
        return {
            "observation": np.array([self.left, self.agent_selection == "first"], np.int64),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        mover = self.agent_selection
        if self.terminations[mover]:
            return self._was_dead_step(action)
        if action is None or action >= self.left:
            raise ValueError("no such move")
        self._clear_rewards()
        self._cumulative_rewards[mover] = 0
        other = "second" if mover == "first" else "first"
        self.agent_selection = other
        self.left -= int(action) + 1
        if not self.left:
            self.rewards = {mover: 1.0, other: self.lost}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str:
        return "o" * self.left

    def close(self) -> None:
        """Nothing is open."""
