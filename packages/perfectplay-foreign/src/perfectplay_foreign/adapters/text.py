"""Environments for two that are played in free text, in the manner of TextArena. Moves are tried."""

import copy
import inspect
import re
from collections.abc import Hashable

from perfectplay_foreign.adapter import Adapter, Move, Moves, Step
from perfectplay_foreign.state import canonical

NOT_STATE = frozenset(
    {"logs", "observations", "turn", "step_info", "game_info", "error_count", "made_invalid_move"}
)
"""Parts of the state that record how a position came about."""
NONSENSE = "?"
"""What no environment takes for a move."""
NUMBERS = 32
"""The moves [0], [1], ... are tried up to this number, besides whatever the text shows in brackets."""


class TextAdapter(Adapter):
    """An environment whose `step` takes text, and whose state knows whose turn it is."""

    tries = opaque = True
    refuses = False  # whoever plays on after the end is not told so

    @classmethod
    def fits(cls, env: object) -> bool:
        reset = getattr(env, "reset", None)
        shows = callable(getattr(env, "get_observation", None))
        return shows and callable(reset) and "num_players" in inspect.signature(reset).parameters

    def start(self, seed: int) -> None:
        self.env.reset(num_players=2, seed=seed)

    def key(self) -> Hashable:
        state = self.env.state
        parts = {**vars(self.env), **vars(state)}
        kept = {name: each for name, each in parts.items() if name not in NOT_STATE and each is not state}
        # The number of the turn matters only if there is a last one.
        return canonical(kept), None if getattr(state, "max_turns", None) is None else state.turn

    def clone(self) -> object:
        return copy.deepcopy(self.env)

    def restore(self, copied: object) -> None:
        self.env = copy.deepcopy(copied)

    def moves(self) -> Moves:
        # A refusal may leave traces too, so a move is taken if it changes more than nonsense does.
        unchanged = ((False, self.key()), self._after(NONSENSE))
        shown = re.findall(r"\[[^\[\]\n]{1,12}\]", str(self.look()))
        texts = dict.fromkeys([*(f"[{number}]" for number in range(NUMBERS)), *shown])
        return tuple(text for text in texts if self._after(text) not in (None, *unchanged))

    def _after(self, text: str) -> Hashable:
        """The position after a text, played in a copy; None if it is refused for good or raises an error."""
        here, self.env = self.env, copy.deepcopy(self.env)
        try:
            over = self.step(text).over
            return None if over and self._is_refused() else (over, self.key())
        except Exception:  # noqa: BLE001 - a move that is tried may be nonsense
            return None
        finally:
            self.env = here

    def _is_refused(self) -> bool:
        """Whether the game ended by an invalid move: some environments allow no second try."""
        info = getattr(self.env.state, "game_info", None)
        said = info.values() if isinstance(info, dict) else ()
        return any(isinstance(each, dict) and each.get("invalid_move") is True for each in said)

    def step(self, move: Move) -> Step:
        mover = self.mover()
        over = bool(self.env.step(move)[0])
        rewards = (self.env.state.rewards or {}) if over else {}
        return self.result(float(rewards.get(mover, 0.0)), rewards.values(), over)

    def mover(self) -> Hashable:
        return int(self.env.state.current_player_id)

    def look(self) -> object:
        return str(copy.deepcopy(self.env).get_observation()[1])

    def draw(self) -> object:
        board = getattr(self.env, "get_board_str", None)
        return board() if callable(board) else self.look()
