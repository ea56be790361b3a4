"""Holds a generator."""

from typing import Any

from sound import Nim


class Env(Nim):
    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.names = (name for name in ("one", "two"))
        return super().reset(seed=seed)
