"""Passes the turn for an illegal move."""

from typing import Any

from sound import Nim


class Env(Nim):
    def step(self, action: Any) -> Any:
        if not self.done and action not in self.valid_moves():
            self.current_player = 1 - self.current_player
            return self.seen(), -1.0, False, False, {}
        return super().step(action)
