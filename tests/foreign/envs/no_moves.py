"""Lists no moves."""

from typing import Any

from sound import Nim


class Env:
    """An environment with nothing but reset and step."""

    def __init__(self) -> None:
        self.inside = Nim()
        self.action_space, self.observation_space = self.inside.action_space, self.inside.observation_space

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        return self.inside.reset(seed=seed)

    def step(self, action: Any) -> Any:
        return self.inside.step(action)
