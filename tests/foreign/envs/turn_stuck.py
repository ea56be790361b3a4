"""Always says that the same side moves."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        found = super().taken(action)
        self.current_player = 0
        return found
