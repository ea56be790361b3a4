"""Lists a move twice."""

from typing import Any

from sound import Nim


class Env(Nim):
    def valid_moves(self) -> Any:
        return [*super().valid_moves(), *super().valid_moves()[:1]]
