"""Lists a move that it then refuses."""

from typing import Any

from sound import Nim


class Env(Nim):
    def valid_moves(self) -> Any:
        return [0, 1, 2] if self.left == 2 else super().valid_moves()

    def step(self, action: Any) -> Any:
        if action >= self.left:
            self.done = True
            return self.seen(), -10.0, True, False, {}
        return super().step(action)
