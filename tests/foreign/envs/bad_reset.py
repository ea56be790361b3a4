"""Returns nothing but an observation."""

from typing import Any

from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        return super().reset(seed=seed)[0]
