"""Has no move for the last stone."""

from typing import Any

from sound import Nim


class Env(Nim):
    def valid_moves(self) -> Any:
        return [] if self.left == 1 else super().valid_moves()
