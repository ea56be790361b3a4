"""Starts as the time says."""

import time
from typing import Any

from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.left = 5 + int(time.time() * 10) % 3
        return self.seen(), {}
