"""Dual Direction: one marker on a line, two goals. Rules are in rulebook.md."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from perfectplay.core.game import Action, Game, Outcome, Refusal, Side, new_state, other, parameter
from perfectplay.core.view import Cell, Control, Role, View

LEFT, RIGHT = 0, 1
_BOTH = (LEFT, RIGHT)


class State(NamedTuple):
    """The position of the shared marker and the side that moves it next."""

    position: int
    side: Side


@dataclass(frozen=True)
class DualDirection(Game[State]):
    """Push the shared marker onto your own end of the line."""

    name = "dual-direction"
    title = "Dual Direction"
    outcome_reasons = ("goal", "opponent's goal")
    refusal_names = ("beyond-line",)

    positions: int = parameter(11, "how long the line is", least=3)
    start: int = parameter(
        doc="where the marker starts",
        least=2,
        most=lambda game: game.positions - 1,
        derive=lambda game: (game.positions + 1) // 2,
        derived_as="the center",
    )
    first: Literal["1", "2"] = parameter("1", "which player moves first")

    @property
    def num_actions(self) -> int:
        return 2

    def initial(self) -> State:
        return State(self.start, 0 if self.first == "1" else 1)  # DD-1, DD-2

    def side_to_move(self, state: State) -> Side:
        return state.side

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        # The marker is at an end only when the game is over, so DD-5 never forbids anything.
        return _BOTH if 1 < state.position < self.positions else ()

    def apply(self, state: State, action: Action) -> State:
        position, side = state
        return new_state(State, (position + 1 if action else position - 1, 0 if side else 1))  # DD-3, DD-4

    def outcome(self, state: State) -> Outcome | None:
        if 1 < state.position < self.positions:
            return None
        winner: Side = 0 if state.position == 1 else 1  # DD-6, DD-7
        return Outcome(winner, "goal" if winner == other(state.side) else "opponent's goal")

    def prohibition(self, state: State, action: Action) -> Refusal:
        return Refusal("beyond-line", f"The line ends at position {state.position}.")  # DD-5

    def action_text(self, state: State, action: Action) -> str:
        return "right" if action else "left"

    def state_text(self, state: State) -> str:
        return f"{state.position} {state.side + 1}"

    def parse_state(self, text: str) -> State:
        parts = re.fullmatch(r"([1-9][0-9]{0,17}) ([12])", text)
        if not parts or int(parts[1]) > self.positions:
            raise self.misread(text, f"the marker's place, 1 to {self.positions}, and the player to move")
        return State(int(parts[1]), 0 if parts[2] == "1" else 1)

    def view(self, state: State) -> View:
        legal = self.legal_actions(state)
        ways = {self.apply(state, action).position: action for action in legal}
        goals: tuple[tuple[int, Side], ...] = ((1, 0), (self.positions, 1))
        roles: dict[int, tuple[Role, Side | None]] = {place: ("goal", side) for place, side in goals}
        captions = tuple(f"{self.side_names[side]} Goal: Position {place}" for place, side in goals)
        cells = (
            Cell(str(place), ("*",) * (place == state.position), ways.get(place), None, *roles.get(place, ()))
            for place in range(1, self.positions + 1)
        )
        return View(
            (tuple(cells),),
            tuple(Control(self.action_text(state, action), action) for action in legal),
            captions,
            aims=("Bring the marker to position 1.", f"Bring the marker to position {self.positions}."),
            note="The marker wins for the owner of the end it reaches, whoever moved it.",
            on_board=captions,
        )
