"""Does not say who moves."""

from typing import Any

import numpy as np
from sound import Nim


class Env(Nim):
    def __init__(self) -> None:
        super().__init__()
        del self.current_player

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        del self.current_player
        return self.seen(), {}

    def seen(self) -> Any:
        return np.array([self.left, 0])

    def taken(self, action: Any) -> Any:
        self.left -= int(action) + 1
        self.done = self.left == 0
        return self.seen(), float(self.done), self.done, False, {}
