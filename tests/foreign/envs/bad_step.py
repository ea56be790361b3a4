"""Returns three values."""

from typing import Any

from sound import Nim


class Env(Nim):
    def step(self, action: Any) -> Any:
        return super().step(action)[:3]
