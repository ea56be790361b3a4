"""Raises an error when three stones are left."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        if self.left == 3:
            raise IndexError("off the board")
        return super().taken(action)
