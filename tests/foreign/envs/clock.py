"""Starts as the day says: a check that takes a moment sees the same start every time."""

import time
from typing import Any

from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.left = 5 + int(time.time() / 86_400) % 3
        return self.seen(), {}
