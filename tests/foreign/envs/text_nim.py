"""The stones once more, played in free text: "[2]" takes two."""

import re
from types import SimpleNamespace
from typing import Any


class TextNim:
    """Whoever takes the last of seven stones wins. A move that cannot be read is only noted."""

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self.state = SimpleNamespace(left=7, current_player_id=0, rewards=None, logs=[])

    def get_observation(self) -> tuple[int, str]:
        return self.state.current_player_id, f"{self.state.left} are left. Say how many you take, as in [1]."

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        state = self.state
        state.logs.append(action)
        taken = re.fullmatch(r"\[([123])\]", action)
        if taken is None or int(taken[1]) > state.left:
            return False, {"reason": "no such move"}
        state.left -= int(taken[1])
        if not state.left:
            state.rewards = {state.current_player_id: 1, 1 - state.current_player_id: -1}
        state.current_player_id = 1 - state.current_player_id
        return not state.left, {}
