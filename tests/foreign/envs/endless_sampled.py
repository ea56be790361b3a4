"""Puts a stone back whenever it can."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        found = super().taken(action)
        if self.left < 5:
            self.left, self.done = self.stones, False
            return self.seen(), 0.0, False, False, {}
        return found
