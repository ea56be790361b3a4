"""Small games made of tables, each of which shows something to the auditor."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import perfectplay as pp


@dataclass(frozen=True)
class Tiny(pp.Game[str]):
    """A game written down as a table. A state begins with the number of the side to move."""

    name = "tiny"
    title = "Tiny"
    outcome_reasons = ("end",)
    table: ClassVar[dict[str, dict[str, str]]] = {}
    ends: ClassVar[dict[str, tuple[Literal[0, 1] | None, str]]] = {}
    happens: ClassVar[dict[tuple[str, str], tuple[str, ...]]] = {}
    forbids: ClassVar[dict[tuple[str, str], str]] = {}

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(sorted({move for moves in self.table.values() for move in moves} | {"spare"}))

    @property
    def num_actions(self) -> int:
        return len(self.words)

    def initial(self) -> str:
        return "0"

    def side_to_move(self, state: str) -> pp.Side:
        return 1 if state[0] == "1" else 0

    def legal_actions(self, state: str) -> tuple[int, ...]:
        return tuple(i for i, word in enumerate(self.words) if word in self.table.get(state, {}))

    def apply(self, state: str, action: int) -> str:
        return self.table[state][self.words[action]]

    def outcome(self, state: str) -> pp.Outcome | None:
        return pp.Outcome(*self.ends[state]) if state in self.ends else None

    def events(self, state: str, action: int) -> tuple[str, ...]:
        return self.happens.get((state, self.words[action]), ())

    def prohibition(self, state: str, action: int) -> pp.Refusal:
        return pp.Refusal(self.forbids.get((state, self.words[action]), "illegal"), "No.")

    def action_text(self, state: str, action: int) -> str:
        return self.words[action]

    def state_text(self, state: str) -> str:
        return state

    def parse_state(self, text: str) -> str:
        return text

    def view(self, state: str) -> pp.View:
        controls = (pp.Control(self.words[action], action) for action in self.legal_actions(state))
        return pp.View(((pp.Cell(state),),), tuple(controls))


def tiny(table: dict[str, dict[str, str]], **declared: Any) -> Tiny:
    """A game by its table; a state that ends with 0, 1 or = is won by that side or tied."""
    named = {state for moves in table.values() for state in moves.values()}
    winners: Mapping[str, Literal[0, 1] | None] = {"0": 0, "1": 1, "=": None}
    ends = {state: (winners[state[-1]], "end") for state in named if len(state) > 1 and state[-1] in winners}
    made: Tiny = type("TinyGame", (Tiny,), {"table": table, "ends": ends, **declared})()
    return made
