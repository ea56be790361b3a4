"""Loses a stone when it is asked for its moves."""

from typing import Any

from sound import Nim


class Env(Nim):
    def valid_moves(self) -> Any:
        self.asked = getattr(self, "asked", 0) + 1
        return super().valid_moves()
