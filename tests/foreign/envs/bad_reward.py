"""Rewards a win with something that is not a number."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        seen, reward, *rest = super().taken(action)
        return (seen, float("nan") if reward else 0.0, *rest)
