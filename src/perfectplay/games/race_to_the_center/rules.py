"""Race to the Center: two markers run towards the middle of a track. Rules are in rulebook.md."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from perfectplay.core.game import Action, Game, Outcome, Refusal, Side, new_state, parameter
from perfectplay.core.view import Cell, Control, View


class State(NamedTuple):
    """The positions of both markers and the side to move."""

    one: int
    two: int
    side: Side


@dataclass(frozen=True)
class RaceToTheCenter(Game[State]):
    """Run towards the center by one or two; land on it first, or answer the one who did."""

    name = "race-to-the-center"
    title = "Race to the Center"
    event_names = ("arrival", "same-turn arrival")
    outcome_reasons = ("first arrival", "same-turn arrival")
    refusal_names = ("past-center", "occupied")

    positions: int = parameter(
        11, "how many positions the track has", least=3, allowed="an odd whole number, at least 3"
    )
    steps: str = parameter("1-2", "how far a marker may move", allowed="a range from 1, such as 1-2 or 1-3")
    arrival: Literal["adjacent", "sudden-death", "full-turn"] = parameter(
        "adjacent", "when Player 2 may still answer after Player 1 has landed on the center"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.positions % 2 == 0:
            raise self.reject("positions")
        if not re.fullmatch(r"1-[1-9][0-9]{0,17}", self.steps):
            raise self.reject("steps")

    @cached_property
    def center(self) -> int:
        """The position both markers run to."""
        return self.positions // 2

    @cached_property
    def longest(self) -> int:
        """The longest step."""
        return int(self.steps[2:])

    @cached_property
    def _answers_within(self) -> int:
        """The farthest from which Player 2 may answer Player 1's arrival in the same round (RC-6)."""
        return {"adjacent": 1, "sudden-death": 0, "full-turn": self.longest}[self.arrival]

    @property
    def num_actions(self) -> int:
        return self.longest

    @cached_property
    def _moves(self) -> tuple[Action, ...]:
        return tuple(range(min(self.longest, self.center)))

    @cached_property
    def _start(self) -> State:
        return State(0, self.positions - 1, 0)  # RC-1, RC-2

    def initial(self) -> State:
        return self._start

    def side_to_move(self, state: State) -> Side:
        return state.side

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        one, two, side = state
        center = self.center
        if side:
            away = two - center
            if one == center and away > self._answers_within:
                return ()
        elif two == center:
            return ()
        else:
            away = center - one
        # Never past the center (RC-4), so the markers cannot meet before it (RC-7).
        return self._moves if away >= self.longest else self._moves[:away]

    def apply(self, state: State, action: Action) -> State:
        one, two, side = state
        return new_state(State, (one, two - action - 1, 0) if side else (one + action + 1, two, 1))  # RC-3

    def outcome(self, state: State) -> Outcome | None:
        one, two, side = state
        center = self.center
        if two == center:
            return Outcome(1, "same-turn arrival" if one == center else "first arrival")  # RC-5, RC-6
        if one != center or (side and two - center <= self._answers_within):
            return None
        return Outcome(0, "first arrival")  # RC-5

    def events(self, state: State, action: Action) -> tuple[str, ...]:
        after = self.apply(state, action)
        landed = after.two if state.side else after.one
        if landed != self.center:
            return ()
        return ("same-turn arrival",) if after.one == after.two else ("arrival",)

    def prohibition(self, state: State, action: Action) -> Refusal:
        after = self.apply(state, action)
        place = state.two if state.side else state.one
        if after.one > self.center or after.two < self.center:
            away = abs(self.center - place)
            return Refusal(
                "past-center",
                f"A marker may not move past the center, and from position {place} it is {away} away.",
            )
        return Refusal("occupied", f"Position {after.one} is occupied.")  # RC-7

    def action_text(self, state: State, action: Action) -> str:
        return str(action + 1)

    def parse_action(self, state: State, text: str) -> Action:
        typed = text.strip()
        if not re.fullmatch(r"[0-9]{1,18}", typed) or not 1 <= int(typed) <= self.longest:
            raise self.unreadable(state, text)
        return int(typed) - 1

    def state_text(self, state: State) -> str:
        return f"{state.one} {state.two} {state.side + 1}"

    def parse_state(self, text: str) -> State:
        parts = re.fullmatch(r"([0-9]{1,18}) ([0-9]{1,18}) ([12])", text)
        if parts and int(parts[1]) <= self.center <= int(parts[2]) < self.positions:
            state = State(int(parts[1]), int(parts[2]), 0 if parts[3] == "1" else 1)
            if self.state_text(state) == text:
                return state
        expected = "where Player 1 and Player 2 stand, on their own halves, and the player to move"
        raise self.misread(text, expected)

    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"arrival": self.choices("arrival")}

    def view(self, state: State) -> View:
        legal = self.legal_actions(state)
        ways = {}
        for action in legal:
            after = self.apply(state, action)
            ways[after.two if state.side else after.one] = action
        pieces: dict[int, tuple[str, ...]] = {state.one: ("P1",)}
        pieces[state.two] = (*pieces.get(state.two, ()), "P2")
        center = self.center
        captions = (f"Center: Position {center}",)
        aims = (f"Land on the center, position {center}, first.",) * 2
        if legal and state.one == center:
            aims = ("You have landed. Player 2 may still answer.", "Answer now: land on the center to win.")
        cells = (
            Cell(str(at), pieces.get(at, ()), ways.get(at), role="goal" if at == center else "")
            for at in range(self.positions)
        )
        return View(
            (tuple(cells),),
            tuple(Control(self.action_text(state, action), action, "Move by") for action in legal),
            captions,
            sides=(("P1",), ("P2",)),
            aims=aims,
            note=self._note,
            on_board=captions,
        )

    @cached_property
    def _note(self) -> str:
        """What happens when Player 1 lands on the center."""
        if not self._answers_within:
            return "The first to land on the center wins at once."
        within = self._answers_within
        near = "one position" if within == 1 else f"{within} positions or less"
        return f"If Player 1 lands with Player 2 {near} away, Player 2 may answer by landing too, and wins."
