"""Is over at once."""

from typing import Any

from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        found = super().reset(seed=seed)
        self.done = True
        return found
