"""Changes when it is drawn."""

from typing import Any

from sound import Nim


class Env(Nim):
    def render(self) -> Any:
        self.current_player = 1 - self.current_player
        return super().render()
