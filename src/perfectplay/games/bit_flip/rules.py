"""Bit Flip: flip bits that have no flipped neighbor; the last to flip wins. Rules are in rulebook.md."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from perfectplay.core.game import Action, Game, Outcome, Refusal, Side, new_state, other, parameter
from perfectplay.core.view import Cell, View

_FEW = 64
"""Up to this many bits, it is fastest to pick them one by one."""


class State(NamedTuple):
    """The flipped bits as a mask (bit 0 is the lowest) and the side to flip next."""

    flipped: int
    side: Side


@dataclass(frozen=True)
class BitFlip(Game[State]):
    """Flip bits that have no flipped neighbor; the last to flip wins."""

    name = "bit-flip"
    title = "Bit Flip"
    outcome_reasons = ("last flip",)
    refusal_names = ("already-flipped", "adjacent")

    bits: int = parameter(10, "how many bits the row has", least=1)
    first: Literal["1", "2"] = parameter("1", "which player flips first")

    @property
    def num_actions(self) -> int:
        return self.bits

    def initial(self) -> State:
        return State(0, 0 if self.first == "1" else 1)  # BF-1, BF-2

    def side_to_move(self, state: State) -> Side:
        return state.side

    def free(self, state: State) -> int:
        """The bits that may be flipped: 0, with no neighbor at 1 (BF-4, BF-5, BF-7)."""
        flipped = state.flipped
        return ~(flipped | flipped << 1 | flipped >> 1) & (1 << self.bits) - 1

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        free = self.free(state)
        if self.bits > _FEW:
            # Through a string, which is linear in the number of bits; shifting is not.
            return tuple([i for i, bit in enumerate(f"{free:b}"[::-1]) if bit == "1"])
        actions = []
        while free:
            lowest = free & -free
            actions.append(lowest.bit_length() - 1)
            free -= lowest
        return tuple(actions)

    def apply(self, state: State, action: Action) -> State:
        flipped, side = state
        return new_state(State, (flipped | 1 << action, 0 if side else 1))  # BF-3

    def outcome(self, state: State) -> Outcome | None:
        return None if self.free(state) else Outcome(other(state.side), "last flip")  # BF-6

    def prohibition(self, state: State, action: Action) -> Refusal:
        if state.flipped >> action & 1:
            return Refusal("already-flipped", f"Bit {action} is already 1.")
        flipped = [n for n in (action - 1, action + 1) if n >= 0 and state.flipped >> n & 1]
        beside = " and ".join(f"bit {neighbor}" for neighbor in flipped)
        return Refusal("adjacent", f"Bit {action} is next to {beside}, already 1.")

    def action_text(self, state: State, action: Action) -> str:
        return str(action)

    def parse_action(self, state: State, text: str) -> Action:
        typed = text.strip()
        if not re.fullmatch(r"[0-9]{1,18}", typed) or int(typed) >= self.bits:
            raise self.unreadable(state, text)
        return int(typed)

    def state_text(self, state: State) -> str:
        return f"{self._row(state)} {state.side + 1}"

    def parse_state(self, text: str) -> State:
        parts = re.fullmatch(r"([01]+) ([12])", text)
        if not parts or len(parts[1]) != self.bits or "11" in parts[1]:
            raise self.misread(text, f"{self.bits} bits, no two neighbors both 1, and the player to flip")
        return State(int(parts[1][::-1], 2), 0 if parts[2] == "1" else 1)

    def canonical(self, state: State) -> State:
        """The row or its mirror image, whichever has the smaller mask."""
        return State(min(state.flipped, int(self._row(state), 2)), state.side)

    def view(self, state: State) -> View:
        legal = set(self.legal_actions(state))
        cells = [
            Cell(str(i), (bit,), i)
            if i in legal
            else Cell(str(i), (bit,), None, i, "closed" if bit == "0" else "")
            for i, bit in enumerate(self._row(state))
        ]
        return View(
            (tuple(cells),),
            hollow=("0",),
            aims=("Make the last flip.",) * 2,
            note="A bit next to a 1 cannot be flipped.",
        )

    def _row(self, state: State) -> str:
        """The bits from position 0 on."""
        return f"{state.flipped:0{self.bits}b}"[::-1]
