"""Environments as games: `env:./env.py` on the command line.

A whole table is a game like any other: it can be solved, played, audited and turned into arrays.
"""

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import pluralize, quote
from perfectplay.core.game import Action, Game, Outcome, Side, parameter
from perfectplay.core.texts import GameTexts
from perfectplay.core.view import Control, View
from perfectplay_foreign.protocol import plain
from perfectplay_foreign.transitions import OPEN, TIE, WINS, TransitionTable, rest_text

if TYPE_CHECKING:
    from perfectplay_foreign.sandbox.request import AuditOptions


@dataclass(frozen=True)
class EnvironmentGame(Game[int]):
    """A game that is known only by its table.

    A position is its number in the table. The numbers after the last position stand for the ends that
    occur: won by the first side, won by the second, a tie, and moves that lead nowhere known.
    """

    name: ClassVar[str] = "env"
    title: ClassVar[str] = "Environment"
    bare: ClassVar[str | None] = "what"
    outcome_reasons: ClassVar[tuple[str, ...]] = ("reward",)

    what: str = parameter("", "the environment")
    table: TransitionTable = field(default_factory=TransitionTable, repr=False)

    @classmethod
    def from_spec(cls, rest: str | None) -> Self:
        """Explore the environment in the sandbox."""
        game = load_environment(rest or "")
        assert isinstance(game, cls)
        return game

    @cached_property
    def spec(self) -> str:
        return f"{self.name}:{self.what}"

    @property
    def num_actions(self) -> int:
        return len(self.table.names)

    def initial(self) -> int:
        return 0

    def end_at(self, state: int) -> int | None:
        """The end that a number stands for; None for a position."""
        place = state - len(self.table.sides)
        return self.table.ends[place] if place >= 0 else None

    def is_open(self, state: int) -> bool:
        """Whether it is not known what follows: a position not visited, or what a failed move leads to."""
        table = self.table
        unvisited = table.visited <= state < len(table.sides)
        return unvisited or state in table.open_positions or self.end_at(state) == OPEN

    def side_to_move(self, state: int) -> Side:
        return 1 if state < len(self.table.sides) and self.table.sides[state] else 0

    def legal_actions(self, state: int) -> tuple[Action, ...]:
        table = self.table
        if state >= table.visited:
            return ()
        return tuple(table.actions[table.offsets[state] : table.offsets[state + 1]])

    def apply(self, state: int, action: Action) -> int:
        table = self.table
        start, end = table.offsets[state], table.offsets[state + 1]
        return self.state_after(table.targets[table.actions.index(action, start, end)])

    def state_after(self, target: int) -> int:
        """The number that stands for a target of a move."""
        return target if target >= 0 else len(self.table.sides) + self.table.ends.index(target)

    def outcome(self, state: int) -> Outcome | None:
        end = self.end_at(state)
        if end is None or end == OPEN:
            return None
        return Outcome(None if end == TIE else 0 if end == WINS[0] else 1, "reward")

    def action_text(self, state: int, action: Action) -> str:
        name = self.table.names[action]
        return re.sub(r"[^!-z|~]", "", str(name)) or f"move-{action}"

    def state_text(self, state: int) -> str:
        return str(state)

    def parse_state(self, text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) >= len(self.table.sides) + len(self.table.ends):
            raise ParseError(f"{quote(text)} is not a valid position")
        return int(text)

    def view(self, state: int) -> View:
        controls = tuple(Control(self.action_text(state, each), each) for each in self.legal_actions(state))
        return View((), controls, (), numbers=(("Position", state),), picture=self.table.picture(state))

    def texts(self) -> "EnvironmentTexts":
        return EnvironmentTexts(self)


class EnvironmentTexts(GameTexts[EnvironmentGame]):
    """What an environment says about itself."""

    def rulebook(self) -> str:
        game, table = self.game, self.game.table
        moves = ", ".join(game.action_text(0, action) for action in game.legal_actions(0)[:10])
        said = plain(table.rules).strip() or "The environment does not say what its rules are."
        return (
            f"# {game.what}\n\n{said}\n\n"
            f"The game has {pluralize(len(table.sides), 'position', 'positions')}. Moves are typed as the"
            f" environment names them; at the start these are {moves}. The reward at the end decides who"
            " has won.\n"
        )

    instructions = rulebook


def load_environment(what: str) -> EnvironmentGame:
    """The game of an environment, if all of its positions can be reached."""
    # The whole path, so that a saved game finds it from anywhere.
    return _explore(str(Path(what).resolve()) if what.endswith(".py") else what)


@cache  # a saved game is loaded several times
def _explore(what: str) -> EnvironmentGame:
    game = explore_environment(what)
    table = game.table
    if not table.whole:
        rest = rest_text(blocked=table.blocked, tried=table.tried)
        raise ParseError(
            f"{what} was not explored completely: {len(table.actions):,} moves were tried, and"
            f" {rest}; perfectplay audit-env {what} says what is known"
        )
    return game


def explore_environment(what: str, options: "AuditOptions | None" = None) -> EnvironmentGame:
    """The game of an environment as far as it can be explored."""
    from perfectplay_foreign.sandbox.client import ForkServer, require_sandbox
    from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest

    require_sandbox(what, trust=False)
    with ForkServer() as server:
        examined = server.run(JobRequest(what, options or AuditOptions(), draw=True)).examined
    if examined is None or examined.table is None:
        raise ParseError(f"{what} has no table: perfectplay audit-env {what} says why")
    return EnvironmentGame(what, examined.table)
