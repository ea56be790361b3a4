"""Games for tests that need one of a certain shape: any that is written down as a table, and one with two turns in a row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from hypothesis import strategies as st

from perfectplay import Cell, Control, Game, Outcome, ParseError, Side, View, other

Ways = Mapping[str, str]


@dataclass(frozen=True)
class ListedGame(Game[str]):
    """States are names; `table` has the moves of each, `movers` the side to move, `ends` the outcomes."""

    name = "table"
    title = "Table"
    outcome_reasons = ("end",)

    start: ClassVar[str]
    table: ClassVar[Mapping[str, Ways]]
    movers: ClassVar[Mapping[str, Side]]
    ends: ClassVar[Mapping[str, Side | None]]
    passes: ClassVar[frozenset[str]] = frozenset()

    @property
    def num_actions(self) -> int:
        return max([1, *(len(ways) for ways in self.table.values())])

    def initial(self) -> str:
        return self.start

    def side_to_move(self, state: str) -> Side:
        return self.movers.get(state, 0)

    def legal_actions(self, state: str) -> tuple[int, ...]:
        return tuple(range(len(self.table.get(state, {}))))

    def apply(self, state: str, action: int) -> str:
        return list(self.table[state].values())[action]

    def outcome(self, state: str) -> Outcome | None:
        return Outcome(self.ends[state], "end") if state in self.ends else None

    def events(self, state: str, action: int) -> tuple[str, ...]:
        return ("pass",) if self.action_text(state, action) in self.passes else ()

    def action_text(self, state: str, action: int) -> str:
        texts = list(self.table.get(state, {}))
        return texts[action] if action < len(texts) else f"no{action}"

    def state_text(self, state: str) -> str:
        return state

    def parse_state(self, text: str) -> str:
        if text not in self.table and text not in self.ends:
            raise ParseError(f"{text!r} is not a valid position")
        return text

    def view(self, state: str) -> View:
        ways = (Control(self.action_text(state, a), a) for a in self.legal_actions(state))
        return View(((Cell(state),),), tuple(ways))


def table_game(
    table: Mapping[str, Ways],
    ends: Mapping[str, Side | None],
    movers: Mapping[str, Side],
    start: str = "start",
    **declared: object,
) -> ListedGame:
    """A game from its table: state -> {move: next state}; `declared` sets class attributes."""
    body = {"table": table, "ends": ends, "movers": movers, "start": start, **declared}
    kind: Any = dataclass(frozen=True)(type("Table", (ListedGame,), {"__annotations__": {}, **body}))
    game = kind()
    assert isinstance(game, ListedGame)
    return game


@st.composite
def random_table_games(draw: st.DrawFn, /, least: int = 0, **declared: object) -> ListedGame:
    """Random little games with loops, ties, passes and double moves; with `least` 0, also with dead ends.

    A position that is not an end has `least` moves or more.
    """
    names = [f"s{i}" for i in range(draw(st.integers(2, 8)))]
    ends: dict[str, Side | None] = {}
    table: dict[str, dict[str, str]] = {}
    for name in names:
        if name != "s0" and draw(st.booleans()):
            ends[name] = draw(st.sampled_from([0, 1, None]))
        else:
            targets = draw(st.lists(st.sampled_from(names), min_size=least, max_size=3))
            table[name] = {f"m{i}": target for i, target in enumerate(targets)}
    movers: dict[str, Side] = {name: draw(st.sampled_from([0, 1])) for name in names}
    return table_game(table, ends, movers, start="s0", **declared)


PICK = table_game(
    {"start": {"up": "high", "down": "low", "stay": "low"}, "low": {"jump": "high"}},
    ends={"high": 0},
    movers={"low": 1},
    passes=frozenset({"stay"}),
    event_names=("pass",),
)
"""A game whose moves are called differently in each position."""


class DoublesState(NamedTuple):
    """How many turns were taken, and the numbers added up."""

    taken: int
    total: int


@dataclass(frozen=True)
class Doubles(Game[DoublesState]):
    """The first player moves twice, the second once; a tie unless the total is odd."""

    name = "doubles"
    title = "Doubles"
    outcome_reasons = ("odd", "even")
    num_actions = 2

    def initial(self) -> DoublesState:
        return DoublesState(0, 0)

    def side_to_move(self, state: DoublesState) -> Side:
        return 0 if state.taken < 2 else 1

    def legal_actions(self, state: DoublesState) -> tuple[int, ...]:
        return (0, 1) if state.taken < 3 else ()

    def apply(self, state: DoublesState, action: int) -> DoublesState:
        return DoublesState(state.taken + 1, state.total + action)

    def outcome(self, state: DoublesState) -> Outcome | None:
        if state.taken < 3:
            return None
        return Outcome(0, "odd") if state.total % 2 else Outcome(None, "even")

    def action_text(self, state: DoublesState, action: int) -> str:
        return str(action)

    def state_text(self, state: DoublesState) -> str:
        return f"{state.taken} {state.total}"

    def parse_state(self, text: str) -> DoublesState:
        return DoublesState(*map(int, text.split()))

    def view(self, state: DoublesState) -> View:
        return View(((Cell("taken", (f"t{state.taken}",)), Cell("total", (str(state.total),))),))


class Held(NamedTuple):
    """How often the baton was handed on, 3 once it is dropped; and the side that has it."""

    handed: int
    side: Side


@dataclass(frozen=True)
class Baton(Game[Held]):
    """A baton is handed on or dropped. Without lost turns the second player always has it after once."""

    name = "baton"
    title = "Baton"
    outcome_reasons = ("disqualification",)
    num_actions = 2

    def initial(self) -> Held:
        return Held(0, 0)

    def side_to_move(self, state: Held) -> Side:
        return state.side

    def legal_actions(self, state: Held) -> tuple[int, ...]:
        if state.handed == 3:
            return ()
        return (1,) if state.handed == 2 or state == (1, 1) else (0, 1)

    def apply(self, state: Held, action: int) -> Held:
        return Held(3, 1) if action else Held(state.handed + 1, other(state.side))

    def outcome(self, state: Held) -> Outcome | None:
        return Outcome(None, "disqualification") if state.handed == 3 else None

    def after_forfeit(self, state: Held) -> Held:
        return Held(state.handed, other(state.side))

    def action_text(self, state: Held, action: int) -> str:
        return ("hand", "drop")[action]

    def state_text(self, state: Held) -> str:
        return f"{state.handed} {state.side + 1}"

    def parse_state(self, text: str) -> Held:
        raise ParseError(text)

    def view(self, state: Held) -> View:
        return View(((Cell("", () if state.handed == 3 else (str(state.handed),)),),))
