"""Lists fractions."""

from typing import Any

from sound import Nim


class Env(Nim):
    def valid_moves(self) -> Any:
        return [float(move) for move in super().valid_moves()]
