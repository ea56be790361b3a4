"""gg-bench 0 as its graph: who moves, and where each move leads. Made from a table of numbers."""

import json
from dataclasses import dataclass

from perfectplay import Control, Game, Outcome, ParseError, Side, View

GRAPH = """
{"sides":"12","names":[0,1],"moves":[[0,1,1,-1],[0,-2]]}
"""
FOUND = json.loads(GRAPH)
SIDES, NAMES, MOVES = FOUND["sides"], FOUND["names"], FOUND["moves"]
ENDS = {-1: Outcome(0, "reward"), -2: Outcome(1, "reward"), -3: Outcome(None, "reward")}


@dataclass(frozen=True)
class GraphGame(Game[int]):
    """A position is its number; the ends have numbers below 0."""

    name = "graph-game"
    title = "gg-bench 0"
    outcome_reasons = ("reward",)

    @property
    def num_actions(self) -> int:
        return len(NAMES)

    def initial(self) -> int:
        return 0

    def side_to_move(self, state: int) -> Side:
        return 1 if state >= 0 and SIDES[state] == "2" else 0

    def legal_actions(self, state: int) -> tuple[int, ...]:
        return () if state < 0 else tuple(MOVES[state][::2])

    def apply(self, state: int, action: int) -> int:
        moves: list[int] = MOVES[state]
        return moves[moves[::2].index(action) * 2 + 1]

    def outcome(self, state: int) -> Outcome | None:
        return ENDS.get(state)

    def action_text(self, state: int, action: int) -> str:
        return str(NAMES[action])

    def state_text(self, state: int) -> str:
        return str(state)

    def parse_state(self, text: str) -> int:
        if not text.lstrip("-").isdigit() or not -4 < int(text) < len(MOVES):
            raise ParseError(f"{text!r} is not a position: write its number")
        return int(text)

    def view(self, state: int) -> View:
        controls = [Control(f"Move {NAMES[action]}", action) for action in self.legal_actions(state)]
        return View((), tuple(controls), (), numbers=(("Position", state), ("of", len(MOVES))))
