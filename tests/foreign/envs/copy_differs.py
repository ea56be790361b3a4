"""Counts its moves where no copy can see it."""

from typing import Any

from sound import Nim


class Env(Nim):
    stones = 60
    made: list[int] = []  # noqa: RUF012 - shared on purpose

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.made.clear()
        return super().reset(seed=seed)

    def valid_moves(self) -> Any:
        return super().valid_moves()[: 1 if len(self.made) > 34 else 2]

    def taken(self, action: Any) -> Any:
        self.made.append(action)
        return super().taken(action)
