"""The stones in the manner of TextArena: a state object counts turns and errors, and notes are left around."""

import re
from typing import Any


class State:
    """Who moves, what was said, and how often a player was wrong."""

    def __init__(self, allowed_errors: int) -> None:
        self.current_player_id, self.turn, self.max_turns = 0, 0, None
        self.error_allowance, self.error_count, self.made_invalid_move = allowed_errors, 0, False
        self.game_state = {"left": 7}
        self.game_info = {player: {"invalid_move": False, "turn_count": 0} for player in range(2)}
        self.rewards: dict[int, int] | None = None
        self.done, self.logs = False, list[str]()
        self.observations: dict[int, list[tuple[int, str]]] = {0: [], 1: []}

    def tell(self, message: str) -> None:
        self.logs.append(message)
        for player in range(2):
            self.observations[player].append((-1, message))

    def refuse(self) -> None:
        mover = self.current_player_id
        if self.error_count < self.error_allowance:
            self.error_count, self.made_invalid_move = self.error_count + 1, True
            return self.tell("Please try again.")
        self.rewards, self.done = {mover: -1, 1 - mover: 1}, True
        self.game_info[mover]["invalid_move"] = True

    def step(self) -> tuple[bool, dict[str, Any]]:
        if not self.made_invalid_move and not self.done:
            self.error_count, self.turn = 0, self.turn + 1
            self.game_info[self.current_player_id]["turn_count"] += 1
            self.current_player_id = 1 - self.current_player_id
        self.made_invalid_move = False
        return self.done, {}


class ArenaNim:
    """Whoever takes the last of seven stones wins. A second invalid move in a row loses."""

    allowed_errors = 1

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self.state = State(self.allowed_errors)
        self.state.tell("There are seven stones. Take one to three, as in [2].")

    def get_observation(self) -> tuple[int, list[tuple[int, str]]]:
        mover = self.state.current_player_id
        seen, self.state.observations[mover] = self.state.observations[mover], []
        return mover, seen

    def get_board_str(self) -> str:
        return "o" * self.state.game_state["left"]

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        state = self.state
        self.heard_from = state.current_player_id  # set even if the move is refused
        taken = re.search(r"\[([123])\]", action)
        if taken is None or int(taken[1]) > state.game_state["left"]:
            state.refuse()
        else:
            state.game_state["left"] -= int(taken[1])
            if not state.game_state["left"]:
                mover = state.current_player_id
                state.rewards, state.done = {mover: 1, 1 - mover: -1}, True
        state.tell(f"{state.game_state['left']} are left.")
        return state.step()


class StrictArenaNim(ArenaNim):
    """The first invalid move loses."""

    allowed_errors = 0


class StuckArenaNim(ArenaNim):
    """At four stones the environment waits for a word that it never shows."""

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        if self.state.game_state["left"] == 4 and action != "continue":
            return False, {}
        return super().step(action)


class MuteArenaNim(ArenaNim):
    """From the first move on, the environment waits for a word that it never shows."""

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        if self.state.game_state["left"] < 7 and action != "continue":
            return False, {}
        return super().step(action)
