"""Starts as the operating system says, and never twice in the same way."""

import os
from typing import Any

from sound import Nim


class Env(Nim):
    before = os.urandom(1)[0]

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        # What a checker sees of it must not depend on chance: no start is like one of those before, or a usual one.
        Env.before += 7
        self.left = 10 + Env.before % 20
        return self.seen(), {}
