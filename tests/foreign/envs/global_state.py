"""Keeps a list that all games share."""

from typing import Any

from sound import Nim

PLAYED: list[int] = []


class Env(Nim):
    def taken(self, action: Any) -> Any:
        PLAYED.append(int(action))
        return super().taken(action)
