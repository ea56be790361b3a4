"""Does not return when two stones are left."""

from typing import Any

from sound import Nim


class Env(Nim):
    def taken(self, action: Any) -> Any:
        while self.left == 2:
            pass
        return super().taken(action)
