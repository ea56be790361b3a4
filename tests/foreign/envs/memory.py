"""Fills the memory when two stones are left."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        while self.left == 2:
            self.held = [*getattr(self, "held", []), bytes(50_000_000)]
        return super().taken(action)
