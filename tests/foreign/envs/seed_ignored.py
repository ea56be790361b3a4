"""Draws its start from the global generator."""

from typing import Any

import numpy as np
from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.left = int(np.random.randint(5, 9))
        return self.seen(), {}
