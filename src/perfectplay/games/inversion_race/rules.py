"""Inversion Race: two markers race to a goal that moves when they pass. Rules are in rulebook.md."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from perfectplay.core.game import PASS, Action, Game, Outcome, Refusal, Side, new_state, parameter
from perfectplay.core.view import Cell, Control, Role, View

LEFT, RIGHT, PASS_TURN = 0, 1, 2
_BOTH, _ONLY_LEFT, _ONLY_RIGHT, _ONLY_PASS = (LEFT, RIGHT), (LEFT,), (RIGHT,), (PASS_TURN,)
_TEXTS = ("left", "right", "pass")
_CHOICES = {"1": LEFT, "2": RIGHT}
_APART = 3
"""Under `crossing`, A has passed B when it is this far to the right: two empty cells between them."""


class State(NamedTuple):
    """The cells of both markers, whether the goal has changed, and the side to move."""

    a: int
    b: int
    inverted: bool
    side: Side


@dataclass(frozen=True)
class InversionRace(Game[State]):
    """Race to cell 0, unless the markers pass each other: then to the last cell."""

    name = "inversion-race"
    title = "Inversion Race"
    event_names = ("inversion", "leap", PASS)
    outcome_reasons = ("cell 0", "last cell")
    refusal_names = ("off-board", "occupied", "can-move")

    cells: int = parameter(11, "how many cells the track has", least=3)
    start: int = parameter(
        doc="the cell both markers start on",
        least=1,
        most=lambda game: game.cells - 1,
        derive=lambda game: (game.cells - 1) // 2,
        derived_as="the center",
    )
    first: Literal["A", "B"] = parameter("A", "which player moves first")
    passing: Literal["crossing", "letter", "leapfrog"] = parameter(
        "crossing", "when the markers have passed each other"
    )

    @cached_property
    def last(self) -> int:
        """The last cell, which is the goal after an inversion."""
        return self.cells - 1

    @property
    def side_names(self) -> tuple[str, str]:
        return ("Player A", "Player B")

    @property
    def num_actions(self) -> int:
        return 3

    def initial(self) -> State:
        return State(self.start, self.start, False, 0 if self.first == "A" else 1)  # IR-1, IR-2

    def side_to_move(self, state: State) -> Side:
        return state.side

    def goal(self, state: State) -> int:
        """The cell to reach now (IR-8)."""
        return self.last if state.inverted else 0

    def landing(self, state: State, action: Action) -> int:
        """The cell a step leads to, possibly off the board. Under `leapfrog` it may jump the opponent."""
        a, b, _, side = state
        here, opponent = (b, a) if side else (a, b)
        step = 1 if action else -1
        cell = here + step  # IR-3
        return cell + step if cell == opponent and self.passing == "leapfrog" else cell

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        a, b, inverted, side = state
        last = self.last
        goal = last if inverted else 0
        if a == goal or b == goal:
            return ()
        here, opponent = (b, a) if side else (a, b)
        left, right = here - 1, here + 1
        if self.passing == "leapfrog":
            left -= left == opponent
            right += right == opponent
        may_left = left >= 0 and left != opponent  # IR-4, IR-5
        if right <= last and right != opponent:
            return _BOTH if may_left else _ONLY_RIGHT
        return _ONLY_LEFT if may_left else _ONLY_PASS  # IR-6

    def apply(self, state: State, action: Action) -> State:
        a, b, inverted, side = state
        if action != PASS_TURN:
            before = a - b
            step = 1 if action else -1
            if side:
                b += step
            else:
                a += step
            if a == b:  # only a leap can step onto the opponent; it continues to the cell beyond
                a, b = (a, b + step) if side else (a + step, b)
            if not inverted:  # IR-7
                inverted = a - b >= _APART if self.passing == "crossing" else before * (a - b) < 0
        return new_state(State, (a, b, inverted, 0 if side else 1))

    def outcome(self, state: State) -> Outcome | None:
        goal = self.last if state.inverted else 0
        if state.a != goal and state.b != goal:
            return None
        return Outcome(0 if state.a == goal else 1, "last cell" if state.inverted else "cell 0")  # IR-9

    def events(self, state: State, action: Action) -> tuple[str, ...]:
        if action == PASS_TURN:
            return (PASS,)
        inversion = self.apply(state, action).inverted and not state.inverted
        leap = abs(self.landing(state, action) - (state.b if state.side else state.a)) == 2
        return ("inversion",) * inversion + ("leap",) * leap

    def prohibition(self, state: State, action: Action) -> Refusal:
        if action == PASS_TURN:
            return Refusal("can-move", "A turn passes only when no move is possible.")
        here, opponent = (state.b, state.a) if state.side else (state.a, state.b)
        cell = here + (1 if action else -1)
        if cell == opponent:
            return Refusal("occupied", f"Cell {cell} is occupied.")
        return Refusal("off-board", f"Cell {cell} is off the board.")

    def action_text(self, state: State, action: Action) -> str:
        return _TEXTS[action]

    def parse_action(self, state: State, text: str) -> Action:
        choice = _CHOICES.get(text.strip())
        return super().parse_action(state, text) if choice is None else choice

    def state_text(self, state: State) -> str:
        return f"{state.a} {state.b} {int(state.inverted)} {'AB'[state.side]}"

    def parse_state(self, text: str) -> State:
        parts = re.fullmatch(r"([0-9]{1,18}) ([0-9]{1,18}) ([01]) ([AB])", text)
        if parts and int(parts[1]) <= self.last and int(parts[2]) <= self.last:
            side: Side = 0 if parts[4] == "A" else 1
            state = State(int(parts[1]), int(parts[2]), parts[3] == "1", side)
            apart = state.a != state.b or (state.a == self.start and not state.inverted)
            if apart and self.state_text(state) == text:
                return state
        places = f"the cells of A and B, 0 to {self.last}"
        raise self.misread(text, f"{places}, 1 if inverted or else 0, and the player to move")

    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"passing": self.choices("passing")}

    def view(self, state: State) -> View:
        legal = [action for action in self.legal_actions(state) if action != PASS_TURN]
        ways = {self.landing(state, action): action for action in legal}
        pieces: dict[int, tuple[str, ...]] = {state.a: ("A",)}
        pieces[state.b] = (*pieces.get(state.b, ()), "B")
        here = state.b if state.side else state.a
        forbidden = {here + (1 if action else -1): action for action in (0, 1) if action not in legal}
        goal = self.goal(state)
        roles: dict[int, Role] = {goal: "goal"}
        if not state.inverted and self.passing != "letter":  # by the letter, the goal never moves
            roles[self.last] = "later-goal"
        captions = (f"Goal: Cell {goal}", f"Inversion: {state.inverted}")
        cells = (
            Cell(str(cell), pieces.get(cell, ()), ways.get(cell), forbidden.get(cell), roles.get(cell, ""))
            for cell in range(self.cells)
        )
        return View(
            (tuple(cells),),
            tuple(Control(self.action_text(state, action), action) for action in legal),
            captions,
            sides=(("A",), ("B",)),
            aims=(f"Reach cell {goal} first.",) * 2,
            note=self._note(state),
            on_board=captions,
        )

    def _note(self, state: State) -> str:
        """What may still happen to the goal."""
        jump = f"the goal jumps to cell {self.last}."
        if self.passing == "leapfrog":
            then = ". The goal does not move again." if state.inverted else f", and {jump}"
            return f"A step onto the other marker jumps over it{then}"
        if state.inverted:
            return "The goal does not move again."
        if self.passing == "letter":
            return "The markers cannot pass each other, so the goal stays where it is."
        return f"Once A is {_APART} or more cells to the right of B, {jump}"
