"""Environments of PettingZoo in which two agents take turns (AEC)."""

from collections.abc import Hashable, Sequence
from importlib import import_module
from typing import Any

from perfectplay.foreign.face import Face, Make, Move, StartError, Step
from perfectplay.foreign.protocol import located, made, mask_moves, read_reward


class PettingZooFace(Face):
    """An AEC environment whose agents are told which actions are legal."""

    prefix = "pettingzoo"

    @classmethod
    def fits(cls, env: Any) -> bool:
        return hasattr(env, "possible_agents") and callable(getattr(env, "observe", None))

    @classmethod
    def named(cls, name: str) -> Make:
        family, _, version = name.rpartition("/")
        # Without its wrappers: what they refuse says nothing about the game.
        return lambda: import_module(f"pettingzoo.{family or 'classic'}.{version}").raw_env()

    def start(self, make: Make, seed: int) -> None:
        self.env = made(make)
        self.env = getattr(self.env, "unwrapped", self.env)
        try:
            self.env.reset(seed=seed)
        except Exception as error:
            raise StartError("reset-fails", located(error)) from error
        if self._mask() is None:
            raise StartError("no-moves", "nothing lists the legal moves: no action mask is observed")

    def _mask(self) -> Any:
        agent = self.env.agent_selection
        seen = self.env.observe(agent)
        for place in (seen, self.env.infos.get(agent)):
            if isinstance(place, dict) and "action_mask" in place:
                return place["action_mask"]
        return None

    def again(self, seed: int) -> bool:
        self.env.reset(seed=seed)
        return True

    def finished(self) -> bool:
        return not self.env.agents or any(self.env.terminations.values())

    def moves(self) -> tuple[Move, ...]:
        return mask_moves(self, self._mask())

    def step(self, move: Move) -> Step:
        env = self.env
        mover = env.agent_selection
        env.step(move)
        over, cut = any(env.terminations.values()), any(env.truncations.values())
        rewards = {agent: read_reward(self, reward) for agent, reward in env.rewards.items()}
        own = rewards.get(mover, 0.0)
        others = sum(reward for agent, reward in rewards.items() if agent != mover)
        if over or cut:
            self.notice_sum(rewards.values())
        return Step(over or cut, cut and not over, own or -others or 0.0)

    def mover(self) -> Hashable:
        return str(self.env.agent_selection)

    def look(self) -> Any:
        return self.env.observe(self.env.agent_selection)

    def all_moves(self) -> Sequence[Move] | None:
        space = self.env.action_space(self.env.agent_selection)
        return range(int(space.n)) if type(space).__name__ == "Discrete" else None

    def draw(self) -> object:
        if getattr(self.env, "render_mode", None) is None:
            raise NotImplementedError
        return self.env.render()
