"""Sometimes takes a stone more."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        if self.left > 4 and self.np_random.random() < 0.5:
            self.left -= 1
        return super().taken(action)
