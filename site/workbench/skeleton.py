"""A game of my own: what a turn does, and who wins."""

from dataclasses import dataclass

from perfectplay import Cell, Control, Game, Outcome, ParseError, Refusal, Side, View, other, parameter

State = tuple[int, Side]
"""The counters that are left, and the side to move."""


@dataclass(frozen=True)
class MyGame(Game[State]):
    """Take one or two counters. Whoever takes the last one wins."""

    name = "my-game"
    title = "My Game"
    outcome_reasons = ("last counter",)
    refusal_names = ("too many",)

    counters: int = parameter(7, "how many counters there are", least=1, most=40)

    @property
    def num_actions(self) -> int:
        return 2  # action 0 takes one counter, action 1 takes two

    def initial(self) -> State:
        return self.counters, 0

    def side_to_move(self, state: State) -> Side:
        return state[1]

    def legal_actions(self, state: State) -> tuple[int, ...]:
        return tuple(range(min(2, state[0])))

    def apply(self, state: State, action: int) -> State:
        return state[0] - action - 1, other(state[1])

    def outcome(self, state: State) -> Outcome | None:
        return Outcome(other(state[1]), "last counter") if state[0] == 0 else None

    def prohibition(self, state: State, action: int) -> Refusal:
        return Refusal("too many", "There are not that many counters left.")

    def action_text(self, state: State, action: int) -> str:
        return str(action + 1)

    def state_text(self, state: State) -> str:
        return f"{state[0]} {state[1] + 1}"

    def parse_state(self, text: str) -> State:
        left, _, side = text.partition(" ")
        if not left.isdigit() or side not in ("1", "2") or int(left) > self.counters:
            raise ParseError(f"{text!r} is not a position: write the counters left and the player to move")
        return int(left), 0 if side == "1" else 1

    def view(self, state: State) -> View:
        cells = [Cell(str(i + 1), ("o",) if i < state[0] else ()) for i in range(self.counters)]
        controls = [Control(f"Take {action + 1}", action) for action in self.legal_actions(state)]
        aim = "Take the last counter."
        return View((tuple(cells),), tuple(controls), aims=(aim, aim))
