"""Lists a move that is not in its action space."""

from typing import Any

from sound import Nim


class Env(Nim):
    def valid_moves(self) -> Any:
        return [*super().valid_moves(), 9]

    def taken(self, action: Any) -> Any:
        return super().taken(min(action, self.left - 1))
