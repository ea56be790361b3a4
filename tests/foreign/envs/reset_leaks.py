"""Starts with a stone less each time."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        found = super().taken(action)
        if self.done:
            self.stones -= 1
        return found
