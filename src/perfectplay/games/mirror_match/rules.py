"""Mirror Match: make the shared sequence of numbers a palindrome. Rules are in rulebook.md."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from perfectplay.core.errors import ForfeitError, ParseError
from perfectplay.core.formatting import quote
from perfectplay.core.game import PASS, Action, Game, Outcome, Side, new_state, other, parameter
from perfectplay.core.view import Cell, Control, Link, TextField, View

_PLACES = {"b": "B", "beginning": "B", "e": "E", "end": "E"}


class State(NamedTuple):
    """The sequence built so far and the side to add to it next."""

    sequence: tuple[int, ...]
    side: Side


@dataclass(frozen=True)
class MirrorMatch(Game[State]):
    """Add numbers to either end of a shared sequence until it reads the same both ways.

    The actions below `digits` put a number at the beginning, the next ones at the end.
    """

    name = "mirror-match"
    title = "Mirror Match"
    event_names = (PASS,)
    outcome_reasons = ("palindrome",)
    refusal_names = ()

    digits: int = parameter(9, "the largest number; the numbers start at 1", least=1)
    shortest: int = parameter(3, "how long a palindrome must be to win", least=1)
    forfeit: Literal["penalty", "move"] = parameter(
        "penalty", "whether a turn is only lost over an invalid number, or may be passed by choice"
    )
    disqualify_after: int | None = parameter(None, "how many invalid turns in a row lose the game", least=1)
    first: Literal["1", "2"] = parameter("1", "which player starts")

    @cached_property
    def _moves(self) -> tuple[Action, ...]:
        return tuple(range(self.num_actions))

    @cached_property
    def num_actions(self) -> int:
        return 2 * self.digits + (self.forfeit == "move")

    def initial(self) -> State:
        return State((), 0 if self.first == "1" else 1)  # MM-1, MM-2

    def side_to_move(self, state: State) -> Side:
        return state.side

    def _is_won(self, sequence: tuple[int, ...]) -> bool:
        """Whether a sequence is a palindrome that is long enough (MM-6, MM-7)."""
        return len(sequence) >= self.shortest and sequence == sequence[::-1]

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        return () if self._is_won(state.sequence) else self._moves  # MM-3, MM-4, MM-5

    def apply(self, state: State, action: Action) -> State:
        sequence, side = state
        digits = self.digits
        if action < digits:
            sequence = (action + 1, *sequence)
        elif action < 2 * digits:
            sequence = (*sequence, action - digits + 1)
        return new_state(State, (sequence, 0 if side else 1))

    def outcome(self, state: State) -> Outcome | None:
        # Never hands over a winning palindrome: the game is over once there is one.
        return Outcome(other(state.side), "palindrome") if self._is_won(state.sequence) else None

    def events(self, state: State, action: Action) -> tuple[str, ...]:
        return (PASS,) if action == 2 * self.digits else ()

    def after_forfeit(self, state: State) -> State:
        return State(state.sequence, other(state.side))  # MM-8

    @property
    def forfeit_limit(self) -> int | None:
        return self.disqualify_after  # MM-9

    def action_text(self, state: State, action: Action) -> str:
        if action == 2 * self.digits:
            return "pass"
        return f"{action % self.digits + 1} {'B' if action < self.digits else 'E'}"

    def number(self, text: str) -> int | None:
        """The number that a text exactly spells, from 1 to `digits`; None for any other text."""
        typed = text.strip()
        good = re.fullmatch(r"[1-9][0-9]{0,17}", typed) and int(typed) <= self.digits
        return int(typed) if good else None

    def parse_action(self, state: State, text: str) -> Action:
        words = text.split()
        if self.forfeit == "move" and [word.casefold() for word in words] == ["pass"]:
            return 2 * self.digits
        number = self.number(words[0]) if words else None
        if number is None:
            raise ForfeitError(
                f"{quote(text)} must begin with a number from 1 to {self.digits}, as a word of its own"
            )
        place = _PLACES.get(words[1].casefold()) if len(words) == 2 else None
        if place is None:
            raise ParseError(
                f"{quote(text)} does not say where to place the {number}: it must read"
                f" like {quote(f'{number} B')} or {quote(f'{number} E')}"
            )
        return number - 1 if place == "B" else self.digits + number - 1

    def state_text(self, state: State) -> str:
        return f"{'-'.join(map(str, state.sequence)) or '-'} {state.side + 1}"

    def parse_state(self, text: str) -> State:
        sequence, _, side = text.rpartition(" ")
        numbers = [] if sequence == "-" else [self.number(part) for part in sequence.split("-")]
        state = State(tuple(number for number in numbers if number), 0 if side == "1" else 1)
        if self.state_text(state) != text:
            raise ParseError(
                f"{quote(text)} is not a valid position: expected the sequence and the player to add to it,"
                f" as in {quote(f'{self.digits}-1-1 2')} or, for an empty one, {quote('- 1')}"
            )
        return state

    def canonical(self, state: State) -> State:
        """The sequence read from either end with its numbers renamed in order of appearance."""
        return State(min(_rename(state.sequence), _rename(state.sequence[::-1])), state.side)

    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"forfeit": self.choices("forfeit")}

    def view(self, state: State) -> View:
        ends = (("Beginning", 0), ("End", len(state.sequence)))
        legal = self.legal_actions(state)
        controls = (
            Control("pass", action, "Turn")
            if action == 2 * self.digits
            else Control(str(action % self.digits + 1), action, *ends[action >= self.digits])
            for action in legal
        )
        sequence = state.sequence
        cells = (Cell(str(i), (str(number),)) for i, number in enumerate(sequence, start=1))
        mirrored = ((i, len(sequence) - 1 - i) for i in range(len(sequence) // 2))
        longer = f", with at least {self.shortest} numbers" if self.shortest > 1 else ""
        limit = self.disqualify_after
        lose = "invalid turn loses" if limit == 1 else "invalid turns in a row lose"
        field = TextField(f"a number from 1 to {self.digits}", (("Beginning", " B"), ("End", " E")))
        return View(
            (tuple(cells),),
            tuple(controls),
            text_field=field if legal else None,
            links=tuple(Link(a, b, sequence[a] == sequence[b]) for a, b in mirrored),
            aims=(f"Make the row read the same from both ends{longer}.",) * 2,
            note=f"{limit} {lose} the game." if limit else "",
        )


def _rename(sequence: tuple[int, ...]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(names.setdefault(number, len(names) + 1) for number in sequence)
