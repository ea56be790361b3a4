"""Starts as the operating system says."""

import os
from typing import Any

from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.left = 5 + os.urandom(1)[0] % 20
        return self.seen(), {}
