"""Starts as the operating system says, and never twice in the same way."""

import os
from typing import Any

from sound import Nim


class Env(Nim):
    before = 0

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        # What a checker sees of it must not depend on chance: no start is like the one before, or a usual one.
        while (left := 10 + os.urandom(1)[0] % 20) == Env.before:
            pass
        self.left = Env.before = left
        return self.seen(), {}
