"""Ends by truncation alone."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        seen, reward, over, _, info = super().taken(action)
        return seen, reward, False, over, info
