"""Takes more stones than there are."""

from typing import Any

from sound import Nim


class Env(Nim):
    def step(self, action: Any) -> Any:
        self.left = max(self.left, int(action) + 1)
        return super().step(action)
