"""Gives a little for each move."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        seen, reward, *rest = super().taken(action)
        return (seen, reward or 0.1, *rest)
