"""Cannot list the moves of its start."""

from typing import Any

from sound import Nim


class Env(Nim):
    def valid_moves(self) -> Any:
        return [][self.left]
