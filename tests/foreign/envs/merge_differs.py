"""Remembers its first move where nobody can see it."""

from typing import Any

from sound import Nim


class Env(Nim):
    first: list[int] = []  # noqa: RUF012 - shared on purpose

    def valid_moves(self) -> Any:
        moves = super().valid_moves()
        return moves[:1] if self.left < 4 and self.first[:1] == [0] else moves

    def taken(self, action: Any) -> Any:
        if self.left == self.stones:
            self.first[:] = [int(action)]
        return super().taken(action)
